//! The turn machine: what a turn does next, decided without I/O.
//!
//! A turn answers one message of one session. The engine feeds it events and carries out effects; every state is written
//! down before its effects are visible, so that a restart goes on from it with [`TurnEvent::Restarted`].

use crate::failure::{Failure, FailureKind};
use crate::limits::{MODEL_IDLE_MS, TURN_MS};
use crate::time::UnixMillis;
use serde::{Deserialize, Serialize};

/// Calls that may fail before the turn does.
pub const MAX_FAILURES: u32 = 4;
/// Attempts in all, so that a turn whose call brings the server down does not do so for ever.
pub const MAX_ATTEMPTS: u32 = 12;
/// First pause after a failure without a time of its own; doubles with each.
pub const BACKOFF_MS: i64 = 2_000;

/// Where a turn stands. Each state holds exactly the facts that are true in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum TurnState {
    /// Waits in its session's queue.
    Queued,
    /// A model call is under way.
    Calling {
        /// When the turn was taken up; its deadline counts from here.
        since: UnixMillis,
        /// 1 for the first call.
        attempt: u32,
        /// Calls that failed before.
        failures: u32,
        /// When the call last showed life.
        heard_at: UnixMillis,
    },
    /// Waits to call again.
    BackingOff {
        /// When the turn was taken up.
        since: UnixMillis,
        /// The attempt that failed.
        attempt: u32,
        /// Calls that failed so far.
        failures: u32,
        /// When to call again.
        until: UnixMillis,
        /// Why the last call failed.
        failure: Failure,
    },
    /// Over; nothing follows.
    Ended {
        /// When.
        at: UnixMillis,
        /// How.
        outcome: TurnOutcome,
    },
}

/// How a turn ended. Every turn ends in one of these, visibly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnOutcome {
    /// With an answer.
    Answered,
    /// By a member; what had come is kept.
    Stopped,
    /// With a failure; what had come is kept.
    Failed(Failure),
}

/// What happens to a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEvent {
    /// Its session is free and it is first in the queue.
    TakenUp,
    /// The call gave a sign of life: a text piece, a ping.
    Heard,
    /// The answer is whole.
    Completed,
    /// The call failed.
    CallFailed(Failure),
    /// A member wants it to end.
    Stop,
    /// A moment asked for by [`Effect::WakeAt`] has come. Too early is harmless.
    Tick,
    /// The server has started again; whatever was under way is lost.
    Restarted,
}

/// What the engine must do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Call the model; pieces carry this attempt, and text of a lower one is void.
    CallModel {
        /// The attempt.
        attempt: u32,
    },
    /// Drop the call under way.
    CancelCall,
    /// Send [`TurnEvent::Tick`] at this moment; replaces the one asked for before.
    WakeAt(UnixMillis),
    /// Admit the answer as a message with this outcome and free the session.
    Finish(TurnOutcome),
}

/// An event that cannot happen in a state: a fault of the engine, logged and otherwise ignored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a turn that is {state} cannot take {event:?}")]
pub struct IllegalStep {
    /// Name of the state.
    pub state: &'static str,
    /// The event.
    pub event: TurnEvent,
}

impl TurnState {
    /// Name of the state, for logs and the database.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Calling { .. } => "calling",
            Self::BackingOff { .. } => "backing_off",
            Self::Ended { .. } => "ended",
        }
    }

    /// Whether the state must be on disk before its effects: every change but a sign of life.
    pub fn must_journal(&self, before: &Self) -> bool {
        self.name() != before.name() || self.attempt() != before.attempt()
    }

    fn attempt(&self) -> u32 {
        match self {
            Self::Calling { attempt, .. } | Self::BackingOff { attempt, .. } => *attempt,
            Self::Queued | Self::Ended { .. } => 0,
        }
    }

    /// Advances by one event.
    ///
    /// # Errors
    /// [`IllegalStep`] when the event cannot happen here; the state stays as it was.
    pub fn step(&self, now: UnixMillis, event: TurnEvent) -> Result<(Self, Vec<Effect>), IllegalStep> {
        use TurnEvent::{CallFailed, Completed, Heard, Restarted, Stop, TakenUp, Tick};
        match (self, event) {
            (Self::Queued, TakenUp) => Ok(call(now, now, 1, 0)),
            // A restart finds a queued turn where it left it: in the queue.
            (Self::Queued, Restarted | Tick) => Ok((Self::Queued, vec![])),
            (Self::Queued, Stop) => Ok(end(now, TurnOutcome::Stopped, false)),

            (Self::Calling { since, attempt, failures, .. }, Heard) => {
                let state = Self::Calling { since: *since, attempt: *attempt, failures: *failures, heard_at: now };
                Ok((state, vec![]))
            }
            (Self::Calling { .. }, Completed) => Ok(end(now, TurnOutcome::Answered, false)),
            (Self::Calling { since, attempt, failures, .. }, CallFailed(failure)) => {
                Ok(failed(now, *since, *attempt, failures + 1, failure, false))
            }
            (Self::Calling { .. }, Stop) => Ok(end(now, TurnOutcome::Stopped, true)),
            (Self::Calling { since, attempt, failures, heard_at }, Tick) => {
                if now.since(*since) >= TURN_MS {
                    return Ok(end(now, TurnOutcome::Failed(Failure::of(FailureKind::TurnTooLong)), true));
                }
                if now.since(*heard_at) >= MODEL_IDLE_MS {
                    return Ok(failed(now, *since, *attempt, failures + 1, Failure::of(FailureKind::TimedOut), true));
                }
                Ok((self.clone(), vec![Effect::WakeAt(next_deadline(*since, *heard_at))]))
            }
            // The unfinished step runs again: its text is void, its cost is the crash's.
            (Self::Calling { since, attempt, failures, .. }, Restarted) => {
                if *attempt >= MAX_ATTEMPTS || now.since(*since) >= TURN_MS {
                    return Ok(end(now, TurnOutcome::Failed(Failure::of(FailureKind::TurnTooLong)), false));
                }
                Ok(call(now, *since, attempt + 1, *failures))
            }

            (Self::BackingOff { since, attempt, failures, until, .. }, Tick | Restarted) => {
                if now >= *until {
                    Ok(call(now, *since, attempt + 1, *failures))
                } else {
                    Ok((self.clone(), vec![Effect::WakeAt(*until)]))
                }
            }
            (Self::BackingOff { .. }, Stop) => Ok(end(now, TurnOutcome::Stopped, false)),

            // The last sounds of a call that was cancelled.
            (Self::BackingOff { .. } | Self::Ended { .. }, Heard) => Ok((self.clone(), vec![])),
            (Self::Ended { .. }, Stop | Tick | Restarted) => Ok((self.clone(), vec![])),

            // No `_`: a new state or event stops the build here until someone decides.
            (Self::Queued, event @ (Heard | Completed | CallFailed(_)))
            | (Self::Calling { .. }, event @ TakenUp)
            | (Self::BackingOff { .. }, event @ (TakenUp | Completed | CallFailed(_)))
            | (Self::Ended { .. }, event @ (TakenUp | Completed | CallFailed(_))) => {
                Err(IllegalStep { state: self.name(), event })
            }
        }
    }
}

fn next_deadline(since: UnixMillis, heard_at: UnixMillis) -> UnixMillis {
    since.plus_ms(TURN_MS).min(heard_at.plus_ms(MODEL_IDLE_MS))
}

fn call(now: UnixMillis, since: UnixMillis, attempt: u32, failures: u32) -> (TurnState, Vec<Effect>) {
    let state = TurnState::Calling { since, attempt, failures, heard_at: now };
    (state, vec![Effect::CallModel { attempt }, Effect::WakeAt(next_deadline(since, now))])
}

fn end(now: UnixMillis, outcome: TurnOutcome, cancel: bool) -> (TurnState, Vec<Effect>) {
    let mut effects = Vec::new();
    if cancel {
        effects.push(Effect::CancelCall);
    }
    effects.push(Effect::Finish(outcome.clone()));
    (TurnState::Ended { at: now, outcome }, effects)
}

/// Backs off, or ends the turn when trying again is pointless, too often, or would come after the deadline.
fn failed(
    now: UnixMillis,
    since: UnixMillis,
    attempt: u32,
    failures: u32,
    mut failure: Failure,
    cancel: bool,
) -> (TurnState, Vec<Effect>) {
    let pause = BACKOFF_MS.saturating_mul(1 << (failures.saturating_sub(1)).min(10));
    // A provider may ask for more patience than our own pause, never for less.
    let until = failure.retry_at.unwrap_or(now).max(now.plus_ms(pause));
    let hopeless = !failure.kind.is_transient() || failures >= MAX_FAILURES || attempt >= MAX_ATTEMPTS;
    if hopeless || until.since(since) >= TURN_MS {
        return end(now, TurnOutcome::Failed(failure), cancel);
    }
    failure.retry_at = Some(until);
    let mut effects = Vec::new();
    if cancel {
        effects.push(Effect::CancelCall);
    }
    effects.push(Effect::WakeAt(until));
    (TurnState::BackingOff { since, attempt, failures, until, failure }, effects)
}

#[cfg(test)]
mod tests;
