use crate::db::DbError;
use crate::engine::commands::CommandError;
use crate::error::ApiError;
use crate::hub::HubError;
use crate::kins::KinError;
use axum::http::StatusCode;
use shared::limits::MAX_MESSAGE_BYTES;

/// Why a message could not be sent, listed or acted on.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// Nothing in it.
    #[error("the message is empty")]
    Empty,
    /// Over the limit.
    #[error("the message is {bytes} bytes, the limit is {MAX_MESSAGE_BYTES}")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// What it quotes is not in the Kin's thread.
    #[error("`reply_to` names no message of this thread")]
    ReplyUnknown,
    /// Not 1 to 200 printable ASCII characters.
    #[error("an Idempotency-Key has 1 to 200 printable ASCII characters")]
    KeyInvalid,
    /// The key came with another request before.
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    /// Not a cursor of ours.
    #[error("`before` must be the `next` of an earlier page")]
    CursorInvalid,
    /// The Kin is not there.
    #[error("could not find the Kin")]
    Kin(#[from] KinError),
    /// The engine refuses.
    #[error("the command was refused")]
    Command(#[from] CommandError),
    /// The database failed.
    #[error("could not read or save a message")]
    Db(#[from] DbError),
    /// The log failed.
    #[error("could not record a message")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for MessageError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<MessageError> for ApiError {
    fn from(error: MessageError) -> Self {
        let text = error.to_string();
        let invalid = |code: &'static str| Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, text.clone());
        match error {
            MessageError::Empty => invalid("message_empty"),
            MessageError::TooLarge { .. } => Self::new(StatusCode::PAYLOAD_TOO_LARGE, "message_too_large", text),
            MessageError::ReplyUnknown => invalid("reply_to_unknown"),
            MessageError::KeyInvalid => invalid("idempotency_key_invalid"),
            MessageError::KeyReused => invalid("idempotency_key_reused"),
            MessageError::CursorInvalid => Self::new(StatusCode::BAD_REQUEST, "cursor_invalid", text),
            MessageError::Kin(error) => error.into(),
            MessageError::Command(error) => error.into(),
            MessageError::Db(error) => error.into(),
            MessageError::Hub(error) => error.into(),
        }
    }
}
