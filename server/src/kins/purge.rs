//! The end of a Kin that was removed and not brought back: rows, documents and messages are gone, here and on devices.

use super::{KinError, deleted};
use crate::audit::{self, Deed};
use crate::db::{Db, RowExt};
use crate::engine::Timer;
use crate::hub::{Hub, HubWrite};
use crate::supervisor::Supervisor;
use serde_json::json;
use shared::{Audience, DocumentId, KinId, UnixMillis};
use std::sync::Arc;
use tokio::sync::Notify;

/// How long a removed Kin can be brought back.
pub const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// Pause after the database could not do it.
const AGAIN_MS: i64 = 10 * 60 * 1000;

/// The job that ends Kins whose time is up; clones share it. It sleeps until the next one's time.
#[derive(Clone)]
pub struct KinPurge {
    hub: Hub,
    db: Db,
    timer: Timer,
    removed: Arc<Notify>,
}

impl KinPurge {
    /// A job that does nothing before [`start`](Self::start).
    pub fn new(hub: Hub, db: Db, timer: Timer) -> Self {
        Self { hub, db, timer, removed: Arc::default() }
    }

    /// A Kin was removed: it may be the only one to wait for.
    pub fn note(&self) {
        self.removed.notify_one();
    }

    /// Ends Kins when their time is up, until the server stops.
    pub fn start(&self, supervisor: &Supervisor) {
        let purge = self.clone();
        supervisor.spawn("purge_kins", |stop| async move {
            loop {
                let next_at = purge.end_due().await;
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    () = purge.removed.notified() => {}
                    () = async { match next_at { Some(at) => purge.timer.sleep_until(at).await, None => std::future::pending().await } } => {}
                }
            }
        });
    }

    /// Gives when to come back.
    async fn end_due(&self) -> Option<UnixMillis> {
        let ended = purge_due(&self.hub, self.timer.now()).await;
        let next = match ended {
            Ok(()) => self.db.read(|connection| Ok::<_, KinError>(deleted::find_next(connection)?)).await,
            Err(error) => Err(error),
        };
        next.map(|next| next.map(|(_, at)| at)).unwrap_or_else(|error| {
            tracing::error!(error = crate::error::chain(&error), "could not end a removed Kin");
            Some(self.timer.now().plus_ms(AGAIN_MS))
        })
    }
}

/// Ends every Kin whose time is up, each in a transaction of its own.
///
/// # Errors
/// The database's failure; then the Kin it was about is still whole.
pub async fn purge_due(hub: &Hub, now: UnixMillis) -> Result<(), KinError> {
    loop {
        let ended = hub.write(move |w| {
            let next = deleted::find_next(w.tx())?.filter(|(_, at)| *at <= now);
            next.map(|(kin, _)| purge(w, kin)).transpose()
        });
        if ended.await?.is_none() {
            return Ok(());
        }
    }
}

fn purge(w: &mut HubWrite<'_>, kin: KinId) -> Result<(), KinError> {
    let documents: Vec<DocumentId> = w
        .tx()
        .prepare_cached(
            "select id from document
              where id = ?1 or exists (select 1 from session where session.kin_id = ?2
                                        and document.id like 'session/' || session.id || '/%')",
        )?
        .query_map([DocumentId::Kin(kin).to_string(), kin.to_string()], |row| row.id("id"))?
        .collect::<Result<_, _>>()?;
    for document in documents {
        w.forget_document(document)?;
    }
    let of_session = "(select id from session where kin_id = ?1)";
    for sql in [
        format!("delete from queue_entry where session_id in {of_session}"),
        "delete from turn_step where turn_id in (select id from turn where kin_id = ?1)".to_owned(),
        "delete from turn where kin_id = ?1".to_owned(),
        format!("delete from message where session_id in {of_session}"),
        "delete from session where kin_id = ?1".to_owned(),
        "delete from kin where id = ?1".to_owned(),
        // They name it.
        "delete from event where json_extract(data, '$.kin_id') = ?1".to_owned(),
    ] {
        w.tx().execute(&sql, [kin.to_string()])?;
    }
    audit::record(w.tx(), w.now(), None, None, Deed::KinPurged, &kin.to_string())?;
    w.event("kin.purged", Audience::Household, json!({ "kin_id": kin }))?;
    tracing::info!(kin.id = %kin, "nothing is left of a removed Kin");
    Ok(())
}
