//! The `provider` table.

use super::capability::{Capability, Use};
use super::health::Check;
use super::kind::ProviderKind;
use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use shared::profile::{KinProfile, ModelChoice};
use shared::{Failure, KinId, ProviderId, UnixMillis};

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
    /// The key's last characters, where that gives nothing away. Filled in by whoever holds the master key.
    pub key_hint: Option<String>,
    /// What it can do.
    pub capabilities: Vec<Capability>,
    /// Whether the admin chose them; checks then leave them alone.
    pub by_hand: bool,
    /// How it answered last.
    pub check: Option<Check>,
    /// When it was set up.
    pub created_at: UnixMillis,
}

/// A provider with its sealed key.
pub(super) struct Sealed {
    pub(super) record: ProviderRecord,
    pub(super) key: Option<Vec<u8>>,
}

const COLUMNS: &str =
    "id, name, kind, base_url, key_sealed, created_at, capabilities, capabilities_by_hand, checked_at,
    latency_ms, model_count, failure, failure_detail";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Sealed> {
    let key: Option<Vec<u8>> = row.get("key_sealed")?;
    let kind: ProviderKind = row.id("kind")?;
    let capabilities: Option<String> = row.get("capabilities")?;
    // Words of a later version are left out; providers from before there were any can do what their kind can.
    let capabilities = capabilities.and_then(|text| serde_json::from_str::<Vec<String>>(&text).ok());
    let capabilities = capabilities.map_or_else(
        || if kind.is_own() { vec![Capability::Llm] } else { kind.capabilities().to_vec() },
        |words| words.iter().filter_map(|word| word.parse().ok()).collect(),
    );
    let record = ProviderRecord {
        id: row.id("id")?,
        name: row.get("name")?,
        kind,
        base_url: row.get("base_url")?,
        has_key: key.is_some(),
        key_hint: None,
        capabilities,
        by_hand: row.get("capabilities_by_hand")?,
        check: check_of(row)?,
        created_at: row.millis("created_at")?,
    };
    Ok(Sealed { record, key })
}

fn check_of(row: &Row<'_>) -> rusqlite::Result<Option<Check>> {
    let Some(at) = row.get::<_, Option<i64>>("checked_at")?.map(UnixMillis) else { return Ok(None) };
    let kind: Option<String> = row.get("failure")?;
    let detail: Option<String> = row.get("failure_detail")?;
    let failure = kind.and_then(|kind| kind.parse().ok());
    let failure = failure.map(|kind| Failure::with_detail(kind, detail.as_deref().unwrap_or_default()));
    Ok(Some(Check { at, latency_ms: row.get("latency_ms")?, model_count: row.get("model_count")?, failure }))
}

/// Every provider, oldest first. They belong to the household: every member may see them.
pub(super) fn list(conn: &Connection) -> rusqlite::Result<Vec<Sealed>> {
    let mut query = conn.prepare_cached(&format!("select {COLUMNS} from provider order by created_at, id"))?;
    query.query_map([], from_row)?.collect()
}

pub(super) fn find(conn: &Connection, id: ProviderId) -> rusqlite::Result<Option<Sealed>> {
    let mut query = conn.prepare_cached(&format!("select {COLUMNS} from provider where id = ?1"))?;
    query.query_row([id.to_string()], from_row).optional()
}

pub(super) fn insert(tx: &Transaction<'_>, sealed: &Sealed, created_by: &str) -> rusqlite::Result<()> {
    let record = &sealed.record;
    tx.prepare_cached(
        "insert into provider (id, name, kind, base_url, key_sealed, created_by, created_at, capabilities,
                               capabilities_by_hand)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        record.id.to_string(),
        record.name,
        record.kind.as_str(),
        record.base_url,
        sealed.key,
        created_by,
        record.created_at.0,
        words(&record.capabilities),
        record.by_hand,
    ])?;
    if let Some(check) = &record.check {
        note_check(tx, record.id, check)?;
    }
    Ok(())
}

/// Whether there was one to update.
pub(super) fn update(tx: &Transaction<'_>, sealed: &Sealed) -> rusqlite::Result<bool> {
    let record = &sealed.record;
    let changed = tx
        .prepare_cached(
            "update provider set name = ?2, base_url = ?3, key_sealed = ?4, capabilities = ?5, capabilities_by_hand = ?6
              where id = ?1",
        )?
        .execute(params![
            record.id.to_string(),
            record.name,
            record.base_url,
            sealed.key,
            words(&record.capabilities),
            record.by_hand,
        ])?;
    if let Some(check) = &record.check {
        note_check(tx, record.id, check)?;
    }
    Ok(changed > 0)
}

fn words(capabilities: &[Capability]) -> String {
    serde_json::json!(capabilities).to_string()
}

/// What a check found a provider to be able to do, unless the admin knows better.
pub(super) fn note_capabilities(tx: &Transaction<'_>, id: ProviderId, found: &[Capability]) -> rusqlite::Result<()> {
    tx.prepare_cached("update provider set capabilities = ?2 where id = ?1 and capabilities_by_hand = 0")?
        .execute(params![id.to_string(), words(found)])?;
    Ok(())
}

/// How a provider answered. What this time did not measure stays as it was.
pub(super) fn note_check(tx: &Transaction<'_>, id: ProviderId, check: &Check) -> rusqlite::Result<()> {
    let failure = check.failure.as_ref();
    tx.prepare_cached(
        "update provider set checked_at = ?2, latency_ms = coalesce(?3, latency_ms),
                model_count = coalesce(?4, model_count), failure = ?5, failure_detail = ?6
          where id = ?1",
    )?
    .execute(params![
        id.to_string(),
        check.at.0,
        check.latency_ms,
        check.model_count,
        failure.map(|failure| failure.kind.as_str()),
        failure.map(|failure| failure.detail.as_str()),
    ])?;
    Ok(())
}

/// The uses that fall back on a provider.
pub(super) fn uses_of(conn: &Connection, id: ProviderId) -> rusqlite::Result<Vec<Use>> {
    let mut query = conn.prepare_cached("select use from provider_default where provider_id = ?1")?;
    let mut uses: Vec<Use> = query.query_map([id.to_string()], |row| row.id("use"))?.collect::<Result<_, _>>()?;
    uses.sort_unstable();
    Ok(uses)
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
