use super::passwords::{MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARS};
use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::HubError;
use axum::http::StatusCode;

/// Why someone is not let in.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// No cookie or token, or one that is unknown, revoked or expired.
    #[error("not signed in")]
    NotSignedIn,
    /// Wrong password or no such account: one answer for both (H-6).
    #[error("the email or the password is wrong")]
    SignInFailed,
    /// Too many attempts.
    #[error("too many attempts, try again in {retry_after_s} s")]
    TooMany {
        /// When it makes sense to try again.
        retry_after_s: u64,
    },
    /// A page of another site sent the request.
    #[error("the request comes from another site")]
    OtherOrigin,
    /// Too few characters.
    #[error("a password has at least {MIN_PASSWORD_CHARS} characters")]
    PasswordTooShort,
    /// Too many bytes.
    #[error("a password has at most {MAX_PASSWORD_BYTES} bytes")]
    PasswordTooLong,
    /// For admins only.
    #[error("only an admin may do this")]
    AdminOnly,
    /// The server is stopping.
    #[error("the server is stopping")]
    Stopping,
    /// The database failed.
    #[error("could not read or write a login")]
    Db(#[from] DbError),
    /// The log failed.
    #[error("could not record a login")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for AuthError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<AuthError> for ApiError {
    fn from(error: AuthError) -> Self {
        let text = error.to_string();
        match error {
            AuthError::NotSignedIn => Self::new(StatusCode::UNAUTHORIZED, "not_signed_in", text),
            AuthError::SignInFailed => Self::new(StatusCode::UNAUTHORIZED, "sign_in_failed", text),
            AuthError::TooMany { retry_after_s } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_attempts", text).retry_after(retry_after_s)
            }
            AuthError::OtherOrigin => Self::new(StatusCode::FORBIDDEN, "other_origin", text),
            AuthError::PasswordTooShort => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "password_too_short", text),
            AuthError::PasswordTooLong => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "password_too_long", text),
            AuthError::AdminOnly => Self::new(StatusCode::FORBIDDEN, "admin_only", text),
            AuthError::Stopping => DbError::Closed.into(),
            AuthError::Db(error) => error.into(),
            AuthError::Hub(error) => error.into(),
        }
    }
}
