use crate::support::{House, Person, call, get, post, problem};
use axum::http::Method;
use serde_json::{Value, json};
use shared::Role;

async fn patch(house: &House, person: &Person, kin: &str, body: &Value) -> crate::support::Answer {
    house.send(call(Method::PATCH, &format!("/api/kins/{kin}")).by(person).json(body)).await
}

#[tokio::test]
async fn a_kin_is_made_read_changed_and_removed() {
    let (house, admin) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let body = json!({
        "name": " Chef  Basile ", "role": "cook\nof soups", "character": "warm\n", "expertise": "soups", "unknown": 1,
    });
    let made = house.send(post("/api/kins").by(&bob).json(&body)).await;
    assert_eq!(made.status, 201);
    let kin = made.json();
    let id = kin["id"].as_str().unwrap();
    for (field, value) in [
        ("name", json!("Chef Basile")),
        ("role", json!("cook of soups")),
        ("character", json!("warm\n")),
        ("expertise", json!("soups")),
        ("slug", json!("chef-basile")),
        ("avatar", json!("basile")),
        ("hue", json!("pear")),
        ("model", json!(null)),
        ("position", json!(1)),
        ("created_by", json!(bob.id)),
    ] {
        assert_eq!(kin[field], value, "{field}");
    }
    assert_eq!(house.send(get(&format!("/api/kins/{id}")).by(&admin)).await.json(), kin);
    assert_eq!(house.send(get("/api/kins").by(&admin)).await.json(), json!({ "items": [kin] }));

    let changed = patch(&house, &admin, id, &json!({ "character": "calm", "hue": "sky" })).await;
    assert_eq!(changed.status, 200);
    let mut expected = kin.clone();
    expected["character"] = json!("calm");
    expected["hue"] = json!("sky");
    assert_eq!(changed.json(), expected);
    assert_eq!(house.send(get(&format!("/api/kins/{id}")).by(&bob)).await.json(), expected);

    assert_eq!(house.send(call(Method::DELETE, &format!("/api/kins/{id}")).by(&bob)).await.status, 204);
    for call in [get(&format!("/api/kins/{id}")), call(Method::DELETE, &format!("/api/kins/{id}"))] {
        assert_eq!(house.send(call.by(&admin)).await.problem(), problem(404, "kin_not_found"));
    }
    assert_eq!(house.send(get("/api/kins").by(&admin)).await.json(), json!({ "items": [] }));
    let sent = post(&format!("/api/kins/{id}/messages")).by(&admin).json(&json!({ "text": "still there?" }));
    assert_eq!(house.send(sent).await.problem(), problem(404, "kin_not_found"));
}

#[tokio::test]
async fn what_a_kin_cannot_be_is_named_and_makes_none() {
    let (house, admin) = House::with_admin().await;
    let provider = json!({ "provider_id": format!("prv_{}", "0".repeat(32)), "name": "x" });
    for (field, value, code) in [
        ("name", json!("  "), "name_empty"),
        ("name", json!("x".repeat(61)), "name_too_long"),
        ("role", json!("x".repeat(121)), "role_too_long"),
        ("character", json!("x".repeat(32_769)), "text_too_long"),
        ("expertise", json!("é".repeat(16_385)), "text_too_long"),
        ("avatar", json!("nobody"), "avatar_unknown"),
        ("hue", json!("#fff"), "hue_unknown"),
        ("model", provider, "provider_not_found"),
        ("model", json!({ "provider_id": "prv_x", "name": "x" }), "json_invalid"),
    ] {
        let mut body = json!({ "name": "Basile" });
        body[field] = value;
        let answer = house.send(post("/api/kins").by(&admin).json(&body)).await;
        assert_eq!(answer.problem(), problem(422, code), "{field}");
    }
    assert_eq!(house.count("select count(*) from kin").await, 0);

    let kin = house.kin(&admin, "Basile").await;
    let before = house.send(get(&format!("/api/kins/{kin}")).by(&admin)).await.json();
    let answer = patch(&house, &admin, &kin, &json!({ "role": "new", "name": "" })).await;
    assert_eq!(answer.problem(), problem(422, "name_empty"));
    assert_eq!(house.send(get(&format!("/api/kins/{kin}")).by(&admin)).await.json(), before);
}

#[tokio::test]
async fn the_model_must_be_one_the_provider_has_and_can_be_taken_away() {
    let (house, admin) = House::with_admin().await;
    let demo =
        house.send(post("/api/providers").by(&admin).json(&json!({ "name": "Demo", "kind": "demo" }))).await.json();
    let choice = |name: &Value| json!({ "name": "Basile", "model": { "provider_id": demo["id"], "name": name } });
    let unknown = house.send(post("/api/kins").by(&admin).json(&choice(&json!("no-such-model")))).await;
    assert_eq!(unknown.problem(), problem(422, "model_unknown"));
    let made = house.send(post("/api/kins").by(&admin).json(&choice(&demo["models"][0]["name"]))).await.json();
    assert_eq!(made["model"], json!({ "provider_id": demo["id"], "name": demo["models"][0]["name"] }));
    let id = made["id"].as_str().unwrap();
    let kept = patch(&house, &admin, id, &json!({ "role": "cook" })).await.json();
    assert_eq!(kept["model"], made["model"]);
    let taken = patch(&house, &admin, id, &json!({ "model": null })).await.json();
    assert_eq!(taken["model"], json!(null));
}

#[tokio::test]
async fn the_order_is_the_households_and_new_kins_go_last() {
    let (house, admin) = House::with_admin().await;
    let mut ids = Vec::new();
    for name in ["Basile", "Lumen", "Zephyr"] {
        ids.push(house.kin(&admin, name).await);
    }
    let order = async |ids: &[&String]| {
        house.send(call(Method::PUT, "/api/kins/order").by(&admin).json(&json!({ "ids": ids }))).await
    };
    let names = async || {
        let list = house.send(get("/api/kins").by(&admin)).await.json();
        list["items"].as_array().unwrap().iter().map(|kin| kin["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let answer = order(&[&ids[2], &ids[0], &ids[1]]).await;
    assert_eq!((answer.status.as_u16(), answer.json()["items"][0]["name"].as_str()), (200, Some("Zephyr")));
    assert_eq!(names().await, ["Zephyr", "Basile", "Lumen"]);
    // A device that did not know of all of them puts first what it knows.
    assert_eq!(order(&[&ids[1]]).await.status, 200);
    assert_eq!(names().await, ["Lumen", "Zephyr", "Basile"]);
    house.kin(&admin, "Fable").await;
    assert_eq!(names().await, ["Lumen", "Zephyr", "Basile", "Fable"]);
    let nobody = format!("kin_{}", "0".repeat(32));
    assert_eq!(order(&[&ids[0], &nobody]).await.problem(), problem(404, "kin_not_found"));
    assert_eq!(order(&[&ids[0], &ids[1], &ids[0]]).await.problem(), problem(422, "order_repeats"));
    assert_eq!(names().await, ["Lumen", "Zephyr", "Basile", "Fable"]);
}

#[tokio::test]
async fn an_archived_kin_takes_no_messages_until_it_is_back() {
    let (house, admin) = House::with_admin().await;
    let kin = house.kin(&admin, "Basile").await;
    let go = async |what: &str| house.send(post(&format!("/api/kins/{kin}/{what}")).by(&admin)).await;
    let say = async || {
        house.send(post(&format!("/api/kins/{kin}/messages")).by(&admin).json(&json!({ "text": "hello" }))).await
    };
    for _ in 0..2 {
        let away = go("archive").await;
        assert_eq!((away.status.as_u16(), &away.json()["archived"]), (200, &json!(true)));
    }
    assert_eq!(say().await.problem(), problem(409, "kin_archived"));
    assert_eq!(house.count("select count(*) from message").await, 0);
    assert_eq!(house.send(get("/api/kins").by(&admin)).await.json()["items"][0]["archived"], json!(true));
    // It can still be cared for.
    assert_eq!(patch(&house, &admin, &kin, &json!({ "role": "cook" })).await.json()["archived"], json!(true));
    assert_eq!(go("unarchive").await.json()["archived"], json!(false));
    assert_eq!(say().await.status, 202);
    let events = "select count(*) from event where name in ('kin.archived', 'kin.unarchived')";
    assert_eq!(house.count(events).await, 2);
}

#[tokio::test]
async fn a_deleted_kin_says_what_went_with_it_and_comes_back_whole() {
    let (house, admin) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let kin = house.kin(&admin, "Basile").await;
    for text in ["one", "two"] {
        let sent = post(&format!("/api/kins/{kin}/messages")).by(&admin).json(&json!({ "text": text }));
        assert_eq!(house.send(sent).await.status, 202);
    }
    let path = format!("/api/kins/{kin}");
    let before = house.send(get(&path).by(&admin)).await.json();
    let summary = house.send(get(&format!("{path}/summary")).by(&admin)).await.json();
    assert_eq!((&summary["messages"], &summary["created_at"]), (&json!(2), &before["created_at"]));
    assert!(summary["first_message_at"].as_i64().unwrap() >= before["created_at"].as_i64().unwrap());

    let restore = async || house.send(post(&format!("{path}/restore")).by(&admin)).await;
    assert_eq!(restore().await.problem(), problem(404, "kin_not_found"));
    assert_eq!(house.send(call(Method::DELETE, &path).by(&bob)).await.status, 204);
    let gone = house.send(get("/api/kins/deleted").by(&admin)).await.json()["items"][0].clone();
    // The two that waited have got an answer that says they were stopped.
    assert_eq!((&gone["name"], &gone["messages"], &gone["deleted_by"]), (&json!("Basile"), &json!(4), &json!(bob.id)));
    let days = (gone["ends_at"].as_i64().unwrap() - gone["deleted_at"].as_i64().unwrap()) / 86_400_000;
    assert_eq!(days, 30);
    assert_eq!(restore().await.json(), before);
    assert_eq!(house.send(get("/api/kins/deleted").by(&admin)).await.json(), json!({ "items": [] }));
    assert_eq!(house.send(get(&path).by(&bob)).await.json(), before);
}

#[tokio::test]
async fn tags_tell_a_changed_kin_from_an_unchanged_one() {
    let (house, admin) = House::with_admin().await;
    let kin = house.kin(&admin, "Basile").await;
    let path = format!("/api/kins/{kin}");
    let first = house.send(get(&path).by(&admin)).await;
    let tag = first.header("etag").to_owned();
    assert_eq!(house.send(get(&path).by(&admin).header("if-none-match", &tag)).await.status, 304);

    let change = |tag: &str, role: &str| {
        house.send(call(Method::PATCH, &path).by(&admin).header("if-match", tag).json(&json!({ "role": role })))
    };
    let changed = change(&tag, "cook").await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), tag);
    assert_eq!(change(&tag, "gardener").await.problem(), problem(412, "changed_meanwhile"));
    let now = house.send(get(&path).by(&admin).header("if-none-match", &tag)).await;
    assert_eq!((now.status.as_u16(), now.json()["role"].as_str()), (200, Some("cook")));
    assert_eq!(now.header("etag"), changed.header("etag"));
    assert_eq!(change("*", "gardener").await.status, 200);
}

#[tokio::test]
async fn kins_take_the_illustrations_in_turn_and_slugs_of_their_own() {
    let (house, admin) = House::with_admin().await;
    let mut seen = Vec::new();
    for name in ["Café", "Cafe", "猫"] {
        let kin = house.send(post("/api/kins").by(&admin).json(&json!({ "name": name }))).await.json();
        seen.push(format!("{} {} {}", kin["slug"].as_str().unwrap(), kin["avatar"].as_str().unwrap(), kin["position"]));
    }
    assert_eq!(seen, ["cafe basile 1", "cafe-2 lumen 2", "kin zephyr 3"]);
    let first = house.send(get("/api/kins").by(&admin)).await.json()["items"][0]["id"].as_str().unwrap().to_owned();
    house.send(call(Method::DELETE, &format!("/api/kins/{first}")).by(&admin)).await;
    // A slug is not given again: links to the old Kin must not lead to another.
    let kin = house.send(post("/api/kins").by(&admin).json(&json!({ "name": "Café", "avatar": "fable" }))).await.json();
    assert_eq!((kin["slug"].as_str(), kin["hue"].as_str()), (Some("cafe-3"), Some("fox")));
}
