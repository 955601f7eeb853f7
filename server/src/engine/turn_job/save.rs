//! Writing a turn's states down, and its end.

use super::TurnJob;
use crate::engine::commands::{self, CommandError};
use crate::engine::journal::{self, End};
use crate::error::chain;
use crate::hub::{Answer, HubError};
use crate::providers::model_of;
use serde_json::json;
use shared::turn::{Effect, TurnOutcome, TurnState};
use shared::{Failure, FailureKind, MessageState, UnixMillis};
use tokio::sync::oneshot;

/// First pause after a state could not be written; doubles up to the longest.
const SAVE_AGAIN_MS: i64 = 1_000;
const LONGEST_SAVE_AGAIN_MS: i64 = 60_000;

/// A state that is not on disk yet.
pub(super) struct Unsaved {
    pub(super) effects: Vec<Effect>,
    /// How the call before it ended.
    pub(super) outcome: &'static str,
    pub(super) tries: u32,
    pub(super) try_at: UnixMillis,
}

impl TurnJob {
    /// Writes the newest state, then carries out its effects. True when the turn is over.
    pub(super) async fn save(&mut self) -> bool {
        let Some(mut unsaved) = self.unsaved.take() else { return false };
        let saved = match self.state.clone() {
            TurnState::Ended { at, outcome } => self.write_end(at, outcome, unsaved.outcome).await,
            state @ (TurnState::Queued | TurnState::Calling { .. } | TurnState::BackingOff { .. }) => {
                let (turn, now, outcome) = (self.facts.turn, self.engine.0.timer.now(), unsaved.outcome);
                let write =
                    self.engine.0.db.write(move |tx| Ok::<_, HubError>(journal::save(tx, turn, &state, outcome, now)?));
                write.await
            }
        };
        match saved {
            Ok(()) => {
                let over = matches!(self.state, TurnState::Ended { .. });
                if over {
                    self.say_goodbye().await;
                }
                for effect in unsaved.effects {
                    self.carry_out(effect).await;
                }
                over
            }
            Err(error) => {
                tracing::error!(error = chain(&error), tries = unsaved.tries, "could not write a turn down");
                let pause = (SAVE_AGAIN_MS << unsaved.tries.min(6)).min(LONGEST_SAVE_AGAIN_MS);
                unsaved.tries += 1;
                unsaved.try_at = self.engine.0.timer.now().plus_ms(pause);
                for stop in &mut self.stops {
                    // The wish is not forgotten, but nobody should wait for a disk.
                    let reply = std::mem::replace(&mut stop.reply, oneshot::channel().0);
                    let _ = reply.send(Err(CommandError::Unavailable));
                }
                let mut failure = Failure::of(FailureKind::Internal);
                failure.retry_at = Some(unsaved.try_at);
                self.unsaved = Some(unsaved);
                self.complain(Some(failure)).await;
                false
            }
        }
    }

    /// Admits the answer and ends the turn, in one transaction with the commands that asked for it.
    async fn write_end(&mut self, at: UnixMillis, outcome: TurnOutcome, call: &'static str) -> Result<(), HubError> {
        let (state, failure) = match &outcome {
            TurnOutcome::Answered => (MessageState::Done, None),
            TurnOutcome::Stopped => (MessageState::Stopped, None),
            TurnOutcome::Failed(failure) => (MessageState::Failed, Some(failure.clone())),
        };
        let facts = self.facts.clone();
        let answer = Answer {
            message: self.answer,
            session: facts.session,
            kin: facts.kin,
            turn: facts.turn,
            answers: facts.message,
            text: self.text.as_str().trim_end().to_owned(),
            state,
            failure: failure.clone(),
            sent_at: at,
        };
        let end = End {
            state: self.state.clone(),
            at,
            outcome: if call.is_empty() { journal::outcome_name(&outcome) } else { call },
            input_tokens: self.usage.input_tokens,
            output_tokens: self.usage.output_tokens,
        };
        let commands: Vec<_> = self.stops.iter().filter_map(|stop| stop.command).collect();
        let write = self.engine.0.hub.write(move |w| {
            if journal::end(w.tx(), facts.turn, &end)? {
                w.append_answer(&answer)?;
                if let Some(failure) = failure.filter(|failure| is_providers(failure.kind)) {
                    let provider = model_of(w.tx(), facts.kin)?;
                    let data = json!({
                        "kin_id": facts.kin,
                        "provider_id": provider.as_ref().map(|choice| choice.provider_id),
                        "model": provider.as_ref().map(|choice| &choice.name),
                        "kind": failure.kind,
                        "retry_at": failure.retry_at,
                    });
                    w.event("provider.error", facts.audience, data)?;
                }
            }
            for (id, member) in commands {
                commands::record(w.tx(), id, member, None, at)?;
            }
            Ok::<_, HubError>(())
        });
        write.await
    }

    /// The end is durable: tells everyone, and the session goes on.
    async fn say_goodbye(&mut self) {
        let TurnState::Ended { at, outcome } = &self.state else { return };
        let duration_ms = at.since(self.begun_at);
        tracing::info!(
            outcome = journal::outcome_name(outcome),
            duration_ms,
            text_bytes = self.text.len(),
            "turn ended"
        );
        self.engine.0.hub.live_end(self.facts.session, self.facts.turn);
        for stop in self.stops.drain(..) {
            let _ = stop.reply.send(Ok(()));
        }
        self.engine.turn_over(&self.facts).await;
    }

    /// The server stops: what has come is written once more, and the turn goes on at the next start.
    pub(super) async fn leave(&mut self) {
        self.call = None;
        if matches!(self.state, TurnState::Ended { .. }) {
            // Its text is whole: better to save it now than to ask for it again.
            self.save().await;
        } else if self.checkpoint.due_at().is_some() {
            self.checkpoint.begin(&self.engine.0.db, self.facts.turn, self.text.as_str());
            let _ = self.checkpoint.written().await;
        }
    }
}

/// Whether a failure says something about the provider rather than about us.
fn is_providers(kind: FailureKind) -> bool {
    match kind {
        FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::Unreachable
        | FailureKind::TimedOut
        | FailureKind::CutShort
        | FailureKind::Malformed
        | FailureKind::Unauthorized
        | FailureKind::ModelNotFound
        | FailureKind::Redirects
        | FailureKind::Refused => true,
        FailureKind::ContextTooLong | FailureKind::NoModel | FailureKind::TurnTooLong | FailureKind::Internal => false,
    }
}
