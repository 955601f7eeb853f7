//! `/api/setup`.

use super::progress::{self, WizardStep};
use super::{is_needed, set_up};
use crate::app_state::AppState;
use crate::auth::routes::{Client, LoginView};
use crate::auth::{Caller, FinishedRegistration};
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::members::NewMember;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use shared::{Right, Role};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_setup, post_setup)).routes(routes!(get_progress, put_progress))
}

/// Whether the first account is still to be made.
#[derive(Serialize, ToSchema)]
struct SetupView {
    needed: bool,
}

/// The first account.
#[derive(Deserialize, ToSchema)]
struct SetupRequest {
    /// A registration with the purpose `setup`, which asks for the code.
    registration: FinishedRegistration,
    email: String,
    first_name: String,
    last_name: String,
    nickname: String,
    /// `en` or `fr`.
    language: String,
    /// A built-in portrait's name; none by default.
    #[serde(default)]
    avatar: String,
    #[serde(flatten)]
    client: Client,
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
/// 201 · 409 `setup_done` `registration_gone` · 422 names the field
#[utoipa::path(post, path = "/api/setup", tag = "setup", security(()), request_body = SetupRequest, responses(
    (status = 201, body = LoginView), (status = 409, body = Problem), (status = 422, body = Problem)))]
async fn post_setup(
    State(state): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<SetupRequest>,
) -> Result<Response, ApiError> {
    let SetupRequest { registration, email, first_name, last_name, nickname, language, avatar, client } = body;
    let new = NewMember::check(&email, &first_name, &last_name, &nickname, &language, Role::Admin)?.with_avatar(avatar);
    let login = set_up(&state, new, &registration, client.device(&headers)).await?;
    Ok(client.answer(StatusCode::CREATED, login, None))
}

/// How far the first day has come.
#[derive(Serialize, Deserialize, ToSchema)]
struct ProgressBody {
    /// What comes next: `providers`, `search`, `kin` or `done`.
    #[schema(value_type = String)]
    step: WizardStep,
}

/// Tells how far the first day has come. For admins.
///
/// 200 · 403 `admin_only`
#[utoipa::path(get, path = "/api/setup/progress", tag = "setup", responses(
    (status = 200, body = ProgressBody), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn get_progress(State(db): State<Db>, caller: Caller) -> Result<Json<ProgressBody>, ApiError> {
    caller.must(Right::ManageProviders)?;
    Ok(Json(ProgressBody { step: progress::read(&db).await? }))
}

/// Goes on to a step; one that lies behind changes nothing. For admins.
///
/// 200 with where the first day is then · 403 `admin_only`
#[utoipa::path(put, path = "/api/setup/progress", tag = "setup", request_body = ProgressBody, responses(
    (status = 200, body = ProgressBody), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn put_progress(
    State(db): State<Db>,
    caller: Caller,
    Json(body): Json<ProgressBody>,
) -> Result<Json<ProgressBody>, ApiError> {
    caller.must(Right::ManageProviders)?;
    Ok(Json(ProgressBody { step: progress::advance(&db, body.step).await? }))
}
