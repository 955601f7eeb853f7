//! One turn, from a member's message to its visible end, over both wire formats and every fault.

use crate::engine_world::{World, eventually, model_of, texts_of};
use kinstead_tests::scripted::{RequestState, Script, ScriptedProvider};
use server::providers::ProviderKind;
use shared::limits::{MAX_MESSAGE_BYTES, MODEL_IDLE_MS};
use shared::{FailureKind, MessageState};

const KINDS: [ProviderKind; 2] = [ProviderKind::OpenaiCompatible, ProviderKind::Anthropic];

#[tokio::test]
async fn a_message_is_answered_as_the_text_comes() {
    for kind in KINDS {
        let (provider, world) = (ScriptedProvider::start().await, World::new().await);
        let thread = world.thread(&provider, kind).await;
        let mut live = world.listen();
        provider.push(Script::gated(["Où ", "étais", "-tu ?\n"]));
        let message = world.say(thread, "hello").await;
        live.hears("").await;
        provider.release(1);
        live.hears("Où ").await;
        provider.release(1);
        live.hears("Où étais").await;
        provider.release(1);
        let answer = world.answer(message).await;
        assert_eq!((answer.text.as_str(), answer.state, answer.failure), ("Où étais-tu ?", MessageState::Done, None));
        assert_eq!(world.steps(thread).await, [(1, Some("answered".to_owned()))]);
        assert_eq!(world.events().await, ["provider.added", "kin.message.received", "kin.message.sent"]);
        assert_eq!(world.hub.live_now(world.ana), []);

        let request = provider.requests().pop().expect("a request");
        assert_eq!(request.body["model"], model_of(kind));
        assert!(request.body.to_string().len() <= 8 * 1024, "{} bytes", request.body.to_string().len());
        let texts = texts_of(&request.body);
        assert_eq!(texts.len(), 1);
        assert!(texts[0].ends_with("\n\nAna: hello"), "{texts:?}");
        assert!(request.body.to_string().contains("You are Basile"));
        let tokens = world.read(|conn| {
            conn.query_row("select input_tokens > 0, output_tokens from turn", [], |row| {
                Ok((row.get::<_, bool>(0)?, row.get::<_, i64>(1)?))
            })
        });
        assert_eq!(tokens.await, (true, 4));
    }
}

#[tokio::test]
async fn the_next_message_brings_the_thread_along() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, ProviderKind::Anthropic).await;
    for (text, answer) in [("one", "first"), ("two", "second"), ("three", "third")] {
        provider.push(Script::answer([answer]));
        let message = world.say(thread, text).await;
        assert_eq!(world.answer(message).await.text, answer);
    }
    let texts = texts_of(&provider.requests()[2].body);
    assert_eq!(texts[..4], ["Ana: one", "first", "Ana: two", "second"]);
    assert!(texts[4].ends_with("Ana: three"));
}

#[tokio::test]
async fn what_trying_again_cannot_help_fails_at_once() {
    let cases = [
        (Script::Unauthorized, FailureKind::Unauthorized),
        (Script::ModelNotFound, FailureKind::ModelNotFound),
        (Script::ContextTooLong, FailureKind::ContextTooLong),
    ];
    for kind in KINDS {
        let (provider, world) = (ScriptedProvider::start().await, World::new().await);
        let thread = world.thread(&provider, kind).await;
        for (script, expected) in &cases {
            provider.push(script.clone());
            let message = world.say(thread, "hello").await;
            let answer = world.answer(message).await;
            assert_eq!((answer.state, answer.failed()), (MessageState::Failed, Some(*expected)), "{kind:?}");
            assert!(!answer.failure.expect("a failure").detail.is_empty());
            assert_eq!(answer.text, "");
        }
        assert_eq!(provider.requests().len(), cases.len());
        let errors = world.events().await.into_iter().filter(|name| name == "provider.error").count();
        assert_eq!(errors, 2, "a long conversation is not the provider's fault");
    }
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_then_fails_with_what_had_come() {
    let cases = [
        (Script::Overloaded, FailureKind::Overloaded, ""),
        (Script::rate_limit(3, 1), FailureKind::RateLimited, ""),
        (Script::cut(["one ", "two"]), FailureKind::CutShort, "one two"),
        (Script::error_event(["one "]), FailureKind::Overloaded, "one"),
        (Script::GarbageJson, FailureKind::Malformed, ""),
        (Script::Html, FailureKind::Malformed, ""),
        (Script::answer([""; 0]), FailureKind::Malformed, ""),
        (Script::answer([" \n"]), FailureKind::Malformed, ""),
    ];
    for kind in KINDS {
        let (provider, world) = (ScriptedProvider::start().await, World::new().await);
        let thread = world.thread(&provider, kind).await;
        for (script, expected, kept) in &cases {
            (0..4).for_each(|_| provider.push(script.clone()));
            let message = world.say(thread, "hello").await;
            for failures in 1..4 {
                let (until, failure) = world.backing_off(thread).await;
                assert_eq!(failure.kind, *expected, "{kind:?} {script:?}");
                let pause = until.since(world.timer.now());
                assert!(pause >= 1_000 << failures, "{pause} ms after {failures} failures");
                world.timer.advance(pause);
                provider.wait_for_request(provider.requests().len()).await;
                let next = async || match world.running(thread).await {
                    Some((_, shared::turn::TurnState::BackingOff { until: later, .. })) => {
                        (later > until).then_some(())
                    }
                    Some(_) => None,
                    None => Some(()),
                };
                eventually("the next failure", next).await;
            }
            let answer = world.answer(message).await;
            assert_eq!((answer.state, answer.failed()), (MessageState::Failed, Some(*expected)), "{kind:?} {script:?}");
            assert_eq!(answer.text.trim(), *kept);
        }
        assert_eq!(provider.requests().len(), 4 * cases.len());
        assert_eq!(provider.queued(), 0);
    }
}

#[tokio::test]
async fn after_a_passing_fault_the_answer_is_whole_and_single() {
    for kind in KINDS {
        let (provider, world) = (ScriptedProvider::start().await, World::new().await);
        let thread = world.thread(&provider, kind).await;
        let mut live = world.listen();
        provider.push(Script::cut(["half an ans"]));
        provider.push(Script::split_utf8());
        let message = world.say(thread, "hello").await;
        assert_eq!(live.hears("half an ans").await, 1);
        let (until, _) = world.backing_off(thread).await;
        world.timer.advance(until.since(world.timer.now()));
        let text = "Où étais-tu ? Ça coûte 3 €. Familia: 👩‍👧 家族.";
        assert_eq!(live.hears(text).await, 2);
        assert_eq!(world.answer(message).await.text, text);
        let steps = [(1, Some("cut_short".to_owned())), (2, Some("answered".to_owned()))];
        assert_eq!(world.steps(thread).await, steps);
    }
}

#[tokio::test]
async fn a_provider_may_ask_for_patience() {
    for kind in KINDS {
        let (provider, world) = (ScriptedProvider::start().await, World::new().await);
        let thread = world.thread(&provider, kind).await;
        provider.push(Script::rate_limit(90, 1));
        provider.push(Script::answer(["at last"]));
        let begun_at = world.timer.now();
        let message = world.say(thread, "hello").await;
        let (until, failure) = world.backing_off(thread).await;
        assert_eq!((until.since(begun_at), failure.kind), (90_000, FailureKind::RateLimited));
        assert_eq!(failure.retry_at, Some(until));
        let told = async || world.engine.running(thread.session).await?.retrying;
        assert_eq!(eventually("clients are told", told).await, failure);
        world.timer.advance(89_999);
        // The turn has looked at its clock once more, and waits.
        world
            .command(world.ana, shared::frame::Command::Stop { session: thread.session, turn: server::clock::fresh() })
            .await
            .expect_err("another turn is meant");
        assert_eq!(provider.requests().len(), 1);
        world.timer.advance(1);
        assert_eq!(world.answer(message).await.text, "at last");
    }
}

#[tokio::test]
async fn silence_is_hung_up_on_after_two_minutes() {
    for kind in KINDS {
        let (provider, world) = (ScriptedProvider::start().await, World::new().await);
        let thread = world.thread(&provider, kind).await;
        let mut live = world.listen();
        provider.push(Script::Silence);
        provider.push(Script::silence_after(["so "]));
        provider.push(Script::answer(["there"]));
        let message = world.say(thread, "hello").await;
        provider.wait_for_request(1).await;
        world.timer.advance(MODEL_IDLE_MS);
        provider.wait_for_state(1, RequestState::Abandoned).await;
        let (until, failure) = world.backing_off(thread).await;
        assert_eq!(failure.kind, FailureKind::TimedOut);
        world.timer.advance(until.since(world.timer.now()));

        live.hears("so ").await;
        // Heard since: the two minutes count from the last sign of life.
        world.timer.advance(MODEL_IDLE_MS);
        provider.wait_for_state(2, RequestState::Abandoned).await;
        let (until, _) = world.backing_off(thread).await;
        world.timer.advance(until.since(world.timer.now()));
        assert_eq!(world.answer(message).await.text, "there");
    }
}

#[tokio::test]
async fn a_provider_that_is_down_is_unreachable_and_found_again() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let port = provider.port();
    let thread = world.thread(&provider, ProviderKind::OpenaiCompatible).await;
    provider.stop().await;
    let message = world.say(thread, "hello").await;
    let (until, failure) = world.backing_off(thread).await;
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert!(failure.detail.to_lowercase().contains("refused"), "{}", failure.detail);
    let provider = ScriptedProvider::start_at(port).await.expect("the port is free");
    provider.push(Script::answer(["back"]));
    world.timer.advance(until.since(world.timer.now()));
    assert_eq!(world.answer(message).await.text, "back");
}

#[tokio::test]
async fn without_a_model_the_answer_says_so() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let bare = world.kin(None).await;
    let message = world.say(bare, "hello").await;
    assert_eq!(world.answer(message).await.failed(), Some(FailureKind::NoModel));

    let thread = world.thread(&provider, ProviderKind::Anthropic).await;
    let id = world.providers.list(world.ben).await.expect("lists")[0].id;
    world.providers.remove(world.ana, id).await.expect("removes");
    let message = world.say(thread, "hello").await;
    assert_eq!(world.answer(message).await.failed(), Some(FailureKind::NoModel));
    assert!(!world.events().await.contains(&"provider.error".to_owned()));
}

#[tokio::test]
async fn an_answer_longer_than_a_message_is_cut_and_marked() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, ProviderKind::OpenaiCompatible).await;
    provider.push(Script::gated(vec!["é".repeat(10_000); 5]));
    provider.release(4);
    let message = world.say(thread, "hello").await;
    let answer = world.answer(message).await;
    assert_eq!(answer.state, MessageState::Done);
    assert!(answer.text.len() <= MAX_MESSAGE_BYTES && answer.text.len() > MAX_MESSAGE_BYTES - 8);
    assert!(answer.text.ends_with("é\n\n[…]"));
    provider.wait_for_state(1, RequestState::Abandoned).await;
}

#[tokio::test]
async fn demo_answers_in_the_language_of_the_message() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, ProviderKind::Demo).await;
    let message = world.say(thread, "Bonjour !").await;
    let answer = world.answer(message).await;
    assert!(answer.text.starts_with("Bonjour **Ana**, je suis Basile (Cook)."), "{}", answer.text);
    assert!(answer.text.contains("pas une IA"));
    let message = world.say_as(world.ben, thread, "a long answer, please").await;
    assert!(world.answer(message).await.text.starts_with("Here is a long answer, Ben. This is **Demo**"));
    assert!(provider.requests().is_empty());
}
