//! The `provider` table.

use super::kind::ProviderKind;
use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use shared::profile::{KinProfile, ModelChoice};
use shared::{KinId, ProviderId, UnixMillis};

/// A configured provider, without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRecord {
    /// Which.
    pub id: ProviderId,
    /// What the household calls it.
    pub name: String,
    /// Its wire format.
    pub kind: ProviderKind,
    /// Its address, when it is not the vendor's own.
    pub base_url: Option<String>,
    /// Whether a key is stored.
    pub has_key: bool,
    /// When it was set up.
    pub created_at: UnixMillis,
}

/// A provider with its sealed key.
pub(super) struct Sealed {
    pub(super) record: ProviderRecord,
    pub(super) key: Option<Vec<u8>>,
}

const COLUMNS: &str = "id, name, kind, base_url, key_sealed, created_at";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Sealed> {
    let key: Option<Vec<u8>> = row.get("key_sealed")?;
    let record = ProviderRecord {
        id: row.id("id")?,
        name: row.get("name")?,
        kind: row.id("kind")?,
        base_url: row.get("base_url")?,
        has_key: key.is_some(),
        created_at: row.millis("created_at")?,
    };
    Ok(Sealed { record, key })
}

/// Every provider, oldest first. They belong to the household: every member may see them.
pub(super) fn list(conn: &Connection) -> rusqlite::Result<Vec<ProviderRecord>> {
    let mut query = conn.prepare_cached(&format!("select {COLUMNS} from provider order by created_at, id"))?;
    query.query_map([], from_row)?.map(|row| Ok(row?.record)).collect()
}

pub(super) fn find(conn: &Connection, id: ProviderId) -> rusqlite::Result<Option<Sealed>> {
    let mut query = conn.prepare_cached(&format!("select {COLUMNS} from provider where id = ?1"))?;
    query.query_row([id.to_string()], from_row).optional()
}

pub(super) fn insert(tx: &Transaction<'_>, sealed: &Sealed, created_by: &str) -> rusqlite::Result<()> {
    let record = &sealed.record;
    tx.prepare_cached(
        "insert into provider (id, name, kind, base_url, key_sealed, created_by, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        record.id.to_string(),
        record.name,
        record.kind.as_str(),
        record.base_url,
        sealed.key,
        created_by,
        record.created_at.0,
    ])?;
    Ok(())
}

/// Whether there was one to update.
pub(super) fn update(tx: &Transaction<'_>, sealed: &Sealed) -> rusqlite::Result<bool> {
    let record = &sealed.record;
    let changed = tx
        .prepare_cached("update provider set name = ?2, base_url = ?3, key_sealed = ?4 where id = ?1")?
        .execute(params![record.id.to_string(), record.name, record.base_url, sealed.key])?;
    Ok(changed > 0)
}

/// Whether there was one to delete. Kins that thought with it have no model afterwards.
pub(super) fn delete(tx: &Transaction<'_>, id: ProviderId) -> rusqlite::Result<bool> {
    tx.execute("update kin set model = null where provider_id = ?1", [id.to_string()])?;
    Ok(tx.execute("delete from provider where id = ?1", [id.to_string()])? > 0)
}

/// The Kins that think with a provider, as everyone sees them once it is gone.
pub(super) fn kins_left_without(conn: &Connection, id: ProviderId) -> rusqlite::Result<Vec<KinProfile>> {
    let mut query = conn.prepare_cached(
        "select kin.id, kin.name, kin.role, kin.avatar, kin.hue, kin.position,
                kin.archived_at is not null as archived, session.id as session_id
           from kin join session on session.kin_id = kin.id and session.kind = 'household'
          where kin.provider_id = ?1 and kin.deleted_at is null",
    )?;
    let rows = query.query_map([id.to_string()], |row| {
        Ok(KinProfile {
            id: row.id("id")?,
            name: row.get("name")?,
            role: row.get("role")?,
            avatar: row.get("avatar")?,
            hue: row.get("hue")?,
            session: row.id("session_id")?,
            model: None,
            position: row.get("position")?,
            archived: row.get("archived")?,
        })
    })?;
    rows.collect()
}

/// Which model a Kin thinks with; `None` when none is chosen or the Kin is gone.
pub(crate) fn model_of(conn: &Connection, kin: KinId) -> rusqlite::Result<Option<ModelChoice>> {
    let mut query = conn.prepare_cached(
        "select provider_id, model from kin
          where id = ?1 and deleted_at is null and provider_id is not null and model is not null",
    )?;
    let choice = |row: &Row<'_>| Ok(ModelChoice { provider_id: row.id("provider_id")?, name: row.get("model")? });
    query.query_row([kin.to_string()], choice).optional()
}
