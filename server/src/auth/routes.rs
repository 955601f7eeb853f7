//! `/api/auth/*`.

use super::sign_in::{device_name, sign_in, sign_out};
use super::{Device, clearing_cookie, logins, setting_cookie};
use crate::app_state::AppState;
use crate::error::{ApiError, Problem};
use crate::extract::{ClientAddress, Json};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse};
use serde::{Deserialize, Serialize};
use shared::{DeviceId, MemberId};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(log_in)).routes(routes!(log_out))
}

/// Who signs in.
#[derive(Deserialize, ToSchema)]
struct LoginRequest {
    email: String,
    #[schema(format = Password)]
    password: String,
    /// The device this client was before, if it was one.
    #[serde(default, alias = "device")]
    #[schema(value_type = Option<String>)]
    device_id: Option<DeviceId>,
}

/// Who is signed in.
#[derive(Serialize, ToSchema)]
pub struct LoginView {
    #[schema(value_type = String)]
    pub member_id: MemberId,
    #[schema(value_type = String)]
    pub device_id: DeviceId,
}

/// Signs in by email and password and sets the login's cookie.
///
/// 200 who and where · 401 `sign_in_failed` · 429 `too_many_attempts` with Retry-After
#[utoipa::path(post, path = "/api/auth/login", tag = "auth", security(()), request_body = LoginRequest, responses(
    (status = 200, body = LoginView), (status = 401, body = Problem), (status = 429, body = Problem)))]
async fn log_in(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Json(body): Json<LoginRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let device = Device { known: body.device_id, name: device_of(&headers) };
    let login = sign_in(&state, body.email, body.password, device, address).await?;
    let view = LoginView { member_id: login.member, device_id: login.device };
    Ok((AppendHeaders([(header::SET_COOKIE, setting_cookie(&login.secret))]), Json(view)))
}

/// Signs this device out. Harmless without a login.
///
/// 204
#[utoipa::path(post, path = "/api/auth/logout", tag = "auth", security((), ("cookie" = [])), responses((status = 204)))]
async fn log_out(State(state): State<AppState>, headers: HeaderMap) -> Result<impl IntoResponse, ApiError> {
    if let Some(secret) = logins::cookie_secret(&headers) {
        sign_out(&state, secret).await?;
    }
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(header::SET_COOKIE, clearing_cookie())])))
}

/// The name of the device behind a request.
pub fn device_of(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    device_name(agent.unwrap_or_default())
}
