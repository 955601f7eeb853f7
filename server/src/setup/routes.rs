//! `/api/setup`.

use super::{is_needed, set_up};
use crate::app_state::AppState;
use crate::auth::routes::{LoginView, device_of};
use crate::auth::{Device, setting_cookie};
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::members::NewMember;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse};
use serde::{Deserialize, Serialize};
use shared::Role;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_setup, post_setup))
}

/// Whether the first account is still to be made.
#[derive(Serialize, ToSchema)]
struct SetupView {
    needed: bool,
}

/// The first account.
#[derive(Deserialize, ToSchema)]
struct SetupRequest {
    /// The one-time code printed at the start.
    code: String,
    email: String,
    #[schema(format = Password)]
    password: String,
    first_name: String,
    last_name: String,
    nickname: String,
    /// `en` or `fr`.
    language: String,
}

/// Tells whether the first account is still to be made.
///
/// 200
#[utoipa::path(get, path = "/api/setup", tag = "setup", security(()), responses((status = 200, body = SetupView)))]
async fn get_setup(State(db): State<Db>) -> Result<Json<SetupView>, ApiError> {
    Ok(Json(SetupView { needed: is_needed(&db).await? }))
}

/// Makes the first account, an admin, and signs it in.
///
/// 201 · 403 `setup_code_wrong` · 409 `setup_done` · 422 names the field · 429 `too_many_attempts` with Retry-After
#[utoipa::path(post, path = "/api/setup", tag = "setup", security(()), request_body = SetupRequest, responses(
    (status = 201, body = LoginView), (status = 403, body = Problem), (status = 409, body = Problem),
    (status = 422, body = Problem), (status = 429, body = Problem)))]
async fn post_setup(
    State(state): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<SetupRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let SetupRequest { code, email, password, first_name, last_name, nickname, language } = body;
    let new = NewMember::check(&email, &first_name, &last_name, &nickname, &language, Role::Admin);
    let device = Device { known: None, name: device_of(&headers) };
    let login = set_up(&state, &code, new, password, device).await?;
    let view = LoginView { member_id: login.member, device_id: login.device };
    Ok((StatusCode::CREATED, AppendHeaders([(header::SET_COOKIE, setting_cookie(&login.secret))]), Json(view)))
}
