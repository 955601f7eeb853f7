//! `/api/me`.

use super::views::MeView;
use crate::app_state::AppState;
use crate::auth::{AuthError, Caller, change::must_be_fresh, clearing_cookie};
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::hub::Hub;
use crate::members::me::{MyChange, change_me};
use crate::members::remove::leave;
use crate::members::{MemberError, export, rows};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse};
use serde::Deserialize;
use shared::Right;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const EXPORT_HEADERS: [(HeaderName, &str); 2] = [
    (header::CONTENT_TYPE, "application/jsonl; charset=utf-8"),
    (header::CONTENT_DISPOSITION, "attachment; filename=\"kinstead.jsonl\""),
];

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_me, patch_me, delete_me)).routes(routes!(export_me))
}

/// What to change; fields left out stay as they are.
#[derive(Deserialize, ToSchema)]
struct ChangeMeRequest {
    #[serde(default)]
    first_name: Option<String>,
    #[serde(default)]
    last_name: Option<String>,
    #[serde(default)]
    nickname: Option<String>,
    #[serde(default)]
    email: Option<String>,
    /// A built-in portrait, a picture's id, or empty.
    #[serde(default)]
    avatar: Option<String>,
    /// `en` or `fr`.
    #[serde(default)]
    language: Option<String>,
}

/// Tells who is signed in.
///
/// 200 one's own account · 401 `not_signed_in`
#[utoipa::path(get, path = "/api/me", tag = "me", responses(
    (status = 200, body = MeView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn get_me(State(db): State<Db>, caller: Caller) -> Result<Json<MeView>, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let id = caller.viewer.member;
    let member = db.read(move |connection| Ok::<_, MemberError>(rows::find(connection, id)?)).await?;
    Ok(Json(MeView::new(member.ok_or(AuthError::NotSignedIn)?, caller.device)))
}

/// Changes one's own account. The address to sign in with is changed on a signed-in device, not by a token.
///
/// 200 · 403 `device_required` · 409 `email_taken` · 422 names the field
#[utoipa::path(patch, path = "/api/me", tag = "me", request_body = ChangeMeRequest, responses(
    (status = 200, body = MeView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Problem)))]
async fn patch_me(
    State(hub): State<Hub>,
    caller: Caller,
    Json(body): Json<ChangeMeRequest>,
) -> Result<Json<MeView>, ApiError> {
    caller.must_be_signed_in()?;
    let ChangeMeRequest { first_name, last_name, nickname, email, avatar, language } = body;
    let wanted = MyChange { first_name, last_name, nickname, email, avatar, language };
    Ok(Json(MeView::new(change_me(&hub, caller, wanted).await?, caller.device)))
}

/// Deletes one's own account for good. The password was proved by signing in within the last five minutes.
///
/// 204 · 403 `fresh_sign_in_needed` `device_required` · 409 `last_admin`
#[utoipa::path(delete, path = "/api/me", tag = "me", responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 409, body = Problem)))]
async fn delete_me(State(state): State<AppState>, caller: Caller) -> Result<impl IntoResponse, ApiError> {
    caller.must_be_signed_in()?;
    must_be_fresh(&state, &caller).await?;
    leave(&state.hub, caller).await?;
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(header::SET_COOKIE, clearing_cookie())])))
}

/// Everything that is one's own, as JSON Lines: account, preferences, devices, tokens in short, messages.
///
/// 200 · 403 `device_required`
#[utoipa::path(get, path = "/api/me/export", tag = "me", responses(
    (status = 200, content_type = "application/jsonl", body = String), (status = 401, body = Problem),
    (status = 403, body = Problem)))]
async fn export_me(State(db): State<Db>, caller: Caller) -> Result<impl IntoResponse, ApiError> {
    caller.must_be_signed_in()?;
    let stream = export::export(db, caller).await?;
    Ok((EXPORT_HEADERS, Body::from_stream(stream)))
}
