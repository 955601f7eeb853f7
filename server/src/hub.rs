//! The hub: the server side of sync. Documents, their log, connections, running answers.
//!
//! Every write that touches a document or tells of an event goes through [`Hub::write`]: one transaction, and what it
//! changed is published on the writer's thread right after the commit, in commit order, whether or not the caller still
//! waits. So a client never sees what is not durable, and never misses what is.

mod connection;
mod ending;
mod error;
mod fanout;
mod socket;
mod sqlite_log;
mod write;

pub use ending::Ending;
pub use error::HubError;
pub use fanout::{HubEvent, LiveTurn};
pub use socket::sync_socket;
pub use sqlite_log::SqliteLog;
pub use sync::hub::Answer;
pub use write::HubWrite;

use crate::auth::Caller;
use crate::clock;
use crate::db::{Db, DbError};
use fanout::Fanout;
use shared::frame::{Position, RunningTurn, ServerFrame};
use shared::{Audience, DeviceId, DocumentId, EpochId, KinId, MemberId, MessageId, SessionId, TurnId, Viewer};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use sync::hub::{CatchUp, Known};
use tokio::sync::broadcast;

/// Called with the session after a member's message has been admitted.
pub type OnAdmitted = Arc<dyn Fn(SessionId) + Send + Sync>;

/// Handle to the hub; clones share it.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    db: Db,
    fanout: Fanout,
    on_admitted: OnceLock<OnAdmitted>,
    epoch: tokio::sync::OnceCell<EpochId>,
}

impl Hub {
    /// A hub over the database.
    pub fn new(db: Db) -> Self {
        Self(Arc::new(Inner {
            db,
            fanout: Fanout::default(),
            on_admitted: OnceLock::new(),
            epoch: tokio::sync::OnceCell::new(),
        }))
    }

    /// Sets who is told of admitted messages; the first caller stays.
    pub fn on_admitted(&self, tell: OnAdmitted) {
        let _ = self.0.on_admitted.set(tell);
    }

    /// One durable write that may touch documents and events; published after the commit.
    ///
    /// # Errors
    /// What `work` says, or the database's failure; then nothing has happened.
    pub async fn write<T, E>(
        &self,
        work: impl FnOnce(&mut HubWrite<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let told = Arc::new(Mutex::new(write::Told::default()));
        let (fill, publish) = (Arc::clone(&told), Arc::clone(&self.0));
        self.0
            .db
            .write_then(
                move |tx| {
                    let mut write = HubWrite::new(tx, clock::now());
                    let result = work(&mut write)?;
                    *fill.lock().unwrap_or_else(PoisonError::into_inner) = write.into_told();
                    Ok(result)
                },
                move |_| {
                    let told = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
                    // First of all: a replica that is out gets nothing more. Streams end themselves where they read.
                    told.endings.iter().for_each(|ending| publish.fanout.end_replicas(*ending));
                    publish.fanout.publish(told.deltas, &told.events);
                    told.endings.iter().for_each(|ending| publish.fanout.end_streams(*ending));
                    if let Some(tell) = publish.on_admitted.get() {
                        for session in told.admitted {
                            tell(session);
                        }
                    }
                },
            )
            .await
    }

    /// This run of the server's history; drawn once and kept.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn epoch(&self) -> Result<EpochId, HubError> {
        let read = || async {
            let fresh = clock::fresh::<EpochId>();
            self.0.db.write(move |tx| write::epoch(tx, fresh)).await
        };
        self.0.epoch.get_or_try_init(read).await.copied()
    }

    /// Whether a caller of a moment ago would be let in now. Not when the database fails: they may come back.
    pub async fn lets_in(&self, caller: Caller) -> bool {
        let now = clock::now();
        self.0.db.read(move |connection| Ok::<_, DbError>(caller.still_counts(connection, now)?)).await.unwrap_or(false)
    }

    /// The frames that bring a replica up to date.
    async fn catch_up(&self, viewer: Viewer, positions: Vec<Position>) -> Result<CatchUp, HubError> {
        let known = Known { positions };
        self.0
            .db
            .read(move |connection| Ok(sync::hub::catch_up(&mut SqliteLog::new(connection), viewer, &known)?))
            .await
    }

    async fn snapshot(&self, viewer: Viewer, document: DocumentId) -> Result<Vec<ServerFrame>, HubError> {
        self.0
            .db
            .read(move |connection| Ok(sync::hub::snapshot(&mut SqliteLog::new(connection), viewer, document)?))
            .await
    }

    /// A running answer begins, or begins again: `text` is what it starts from.
    #[expect(clippy::too_many_arguments, reason = "the facts of one running answer, told once")]
    pub fn live_begin(
        &self,
        session: SessionId,
        audience: Audience,
        turn: TurnId,
        kin: KinId,
        answers: MessageId,
        attempt: u32,
        text: String,
    ) {
        self.0.fanout.live_begin(session, LiveTurn { audience, turn, kin, answers, attempt, text });
    }

    /// More text of a session's running answer. Nothing happens when none runs.
    pub fn live_text(&self, session: SessionId, piece: &str) {
        self.0.fanout.live_text(session, piece);
    }

    /// A running answer has ended; its message, if any, has been published before.
    pub fn live_end(&self, session: SessionId, turn: TurnId) {
        self.0.fanout.live_end(session, turn);
    }

    /// The state of a session's queue has changed.
    pub fn queue_changed(
        &self,
        session: SessionId,
        audience: Audience,
        running: Option<RunningTurn>,
        waiting: Vec<MessageId>,
    ) {
        self.0.fanout.queue_changed(session, audience, running, waiting);
    }

    /// Every event from now on; filter by audience. Lagging means: read the stored ones again from the last id.
    pub fn subscribe(&self) -> broadcast::Receiver<HubEvent> {
        self.0.fanout.subscribe()
    }

    /// The answers that run now, as this viewer may see them.
    pub fn live_now(&self, viewer: Viewer) -> Vec<(SessionId, LiveTurn)> {
        self.0.fanout.live_now(viewer)
    }

    /// Makes every connection of a member come back, as after a change of what they may do.
    pub fn reconnect(&self, member: MemberId) {
        self.0.fanout.reconnect(member);
    }

    /// Ends every connection of a device, which may come back: it finds out by itself whether its login still counts.
    pub fn drop_connections(&self, device: DeviceId) {
        self.0.fanout.drop_connections(device);
    }

    /// Ends every connection: the server stops.
    pub fn close(&self) {
        self.0.fanout.close();
    }

    /// Connections that are open.
    pub fn connections(&self) -> usize {
        self.0.fanout.connections()
    }
}
