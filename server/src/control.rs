//! Commands from the command line to the running server: one JSON line each way over `data/control.sock`.
//!
//! There is one writer, always: a command works on the folder itself when nobody holds its lock, and else asks here.

pub mod client;
mod listen;
mod socket_path;

pub use listen::listen;

use crate::app_state::AppState;
use crate::auth::{self, AuthError};
use crate::error::ApiError;
use crate::members::{self, NewMember};
use crate::{invitations, reach, setup, tokens};
use axum::http::StatusCode;
use credentials::Argon2Params;
use serde::{Deserialize, Serialize};
use shared::Role;
use zeroize::Zeroizing;

/// Longest line.
const MAX_LINE_BYTES: u64 = 64 * 1024;

/// What can be asked. Never printed: it may hold a password.
#[derive(Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Request {
    /// Makes an admin; answers their id and their recovery code.
    CreateAdmin {
        email: String,
        first_name: String,
        last_name: String,
        nickname: String,
        language: String,
        password: String,
    },
    /// Makes a link with which a member sets a new password, once; answers it.
    ResetMember { email: String },
    /// Makes a personal access token; answers its secret.
    CreateToken {
        /// Email or id.
        member: String,
        scopes: String,
    },
}

/// What comes back.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Done; what to print.
    Done(String),
    /// Refused, with nothing changed.
    Refused { code: String, detail: String },
}

/// Does what was asked, for the running server and for a command that works on the folder itself.
pub async fn execute(state: &AppState, request: Request) -> Answer {
    match run(state, request).await {
        Ok(text) => Answer::Done(text),
        Err(error) => Answer::Refused { code: error.code.clone().into_owned(), detail: error.detail.clone() },
    }
}

/// Makes an admin whose password was typed at this machine.
async fn create_admin(state: &AppState, new: NewMember, password: Zeroizing<String>) -> Result<String, ApiError> {
    let opaque = state.opaque.clone();
    let runtime = tokio::runtime::Handle::current();
    opaque.secret().await?;
    let registered = tokio::task::spawn_blocking(move || {
        let secret = runtime.block_on(opaque.secret())?;
        auth::credentials::register_here(secret, &password, Argon2Params::DEFAULT)
    });
    let (credentials, code) = registered.await.map_err(|_| AuthError::Stopping)??;
    let id = state
        .hub
        .write(move |w| {
            // Who begins at the command line is not led by the hand in the browser.
            setup::progress::skip_if_nobody_is_in(w.tx())?;
            let id = members::create(w, &new)?;
            let now = w.now();
            auth::credentials::store(w.tx(), id, &credentials, now)?;
            Ok::<_, ApiError>(id)
        })
        .await?;
    Ok(format!("{id}\nRecovery code, shown only now: {}", code.to_text().as_str()))
}

async fn run(state: &AppState, request: Request) -> Result<String, ApiError> {
    match request {
        Request::CreateAdmin { email, first_name, last_name, nickname, language, password } => {
            let new = NewMember::check(&email, &first_name, &last_name, &nickname, &language, Role::Admin)?;
            create_admin(state, new, password.into()).await
        }
        Request::ResetMember { email } => {
            let token = invitations::offer_here(&state.hub, email).await?;
            let token = token
                .ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, "member_not_found", "there is no such member"))?;
            Ok(format!("{}/#reset={token}", reach::public_url(state).trim_end_matches('/')))
        }
        Request::CreateToken { member, scopes } => Ok(tokens::create(state, member, &scopes, "cli".into()).await?),
    }
}
