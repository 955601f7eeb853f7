//! Sensitive deeds, written down once and never changed. Ids and codes only: no text of a member, no email, no secret.
//!
//! Each row's hash covers the row and the hash before it, so a row changed, taken out or put in is noticed ([`check`]).

mod chain;
mod deed;
pub mod routes;

pub use chain::{Check, check};
pub use deed::Deed;

use crate::db::RowExt;
use rusqlite::{Connection, Row, Transaction, params};
use shared::{DeviceId, MemberId, UnixMillis};

/// A row of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    id: i64,
    at: UnixMillis,
    member: Option<MemberId>,
    device: Option<DeviceId>,
    action: String,
    detail: String,
    why: String,
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        id: row.get("id")?,
        at: row.millis("at")?,
        member: row.id_opt("member_id")?,
        device: row.id_opt("device_id")?,
        action: row.get("action")?,
        detail: row.get("detail")?,
        why: row.get("why")?,
    })
}

/// Writes a deed down in the transaction that does it. `detail` says to whom or what: an id, a role, a code.
///
/// # Errors
/// What SQLite says.
pub fn record(
    tx: &Transaction<'_>,
    at: UnixMillis,
    member: Option<MemberId>,
    device: Option<DeviceId>,
    deed: Deed,
    detail: &str,
) -> rusqlite::Result<()> {
    let (last, before) = chain::end(tx)?;
    let (action, why) = (deed.as_str().to_owned(), deed.why().to_owned());
    let entry = Entry { id: last + 1, at, member, device, action, detail: detail.to_owned(), why };
    let hash = chain::link(&before, &entry);
    let sql = "insert into audit (id, at, member_id, device_id, action, detail, why, hash)
               values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    tx.prepare_cached(sql)?.execute(params![
        entry.id,
        at.0,
        member.map(|id| id.to_string()),
        device.map(|id| id.to_string()),
        entry.action,
        detail,
        entry.why,
        hash
    ])?;
    Ok(())
}

/// At most `limit` rows before row `before`, newest first.
fn list(connection: &Connection, before: i64, limit: u32) -> rusqlite::Result<Vec<Entry>> {
    connection
        .prepare_cached(
            "select id, at, member_id, device_id, action, detail, why from audit
              where id < ?1 order by id desc limit ?2",
        )?
        .query_map(params![before, limit], from_row)?
        .collect()
}
