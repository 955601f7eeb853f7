//! Stop, retry and withdraw.

use crate::engine_world::{World, eventually, texts_of};
use kinstead_tests::scripted::{RequestState, Script, ScriptedProvider};
use server::clock::fresh;
use server::engine::commands::CommandError;
use server::providers::ProviderKind;
use shared::frame::Command;
use shared::{FailureKind, MessageState};

const KIND: ProviderKind = ProviderKind::Anthropic;

#[tokio::test]
async fn a_stopped_answer_keeps_what_had_come() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    let mut live = world.listen();
    provider.push(Script::gated(["one ", "two ", "three"]));
    let message = world.say(thread, "hello").await;
    provider.release(1);
    live.hears("one ").await;
    let turn = world.calling(thread).await;
    let (id, stop) = (fresh(), Command::Stop { session: thread.session, turn });
    // Any member who sees the turn may stop it.
    world.command_again(world.ben, id, stop.clone()).await.expect("stops");
    // The end is durable before the command is answered.
    let answers = world.answers(message).await;
    assert_eq!(answers.len(), 1);
    assert_eq!((answers[0].text.as_str(), answers[0].state), ("one", MessageState::Stopped));
    provider.wait_for_state(1, RequestState::Abandoned).await;

    world.command_again(world.ben, id, stop.clone()).await.expect("a repeat repeats the answer");
    assert_eq!(world.command(world.ana, stop).await, Err(CommandError::TurnNotRunning));
    assert_eq!(world.answers(message).await, answers);
    assert_eq!(world.steps(thread).await, [(1, Some("stopped".to_owned()))]);

    provider.push(Script::answer(["fine"]));
    let next = world.say(thread, "go on").await;
    assert_eq!(world.answer(next).await.text, "fine");
    assert_eq!(texts_of(&provider.requests()[1].body)[1], "one\n\n[[stopped by a member]]");
}

#[tokio::test]
async fn a_stop_reaches_a_call_that_has_said_nothing_and_a_pause() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::Silence);
    let message = world.say(thread, "hello").await;
    provider.wait_for_request(1).await;
    let turn = world.calling(thread).await;
    world.command(world.ana, Command::Stop { session: thread.session, turn }).await.expect("stops");
    assert_eq!(
        (world.answer(message).await.state, world.answer(message).await.text),
        (MessageState::Stopped, String::new())
    );

    provider.push(Script::cut(["half"]));
    let message = world.say(thread, "hello").await;
    world.backing_off(thread).await;
    let (turn, _) = world.running(thread).await.expect("a turn");
    world.command(world.ana, Command::Stop { session: thread.session, turn }).await.expect("stops");
    assert_eq!(
        (world.answer(message).await.state, world.answer(message).await.text),
        (MessageState::Stopped, "half".into())
    );
    assert_eq!(provider.requests().len(), 2);
}

#[tokio::test]
async fn a_stop_means_one_turn_in_a_session_one_may_see() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::gated(["one"]));
    let message = world.say(thread, "hello").await;
    let turn = world.calling(thread).await;
    let stop = |session, turn| Command::Stop { session, turn };
    let late = world.command(world.ana, stop(thread.session, fresh())).await;
    assert_eq!(late, Err(CommandError::TurnNotRunning));
    assert_eq!(world.command(world.ana, stop(fresh(), turn)).await, Err(CommandError::NotFound));
    // An id belongs to whoever used it first, and its refusal stays.
    let id = fresh();
    let refused = world.command_again(world.ana, id, stop(thread.session, fresh())).await;
    assert_eq!(refused, Err(CommandError::TurnNotRunning));
    assert_eq!(world.command_again(world.ana, id, stop(thread.session, turn)).await, Err(CommandError::TurnNotRunning));
    assert_eq!(world.command_again(world.ben, id, stop(thread.session, turn)).await, Err(CommandError::IdTaken));
    provider.release(1);
    assert_eq!(world.answer(message).await.state, MessageState::Done);
}

#[tokio::test]
async fn a_failed_answer_can_be_tried_again_once() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::Unauthorized);
    let message = world.say(thread, "hello").await;
    let failed = world.answer(message).await;
    assert_eq!(failed.failed(), Some(FailureKind::Unauthorized));
    provider.push(Script::answer(["now"]));
    let (id, retry) = (fresh(), Command::Retry { session: thread.session, answer: failed.id });
    world.command_again(world.ben, id, retry.clone()).await.expect("is tried again");
    world.command_again(world.ben, id, retry.clone()).await.expect("a repeat repeats the answer");
    let better = world.answer(message).await;
    assert_eq!((better.text.as_str(), better.state), ("now", MessageState::Done));
    let states: Vec<MessageState> = world.answers(message).await.into_iter().map(|row| row.state).collect();
    assert_eq!(states, [MessageState::Superseded, MessageState::Done]);

    for answer in [failed.id, better.id, message] {
        let again = world.command(world.ana, Command::Retry { session: thread.session, answer }).await;
        assert_eq!(again, Err(CommandError::NotRetryable));
    }
    let nowhere = Command::Retry { session: fresh(), answer: failed.id };
    assert_eq!(world.command(world.ana, nowhere).await, Err(CommandError::NotFound));
    assert_eq!(provider.requests().len(), 2);
    assert_eq!(texts_of(&provider.requests()[1].body).len(), 1, "the model is not told of the failed answer");
}

#[tokio::test]
async fn an_old_answer_is_tried_again_as_the_thread_was_then() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::answer(["A"]));
    let first = world.say(thread, "one").await;
    world.answer(first).await;
    provider.push(Script::ModelNotFound);
    let second = world.say(thread, "two").await;
    let failed = world.answer(second).await;
    provider.push(Script::answer(["C"]));
    let third = world.say(thread, "three").await;
    world.answer(third).await;
    provider.push(Script::answer(["B"]));
    world
        .command(world.ana, Command::Retry { session: thread.session, answer: failed.id })
        .await
        .expect("is tried again");
    assert_eq!(world.answer(second).await.text, "B");
    let texts = texts_of(&provider.requests()[3].body);
    assert_eq!(texts[..2], ["Ana: one", "A"]);
    assert!(texts.len() == 3 && texts[2].ends_with("Ana: two"), "{texts:?}");
    // Afterwards it stands at its place.
    provider.push(Script::answer(["D"]));
    let fourth = world.say(thread, "four").await;
    world.answer(fourth).await;
    let texts = texts_of(&provider.requests()[4].body);
    assert_eq!(texts[..6], ["Ana: one", "A", "Ana: two", "B", "Ana: three", "C"]);
}

#[tokio::test]
async fn a_waiting_message_can_be_taken_back_by_its_author() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::gated(["one"]));
    let running = world.say(thread, "first").await;
    world.calling(thread).await;
    let waiting = world.say(thread, "never mind").await;
    let withdraw = |message| Command::Withdraw { message };
    assert_eq!(world.command(world.ben, withdraw(waiting)).await, Err(CommandError::NotYours));
    assert_eq!(world.command(world.ana, withdraw(running)).await, Err(CommandError::NotWaiting));
    assert_eq!(world.command(world.ana, withdraw(fresh())).await, Err(CommandError::NotFound));
    let id = fresh();
    world.command_again(world.ana, id, withdraw(waiting)).await.expect("is taken back");
    world.command_again(world.ana, id, withdraw(waiting)).await.expect("a repeat repeats the answer");
    assert_eq!(world.command(world.ana, withdraw(waiting)).await, Err(CommandError::NotWaiting));
    let row = world.messages().await.into_iter().find(|row| row.id == waiting).expect("stays");
    assert_eq!(row.state, MessageState::Withdrawn);
    provider.release(1);
    world.answer(running).await;
    provider.push(Script::answer(["two"]));
    let last = world.say(thread, "last").await;
    world.answer(last).await;
    assert_eq!(provider.requests().len(), 2);
    assert!(!provider.requests()[1].body.to_string().contains("never mind"));
    assert!(world.answers(waiting).await.is_empty());
}

#[tokio::test]
async fn an_abandoned_session_stops() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::Silence);
    let message = world.say(thread, "hello").await;
    provider.wait_for_request(1).await;
    world.engine.abandon(thread.session).await;
    provider.wait_for_state(1, RequestState::Abandoned).await;
    let stopped = async || world.answers(message).await.pop();
    assert_eq!(eventually("the end", stopped).await.state, MessageState::Stopped);
}
