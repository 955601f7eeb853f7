//! Personal access tokens: `kst_` and 32 random bytes, shown once; the database holds their SHA-256.

use crate::app_state::AppState;
use crate::audit::{self, Deed};
use crate::auth::digest;
use crate::clock::{self, fresh};
use crate::db::DbError;
use crate::members;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::params;
use shared::{MemberId, TokenId};

/// What every token begins with.
pub const PREFIX: &str = "kst_";

/// Why a token could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// No such account.
    #[error("there is no such member")]
    MemberNotFound,
    /// Only `all` exists so far.
    #[error("unknown scopes: only `all` exists so far")]
    ScopesUnknown,
    /// The database failed.
    #[error("could not save a token")]
    Db(#[from] DbError),
}

impl From<rusqlite::Error> for TokenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

/// Makes a token for a member, named by email or id, and gives the secret: the only time it is seen.
///
/// # Errors
/// See [`TokenError`].
pub async fn create(state: &AppState, member: String, scopes: &str, name: String) -> Result<String, TokenError> {
    if scopes.trim() != "all" {
        return Err(TokenError::ScopesUnknown);
    }
    let secret = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(clock::random::<32>()));
    let hash = digest(&secret);
    state
        .db
        .write(move |tx| {
            let found = match member.parse::<MemberId>() {
                Ok(id) => members::find(tx, id)?,
                Err(_) => members::find_by_email(tx, &member)?,
            };
            let (owner, now) = (found.ok_or(TokenError::MemberNotFound)?.id, clock::now());
            let id = fresh::<TokenId>();
            tx.prepare_cached(
                "insert into token (id, token_hash, member_id, name, scopes, created_at)
                 values (?1, ?2, ?3, ?4, 'all', ?5)",
            )?
            .execute(params![id.to_string(), hash, owner.to_string(), name, now.0])?;
            audit::record(tx, now, Some(owner), None, Deed::TokenCreated, &id.to_string())?;
            Ok::<_, TokenError>(())
        })
        .await?;
    Ok(secret)
}
