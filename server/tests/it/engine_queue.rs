//! One turn at a time in a session, sessions side by side.

use crate::engine_world::{World, eventually, texts_of};
use kinstead_tests::scripted::{Script, ScriptedProvider};
use rusqlite::params;
use server::clock::fresh;
use server::db::DbError;
use server::hub::HubError;
use server::providers::ProviderKind;
use sync::hub::NewMessage;

const KIND: ProviderKind = ProviderKind::OpenaiCompatible;

#[tokio::test]
async fn messages_are_answered_one_by_one_members_first_and_in_their_order() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::gated(["A"]));
    let mut messages = vec![world.say(thread, "one").await];
    world.calling(thread).await;
    let automatic = world.say(thread, "automatic").await;
    let lower = world.db.write(move |tx| {
        tx.execute("update queue_entry set priority = 1 where message_id = ?1", params![automatic.to_string()])?;
        Ok::<_, DbError>(())
    });
    lower.await.expect("updates");
    messages.push(world.say_as(world.ben, thread, "two").await);
    messages.push(world.say(thread, "three").await);
    messages.push(automatic);
    for answer in ["B", "C", "D"] {
        provider.push(Script::answer([answer]));
    }
    assert_eq!(provider.requests().len(), 1);
    provider.release(1);
    let mut answers = Vec::new();
    for message in messages {
        answers.push(world.answer(message).await.text);
    }
    assert_eq!(answers, ["A", "B", "C", "D"]);
    let told: Vec<Vec<String>> = provider.requests().iter().map(|request| texts_of(&request.body)).collect();
    // Nobody is told of what waits for its own turn.
    assert_eq!(told[1][..2], ["Ana: one", "A"]);
    assert!(told[1].len() == 3 && told[1][2].ends_with("Ben: two"), "{:?}", told[1]);
    assert_eq!(told[2][..4], ["Ana: one", "A", "Ben: two", "B"]);
    assert!(told[2][4].ends_with("Ana: three"));
    // The automatic message was written before "two": it is answered at its place in the thread.
    assert_eq!(told[3][..2], ["Ana: one", "A"]);
    assert!(told[3].len() == 3 && told[3][2].ends_with("Ana: automatic"), "{:?}", told[3]);
}

#[tokio::test]
async fn sessions_do_not_wait_for_each_other() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let first = world.thread(&provider, KIND).await;
    let id = world.providers.list(world.ana).await.expect("lists")[0].id;
    let second = world.kin(Some((id, "gpt-4o"))).await;
    provider.push(Script::gated_at("first", ["A"]));
    provider.push(Script::gated_at("second", ["B"]));
    let slow = world.say(first, "one").await;
    provider.wait_for_request(1).await;
    let fast = world.say(second, "two").await;
    provider.wait_for_request(2).await;
    provider.release_gate("second", 1);
    assert_eq!(world.answer(fast).await.text, "B");
    assert!(world.answers(slow).await.is_empty());
    provider.release_gate("first", 1);
    assert_eq!(world.answer(slow).await.text, "A");
}

#[tokio::test]
async fn many_messages_at_once_are_all_answered_exactly_once() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let threads = [world.thread(&provider, KIND).await, world.thread(&provider, KIND).await];
    let mut messages = Vec::new();
    for number in 0..10 {
        for thread in threads {
            messages.push(world.say(thread, &format!("message {number}")).await);
        }
    }
    for message in messages {
        world.answer(message).await;
        assert_eq!(world.answers(message).await.len(), 1);
    }
    let idle = async || {
        let counts = "select (select count(*) from queue_entry) + (select count(*) from turn where ended_at is null)";
        let left: i64 = world.read(move |conn| conn.query_row(counts, [], |row| row.get(0))).await;
        (left == 0).then_some(())
    };
    eventually("rest", idle).await;
    assert_eq!(provider.requests().len(), 20);
}

#[tokio::test]
async fn a_long_thread_is_cut_to_its_newest_part() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    for number in 0..230 {
        let ana = world.ana;
        let write = world.hub.write(move |w| {
            let (now, message) = (w.now(), fresh());
            let text = format!("old {number}");
            let new = NewMessage { id: message, text: &text, sent_at: now, reply_to: None };
            w.admit_member_message(ana, thread.session, &new)?;
            w.tx().execute("delete from queue_entry", [])?;
            Ok::<_, HubError>(())
        });
        write.await.expect("inserts");
    }
    provider.push(Script::answer(["A"]));
    let message = world.say(thread, "new").await;
    world.answer(message).await;
    let texts = texts_of(&provider.requests()[0].body);
    assert_eq!(texts.len(), 1, "unanswered messages are one to the model");
    assert_eq!(texts[0].matches("Ana: old ").count(), 200);
    assert!(texts[0].contains("Ana: old 30\n") && texts[0].contains("Ana: old 229"));
}
