//! The first minute: whoever has the code printed at the start makes the first account, once.

mod error;
pub mod progress;
pub mod routes;

pub use error::SetupError;

use crate::app_state::AppState;
use crate::auth::{self, AuthError, Device, FinishedRegistration, Purpose, SignedIn};
use crate::clock;
use crate::db::{Db, DbError};
use crate::members::{self, NewMember};
use std::sync::Arc;

/// The one-time code, fresh at every start. Only the terminal shows it; it is never logged.
#[derive(Clone)]
pub struct SetupCode(Arc<str>);

impl SetupCode {
    /// A code of these random bytes.
    pub fn new(random: [u8; 16]) -> Self {
        Self(hex::encode(random).into())
    }

    /// The code as printed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether there is no account yet.
///
/// # Errors
/// When the database fails.
pub async fn is_needed(db: &Db) -> Result<bool, DbError> {
    db.read(|connection| Ok(members::count(connection)? == 0)).await
}

/// Lets those pass who have the code, while there is no account.
///
/// # Errors
/// [`SetupError::Done`], [`SetupError::WrongCode`] or [`SetupError::TooMany`].
pub async fn check_code(state: &AppState, code: &str) -> Result<(), SetupError> {
    if !is_needed(&state.db).await? {
        return Err(SetupError::Done);
    }
    let now = clock::now();
    state.limits.setup.take((), now).map_err(|retry_after_s| SetupError::TooMany { retry_after_s })?;
    if !auth::same_secret(code.trim(), state.setup_code.as_str()) {
        tracing::warn!("a setup with a wrong code was refused");
        return Err(SetupError::WrongCode);
    }
    state.limits.setup.give_back(());
    Ok(())
}

/// Makes the first account and signs it in. Of two at once, one wins: the writer runs one after the other.
async fn set_up(
    state: &AppState,
    new: NewMember,
    registration: &FinishedRegistration,
    device: Device,
) -> Result<SignedIn, SetupError> {
    if !is_needed(&state.db).await? {
        return Err(SetupError::Done);
    }
    let (purpose, credentials) = auth::registration::take(state, registration)?;
    if purpose != Purpose::Setup {
        return Err(AuthError::RegistrationGone.into());
    }
    let expires_at = state.login_expiry(clock::now());
    let login = state
        .hub
        .write(move |w| {
            if members::count(w.tx())? != 0 {
                return Err(SetupError::Done);
            }
            let member = members::create(w, &new)?;
            let now = w.now();
            auth::credentials::store(w.tx(), member, &credentials, now)?;
            Ok(auth::begin_login(w, member, device, expires_at)?)
        })
        .await?;
    tracing::info!(member.id = %login.member, "the household is set up");
    Ok(login)
}
