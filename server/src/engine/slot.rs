//! What runs in one session, and the taking up of what comes next.
//!
//! A slot's lock orders everything that changes a session's queue, so that clients hear of the changes in their order.

use super::Engine;
use super::journal::{self, TurnFacts, Unfinished};
use super::turn_job::{StopAsk, TurnJob};
use crate::clock;
use crate::db::DbError;
use crate::error::chain;
use futures_util::FutureExt;
use shared::frame::RunningTurn;
use shared::{Audience, Failure, MessageId, SessionId, TurnId};
use std::panic::AssertUnwindSafe;
use tokio::sync::mpsc;
use tracing::Instrument;

/// First pause after the queue could not be read; doubles up to the longest.
const RETRY_MS: i64 = 1_000;
const LONGEST_RETRY_MS: i64 = 60_000;
/// Stops that may wait for a turn job.
const ASKS: usize = 16;

/// What runs in a session.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) running: Option<Running>,
    /// Failures to take up in a row.
    failures: u32,
    /// Another try is under way by itself.
    trying_again: bool,
}

/// A turn that runs.
pub(super) struct Running {
    pub(super) turn: TurnId,
    answers: MessageId,
    retrying: Option<Failure>,
    pub(super) asks: mpsc::Sender<StopAsk>,
}

impl Running {
    fn shown(&self) -> RunningTurn {
        RunningTurn { turn: self.turn, answers: self.answers, retrying: self.retrying.clone() }
    }
}

impl Engine {
    /// What runs in a session, as clients are told. Whoever asks has made sure that the viewer may see the session.
    pub async fn running(&self, session: SessionId) -> Option<RunningTurn> {
        self.slot(session).lock().await.running.as_ref().map(Running::shown)
    }

    /// Takes up the next message of a session if none is being answered, and tells everyone how the queue stands.
    pub(super) async fn take_up(&self, session: SessionId) {
        let slot = self.slot(session);
        let mut slot = slot.lock().await;
        self.take_up_in(session, &mut slot).await;
    }

    /// The same, for whoever holds the slot.
    pub(super) async fn take_up_in(&self, session: SessionId, slot: &mut Slot) {
        if self.is_stopping() {
            return;
        }
        let busy = slot.running.is_some();
        let (turn, now) = (clock::fresh(), self.0.timer.now());
        let result: Result<_, DbError> = if busy {
            self.0.db.read(move |conn| Ok((None, journal::find_queue(conn, session)?))).await
        } else {
            let write = self.0.db.write(move |tx| {
                let taken = journal::take_up(tx, session, turn, now)?;
                Ok((taken, journal::find_queue(tx, session)?))
            });
            write.await
        };
        match result {
            Ok((taken, queue)) => {
                slot.failures = 0;
                if let Some((facts, state, effects)) = taken {
                    let job = TurnJob::taken_up(self.clone(), facts, state, effects);
                    self.run(slot, job);
                }
                if let Some((audience, waiting)) = queue {
                    self.publish(session, audience, slot, waiting);
                }
            }
            Err(DbError::Closed) => {}
            Err(error) => {
                tracing::error!(error = chain(&error), session.id = %session, "could not take up the next message");
                self.take_up_later(session, slot);
            }
        }
    }

    /// Goes on with a turn that an earlier run left unfinished.
    pub(super) async fn resume(&self, unfinished: Unfinished) {
        let session = unfinished.facts.session;
        let slot = self.slot(session);
        let mut slot = slot.lock().await;
        let job = TurnJob::resumed(self.clone(), unfinished);
        self.run(&mut slot, job);
        self.publish_queue(session, &slot).await;
    }

    /// A turn has ended durably: its slot is free.
    pub(super) async fn turn_over(&self, facts: &TurnFacts) {
        let slot = self.slot(facts.session);
        let mut slot = slot.lock().await;
        if slot.running.as_ref().is_some_and(|running| running.turn == facts.turn) {
            slot.running = None;
        }
        self.take_up_in(facts.session, &mut slot).await;
    }

    /// Tells everyone why a turn waits to try again, or that it no longer does.
    pub(super) async fn retrying(&self, facts: &TurnFacts, failure: Option<Failure>) {
        let slot = self.slot(facts.session);
        let mut slot = slot.lock().await;
        if let Some(running) = slot.running.as_mut().filter(|running| running.turn == facts.turn) {
            running.retrying = failure;
            self.publish_queue(facts.session, &slot).await;
        }
    }

    /// Tells everyone how a session's queue stands. For whoever holds the slot.
    async fn publish_queue(&self, session: SessionId, slot: &Slot) {
        match self.0.db.read(move |conn| Ok::<_, DbError>(journal::find_queue(conn, session)?)).await {
            Ok(Some((audience, waiting))) => self.publish(session, audience, slot, waiting),
            Ok(None) => {}
            Err(error) => tracing::error!(error = chain(&error), session.id = %session, "could not read a queue"),
        }
    }

    fn publish(&self, session: SessionId, audience: Audience, slot: &Slot, waiting: Vec<MessageId>) {
        let running = slot.running.as_ref().map(Running::shown);
        self.0.hub.queue_changed(session, audience, running, waiting);
    }

    fn run(&self, slot: &mut Slot, mut job: TurnJob) {
        let (sender, asks) = mpsc::channel(ASKS);
        let facts = job.facts().clone();
        let retrying = job.waits_for().cloned();
        slot.running = Some(Running { turn: facts.turn, answers: facts.message, retrying, asks: sender });
        let engine = self.clone();
        self.0.supervisor.spawn("turn", move |stop| {
            let span = tracing::info_span!(parent: None, "turn", kin.id = %facts.kin, session.id = %facts.session, turn.id = %facts.turn);
            let work = async move {
                let ended = AssertUnwindSafe(job.run(asks, stop.clone())).catch_unwind().await;
                if ended.is_err() {
                    tracing::error!("a turn panicked");
                    engine.bury(facts, stop).await;
                }
                Ok(())
            };
            work.instrument(span)
        });
    }

    /// Ends a turn whose job is gone, so that its session goes on.
    async fn bury(&self, facts: TurnFacts, stop: tokio_util::sync::CancellationToken) {
        let (_sender, asks) = mpsc::channel(1);
        let turn = facts.turn;
        let partial = self.0.db.read(move |conn| Ok::<_, DbError>(journal::find_partial(conn, turn)?)).await;
        let partial = partial.ok().flatten().unwrap_or_default();
        let mut job = TurnJob::failed(self.clone(), facts, partial);
        job.run(asks, stop).await;
    }

    fn take_up_later(&self, session: SessionId, slot: &mut Slot) {
        slot.failures += 1;
        if std::mem::replace(&mut slot.trying_again, true) {
            return;
        }
        let pause = (RETRY_MS << slot.failures.min(6)).min(LONGEST_RETRY_MS);
        let (engine, until) = (self.clone(), self.0.timer.now().plus_ms(pause));
        self.0.supervisor.spawn("take_up", move |stop| async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = engine.0.timer.sleep_until(until) => {
                    let slot = engine.slot(session);
                    let mut slot = slot.lock().await;
                    slot.trying_again = false;
                    engine.take_up_in(session, &mut slot).await;
                }
            }
            Ok(())
        });
    }
}
