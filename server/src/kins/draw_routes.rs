//! `/api/kins/avatar-drafts`.

use super::draw::{Sitter, draw};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::{KinId, PictureId, Right};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(draw_avatar))
}

/// A face to draw.
#[derive(Deserialize, ToSchema)]
struct DrawRequest {
    /// A Kin; what is left out below is taken from it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    kin: Option<KinId>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    role: String,
    #[serde(default)]
    character: String,
    /// What to draw, instead of the description; at most 1000 characters.
    #[serde(default)]
    prompt: Option<String>,
}

/// What was drawn.
#[derive(Serialize, ToSchema)]
struct DrawnView {
    /// What a Kin's `avatar` takes.
    #[schema(value_type = String)]
    id: PictureId,
}

/// Draws a face for a Kin through the household's image provider and keeps it as a picture. Takes up to three minutes.
///
/// 201 · 404 `kin_not_found` · 409 `image_provider_missing` · 422 `wish_too_long`, `picture_unreadable` when the provider
/// sent none, `provider_…` with what the provider said · 429 `too_many_pictures`
#[utoipa::path(post, path = "/api/kins/avatar-drafts", tag = "kins", request_body = DrawRequest, responses(
    (status = 201, body = DrawnView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem),
    (status = 429, body = Problem)))]
async fn draw_avatar(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<DrawRequest>,
) -> Result<(StatusCode, Json<DrawnView>), ApiError> {
    caller.must(Right::CareForKins)?;
    let DrawRequest { kin, name, role, character, prompt } = body;
    let sitter = Sitter { kin, name, role, character, wish: prompt };
    let id = draw(&state.db, &state.providers, &state.pictures, caller.viewer, sitter).await?;
    Ok((StatusCode::CREATED, Json(DrawnView { id })))
}
