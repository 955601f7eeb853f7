//! The engine: takes messages from the queue, has them answered, and brings every turn to a visible end.
//!
//! One turn at a time per session, sessions side by side. The queue is a table; a session's next turn is taken up
//! when a message is admitted or a turn ends, never by polling. [`shared::turn`] decides what a turn does next; a turn
//! job writes each state down before its effects are visible and carries them out. On start every unfinished turn goes
//! on from what is written.

mod answer_text;
mod checkpoint;
pub mod commands;
pub mod context;
mod journal;
mod load;
mod redact;
mod slot;
mod timer;
mod turn_job;

pub use timer::Timer;

use crate::db::{Db, DbError};
use crate::hub::Hub;
use crate::providers::{ChatStream, Providers};
use crate::supervisor::Supervisor;
use futures_util::{FutureExt, StreamExt, stream};
use jiff::tz::TimeZone;
use journal::TurnFacts;
use shared::{Failure, FailureKind, SessionId, TurnId};
use slot::Slot;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// Handle to the engine; clones share it.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    db: Db,
    hub: Hub,
    providers: Providers,
    timer: Timer,
    supervisor: Supervisor,
    /// The household's time zone.
    zone: TimeZone,
    /// What runs in each session that ever had a turn. Sessions are as few as Kins.
    slots: Mutex<HashMap<SessionId, Arc<tokio::sync::Mutex<Slot>>>>,
}

impl Engine {
    /// An engine that does nothing before [`start`](Self::start).
    pub fn new(db: Db, hub: Hub, providers: Providers, timer: Timer, supervisor: Supervisor, zone: TimeZone) -> Self {
        Self(Arc::new(Inner { db, hub, providers, timer, supervisor, zone, slots: Mutex::default() }))
    }

    /// Listens for admitted messages until the server stops, and goes on with what an earlier run left unfinished.
    ///
    /// # Errors
    /// When what was left cannot be read.
    pub async fn start(&self) -> Result<(), DbError> {
        let (admitted, mut wakes) = mpsc::unbounded_channel();
        // Called on the writer's thread: it must not wait. Nobody listens any more when the server stops.
        self.0.hub.on_admitted(Arc::new(move |session| {
            let _ = admitted.send(session);
        }));
        let read = self.0.db.read(|conn| {
            let (unfinished, waiting) = (journal::list_unfinished(conn)?, journal::list_waiting_sessions(conn)?);
            Ok::<_, DbError>((unfinished, waiting, journal::list_resting_sessions(conn)?))
        });
        let (unfinished, waiting, resting) = read.await?;
        if !unfinished.is_empty() {
            tracing::info!(turns = unfinished.len(), "going on with unfinished turns");
        }
        for turn in unfinished {
            self.resume(turn).await;
        }
        // The server went down between putting a Kin away and stopping it.
        for session in resting {
            self.abandon(session).await;
        }
        for session in waiting {
            self.take_up(session).await;
        }
        let engine = self.clone();
        self.0.supervisor.spawn("engine", |stop| async move {
            loop {
                let session = tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    session = wakes.recv() => session,
                };
                let Some(session) = session else { return Ok(()) };
                let engine = engine.clone();
                // Sessions do not wait for each other's disk.
                engine.0.supervisor.clone().spawn("take_up", move |_| async move {
                    engine.take_up(session).await;
                    Ok(())
                });
            }
        });
        Ok(())
    }

    /// Stops whatever runs in a session, without a member's command, and tells everyone how the queue stands: its Kin
    /// has been put away or removed, and takes nothing up any more.
    pub async fn abandon(&self, session: SessionId) {
        if let Some(asks) = self.asks_of(session, None).await {
            let _ = asks.send(turn_job::StopAsk::silent()).await;
        }
        self.take_up(session).await;
    }

    /// Where the job of a session's turn takes wishes: of the turn meant, or of whichever runs.
    async fn asks_of(&self, session: SessionId, turn: Option<TurnId>) -> Option<mpsc::Sender<turn_job::StopAsk>> {
        let slot = self.slot(session);
        // Let go before anything is sent: a job that ends needs its slot.
        let slot = slot.lock().await;
        let running = slot.running.as_ref().filter(|running| turn.is_none_or(|turn| turn == running.turn));
        running.map(|running| running.asks.clone())
    }

    fn is_stopping(&self) -> bool {
        self.0.supervisor.stop().is_cancelled()
    }

    /// One model call for a turn: its context is read, then it is sent. Nothing happens before it is polled.
    fn call(&self, facts: &TurnFacts) -> ChatStream {
        let (engine, facts) = (self.clone(), facts.clone());
        let begun = async move {
            match engine.begin_call(facts).await {
                Ok(answer) => answer,
                Err(failure) => stream::once(async { Err(failure) }).boxed(),
            }
        };
        begun.into_stream().flatten().boxed()
    }

    async fn begin_call(&self, turn: TurnFacts) -> Result<ChatStream, Failure> {
        let (now, zone) = (self.0.timer.now(), self.0.zone.clone());
        let loaded = self.0.db.read(move |conn| Ok::<_, DbError>(load::facts(conn, &turn, now, zone)?)).await;
        let loaded = loaded.map_err(|error| {
            tracing::error!(error = crate::error::chain(&error), "could not read a turn's context");
            Failure::of(FailureKind::Internal)
        })?;
        let (provider, facts) = loaded.ok_or_else(|| Failure::of(FailureKind::NoModel))?;
        let client = self.0.providers.client(provider).await?;
        Ok(client.chat(context::build(&facts, context::budget(facts.window))))
    }

    fn slot(&self, session: SessionId) -> Arc<tokio::sync::Mutex<Slot>> {
        let mut slots = self.0.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry(session).or_default())
    }
}
