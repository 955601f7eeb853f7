use super::prepare::MAX_PIXELS;
use super::routes::MAX_FILE_BYTES;
use crate::db::DbError;
use crate::error::ApiError;
use axum::http::StatusCode;

/// Why a picture was not taken or not found.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// No picture of this id.
    #[error("there is no such picture")]
    NotFound,
    /// Not one of the four formats.
    #[error("send a PNG, JPEG, WebP or GIF file with its Content-Type; nothing was changed")]
    TypeUnsupported,
    /// No picture at all, or one that is damaged or incomplete.
    #[error("this file is no picture that can be read, or it is incomplete; nothing was changed")]
    Unreadable,
    /// Would take too much memory.
    #[error("the picture has more than {} million pixels; make it smaller first", MAX_PIXELS / 1_000_000)]
    TooManyPixels,
    /// Over the limit.
    #[error("the file is over {} MB; make it smaller first", MAX_FILE_BYTES / 1_000_000)]
    TooLarge,
    /// Too many uploads.
    #[error("too many pictures at once, try again in {retry_after_s} s")]
    TooMany {
        /// When it makes sense to try again.
        retry_after_s: u64,
    },
    /// The database failed.
    #[error("could not read or save a picture")]
    Db(#[from] DbError),
}

impl From<rusqlite::Error> for PictureError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<PictureError> for ApiError {
    fn from(error: PictureError) -> Self {
        let text = error.to_string();
        match error {
            PictureError::NotFound => Self::new(StatusCode::NOT_FOUND, "picture_not_found", text),
            PictureError::TypeUnsupported => {
                Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "picture_type_unsupported", text)
            }
            PictureError::Unreadable => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "picture_unreadable", text),
            PictureError::TooManyPixels => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "picture_too_many_pixels", text),
            PictureError::TooLarge => Self::new(StatusCode::PAYLOAD_TOO_LARGE, "picture_too_large", text),
            PictureError::TooMany { retry_after_s } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_pictures", text).retry_after(retry_after_s)
            }
            PictureError::Db(error) => error.into(),
        }
    }
}
