//! Kins that are put away, removed and brought back, as devices and the engine meet it.

use crate::engine_world::{World, eventually};
use crate::peer::Peer;
use crate::support::{House, call, post};
use crate::sync_socket::{Setting, setting};
use axum::http::Method;
use kinstead_tests::scripted::{Script, ScriptedProvider};
use server::db::DbError;
use server::kins::{KEPT_MS, purge_due};
use server::providers::ProviderKind;
use shared::frame::RefusalCode;
use shared::{KinId, MessageState, TextField};
use sync::port::Request;
use sync::view::{Activity, MessageStatus};

/// What a page of Ada's would send.
async fn ada(s: &Setting, method: Method, path: &str) {
    let answer = s.house.send(call(method, path).cookie(&s.ada)).await;
    assert!(answer.status.is_success(), "{path}: {:?}", answer.json());
}

fn the_kin(peer: &Peer) -> KinId {
    peer.home.as_ref().unwrap().kins[0].profile.id
}

#[tokio::test(flavor = "multi_thread")]
async fn putting_a_kin_away_stops_what_runs_and_what_waits_in_plain_sight() {
    let s = setting().await;
    let session = s.session;
    let mut peer = Peer::start(s.address, &s.ada).await;
    let kin = the_kin(&peer);
    peer.ask(Request::OpenThread { session }).await;
    s.provider.push(Script::gated(["So far ", "and no further"]));
    let runs = peer.send(session, "runs").await;
    s.provider.wait_for_request(1).await;
    s.provider.release(1);
    peer.until("a piece", |peer| peer.live.as_ref().is_some_and(|live| live.text == "So far ")).await;
    let waits = peer.send(session, "waits").await;
    peer.until("a queue", |peer| peer.queue.waiting == [waits]).await;

    ada(&s, Method::POST, &format!("/api/kins/{kin}/archive")).await;
    peer.until("both have stopped", |peer| {
        let stopped = peer.thread.values().filter(|message| message.status == MessageStatus::Stopped);
        stopped.count() == 2 && peer.live.is_none() && peer.queue.waiting.is_empty() && peer.queue.running.is_none()
    })
    .await;
    let kin_view = peer.home.as_ref().unwrap().kins[0].clone();
    assert_eq!((kin_view.profile.archived, kin_view.activity), (true, Activity::Idle));
    assert!(peer.thread.contains_key(&runs) && peer.thread.contains_key(&waits));
    assert_eq!(s.provider.requests().len(), 1);

    // Neither can be tried again before the Kin is back.
    let stopped =
        peer.thread.values().find(|message| message.status == MessageStatus::Stopped && message.text.is_empty());
    let stopped = stopped.unwrap().id;
    peer.ask(Request::Retry { session, answer: stopped }).await;
    peer.until("a refusal", |peer| peer.problems == ["kin_archived"]).await;
    ada(&s, Method::POST, &format!("/api/kins/{kin}/unarchive")).await;
    s.provider.push(Script::answer(["here again"]));
    peer.until("it is back", |peer| !peer.home.as_ref().unwrap().kins[0].profile.archived).await;
    peer.ask(Request::Retry { session, answer: stopped }).await;
    peer.until("an answer", |peer| peer.thread.values().any(|message| message.text == "here again")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_written_offline_to_an_archived_kin_is_refused_and_kept() {
    let s = setting().await;
    let session = s.session;
    let mut peer = Peer::start(s.address, &s.bob).await;
    let kin = the_kin(&peer);
    peer.ask(Request::OpenThread { session }).await;
    peer.disconnect().await;
    let message = peer.send(session, "are you there?").await;
    ada(&s, Method::POST, &format!("/api/kins/{kin}/archive")).await;
    peer.connect().await;
    let refused = MessageStatus::Refused(RefusalCode::Archived);
    peer.until("a refusal", |peer| peer.thread.get(&message).is_some_and(|row| row.status == refused)).await;
    peer.restart();
    peer.connect().await;
    peer.ask(Request::OpenThread { session }).await;
    peer.until("the words", |peer| peer.thread.get(&message).is_some_and(|row| row.text == "are you there?")).await;
    assert_eq!(s.house.count("select count(*) from message").await, 0);

    ada(&s, Method::POST, &format!("/api/kins/{kin}/unarchive")).await;
    peer.until("it is back", |peer| !peer.home.as_ref().unwrap().kins[0].profile.archived).await;
    s.provider.push(Script::answer(["I am"]));
    peer.ask(Request::Resend { message }).await;
    peer.until("an answer", |peer| peer.texts() == ["are you there?", "I am"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_edited_offline_by_two_members_merge_although_the_kin_was_put_away() {
    let s = setting().await;
    let (mut one, mut other) = (Peer::start(s.address, &s.ada).await, Peer::start(s.address, &s.bob).await);
    let kin = the_kin(&one);
    let edit = |from: &str, to: &str| Request::EditKinText {
        kin,
        field: TextField::Character,
        from: from.to_owned(),
        to: to.to_owned(),
    };
    one.ask(Request::OpenKin { kin }).await;
    one.ask(edit("", "Patient. ")).await;
    one.until("nothing unsent", |peer| peer.sync.unsent == 0).await;
    other.ask(Request::OpenKin { kin }).await;
    other.until("the text", |peer| peer.kin_texts.0 == "Patient. ").await;
    one.disconnect().await;
    other.disconnect().await;
    one.ask(edit("Patient. ", "Patient. Funny.")).await;
    other.ask(edit("Patient. ", "Very patient. ")).await;
    ada(&s, Method::POST, &format!("/api/kins/{kin}/archive")).await;
    one.connect().await;
    one.until("nothing unsent", |peer| peer.sync.unsent == 0).await;
    other.connect().await;
    other.until("nothing unsent", |peer| peer.sync.unsent == 0).await;
    for peer in [&mut one, &mut other] {
        peer.ask(Request::OpenKin { kin }).await;
        peer.until("both edits", |peer| {
            peer.kin_texts.0.contains("Funny.") && peer.kin_texts.0.starts_with("Very patient") && peer.sync.unsent == 0
        })
        .await;
    }
    let stored = format!("select count(*) from kin where character = '{}'", one.kin_texts.0);
    assert_eq!(s.house.count(&stored).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_kin_is_whole_on_devices_that_stayed_left_or_are_new() {
    let s = setting().await;
    let session = s.session;
    let (mut stayed, mut left) = (Peer::start(s.address, &s.ada).await, Peer::start(s.address, &s.bob).await);
    let kin = the_kin(&stayed);
    stayed.ask(Request::OpenThread { session }).await;
    s.provider.push(Script::answer(["hello"]));
    stayed.send(session, "hi").await;
    stayed.until("an answer", |peer| peer.texts() == ["hi", "hello"]).await;
    left.until("it too", |peer| peer.home.as_ref().unwrap().kins[0].preview == "hello").await;
    left.disconnect().await;

    ada(&s, Method::DELETE, &format!("/api/kins/{kin}")).await;
    stayed.until("it is gone", |peer| peer.home.as_ref().unwrap().kins.is_empty()).await;
    let fresh = Peer::start(s.address, &s.bob).await;
    assert!(fresh.home.unwrap().kins.is_empty());
    ada(&s, Method::POST, &format!("/api/kins/{kin}/restore")).await;
    left.connect().await;
    for mut peer in [stayed, left, Peer::start(s.address, &s.bob).await] {
        peer.ask(Request::OpenThread { session }).await;
        peer.until("the thread", |peer| {
            let kins = &peer.home.as_ref().unwrap().kins;
            peer.texts() == ["hi", "hello"] && kins.first().is_some_and(|kin| kin.preview == "hello")
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_days_later_nothing_is_left_of_it_here_or_on_devices() {
    let s = setting().await;
    let session = s.session;
    let (mut stayed, mut left) = (Peer::start(s.address, &s.ada).await, Peer::start(s.address, &s.bob).await);
    let kin = the_kin(&stayed);
    stayed.ask(Request::OpenThread { session }).await;
    s.provider.push(Script::answer(["purple elephants"]));
    stayed.send(session, "hi").await;
    stayed.until("an answer", |peer| peer.texts() == ["hi", "purple elephants"]).await;
    left.until("it too", |peer| peer.home.as_ref().unwrap().kins[0].preview == "purple elephants").await;
    left.disconnect().await;
    ada(&s, Method::DELETE, &format!("/api/kins/{kin}")).await;

    let hub = &s.house.state.hub;
    let deleted_at = s.house.count("select deleted_at from kin").await;
    purge_due(hub, shared::UnixMillis(deleted_at + KEPT_MS - 1)).await.unwrap();
    assert_eq!(s.house.count("select count(*) from kin").await, 1);
    purge_due(hub, shared::UnixMillis(deleted_at + KEPT_MS)).await.unwrap();
    for table in ["kin", "session", "message", "turn", "turn_step", "queue_entry"] {
        assert_eq!(s.house.count(&format!("select count(*) from {table}")).await, 0, "{table}");
    }
    let named = format!("select count(*) from document where id like '%{kin}%' or id like '%{session}%'");
    assert_eq!(s.house.count(&named).await, 0);
    let bytes = format!("select count(*) from change where document_id like '%{kin}%' and length(bytes) > 0");
    assert_eq!(s.house.count(&bytes).await, 0);
    assert_eq!(s.house.count("select count(*) from event where data like '%Basile%'").await, 0);
    assert_eq!(s.house.send(post(&format!("/api/kins/{kin}/restore")).cookie(&s.ada)).await.status, 404);

    let holds = |peer: &Peer| {
        let named = [kin.to_string(), session.to_string()];
        peer.disk.keys().any(|key| !key.starts_with("actor|") && named.iter().any(|name| key.contains(name)))
    };
    assert!(holds(&left));
    left.connect().await;
    for peer in [&mut stayed, &mut left] {
        peer.until("it is forgotten", |peer| !holds(peer)).await;
    }
    // The log goes on for everybody, over the hole.
    let lumen = s.house.send(post("/api/kins").cookie(&s.ada).json(&serde_json::json!({ "name": "Lumen" }))).await;
    assert_eq!(lumen.status, 201);
    for peer in [&mut stayed, &mut left] {
        peer.until("the next Kin", |peer| {
            peer.home.as_ref().unwrap().kins.iter().any(|kin| kin.profile.name == "Lumen")
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_removed_kin_comes_by_itself_also_after_a_start() {
    let (house, admin) = House::with_admin().await;
    let kin = house.kin(&admin, "Basile").await;
    house.kin(&admin, "Lumen").await;
    house.send(call(Method::DELETE, &format!("/api/kins/{kin}")).by(&admin)).await;
    house.sql(&format!("update kin set deleted_at = deleted_at - {KEPT_MS} where deleted_at is not null")).await;
    house.state.start().await.unwrap();
    let left = async || (house.count("select count(*) from kin").await == 1).then_some(());
    eventually("the end", left).await;
    // One that is removed while the server runs is waited for, too.
    house.sql("update kin set deleted_at = 1").await;
    house.state.kin_purge.note();
    eventually("the other's", async || (house.count("select count(*) from kin").await == 0).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_between_putting_away_and_stopping_does_not_let_the_turn_go_on() {
    let provider = ScriptedProvider::start().await;
    let world = World::new().await;
    let thread = world.thread(&provider, ProviderKind::OpenaiCompatible).await;
    provider.push(Script::gated(["never ", "ends"]));
    let message = world.say(thread, "hello").await;
    world.calling(thread).await;
    let archived = world.db.write(|tx| Ok::<_, DbError>(tx.execute("update kin set archived_at = 1", [])?)).await;
    archived.unwrap();
    provider.push(Script::gated(["never ", "ends"]));
    let world = world.crash().await;
    assert_eq!(world.answer(message).await.state, MessageState::Stopped);
    assert_eq!(world.running(thread).await, None);
}
