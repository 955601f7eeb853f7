use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::HubError;
use axum::http::StatusCode;
use shared::limits::MAX_NAME_CHARS;

/// Why a member could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MemberError {
    /// Not of the form `somebody@somewhere`.
    #[error("this is not an email address")]
    EmailInvalid,
    /// Another account has it.
    #[error("another account has this email address")]
    EmailTaken,
    /// A name is missing; `field` is the JSON field.
    #[error("{field} must not be empty")]
    NameEmpty {
        /// Which.
        field: &'static str,
    },
    /// A name is too long.
    #[error("{field} has more than {MAX_NAME_CHARS} characters")]
    NameTooLong {
        /// Which.
        field: &'static str,
    },
    /// Not a language Kinstead speaks.
    #[error("language must be `en` or `fr`")]
    LanguageUnknown,
    /// The database failed.
    #[error("could not save a member")]
    Db(#[from] DbError),
    /// The log failed.
    #[error("could not record a member")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for MemberError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<MemberError> for ApiError {
    fn from(error: MemberError) -> Self {
        let text = error.to_string();
        let invalid = |code: String| Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, text.clone());
        match error {
            MemberError::EmailInvalid => invalid("email_invalid".into()),
            MemberError::EmailTaken => Self::new(StatusCode::CONFLICT, "email_taken", text),
            MemberError::NameEmpty { field } => invalid(format!("{field}_empty")),
            MemberError::NameTooLong { field } => invalid(format!("{field}_too_long")),
            MemberError::LanguageUnknown => invalid("language_unknown".into()),
            MemberError::Db(error) => error.into(),
            MemberError::Hub(error) => error.into(),
        }
    }
}
