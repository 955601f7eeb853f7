use crate::support::{Call, House, PASSWORD, Person, get, post, problem, until};
use axum::body::BodyDataStream;
use futures_util::StreamExt;
use serde_json::{Value, json};
use shared::Role;
use std::time::Duration;
use tower::ServiceExt;

/// A stream's frames as they come.
struct Events {
    body: BodyDataStream,
    buffer: String,
}

#[derive(Debug, Clone, PartialEq)]
struct Heard {
    id: Option<i64>,
    name: String,
    body: Value,
}

impl Events {
    async fn open(house: &House, call: Call) -> Self {
        let response = house.router.clone().oneshot(call.request()).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { body: response.into_body().into_data_stream(), buffer: String::new() }
    }

    /// The next event, or `None` when the stream has ended.
    async fn next(&mut self) -> Option<Heard> {
        loop {
            if let Some((frame, rest)) = self.buffer.split_once("\n\n") {
                let (frame, rest) = (frame.to_owned(), rest.to_owned());
                self.buffer = rest;
                let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let Some(name) = field("event:") else { continue };
                let id = field("id:").map(|id| id.parse().unwrap());
                return Some(Heard { id, name: name.to_owned(), body: serde_json::from_str(field("data:")?).unwrap() });
            }
            let piece =
                tokio::time::timeout(Duration::from_secs(20), self.body.next()).await.expect("an event in time")?;
            self.buffer.push_str(std::str::from_utf8(&piece.unwrap()).unwrap());
        }
    }

    async fn names(&mut self, count: usize) -> Vec<String> {
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(self.next().await.unwrap().name);
        }
        names
    }
}

fn events(person: &Person) -> Call {
    get("/api/events").by(person)
}

#[tokio::test]
async fn a_stream_begins_now_and_resumes_behind_the_last_id() {
    let (house, admin) = House::with_admin().await;
    let mut stream = Events::open(&house, events(&admin)).await;
    house.kin(&admin, "Basile").await;
    let made = stream.next().await.unwrap();
    assert_eq!((made.name.as_str(), made.body["data"]["name"].as_str()), ("kin.created", Some("Basile")));
    assert!(made.body["id"].as_str().unwrap().starts_with("evt_"));
    assert_eq!(made.body["source"], "kinstead");
    assert!((crate::support::now() - made.body["time"].as_i64().unwrap()).abs() < 60_000);
    drop(stream);

    house.kin(&admin, "Lumen").await;
    house.kin(&admin, "Zephyr").await;
    let id = made.id.unwrap().to_string();
    let mut stream = Events::open(&house, events(&admin).header("last-event-id", &id)).await;
    let (lumen, zephyr) = (stream.next().await.unwrap(), stream.next().await.unwrap());
    assert_eq!((&lumen.body["data"]["name"], &zephyr.body["data"]["name"]), (&json!("Lumen"), &json!("Zephyr")));
    house.kin(&admin, "Noisette").await;
    assert_eq!(stream.next().await.unwrap().body["data"]["name"], "Noisette");

    let all = Events::open(&house, events(&admin).header("last-event-id", "0")).await.names(5).await;
    assert_eq!(all, ["user.created", "kin.created", "kin.created", "kin.created", "kin.created"]);
    let bad = house.send(events(&admin).header("last-event-id", "x")).await;
    assert_eq!(bad.problem(), problem(400, "last_event_id_invalid"));
}

#[tokio::test]
async fn more_events_than_one_read_takes_are_all_resumed() {
    let (house, admin) = House::with_admin().await;
    house
        .state
        .db
        .write(|tx| {
            for n in 0..450 {
                let sql =
                    "insert into event (event_id, name, audience, at, data) values (?1, 'test', 'household', 1, ?2)";
                let id = server::clock::fresh::<shared::EventId>().to_string();
                tx.execute(sql, rusqlite::params![id, json!({ "n": n }).to_string()])?;
            }
            Ok::<_, server::db::DbError>(())
        })
        .await
        .unwrap();
    let mut stream = Events::open(&house, events(&admin).header("last-event-id", "1")).await;
    for n in 0..450 {
        assert_eq!(stream.next().await.unwrap().body["data"]["n"], n);
    }
}

#[tokio::test]
async fn events_for_another_member_are_never_sent() {
    let (house, admin) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let mut live = Events::open(&house, events(&admin)).await;
    house.sign_in("bob@house.test", PASSWORD, None).await;
    house.kin(&bob, "Basile").await;
    // Bob's sign-in is his own affair.
    assert_eq!(live.names(1).await, ["kin.created"]);
    let mut later = Events::open(&house, events(&admin).header("last-event-id", "0")).await;
    assert_eq!(later.names(3).await, ["user.created", "user.created", "kin.created"]);
    let mut own = Events::open(&house, events(&bob).header("last-event-id", "0")).await;
    assert_eq!(own.names(4).await, ["user.created", "user.created", "user.login", "kin.created"]);
}

#[tokio::test]
async fn the_pieces_of_an_answer_join_to_what_is_kept() {
    let (house, admin) = House::with_admin().await;
    house.state.start().await.unwrap();
    let demo =
        house.send(post("/api/providers").by(&admin).json(&json!({ "name": "Demo", "kind": "demo" }))).await.json();
    let body = json!({ "name": "Basile", "model": { "provider_id": demo["id"], "name": demo["models"][0]["name"] } });
    let kin = house.send(post("/api/kins").by(&admin).json(&body)).await.json()["id"].as_str().unwrap().to_owned();
    let messages = format!("/api/kins/{kin}/messages");
    let mut early = Events::open(&house, events(&admin)).await;
    house.send(post(&messages).by(&admin).json(&json!({ "text": "hello" }))).await;
    let viewer = shared::Viewer { member: admin.id, role: Role::Admin };
    until("text has come", async || house.state.hub.live_now(viewer).iter().any(|(_, live)| live.text.len() > 30))
        .await;
    let mut late = Events::open(&house, events(&admin)).await;

    let mut told = Vec::new();
    for stream in [&mut early, &mut late] {
        let mut text = String::new();
        loop {
            let heard = stream.next().await.unwrap();
            match heard.name.as_str() {
                "kin.message.delta" => {
                    assert_eq!(heard.id, None);
                    let data = &heard.body["data"];
                    assert_eq!(data["offset"].as_u64().unwrap(), text.len() as u64, "no gap and no repeat");
                    text.push_str(data["text"].as_str().unwrap());
                }
                "kin.message.sent" => break,
                "kin.message.received" => {}
                other => panic!("{other}"),
            }
        }
        told.push(text);
    }
    let kept = house.send(get(&format!("{messages}?limit=1")).by(&admin)).await.json();
    let kept = kept["items"][0]["text"].as_str().unwrap();
    assert_eq!((told[0].trim(), told[1].trim()), (kept.trim(), kept.trim()));
}

#[tokio::test]
async fn a_stream_ends_with_its_login_and_with_the_server() {
    let (house, admin) = House::with_admin().await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let mut by_login = Events::open(&house, get("/api/events").cookie(&cookie)).await;
    let mut by_token = Events::open(&house, events(&admin)).await;
    house.send(post("/api/auth/logout").cookie(&cookie)).await;
    assert_eq!(by_login.next().await.unwrap().name, "user.logout");
    assert_eq!(by_login.next().await, None);
    assert_eq!(by_token.next().await.unwrap().name, "user.logout");
    house.state.supervisor.shut_down(Duration::from_secs(5)).await;
    assert_eq!(by_token.next().await, None);
}

#[tokio::test]
async fn events_of_long_ago_are_forgotten_and_who_missed_them_is_told() {
    let (house, admin) = House::with_admin().await;
    house.kin(&admin, "Basile").await;
    house.sql("update event set at = 0; update sqlite_sequence set seq = 126 where name = 'event'").await;
    house.kin(&admin, "Lumen").await;
    assert!(house.count("select count(*) from event where at = 0").await > 0, "only every so often");
    house.kin(&admin, "Zephyr").await;
    assert_eq!(house.count("select count(*) from event where at = 0").await, 0);
    assert_eq!(house.count("select min(id) from event").await, 127);

    let mut stream = Events::open(&house, events(&admin).header("last-event-id", "1")).await;
    let gap = stream.next().await.unwrap();
    assert_eq!((gap.name.as_str(), gap.id), ("events.gap", None));
    assert_eq!(gap.body["data"], json!({ "after": "1", "oldest": "127" }));
    assert_eq!(stream.next().await.unwrap().body["data"]["name"], "Lumen");
    // Behind the last one before the oldest nothing is missing.
    let mut stream = Events::open(&house, events(&admin).header("last-event-id", "126")).await;
    assert_eq!(stream.next().await.unwrap().body["data"]["name"], "Lumen");
}
