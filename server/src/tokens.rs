//! Personal access tokens: `kst_` and 32 random bytes, shown once; the database holds their SHA-256.

mod error;
pub mod routes;

pub use error::TokenError;

use crate::app_state::AppState;
use crate::audit::{self, Deed};
use crate::auth::{Caller, digest};
use crate::clock::{self, fresh};
use crate::db::RowExt;
use crate::hub::{Ending, Hub};
use crate::members;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use shared::limits::MAX_NAME_CHARS;
use shared::{MemberId, Scopes, TokenId, UnixMillis};

/// What every token begins with.
pub const PREFIX: &str = "kst_";
/// Tokens a member may have at once.
const MAX_TOKENS: usize = 50;

/// A token in short: its secret is nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRecord {
    /// Which.
    pub id: TokenId,
    /// As its member calls it.
    pub name: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: UnixMillis,
}

/// A member's tokens that count, newest first.
///
/// # Errors
/// What SQLite says.
pub fn list(connection: &Connection, member: MemberId) -> rusqlite::Result<Vec<TokenRecord>> {
    connection
        .prepare_cached(
            "select id, name, scopes, created_at from token
              where member_id = ?1 and revoked_at is null order by created_at desc, id desc",
        )?
        .query_map([member.to_string()], |row| {
            Ok(TokenRecord {
                id: row.id("id")?,
                name: row.get("name")?,
                scopes: row.id("scopes")?,
                created_at: row.millis("created_at")?,
            })
        })?
        .collect()
}

/// Makes a token for a member, named by email or id, and gives the secret: the only time it is seen.
///
/// # Errors
/// See [`TokenError`].
pub async fn create(state: &AppState, member: String, scopes: &str, name: String) -> Result<String, TokenError> {
    let scopes = read_scopes(scopes)?;
    let secret = new_secret();
    let hash = digest(&secret);
    state
        .db
        .write(move |tx| {
            let found = match member.parse::<MemberId>() {
                Ok(id) => members::find(tx, id)?,
                Err(_) => members::find_by_email(tx, &member)?,
            };
            let owner = found.ok_or(TokenError::MemberNotFound)?.id;
            insert(tx, owner, None, &hash, &name, scopes)?;
            Ok::<_, TokenError>(())
        })
        .await?;
    Ok(secret)
}

/// Makes one of the caller's own; gives it with its secret.
async fn create_mine(
    hub: &Hub,
    caller: Caller,
    name: &str,
    scopes: &[String],
) -> Result<(TokenRecord, String), TokenError> {
    let scopes = read_scopes(&scopes.join(" "))?;
    let name: String = name.trim().chars().filter(|c| !c.is_control()).collect();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return Err(TokenError::NameInvalid);
    }
    let secret = new_secret();
    let hash = digest(&secret);
    let member = caller.viewer.member;
    let record = hub.write(move |w| {
        if list(w.tx(), member)?.len() >= MAX_TOKENS {
            return Err(TokenError::TooMany);
        }
        insert(w.tx(), member, Some(&caller), &hash, &name, scopes)
    });
    Ok((record.await?, secret))
}

fn insert(
    tx: &Transaction<'_>,
    owner: MemberId,
    caller: Option<&Caller>,
    hash: &[u8; 32],
    name: &str,
    scopes: Scopes,
) -> Result<TokenRecord, TokenError> {
    let (id, now) = (fresh::<TokenId>(), clock::now());
    tx.prepare_cached(
        "insert into token (id, token_hash, member_id, name, scopes, created_at) values (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![id.to_string(), hash, owner.to_string(), name, scopes.to_string(), now.0])?;
    let device = caller.and_then(|caller| caller.device);
    audit::record(tx, now, Some(owner), device, Deed::TokenCreated, &format!("{id} {scopes}"))?;
    Ok(TokenRecord { id, name: name.to_owned(), scopes, created_at: now })
}

/// Takes one of the caller's own back: whatever uses it ends at once.
async fn revoke(hub: &Hub, caller: Caller, id: TokenId) -> Result<(), TokenError> {
    let member = caller.viewer.member;
    hub.write(move |w| {
        let now = w.now();
        w.tx()
            .prepare_cached(
                "update token set revoked_at = ?3
                  where id = ?1 and member_id = ?2 and revoked_at is null returning 1",
            )?
            .query_row(params![id.to_string(), member.to_string(), now.0], |_| Ok(()))
            .optional()?
            .ok_or(TokenError::NotFound)?;
        audit::record(w.tx(), now, Some(member), caller.device, Deed::TokenRevoked, &id.to_string())?;
        w.end(Ending::Token(id));
        Ok(())
    })
    .await
}

fn new_secret() -> String {
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(clock::random::<32>()))
}

fn read_scopes(text: &str) -> Result<Scopes, TokenError> {
    text.parse().ok().filter(|scopes: &Scopes| !scopes.is_empty()).ok_or(TokenError::ScopesUnknown)
}
