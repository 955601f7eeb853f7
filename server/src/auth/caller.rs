//! Whoever a request is made by.

use super::{AuthError, digest, logins};
use crate::app_state::AppState;
use crate::clock;
use crate::error::ApiError;
use crate::{members, tokens};
use axum::extract::{FromRef, FromRequestParts};
use axum::http::header;
use axum::http::request::Parts;
use rusqlite::Connection;
use shared::{DeviceId, Right, Scopes, TokenId, UnixMillis, Viewer};

/// How a caller proved who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The cookie or bearer token of a signed-in device.
    Login,
    /// A personal access token.
    Token(TokenId),
}

/// A signed-in member. As an extractor it refuses everyone else with 401 `not_signed_in`, and
/// devices that were signed out from elsewhere with 401 `device_revoked`.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// Who reads and writes.
    pub viewer: Viewer,
    /// Their device; a personal access token has none.
    pub device: Option<DeviceId>,
    /// How they proved it.
    pub via: Via,
    /// What they may be used for; everything, unless it is a token.
    pub scopes: Scopes,
}

impl Caller {
    /// Lets those pass whose role has `right`, and whose token is for it.
    ///
    /// # Errors
    /// [`AuthError::AdminOnly`] or [`AuthError::ScopeMissing`] for everyone else.
    pub fn must(&self, right: Right) -> Result<(), AuthError> {
        if !self.viewer.role.may(right) {
            return Err(AuthError::AdminOnly);
        }
        if !self.scopes.hold(right.scope()) {
            return Err(AuthError::ScopeMissing(right.scope()));
        }
        Ok(())
    }

    /// Lets those pass who are signed in on a device: what concerns one's own way in is no script's business.
    ///
    /// # Errors
    /// [`AuthError::DeviceRequired`] for a token.
    pub fn must_be_signed_in(&self) -> Result<DeviceId, AuthError> {
        self.must(Right::OwnAccount)?;
        self.device.ok_or(AuthError::DeviceRequired)
    }

    /// Lets an admin's deed pass who is one still: asked again in the deed's own transaction, for between the request
    /// and its turn another admin may have taken the keys.
    ///
    /// # Errors
    /// [`AuthError::NotSignedIn`] or [`AuthError::AdminOnly`] for whoever came too late.
    pub fn must_still_keep_the_keys(&self, connection: &Connection, now: UnixMillis) -> Result<(), AuthError> {
        if !self.still_counts(connection, now)? {
            return Err(AuthError::NotSignedIn);
        }
        let member = members::find_any(connection, self.viewer.member)?;
        if member.is_some_and(|member| member.keeps_the_keys()) { Ok(()) } else { Err(AuthError::AdminOnly) }
    }

    /// Whether whoever this was is still let in: for connections that outlive the request they began with.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn still_counts(&self, connection: &Connection, now: UnixMillis) -> rusqlite::Result<bool> {
        match (self.via, self.device) {
            (Via::Token(token), _) => logins::token_counts(connection, token),
            (Via::Login, Some(device)) => logins::device_counts(connection, device, now),
            (Via::Login, None) => Ok(false),
        }
    }
}

impl<S> FromRequestParts<S> for Caller
where
    S: Send + Sync,
    AppState: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let state = AppState::from_ref(state);
        let bearer = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        // Who sends a token means the token, even if a cookie comes along.
        if let Some(bearer) = bearer {
            let token = bearer.strip_prefix("Bearer ").ok_or(AuthError::NotSignedIn)?.trim();
            // A native client's login is no cookie, but otherwise the same.
            let caller = if token.starts_with(tokens::PREFIX) {
                by_token(&state, token).await
            } else {
                by_login(&state, token).await
            };
            return caller.map_err(ApiError::from);
        }
        let secret = logins::cookie_secret(&parts.headers).ok_or(AuthError::NotSignedIn)?;
        by_login(&state, secret).await.map_err(ApiError::from)
    }
}

async fn by_token(state: &AppState, token: &str) -> Result<Caller, AuthError> {
    let hash = digest(token);
    let found = state.db.read(move |connection| Ok::<_, AuthError>(logins::find_by_token(connection, &hash)?)).await?;
    found.map(caller).ok_or(AuthError::NotSignedIn)
}

async fn by_login(state: &AppState, secret: &str) -> Result<Caller, AuthError> {
    let (hash, now) = (digest(secret), clock::now());
    let found =
        state.db.read(move |connection| Ok::<_, AuthError>(logins::find_by_login(connection, &hash, now)?)).await?;
    let found = match found {
        logins::Login::Here(found) => found,
        logins::Login::Revoked => return Err(AuthError::DeviceRevoked),
        logins::Login::Gone => return Err(AuthError::NotSignedIn),
    };
    if found.stale {
        let expires_at = state.login_expiry(now);
        let touched = state.db.write(move |tx| Ok::<_, AuthError>(logins::touch(tx, &hash, now, expires_at)?)).await;
        // On a full disk people can still read.
        if let Err(error) = touched {
            tracing::warn!(error = crate::error::chain(&error), "could not note that a login is used");
        }
    }
    Ok(caller(found))
}

fn caller(found: logins::Found) -> Caller {
    Caller {
        viewer: Viewer { member: found.member, role: found.role },
        device: found.device,
        via: found.token.map_or(Via::Login, Via::Token),
        scopes: found.scopes,
    }
}
