use crate::auth::AuthError;
use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::HubError;
use crate::members::MemberError;
use axum::http::StatusCode;

/// Which kind of link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Invitation,
    Reset,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::Reset => "reset",
        }
    }
}

/// Why a link did not lead in, or could not be made.
#[derive(Debug, thiserror::Error)]
pub enum InvitationError {
    /// Nobody wrote such a link, or it was taken back.
    #[error("this {} is not valid", .0.as_str())]
    Invalid(Kind),
    /// Somebody came in by it.
    #[error("this {} has been used", .0.as_str())]
    Used(Kind),
    /// Its time is over.
    #[error("this {} has run out", .0.as_str())]
    Expired(Kind),
    /// No open invitation of this id.
    #[error("there is no such invitation")]
    NotFound,
    /// Not a role that can be given.
    #[error("role must be `admin` or `member`")]
    RoleUnknown,
    /// Not a language Kinstead speaks.
    #[error("language must be `en` or `fr`")]
    LanguageUnknown,
    /// Enough is enough.
    #[error("there are too many open invitations; take one back first")]
    TooManyOpen,
    /// The account cannot be made or found.
    #[error(transparent)]
    Member(#[from] MemberError),
    /// The registration or the login failed.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// The database failed.
    #[error("could not read or write an invitation")]
    Db(#[from] DbError),
    /// The log failed.
    #[error("could not record an invitation")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for InvitationError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<InvitationError> for ApiError {
    fn from(error: InvitationError) -> Self {
        let text = error.to_string();
        let of = |kind: Kind, what: &str| format!("{}_{what}", kind.as_str());
        match error {
            InvitationError::Invalid(kind) => Self::new(StatusCode::NOT_FOUND, of(kind, "invalid"), text),
            InvitationError::Used(kind) => Self::new(StatusCode::GONE, of(kind, "used"), text),
            InvitationError::Expired(kind) => Self::new(StatusCode::GONE, of(kind, "expired"), text),
            InvitationError::NotFound => Self::new(StatusCode::NOT_FOUND, "invitation_not_found", text),
            InvitationError::RoleUnknown => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "role_unknown", text),
            InvitationError::LanguageUnknown => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "language_unknown", text),
            InvitationError::TooManyOpen => Self::new(StatusCode::CONFLICT, "too_many_invitations", text),
            InvitationError::Member(error) => error.into(),
            InvitationError::Auth(error) => error.into(),
            InvitationError::Db(error) => error.into(),
            InvitationError::Hub(error) => error.into(),
        }
    }
}
