use super::credentials::{MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARS};
use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::HubError;
use axum::http::StatusCode;
use credentials::CredentialError;
use shared::Scope;
use shared::limits::MAX_NAME_CHARS;

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
    /// This device was signed out from elsewhere, or the account is disabled.
    #[error("this device was signed out")]
    DeviceRevoked,
    /// No such device of one's own.
    #[error("there is no such device")]
    DeviceNotFound,
    /// A name is missing or too long.
    #[error("a device's name has 1 to {MAX_NAME_CHARS} characters")]
    DeviceName,
    /// The first message of the sign-in is forgotten.
    #[error("this sign-in has run out; begin again")]
    SignInGone,
    /// The first message of the registration is forgotten, or it was for something else.
    #[error("this registration has run out; begin again")]
    RegistrationGone,
    /// The password must be proved again before it can be changed.
    #[error("sign in again first: this needs a sign-in of the last five minutes")]
    FreshSignInNeeded,
    /// Wrong recovery code or no such account: one answer for both.
    #[error("the email or the recovery code is wrong")]
    RecoveryFailed,
    /// A member without a recovery code must get one.
    #[error("a recovery code must come with this registration")]
    RecoveryMissing,
    /// Bytes that are no message of the protocol.
    #[error("this is no message of a sign-in or registration")]
    MessageInvalid,
    /// The master key is not the one that the household's secret was sealed with.
    #[error("the secret of sign-ins cannot be opened with this master key")]
    SecretSealed,
    /// For admins only.
    #[error("only an admin may do this")]
    AdminOnly,
    /// The token is not meant for this.
    #[error("this token lacks the scope `{}`", .0.as_str())]
    ScopeMissing(Scope),
    /// A token does not do.
    #[error("this needs a signed-in device, not a token")]
    DeviceRequired,
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

impl From<CredentialError> for AuthError {
    fn from(error: CredentialError) -> Self {
        match error {
            CredentialError::WrongPassword => Self::SignInFailed,
            CredentialError::Malformed
            | CredentialError::Params
            | CredentialError::Unwrap
            | CredentialError::RecoveryCode => Self::MessageInvalid,
        }
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
            AuthError::DeviceRevoked => Self::new(StatusCode::UNAUTHORIZED, "device_revoked", text),
            AuthError::DeviceNotFound => Self::new(StatusCode::NOT_FOUND, "device_not_found", text),
            AuthError::DeviceName => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "name_invalid", text),
            AuthError::SignInGone => Self::new(StatusCode::CONFLICT, "sign_in_gone", text),
            AuthError::RegistrationGone => Self::new(StatusCode::CONFLICT, "registration_gone", text),
            AuthError::FreshSignInNeeded => Self::new(StatusCode::FORBIDDEN, "fresh_sign_in_needed", text),
            AuthError::RecoveryFailed => Self::new(StatusCode::UNAUTHORIZED, "recovery_failed", text),
            AuthError::RecoveryMissing => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "recovery_missing", text),
            AuthError::MessageInvalid => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "message_invalid", text),
            AuthError::SecretSealed => Self::internal(text),
            AuthError::AdminOnly => Self::new(StatusCode::FORBIDDEN, "admin_only", text),
            AuthError::ScopeMissing(_) => Self::new(StatusCode::FORBIDDEN, "scope_missing", text),
            AuthError::DeviceRequired => Self::new(StatusCode::FORBIDDEN, "device_required", text),
            AuthError::Stopping => DbError::Closed.into(),
            AuthError::Db(error) => error.into(),
            AuthError::Hub(error) => error.into(),
        }
    }
}
