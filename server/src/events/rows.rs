//! The table `event`.

use crate::db::RowExt;
use rusqlite::{Connection, Row, params};
use shared::{EventId, UnixMillis, Viewer};

/// A stored event.
#[derive(Debug, Clone)]
pub(super) struct EventRecord {
    pub row: i64,
    pub id: EventId,
    pub name: String,
    pub at: UnixMillis,
    pub data: serde_json::Value,
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<EventRecord> {
    Ok(EventRecord {
        row: row.get("id")?,
        id: row.id("event_id")?,
        name: row.get("name")?,
        at: row.millis("at")?,
        data: row.json("data")?,
    })
}

/// Events behind row `after` that the viewer may see, in order.
pub(super) fn list(
    connection: &Connection,
    viewer: Viewer,
    after: i64,
    limit: usize,
) -> rusqlite::Result<Vec<EventRecord>> {
    let [household, own] = viewer.audiences();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    connection
        .prepare_cached(
            "select id, event_id, name, at, data from event
              where id > ?1 and audience in (?2, ?3) order by id limit ?4",
        )?
        .query_map(params![after, household.to_string(), own.to_string(), limit], from_row)?
        .collect()
}

/// Rows of the oldest and the newest event that are kept, 0 when there is none.
pub(super) fn kept(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    connection
        .prepare_cached("select coalesce(min(id), 0), coalesce(max(id), 0) from event")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
}
