//! Commands from the command line to the running server: one JSON line each way over `data/control.sock`.
//!
//! There is one writer, always: a command works on the folder itself when nobody holds its lock, and else asks here.

pub mod client;
mod listen;
mod socket_path;

pub use listen::listen;

use crate::app_state::AppState;
use crate::error::ApiError;
use crate::members::{self, MemberError, NewMember};
use crate::{clock, tokens};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::Role;

/// Longest line.
const MAX_LINE_BYTES: u64 = 64 * 1024;

/// What can be asked. Never printed: it may hold a password.
#[derive(Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Request {
    /// Makes an admin; answers their id.
    CreateAdmin {
        email: String,
        first_name: String,
        last_name: String,
        nickname: String,
        language: String,
        password: String,
    },
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

async fn run(state: &AppState, request: Request) -> Result<String, ApiError> {
    match request {
        Request::CreateAdmin { email, first_name, last_name, nickname, language, password } => {
            let new = NewMember::check(&email, &first_name, &last_name, &nickname, &language, Role::Admin)?;
            let hash = state.passwords.hash(password, clock::random()).await?;
            let new = new.with_password_hash(hash);
            let id = state.hub.write(move |w| members::create(w, &new)).await.map_err(|error: MemberError| error)?;
            Ok(id.to_string())
        }
        Request::CreateToken { member, scopes } => {
            tokens::create(state, member, &scopes, "cli".into()).await.map_err(|error| match error {
                tokens::TokenError::MemberNotFound => {
                    ApiError::new(StatusCode::NOT_FOUND, "member_not_found", error.to_string())
                }
                tokens::TokenError::ScopesUnknown => {
                    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "scopes_unknown", error.to_string())
                }
                tokens::TokenError::Db(error) => error.into(),
            })
        }
    }
}
