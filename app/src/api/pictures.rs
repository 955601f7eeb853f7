//! Pictures: faces of members and Kins.

use super::{ApiError, answered, read};
use crate::ui::page;
use serde::Deserialize;
use shared::PictureId;
use web_sys::Blob;

/// What the server takes.
pub const PICTURE_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

#[derive(Deserialize)]
struct Kept {
    id: PictureId,
}

/// Has a picture kept, to be used as a face.
pub async fn add_picture(file: &Blob) -> Result<PictureId, ApiError> {
    let (status, text) = page::upload("/api/pictures", file).await.ok_or(ApiError::Offline)?;
    let kept: Kept = read(answered(status, text)?)?;
    Ok(kept.id)
}
