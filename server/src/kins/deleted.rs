//! Kins that were removed and can still be brought back.

use super::purge::KEPT_MS;
use super::rows::{self, KinRecord, ThreadSummary};
use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use shared::{KinId, MemberId, UnixMillis};

/// A Kin that was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeletedKin {
    pub id: KinId,
    pub name: String,
    pub role: String,
    pub avatar: String,
    pub hue: String,
    pub deleted_at: UnixMillis,
    /// Unknown for Kins that were removed before that was written down.
    pub deleted_by: Option<MemberId>,
    pub thread: ThreadSummary,
}

impl DeletedKin {
    /// When nothing of it will be left.
    pub fn ends_at(&self) -> UnixMillis {
        self.deleted_at.plus_ms(KEPT_MS)
    }
}

/// Every one of them, newest first.
pub(super) fn list(connection: &Connection) -> rusqlite::Result<Vec<DeletedKin>> {
    let sql = "select id, name, role, avatar, hue, deleted_at, deleted_by from kin
                where deleted_at is not null order by deleted_at desc, id";
    connection
        .prepare_cached(sql)?
        .query_map([], |row| {
            let id = row.id("id")?;
            Ok(DeletedKin {
                id,
                name: row.get("name")?,
                role: row.get("role")?,
                avatar: row.get("avatar")?,
                hue: row.get("hue")?,
                deleted_at: row.millis("deleted_at")?,
                deleted_by: row.id_opt("deleted_by")?,
                thread: rows::summary(connection, id)?,
            })
        })?
        .collect()
}

pub(super) fn mark(tx: &Transaction<'_>, id: KinId, at: UnixMillis, by: MemberId) -> rusqlite::Result<()> {
    tx.prepare_cached("update kin set deleted_at = ?2, deleted_by = ?3 where id = ?1")?.execute(params![
        id.to_string(),
        at.0,
        by.to_string()
    ])?;
    Ok(())
}

/// Takes the mark off; `None` when there is no removed Kin of this id.
pub(super) fn unmark(tx: &Transaction<'_>, id: KinId) -> rusqlite::Result<Option<KinRecord>> {
    let sql = "update kin set deleted_at = null, deleted_by = null where id = ?1 and deleted_at is not null";
    let changed = tx.prepare_cached(sql)?.execute([id.to_string()])?;
    if changed == 0 { Ok(None) } else { rows::find(tx, id) }
}

/// The Kin whose time is up first, and when that is.
pub(super) fn find_next(connection: &Connection) -> rusqlite::Result<Option<(KinId, UnixMillis)>> {
    let sql = "select id, deleted_at from kin where deleted_at is not null order by deleted_at, id limit 1";
    connection
        .prepare_cached(sql)?
        .query_row([], |row| Ok((row.id("id")?, row.millis("deleted_at")?.plus_ms(KEPT_MS))))
        .optional()
}
