//! The table `kin`. Kins are never private (S-1): every member sees each, so readers take no viewer.

use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use shared::profile::{KinProfile, ModelChoice};
use shared::{KinId, MemberId, ProviderId, SessionId, UnixMillis};

/// A Kin as stored, with its household session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KinRecord {
    pub id: KinId,
    pub slug: String,
    pub name: String,
    pub role: String,
    pub avatar: String,
    pub hue: String,
    pub character: String,
    pub expertise: String,
    pub model: Option<ModelChoice>,
    pub position: i64,
    /// Put away.
    pub archived: bool,
    pub session: SessionId,
    pub created_by: MemberId,
    pub created_at: UnixMillis,
}

impl KinRecord {
    /// The Kin as the household's directory shows it.
    pub fn profile(&self) -> KinProfile {
        KinProfile {
            id: self.id,
            name: self.name.clone(),
            role: self.role.clone(),
            avatar: self.avatar.clone(),
            hue: self.hue.clone(),
            session: self.session,
            model: self.model.clone(),
            position: self.position,
            archived: self.archived,
        }
    }
}

const SELECT: &str = "select kin.id, kin.slug, kin.name, kin.role, kin.avatar, kin.hue, kin.character, kin.expertise,
        kin.provider_id, kin.model, kin.position, kin.archived_at is not null as archived, kin.created_by,
        kin.created_at, session.id as session_id
   from kin join session on session.kin_id = kin.id and session.kind = 'household'
  where true";
const PRESENT: &str = "and kin.deleted_at is null";

fn from_row(row: &Row<'_>) -> rusqlite::Result<KinRecord> {
    let model: Option<String> = row.get("model")?;
    let provider: Option<ProviderId> = row.id_opt("provider_id")?;
    Ok(KinRecord {
        id: row.id("id")?,
        slug: row.get("slug")?,
        name: row.get("name")?,
        role: row.get("role")?,
        avatar: row.get("avatar")?,
        hue: row.get("hue")?,
        character: row.get("character")?,
        expertise: row.get("expertise")?,
        model: provider.zip(model).map(|(provider_id, name)| ModelChoice { provider_id, name }),
        position: row.get("position")?,
        archived: row.get("archived")?,
        session: row.id("session_id")?,
        created_by: row.id("created_by")?,
        created_at: row.millis("created_at")?,
    })
}

/// One Kin, unless it was removed.
pub fn find(connection: &Connection, id: KinId) -> rusqlite::Result<Option<KinRecord>> {
    let sql = format!("{SELECT} {PRESENT} and kin.id = ?1");
    connection.prepare_cached(&sql)?.query_row([id.to_string()], from_row).optional()
}

/// Every Kin, in the household's order.
pub(super) fn list(connection: &Connection) -> rusqlite::Result<Vec<KinRecord>> {
    let sql = format!("{SELECT} {PRESENT} order by kin.position, kin.id");
    connection.prepare_cached(&sql)?.query_map([], from_row)?.collect()
}

/// The Kins that think with a provider's models.
pub fn list_using(connection: &Connection, provider: ProviderId) -> rusqlite::Result<Vec<KinRecord>> {
    let sql = format!("{SELECT} {PRESENT} and kin.provider_id = ?1 order by kin.position, kin.id");
    connection.prepare_cached(&sql)?.query_map([provider.to_string()], from_row)?.collect()
}

/// How many Kins were ever made, and the place behind the last.
pub(super) fn next_place(connection: &Connection) -> rusqlite::Result<(usize, i64)> {
    let sql = "select count(*), coalesce(max(position), 0) + 1 from kin";
    let (count, position): (i64, i64) =
        connection.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((usize::try_from(count).unwrap_or(0), position))
}

pub(super) fn provider_exists(connection: &Connection, id: ProviderId) -> rusqlite::Result<bool> {
    connection.prepare_cached("select 1 from provider where id = ?1")?.exists([id.to_string()])
}

pub(super) fn insert(tx: &Transaction<'_>, kin: &KinRecord) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "insert into kin (id, slug, name, role, avatar, hue, character, expertise, provider_id, model, position,
                          created_by, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute(params![
        kin.id.to_string(),
        kin.slug,
        kin.name,
        kin.role,
        kin.avatar,
        kin.hue,
        kin.character,
        kin.expertise,
        kin.model.as_ref().map(|model| model.provider_id.to_string()),
        kin.model.as_ref().map(|model| model.name.as_str()),
        kin.position,
        kin.created_by.to_string(),
        kin.created_at.0
    ])?;
    tx.prepare_cached(
        "insert into session (id, kin_id, kind, audience, chapter, next_seq, created_at)
         values (?1, ?2, 'household', 'household', 1, 1, ?3)",
    )?
    .execute(params![kin.session.to_string(), kin.id.to_string(), kin.created_at.0])?;
    Ok(())
}

/// Writes everything but the texts, which the hub keeps in step with their document.
pub(super) fn update(tx: &Transaction<'_>, kin: &KinRecord) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "update kin set name = ?2, role = ?3, avatar = ?4, hue = ?5, provider_id = ?6, model = ?7, position = ?8
          where id = ?1",
    )?
    .execute(params![
        kin.id.to_string(),
        kin.name,
        kin.role,
        kin.avatar,
        kin.hue,
        kin.model.as_ref().map(|model| model.provider_id.to_string()),
        kin.model.as_ref().map(|model| model.name.as_str()),
        kin.position
    ])?;
    Ok(())
}

/// Puts a Kin away, or brings it back.
pub(super) fn set_archived(tx: &Transaction<'_>, id: KinId, at: Option<UnixMillis>) -> rusqlite::Result<()> {
    tx.prepare_cached("update kin set archived_at = ?2 where id = ?1")?
        .execute(params![id.to_string(), at.map(|at| at.0)])?;
    Ok(())
}

pub(super) fn set_position(tx: &Transaction<'_>, id: KinId, position: i64) -> rusqlite::Result<()> {
    tx.prepare_cached("update kin set position = ?2 where id = ?1")?.execute(params![id.to_string(), position])?;
    Ok(())
}

/// What is said in a Kin's thread, as its members count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadSummary {
    pub messages: u32,
    pub first_at: Option<UnixMillis>,
}

pub(super) fn summary(connection: &Connection, kin: KinId) -> rusqlite::Result<ThreadSummary> {
    let sql = "select count(*) as messages, min(message.sent_at) as first_at
                 from message join session on session.id = message.session_id
                where session.kin_id = ?1 and message.state not in ('withdrawn', 'superseded')";
    connection.prepare_cached(sql)?.query_row([kin.to_string()], |row| {
        Ok(ThreadSummary { messages: row.get("messages")?, first_at: row.millis_opt("first_at")? })
    })
}
