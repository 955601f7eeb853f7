//! `/api/pictures`.

use super::{PictureError, Pictures};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path, read_body};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shared::{PictureId, Right};
use std::time::Duration;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Largest file.
pub(super) const MAX_FILE_BYTES: usize = 8_000_000;
/// A file must be here within this time: a phone in the garden is slow.
const UPLOAD_TIME: Duration = Duration::from_secs(180);
const TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const FOR_EVER: HeaderValue = HeaderValue::from_static("private, immutable, max-age=31536000");

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(add_picture)).routes(routes!(get_picture))
}

/// A stored picture.
#[derive(Serialize, ToSchema)]
struct PictureView {
    /// What `avatar` takes.
    #[schema(value_type = String, example = "pic_018f6c1e0c9a7d0fb3a1c2d3e4f50617")]
    id: PictureId,
}

/// Stores a picture to be used as a face: a PNG, JPEG, WebP or GIF file as the body, up to 8 MB and 25 million pixels.
///
/// Its middle is kept as a square of at most 512 pixels, without metadata. Unused, it is forgotten after a day.
///
/// 201 · 413 `picture_too_large` · 415 `picture_type_unsupported` · 422 `picture_unreadable` `picture_too_many_pixels` ·
/// 429 `too_many_pictures`
#[utoipa::path(post, path = "/api/pictures", tag = "pictures",
    request_body(content = Vec<u8>, content_type = "image/png"), responses(
    (status = 201, body = PictureView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem),
    (status = 415, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)))]
async fn add_picture(
    State(pictures): State<Pictures>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<PictureView>), ApiError> {
    caller.must(Right::OwnAccount)?;
    pictures.take_upload(caller.viewer.member)?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !TYPES.iter().any(|one| kind.trim().eq_ignore_ascii_case(one)) {
        return Err(PictureError::TypeUnsupported.into());
    }
    let file = read_body(body, MAX_FILE_BYTES, UPLOAD_TIME).await?.ok_or(PictureError::TooLarge)?;
    let id = pictures.keep(file).await?;
    Ok((StatusCode::CREATED, Json(PictureView { id })))
}

/// Reads a picture. It never changes, so it may be kept.
///
/// 200 · 304 · 404 `picture_not_found`
#[utoipa::path(get, path = "/api/pictures/{id}", tag = "pictures", params(("id" = String, Path)), responses(
    (status = 200, body = Vec<u8>, content_type = "image/jpeg"), (status = 304), (status = 401, body = Problem),
    (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn get_picture(
    State(pictures): State<Pictures>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<PictureId>,
) -> Result<Response, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let picture = pictures.find(id).await?;
    let tag = HeaderValue::from_str(&format!("\"{id}\"")).expect("an id is plain ASCII");
    let kept = headers.get(header::IF_NONE_MATCH) == Some(&tag);
    let caching = [(header::ETAG, tag), (header::CACHE_CONTROL, FOR_EVER)];
    if kept {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let kind = HeaderValue::from_str(&picture.media_type).map_err(ApiError::internal)?;
    Ok((caching, [(header::CONTENT_TYPE, kind)], picture.bytes).into_response())
}
