//! Devices and the server over real sockets.

use crate::peer::{Peer, listen, open};
use crate::support::{House, PASSWORD, post};
use futures_util::{SinkExt, StreamExt};
use kinstead_tests::scripted::{KEY, Script, ScriptedProvider};
use serde_json::json;
use shared::frame::{ClientFrame, CloseCode, Position, ServerFrame, decode, encode};
use shared::{Audience, Role, SessionId};
use std::net::SocketAddr;
use sync::port::Request;
use sync::view::{Activity, Connection, MessageStatus};
use tokio_tungstenite::tungstenite::{Error as WsError, Message};

pub struct Setting {
    pub house: House,
    pub address: SocketAddr,
    pub provider: ScriptedProvider,
    pub session: SessionId,
    pub ada: String,
    pub bob: String,
}

/// Ada and Bob, a Kin that thinks with the scripted provider, and a running engine.
pub async fn setting() -> Setting {
    let (house, admin) = House::with_admin().await;
    house.person("bob@house.test", "Bob", Role::Member).await;
    house.state.start().await.unwrap();
    let provider = ScriptedProvider::start().await;
    let body = json!({ "name": "Scripted", "kind": "openai-compatible", "base_url": provider.url(), "api_key": KEY });
    let made = house.send(post("/api/providers").by(&admin).json(&body)).await;
    assert_eq!(made.status, 201, "{:?}", made.json());
    let model = json!({ "provider_id": made.json()["id"], "name": "gpt-4o" });
    let kin = house.send(post("/api/kins").by(&admin).json(&json!({ "name": "Basile", "model": model }))).await;
    assert_eq!(kin.status, 201, "{:?}", kin.json());
    let (_, ada) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let (_, bob) = house.sign_in("bob@house.test", PASSWORD, None).await;
    let address = listen(&house).await;
    let peer = Peer::start(address, &ada).await;
    let session = peer.home.unwrap().kins[0].profile.session;
    Setting { house, address, provider, session, ada, bob }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_answered_live_on_every_device() {
    let s = setting().await;
    let session = s.session;
    let (mut ada, mut bob) = (Peer::start(s.address, &s.ada).await, Peer::start(s.address, &s.bob).await);
    ada.ask(Request::OpenThread { session }).await;
    bob.ask(Request::OpenThread { session }).await;
    s.provider.push(Script::gated(["Bon", "jour ", "Ada"]));

    let message = ada.send(session, "Salut !").await;
    assert_eq!(ada.queued, [message]);
    assert_eq!(ada.thread[&message].status, MessageStatus::Unsent);
    s.provider.wait_for_request(1).await;
    s.provider.release(2);
    for peer in [&mut ada, &mut bob] {
        peer.until("the first pieces", |peer| peer.live.as_ref().is_some_and(|live| live.text == "Bonjour ")).await;
        assert_eq!(peer.home.as_ref().unwrap().kins[0].activity, Activity::Writing);
        assert_eq!(peer.queue.running.as_ref().unwrap().answers, message);
    }

    // A device that joins midway has what came before and goes on from there.
    let mut late = Peer::start(s.address, &s.bob).await;
    late.ask(Request::OpenThread { session }).await;
    late.until("the text so far", |peer| peer.live.as_ref().is_some_and(|live| live.text == "Bonjour ")).await;

    s.provider.release(1);
    for peer in [&mut ada, &mut bob, &mut late] {
        peer.until("the whole answer", |peer| peer.texts() == ["Salut !", "Bonjour Ada"] && peer.live.is_none()).await;
        peer.until("rest", |peer| peer.home.as_ref().unwrap().kins[0].activity == Activity::Idle).await;
        assert!(peer.thread.values().all(|message| message.status == MessageStatus::Done));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn words_written_offline_arrive_once_and_in_order() {
    let s = setting().await;
    let session = s.session;
    let mut ada = Peer::start(s.address, &s.ada).await;
    let mut bob = Peer::start(s.address, &s.bob).await;
    bob.ask(Request::OpenThread { session }).await;
    ada.ask(Request::OpenThread { session }).await;
    ada.disconnect().await;
    for text in ["one", "two", "three"] {
        ada.send(session, text).await;
    }
    assert_eq!(ada.sync.unsent, 3);
    ada.restart();
    ada.connect().await;
    ada.ask(Request::OpenThread { session }).await;
    let mine = |peer: &Peer| -> Vec<String> {
        let words = ["one", "two", "three"];
        peer.texts().into_iter().filter(|text| words.contains(text)).map(str::to_owned).collect()
    };
    for peer in [&mut ada, &mut bob] {
        peer.until("six messages, all numbered", |peer| {
            peer.thread.len() == 6 && peer.thread.values().all(|message| message.seq.is_some())
        })
        .await;
        assert_eq!(mine(peer), ["one", "two", "three"]);
    }
    ada.until("nothing unsent", |peer| peer.sync.unsent == 0).await;
    assert_eq!(s.house.count("select count(*) from message").await, 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reconnect_brings_only_what_is_missing() {
    let s = setting().await;
    let session = s.session;
    let mut ada = Peer::start(s.address, &s.ada).await;
    ada.ask(Request::OpenThread { session }).await;
    ada.send(session, "before").await;
    ada.until("an answer", |peer| peer.thread.len() == 2 && peer.live.is_none()).await;
    ada.disconnect().await;

    let mut socket = open(s.address, &s.ada, None).await.unwrap();
    let position = |audience, at| Position { audience, at };
    let epoch = s.house.state.hub.epoch().await.unwrap();
    let home = s.house.count("select position from audience_log where audience = 'household'").await as u64;
    let ada_id = ada.home.as_ref().unwrap().me;
    let hello = ClientFrame::Hello {
        epoch: Some(epoch),
        positions: vec![position(Audience::Household, home - 1), position(Audience::Member(ada_id), 1)],
    };
    socket.send(Message::Binary(encode(&hello).into())).await.unwrap();
    let mut frames = Vec::new();
    while let Some(Ok(Message::Binary(bytes))) = socket.next().await {
        let frame: ServerFrame = decode(&bytes).unwrap();
        let last = matches!(frame, ServerFrame::CaughtUp { .. });
        frames.push(frame);
        if last {
            break;
        }
    }
    // The end of the turn may still be on its way.
    frames.retain(|frame| !matches!(frame, ServerFrame::Queue { .. }));
    assert!(matches!(&frames[0], ServerFrame::Welcome { fresh, .. } if fresh.is_empty()));
    assert!(matches!(&frames[1], ServerFrame::Delta { from, to, changes, .. }
        if *from == home - 1 && *to == home && changes.len() == 1));
    assert_eq!(frames.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_closes_the_connection_with_a_reason() {
    let s = setting().await;
    let hello = encode(&ClientFrame::Hello { epoch: None, positions: vec![] });
    for (frames, code) in [
        (vec![b"nonsense".to_vec()], CloseCode::Protocol),
        (vec![encode(&ClientFrame::Ping)], CloseCode::Protocol),
        (vec![hello, vec![0xff; 100]], CloseCode::Protocol),
    ] {
        let mut socket = open(s.address, &s.ada, None).await.unwrap();
        for frame in frames {
            socket.send(Message::Binary(frame.into())).await.unwrap();
        }
        let mut last = None;
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Binary(bytes) = message {
                last = Some(decode::<ServerFrame>(&bytes).unwrap());
            }
        }
        assert_eq!(last, Some(ServerFrame::Closing { code }));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_and_other_sites_do_not_get_in() {
    let s = setting().await;
    let status = |result: Result<_, WsError>| match result {
        Err(WsError::Http(response)) => response.status().as_u16(),
        Ok(_) => 101,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(status(open(s.address, "__Host-kinstead=nobody", None).await), 401);
    assert_eq!(status(open(s.address, &s.ada, Some("https://evil.test")).await), 403);
    let own = format!("http://{}", s.address);
    assert_eq!(status(open(s.address, &s.ada, Some(&own)).await), 101);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_ends_the_connection_and_wipes_the_device() {
    let s = setting().await;
    let mut ada = Peer::start(s.address, &s.ada).await;
    assert!(!ada.disk.is_empty());
    let own = s.house.send(post("/api/auth/logout").cookie(&s.ada)).await;
    assert_eq!(own.status, 204);
    ada.until("signed out", |peer| peer.signed_out).await;
    assert!(ada.disk.is_empty());
    assert_eq!(ada.sync.connection, Connection::UpToDate);
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_withdraw_and_retry_work_from_a_device() {
    let s = setting().await;
    let session = s.session;
    let mut ada = Peer::start(s.address, &s.ada).await;
    ada.ask(Request::OpenThread { session }).await;
    s.provider.push(Script::gated(["half", " whole"]));
    ada.send(session, "first").await;
    s.provider.wait_for_request(1).await;
    s.provider.release(1);
    ada.until("half", |peer| peer.live.as_ref().is_some_and(|live| live.text == "half")).await;
    let second = ada.send(session, "second").await;
    ada.until("waiting", |peer| peer.queue.waiting == [second]).await;

    ada.ask(Request::Withdraw { message: second }).await;
    ada.until("withdrawn", |peer| !peer.thread.contains_key(&second)).await;
    let turn = ada.queue.running.as_ref().unwrap().turn;
    ada.ask(Request::Stop { session, turn }).await;
    ada.until("stopped", |peer| peer.texts() == ["first", "half"] && peer.live.is_none()).await;
    let answer = ada.thread.values().find(|message| message.turn == Some(turn)).unwrap().clone();
    assert_eq!(answer.status, MessageStatus::Stopped);

    s.provider.push(Script::answer(["all of it"]));
    ada.ask(Request::Retry { session, answer: answer.id }).await;
    ada.until("retried", |peer| peer.texts() == ["first", "all of it"]).await;
    assert_eq!(ada.problems, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn words_for_a_kin_that_was_removed_are_refused_and_kept_on_the_device() {
    let s = setting().await;
    let session = s.session;
    let mut ada = Peer::start(s.address, &s.ada).await;
    ada.ask(Request::OpenThread { session }).await;
    ada.disconnect().await;
    let message = ada.send(session, "are you there?").await;
    s.house.sql("update kin set deleted_at = 1").await;
    ada.connect().await;
    ada.until("refused", |peer| {
        peer.thread.get(&message).is_some_and(|message| matches!(message.status, MessageStatus::Refused(_)))
    })
    .await;
    assert_eq!((ada.sync.refused, ada.thread[&message].text.as_str()), (1, "are you there?"));
    assert_eq!(s.house.count("select count(*) from message").await, 0);
}
