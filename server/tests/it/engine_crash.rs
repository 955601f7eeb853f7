//! What survives: a crash or a restart at any moment, and a full disk.

use crate::engine_world::{Thread, World, eventually};
use kinstead_tests::scripted::{RequestState, Script, ScriptedProvider};
use server::clock::fresh;
use server::db::DbError;
use server::engine::commands::CommandError;
use server::providers::ProviderKind;
use shared::frame::Command;
use shared::turn::{MAX_ATTEMPTS, TurnState};
use shared::{FailureKind, MessageState, UnixMillis};
use std::time::Duration;

const KIND: ProviderKind = ProviderKind::Anthropic;

#[tokio::test]
async fn after_a_crash_in_mid_answer_there_is_one_answer() {
    let (provider, mut world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::gated(["half ", "of it"]));
    provider.push(Script::gated(["the ", "whole"]));
    let mut live = world.listen();
    let first = world.say(thread, "one").await;
    let second = world.say(thread, "two").await;
    provider.release(1);
    live.hears("half ").await;
    world = world.crash().await;
    let mut live = world.listen();
    provider.wait_for_state(1, RequestState::Abandoned).await;
    provider.wait_for_request(2).await;
    provider.push(Script::answer(["B"]));
    provider.release(1);
    assert_eq!(live.hears("the ").await, 2);
    provider.release(1);
    assert_eq!(world.answer(first).await.text, "the whole");
    assert_eq!(world.answer(second).await.text, "B");
    assert_eq!((world.answers(first).await.len(), world.answers(second).await.len()), (1, 1));
    let lost = |text: &str| Some(text.to_owned());
    assert_eq!(world.steps(thread).await, [(1, lost("lost")), (2, lost("answered")), (1, lost("answered"))]);
}

#[tokio::test]
async fn crashes_at_any_moment_lose_and_double_nothing() {
    let (provider, mut world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    // A runtime that ends breaks connections a moment before the jobs that read them, and those note a pause: let it pass.
    let timer = world.timer.clone();
    let hand = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(2)).await;
            timer.advance(40);
        }
    });
    let mut messages = Vec::new();
    for pieces in [0, 3, 1, 0, 5, 2, 0, 4] {
        let mut live = world.listen();
        messages.push(world.say(thread, "[slow 6 2]").await);
        live.hears_pieces(pieces).await;
        world = world.crash().await;
    }
    let whole: String = (1..=6).map(|part| format!("part {part} of 6. ")).collect();
    for message in messages {
        assert_eq!(world.answer(message).await.text, whole.trim_end());
        assert_eq!(world.answers(message).await.len(), 1);
    }
    hand.abort();
}

#[tokio::test]
async fn an_orderly_stop_is_as_harmless() {
    let (provider, mut world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::gated(["half ", "of it"]));
    let mut live = world.listen();
    let first = world.say(thread, "one").await;
    let second = world.say(thread, "two").await;
    provider.release(1);
    live.hears("half ").await;
    provider.push(Script::answer(["A"]));
    provider.push(Script::answer(["B"]));
    world = world.restart().await;
    assert_eq!((world.answer(first).await.text, world.answer(second).await.text), ("A".into(), "B".into()));
    assert_eq!((world.answers(first).await.len(), world.answers(second).await.len()), (1, 1));
}

#[tokio::test]
async fn a_pause_goes_on_after_a_crash_and_messages_that_waited_are_taken_up() {
    let (provider, mut world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::rate_limit(90, 1));
    let first = world.say(thread, "one").await;
    let (until, _) = world.backing_off(thread).await;
    let second = world.say(thread, "two").await;
    world = world.crash().await;
    let (again, failure) = world.backing_off(thread).await;
    assert_eq!(again, until);
    let running = world.engine.running(thread.session).await.expect("goes on");
    assert_eq!((running.answers, running.retrying), (first, Some(failure)));
    provider.push(Script::answer(["A"]));
    provider.push(Script::answer(["B"]));
    world.timer.advance(until.since(world.timer.now()));
    assert_eq!((world.answer(first).await.text, world.answer(second).await.text), ("A".into(), "B".into()));
    assert_eq!(provider.requests().len(), 3);
    let free = async || world.engine.running(thread.session).await.is_none().then_some(());
    eventually("rest", free).await;
}

#[tokio::test]
async fn a_turn_that_brings_the_server_down_each_time_ends() {
    let (provider, mut world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    let message = world.say(thread, "[silence]").await;
    for attempt in 1..MAX_ATTEMPTS {
        provider.wait_for_request(usize::try_from(attempt).expect("small")).await;
        world = world.crash().await;
    }
    provider.wait_for_request(usize::try_from(MAX_ATTEMPTS).expect("small")).await;
    world = world.crash().await;
    assert_eq!(world.answer(message).await.failed(), Some(FailureKind::TurnTooLong));
}

#[tokio::test]
async fn a_turn_whose_state_cannot_be_read_fails_visibly_and_keeps_its_text() {
    let (provider, mut world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::Silence);
    let message = world.say(thread, "hello").await;
    provider.wait_for_request(1).await;
    let damage =
        world.db.write(|tx| Ok::<_, DbError>(tx.execute("update turn set state = '{}', partial = 'so far'", [])?));
    damage.await.expect("updates");
    world = world.crash().await;
    let answer = world.answer(message).await;
    assert_eq!((answer.text.as_str(), answer.failed()), ("so far", Some(FailureKind::Internal)));
}

#[tokio::test]
async fn text_is_written_down_while_it_comes() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    let mut live = world.listen();
    let long = "x".repeat(5_000);
    provider.push(Script::gated(["short", &long, "."]));
    world.say(thread, "hello").await;
    let partial = async || -> String {
        world.read(|conn| conn.query_row("select partial from turn", [], |row| row.get(0))).await
    };
    provider.release(1);
    live.hears("short").await;
    world.timer.advance(1_000);
    eventually("a checkpoint after a second", async || (partial().await == "short").then_some(())).await;
    provider.release(1);
    // Four kilobytes do not wait for the clock.
    eventually("a checkpoint of much text", async || (partial().await.len() == 5_005).then_some(())).await;
}

/// Leaves no room for more than what is there.
async fn fill_disk(world: &World) {
    limit_pages(world, |used| used).await;
}

async fn empty_disk(world: &World) {
    limit_pages(world, |used| used + 100_000).await;
}

async fn limit_pages(world: &World, limit: fn(i64) -> i64) {
    let set = async || {
        let set = world.db.write(move |tx| {
            let used: i64 = tx.pragma_query_value(None, "page_count", |row| row.get(0))?;
            Ok::<i64, DbError>(tx.pragma_update_and_check(None, "max_page_count", limit(used), |row| row.get(0))?)
        });
        // The group of a write that found the disk full fails as a whole.
        set.await.ok()
    };
    eventually("another size of the disk", set).await;
}

/// Waits until clients are told that the turn cannot be saved; gives when the next try is.
async fn complaint(world: &World, thread: Thread) -> UnixMillis {
    let complains = async || {
        let failure = world.engine.running(thread.session).await?.retrying?;
        assert_eq!(failure.kind, FailureKind::Internal);
        failure.retry_at
    };
    eventually("a complaint", complains).await
}

#[tokio::test]
async fn an_answer_that_finds_the_disk_full_is_kept_and_saved_once_there_is_room() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    let mut live = world.listen();
    let text = "x".repeat(30_000);
    provider.push(Script::gated([text.as_str(), ""]));
    let message = world.say(thread, "hello").await;
    world.calling(thread).await;
    fill_disk(&world).await;
    provider.release(2);
    live.hears(&text).await;
    complaint(&world, thread).await;
    // What has ended cannot be stopped any more, and there may be no room to remember even that.
    let turn = world.running(thread).await.expect("still runs").0;
    let refused = world.command(world.ana, Command::Stop { session: thread.session, turn }).await;
    assert!(matches!(refused, Err(CommandError::TurnNotRunning | CommandError::Unavailable)), "{refused:?}");
    for _ in 0..3 {
        let again_at = complaint(&world, thread).await;
        assert!(again_at > world.timer.now());
        world.timer.advance(again_at.since(world.timer.now()));
        let later = async || (complaint(&world, thread).await > again_at).then_some(());
        eventually("another try", later).await;
        assert!(matches!(world.running(thread).await, Some((_, TurnState::Calling { .. }))));
    }
    assert_eq!(world.hub.live_now(world.ana).len(), 1, "the text is still there to read");
    empty_disk(&world).await;
    let saved = async || {
        world.timer.advance(60_000);
        world.answers(message).await.pop()
    };
    let answer = eventually("the answer", saved).await;
    assert_eq!((answer.text == text, answer.state), (true, MessageState::Done));
    assert_eq!((provider.requests().len(), world.answers(message).await.len()), (1, 1));
}

#[tokio::test]
async fn a_stop_that_finds_the_disk_full_is_remembered() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    let mut live = world.listen();
    let text = "x".repeat(30_000);
    provider.push(Script::gated([text.as_str(), "never"]));
    let message = world.say(thread, "hello").await;
    provider.release(1);
    live.hears(&text).await;
    let turn = world.calling(thread).await;
    fill_disk(&world).await;
    let (id, stop) = (fresh(), Command::Stop { session: thread.session, turn });
    assert_eq!(world.command_again(world.ana, id, stop.clone()).await, Err(CommandError::Unavailable));
    provider.wait_for_state(1, RequestState::Abandoned).await;
    empty_disk(&world).await;
    let saved = async || {
        world.timer.advance(60_000);
        world.answers(message).await.pop()
    };
    let answer = eventually("the answer", saved).await;
    assert_eq!((answer.text == text, answer.state), (true, MessageState::Stopped));
    world.command_again(world.ana, id, stop).await.expect("it was done after all");
}

#[tokio::test]
async fn a_message_that_cannot_be_taken_up_is_taken_up_later() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    let fail = world.db.write(|tx| {
        Ok::<_, DbError>(
            tx.execute_batch("create trigger no before insert on turn begin select raise(abort, 'no'); end")?,
        )
    });
    fail.await.expect("makes it fail");
    provider.push(Script::answer(["A"]));
    let message = world.say(thread, "hello").await;
    let heal = world.db.write(|tx| Ok::<_, DbError>(tx.execute_batch("drop trigger no")?));
    heal.await.expect("heals");
    let answered = async || {
        if world.running(thread).await.is_none() {
            // Small steps: what is being taken up must not run into its own deadlines.
            world.timer.advance(100);
        }
        world.answers(message).await.pop()
    };
    assert_eq!(eventually("the answer", answered).await.text, "A");
}
