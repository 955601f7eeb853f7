//! The tables `invitation` and `reset`.

use super::InvitationError;
use super::error::Kind;
use crate::auth::digest;
use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use shared::profile::Language;
use shared::{InvitationId, MemberId, Role, UnixMillis};

/// What was used or ran out is remembered this long, so that its holder is told what happened.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// An invitation, without its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    pub role: Role,
    pub language: Option<Language>,
    pub created_by: MemberId,
    pub created_at: UnixMillis,
    pub expires_at: UnixMillis,
}

const COLUMNS: &str = "id, role, language, created_by, created_at, expires_at, used_at";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Invitation> {
    let language: Option<String> = row.get("language")?;
    Ok(Invitation {
        id: row.id("id")?,
        role: row.id("role")?,
        language: language.and_then(|tag| Language::from_tag(&tag)),
        created_by: row.id("created_by")?,
        created_at: row.millis("created_at")?,
        expires_at: row.millis("expires_at")?,
    })
}

/// Whether a link still leads in.
fn must_be_open(
    kind: Kind,
    used_at: Option<UnixMillis>,
    expires_at: UnixMillis,
    now: UnixMillis,
) -> Result<(), InvitationError> {
    if used_at.is_some() {
        return Err(InvitationError::Used(kind));
    }
    if expires_at <= now {
        return Err(InvitationError::Expired(kind));
    }
    Ok(())
}

/// The open invitation of a token. Looked up by digest: how long that takes says nothing about the token.
///
/// # Errors
/// [`InvitationError::Invalid`], `Used` or `Expired`.
pub fn check_invitation(connection: &Connection, token: &str, now: UnixMillis) -> Result<Invitation, InvitationError> {
    let sql = format!("select {COLUMNS} from invitation where token_hash = ?1");
    let found = connection
        .prepare_cached(&sql)?
        .query_row([digest(token).as_slice()], |row| Ok((from_row(row)?, row.millis_opt("used_at")?)))
        .optional()?;
    let (invitation, used_at) = found.ok_or(InvitationError::Invalid(Kind::Invitation))?;
    must_be_open(Kind::Invitation, used_at, invitation.expires_at, now)?;
    Ok(invitation)
}

/// Whose password the reset link of a token sets.
///
/// # Errors
/// [`InvitationError::Invalid`], also for a member who may not come in, `Used` or `Expired`.
pub fn check_reset(connection: &Connection, token: &str, now: UnixMillis) -> Result<MemberId, InvitationError> {
    let found = connection
        .prepare_cached(
            "select member_id, expires_at, used_at from reset join member on member.id = member_id
              where token_hash = ?1 and member.disabled_at is null",
        )?
        .query_row([digest(token).as_slice()], |row| {
            Ok((row.id("member_id")?, row.millis_opt("used_at")?, row.millis("expires_at")?))
        })
        .optional()?;
    let (member, used_at, expires_at) = found.ok_or(InvitationError::Invalid(Kind::Reset))?;
    must_be_open(Kind::Reset, used_at, expires_at, now)?;
    Ok(member)
}

/// Invitations that still lead in, newest first.
pub(super) fn list_open(connection: &Connection, now: UnixMillis) -> rusqlite::Result<Vec<Invitation>> {
    let sql = format!(
        "select {COLUMNS} from invitation where used_at is null and expires_at > ?1 order by created_at desc, id desc"
    );
    connection.prepare_cached(&sql)?.query_map([now.0], from_row)?.collect()
}

pub(super) fn insert(tx: &Transaction<'_>, invitation: &Invitation, hash: &[u8; 32]) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "insert into invitation (id, token_hash, role, language, created_by, created_at, expires_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        invitation.id.to_string(),
        hash,
        invitation.role.as_str(),
        invitation.language.map(|language| language.as_str()),
        invitation.created_by.to_string(),
        invitation.created_at.0,
        invitation.expires_at.0
    ])?;
    Ok(())
}

pub(super) fn mark_used(tx: &Transaction<'_>, id: InvitationId, by: MemberId, now: UnixMillis) -> rusqlite::Result<()> {
    tx.prepare_cached("update invitation set used_at = ?3, used_by = ?2 where id = ?1")?.execute(params![
        id.to_string(),
        by.to_string(),
        now.0
    ])?;
    Ok(())
}

/// Ends the open links of somebody who keeps the keys no longer: they would lead in whom no admin wants in, themselves
/// first of all.
///
/// # Errors
/// What SQLite says.
pub fn end_of(tx: &Transaction<'_>, member: MemberId) -> rusqlite::Result<()> {
    for sql in [
        "delete from invitation where created_by = ?1 and used_at is null",
        "delete from reset where created_by = ?1 and member_id <> ?1 and used_at is null",
    ] {
        tx.prepare_cached(sql)?.execute([member.to_string()])?;
    }
    Ok(())
}

/// Whether there was one that nobody had used.
pub(super) fn delete_open(tx: &Transaction<'_>, id: InvitationId) -> rusqlite::Result<bool> {
    let sql = "delete from invitation where id = ?1 and used_at is null";
    Ok(tx.prepare_cached(sql)?.execute([id.to_string()])? > 0)
}

/// A member has one reset link at a time: the newest.
pub(super) fn put_reset(
    tx: &Transaction<'_>,
    hash: &[u8; 32],
    member: MemberId,
    by: MemberId,
    now: UnixMillis,
    expires_at: UnixMillis,
) -> rusqlite::Result<()> {
    tx.prepare_cached("delete from reset where member_id = ?1 and used_at is null")?.execute([member.to_string()])?;
    tx.prepare_cached(
        "insert into reset (token_hash, member_id, created_by, created_at, expires_at) values (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![hash, member.to_string(), by.to_string(), now.0, expires_at.0])?;
    Ok(())
}

pub(super) fn mark_reset_used(tx: &Transaction<'_>, token: &str, now: UnixMillis) -> rusqlite::Result<()> {
    tx.prepare_cached("update reset set used_at = ?2 where token_hash = ?1")?.execute(params![digest(token), now.0])?;
    Ok(())
}

/// Forgets what ran out long ago.
pub(super) fn forget_old(tx: &Transaction<'_>, now: UnixMillis) -> rusqlite::Result<()> {
    let before = now.plus_ms(-KEPT_MS).0;
    tx.prepare_cached("delete from invitation where expires_at < ?1")?.execute([before])?;
    tx.prepare_cached("delete from reset where expires_at < ?1")?.execute([before])?;
    Ok(())
}
