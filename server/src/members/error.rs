use crate::auth::AuthError;
use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::HubError;
use axum::http::StatusCode;
use shared::MemberId;
use shared::limits::MAX_NAME_CHARS;

/// Why a member could not be made, changed or found.
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
    /// No such member, or they have left.
    #[error("there is no such member")]
    NotFound(MemberId),
    /// Somebody has to keep the keys.
    #[error("this is the last admin; make another member an admin first")]
    LastAdmin,
    /// Not a role that can be given.
    #[error("role must be `admin` or `member`")]
    RoleUnknown,
    /// Not a standing that can be given.
    #[error("standing must be `active` or `disabled`")]
    StandingUnknown,
    /// The keys cannot be handed to oneself.
    #[error("this is you")]
    Oneself,
    /// Neither a built-in portrait nor a picture.
    #[error("there is no such portrait")]
    AvatarUnknown,
    /// A login could not be ended, or credentials not be stored.
    #[error(transparent)]
    Auth(#[from] AuthError),
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
            MemberError::NotFound(_) => Self::new(StatusCode::NOT_FOUND, "member_not_found", text),
            MemberError::LastAdmin => Self::new(StatusCode::CONFLICT, "last_admin", text),
            MemberError::RoleUnknown => invalid("role_unknown".into()),
            MemberError::StandingUnknown => invalid("standing_unknown".into()),
            MemberError::Oneself => invalid("oneself".into()),
            MemberError::AvatarUnknown => invalid("avatar_unknown".into()),
            MemberError::Auth(error) => error.into(),
            MemberError::Db(error) => error.into(),
            MemberError::Hub(error) => error.into(),
        }
    }
}
