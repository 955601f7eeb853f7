//! `Idempotency-Key`: a repeated request gets the first answer and does nothing.

use super::MessageError;
use axum::http::{HeaderMap, HeaderName};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use sha2::{Digest, Sha256};
use shared::{MemberId, UnixMillis};

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
const MAX_KEY_CHARS: usize = 200;
/// How long keys are remembered.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// The key of a request, and what makes it this request and no other.
#[derive(Debug, Clone)]
pub(super) struct Key {
    key: String,
    request_hash: [u8; 32],
}

impl Key {
    /// The request's key, if it has one; `parts` tell one request from another.
    pub(super) fn of(headers: &HeaderMap, parts: &[&str]) -> Result<Option<Self>, MessageError> {
        let Some(value) = headers.get(HEADER) else { return Ok(None) };
        let key = value.to_str().map_err(|_| MessageError::KeyInvalid)?.trim();
        if key.is_empty() || key.len() > MAX_KEY_CHARS || !key.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(MessageError::KeyInvalid);
        }
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Ok(Some(Self { key: key.to_owned(), request_hash: hash.finalize().into() }))
    }

    /// What the key was answered with before.
    pub(super) fn find(&self, connection: &Connection, member: MemberId) -> Result<Option<String>, MessageError> {
        let found = connection
            .prepare_cached("select request_hash, body from idempotency where member_id = ?1 and key = ?2")?
            .query_row(params![member.to_string(), self.key], |row| {
                Ok((row.get::<_, Vec<u8>>("request_hash")?, row.get::<_, String>("body")?))
            })
            .optional()?;
        match found {
            Some((hash, _)) if hash != self.request_hash => Err(MessageError::KeyReused),
            Some((_, body)) => Ok(Some(body)),
            None => Ok(None),
        }
    }

    /// Remembers an answer, in the transaction of its deed.
    pub(super) fn save(
        &self,
        tx: &Transaction<'_>,
        member: MemberId,
        status: u16,
        body: &str,
        at: UnixMillis,
    ) -> rusqlite::Result<()> {
        tx.prepare_cached(
            "insert into idempotency (member_id, key, request_hash, status, body, at) values (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![member.to_string(), self.key, self.request_hash, status, body, at.0])?;
        Ok(())
    }
}

/// Forgets keys nobody will repeat any more. Run at each start: the table is small, and this reads all of it.
///
/// # Errors
/// What SQLite says.
pub fn forget_old(tx: &Transaction<'_>, now: UnixMillis) -> rusqlite::Result<()> {
    tx.execute("delete from idempotency where at < ?1", [now.0 - KEPT_MS])?;
    Ok(())
}
