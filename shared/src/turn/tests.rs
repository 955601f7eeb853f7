use super::*;
use proptest::prelude::*;

const T0: UnixMillis = UnixMillis(1_764_500_000_000);

fn taken_up() -> TurnState {
    TurnState::Queued.step(T0, TurnEvent::TakenUp).expect("a queued turn can be taken up").0
}

#[test]
fn an_answer_ends_the_turn() {
    let (state, effects) = taken_up().step(T0.plus_ms(900), TurnEvent::Completed).expect("legal");
    assert_eq!(effects, [Effect::Finish(TurnOutcome::Answered)]);
    assert_eq!(state, TurnState::Ended { at: T0.plus_ms(900), outcome: TurnOutcome::Answered });
}

#[test]
fn a_rate_limit_is_waited_out_as_long_as_the_provider_asks() {
    let mut failure = Failure::of(FailureKind::RateLimited);
    failure.retry_at = Some(T0.plus_ms(30_000));
    let (state, effects) = taken_up().step(T0, TurnEvent::CallFailed(failure)).expect("legal");
    assert_eq!(effects, [Effect::WakeAt(T0.plus_ms(30_000))]);
    let (state, effects) = state.step(T0.plus_ms(29_999), TurnEvent::Tick).expect("legal");
    assert_eq!(effects, [Effect::WakeAt(T0.plus_ms(30_000))]);
    let (_, effects) = state.step(T0.plus_ms(30_000), TurnEvent::Tick).expect("legal");
    assert_eq!(effects[0], Effect::CallModel { attempt: 2 });
}

#[test]
fn a_rate_limit_past_the_turns_deadline_fails_at_once_and_keeps_its_time() {
    let mut failure = Failure::of(FailureKind::RateLimited);
    failure.retry_at = Some(T0.plus_ms(TURN_MS));
    let (_, effects) = taken_up().step(T0, TurnEvent::CallFailed(failure.clone())).expect("legal");
    assert_eq!(effects, [Effect::Finish(TurnOutcome::Failed(failure))]);
}

#[test]
fn a_wrong_key_is_not_tried_again() {
    let failure = Failure::of(FailureKind::Unauthorized);
    let (_, effects) = taken_up().step(T0, TurnEvent::CallFailed(failure.clone())).expect("legal");
    assert_eq!(effects, [Effect::Finish(TurnOutcome::Failed(failure))]);
}

#[test]
fn silence_counts_from_the_last_sign_of_life() {
    let (state, _) = taken_up().step(T0.plus_ms(100_000), TurnEvent::Heard).expect("legal");
    let (state, effects) = state.step(T0.plus_ms(MODEL_IDLE_MS), TurnEvent::Tick).expect("legal");
    assert_eq!(effects, [Effect::WakeAt(T0.plus_ms(100_000 + MODEL_IDLE_MS))]);
    let (state, effects) = state.step(T0.plus_ms(100_000 + MODEL_IDLE_MS), TurnEvent::Tick).expect("legal");
    assert_eq!(effects[0], Effect::CancelCall);
    assert_eq!(state.name(), "backing_off");
}

#[test]
fn a_restart_runs_the_unfinished_call_again_as_the_next_attempt() {
    let (state, effects) = taken_up().step(T0.plus_ms(5_000), TurnEvent::Restarted).expect("legal");
    assert_eq!(effects[0], Effect::CallModel { attempt: 2 });
    assert!(state.must_journal(&taken_up()));
}

#[test]
fn a_turn_that_keeps_crashing_the_server_ends() {
    let mut state = taken_up();
    for _ in 0..MAX_ATTEMPTS {
        state = state.step(T0, TurnEvent::Restarted).expect("legal").0;
    }
    assert_eq!(state.name(), "ended");
}

#[test]
fn a_call_that_ended_cannot_complete_again() {
    let (ended, _) = taken_up().step(T0, TurnEvent::Completed).expect("legal");
    assert!(ended.step(T0, TurnEvent::Completed).is_err());
}

fn any_event() -> impl Strategy<Value = TurnEvent> {
    let failure = (0..FailureKind::ALL.len(), proptest::option::of(0_i64..4_000_000)).prop_map(|(kind, retry)| {
        let mut failure = Failure::of(FailureKind::ALL[kind]);
        failure.retry_at = retry.map(|ms| T0.plus_ms(ms));
        TurnEvent::CallFailed(failure)
    });
    prop_oneof![
        Just(TurnEvent::TakenUp),
        Just(TurnEvent::Heard),
        Just(TurnEvent::Completed),
        failure,
        Just(TurnEvent::Stop),
        Just(TurnEvent::Tick),
        Just(TurnEvent::Restarted),
    ]
}

proptest! {
    /// Whatever happens, attempts only rise, a turn finishes exactly once, and nothing follows its end.
    #[test]
    fn a_turn_finishes_once_and_attempts_rise(events in proptest::collection::vec((any_event(), 0_i64..300_000), 0..200)) {
        let (mut state, mut now, mut attempts, mut finished) = (TurnState::Queued, T0, vec![], 0);
        for (event, pause) in events {
            now = now.plus_ms(pause);
            let Ok((next, effects)) = state.step(now, event) else { continue };
            for effect in effects {
                match effect {
                    Effect::CallModel { attempt } => {
                        prop_assert_eq!(finished, 0);
                        attempts.push(attempt);
                    }
                    Effect::Finish(_) => finished += 1,
                    Effect::WakeAt(at) => prop_assert!(at > now || now.since(at) < TURN_MS),
                    Effect::CancelCall => {}
                }
            }
            state = next;
        }
        prop_assert!(finished <= 1);
        prop_assert_eq!(finished == 1, state.name() == "ended");
        prop_assert!(attempts.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(attempts.len() <= MAX_ATTEMPTS as usize);
    }

    /// Left alone after any history, ticks at the moments asked for end every turn within its deadline.
    #[test]
    fn a_turn_always_ends(events in proptest::collection::vec(any_event(), 0..20)) {
        let mut state = taken_up();
        let mut wake = T0;
        for event in events {
            if let Ok((next, effects)) = state.step(wake, event) {
                state = next;
                for effect in effects { if let Effect::WakeAt(at) = effect { wake = at; } }
            }
        }
        for _ in 0..100 {
            if state.name() == "ended" { break; }
            let (next, effects) = state.step(wake, TurnEvent::Tick).expect("a tick is always legal");
            state = next;
            for effect in effects { if let Effect::WakeAt(at) = effect { wake = at; } }
        }
        prop_assert_eq!(state.name(), "ended");
    }
}
