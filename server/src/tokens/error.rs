use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::HubError;
use axum::http::StatusCode;
use shared::limits::MAX_NAME_CHARS;

/// Why a token could not be made or taken back.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// No such account.
    #[error("there is no such member")]
    MemberNotFound,
    /// No such token of the caller's.
    #[error("there is no such token")]
    NotFound,
    /// None, or one that does not exist.
    #[error("scopes are `read`, `talk`, `manage`, or `all`; at least one")]
    ScopesUnknown,
    /// A token needs a name to be told from others.
    #[error("a token's name has 1 to {MAX_NAME_CHARS} characters")]
    NameInvalid,
    /// Enough is enough.
    #[error("there are too many tokens; take one back first")]
    TooMany,
    /// The database failed.
    #[error("could not save a token")]
    Db(#[from] DbError),
    /// The log failed.
    #[error("could not record a token")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for TokenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<TokenError> for ApiError {
    fn from(error: TokenError) -> Self {
        let text = error.to_string();
        match error {
            TokenError::MemberNotFound => Self::new(StatusCode::NOT_FOUND, "member_not_found", text),
            TokenError::NotFound => Self::new(StatusCode::NOT_FOUND, "token_not_found", text),
            TokenError::ScopesUnknown => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "scopes_unknown", text),
            TokenError::NameInvalid => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "name_invalid", text),
            TokenError::TooMany => Self::new(StatusCode::CONFLICT, "too_many_tokens", text),
            TokenError::Db(error) => error.into(),
            TokenError::Hub(error) => error.into(),
        }
    }
}
