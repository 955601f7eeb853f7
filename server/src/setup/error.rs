use crate::auth::AuthError;
use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::HubError;
use crate::members::MemberError;
use axum::http::StatusCode;

/// Why the household could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// It has been, by someone.
    #[error("this Kinstead is already set up")]
    Done,
    /// Not the code of this start.
    #[error("the setup code is wrong; the newest one stands where Kinstead was started")]
    WrongCode,
    /// Too many wrong codes.
    #[error("too many wrong codes, try again in {retry_after_s} s")]
    TooMany {
        /// When it makes sense to try again.
        retry_after_s: u64,
    },
    /// The account cannot be made.
    #[error("could not make the first account")]
    Member(#[from] MemberError),
    /// The password will not do, or the login could not be written.
    #[error("could not sign in the first account")]
    Auth(#[from] AuthError),
    /// The database failed.
    #[error("could not read or write the setup")]
    Db(#[from] DbError),
    /// The log failed.
    #[error("could not record the setup")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for SetupError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<SetupError> for ApiError {
    fn from(error: SetupError) -> Self {
        let text = error.to_string();
        match error {
            SetupError::Done => Self::new(StatusCode::CONFLICT, "setup_done", text),
            SetupError::WrongCode => Self::new(StatusCode::FORBIDDEN, "setup_code_wrong", text),
            SetupError::TooMany { retry_after_s } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_attempts", text).retry_after(retry_after_s)
            }
            SetupError::Member(error) => error.into(),
            SetupError::Auth(error) => error.into(),
            SetupError::Db(error) => error.into(),
            SetupError::Hub(error) => error.into(),
        }
    }
}
