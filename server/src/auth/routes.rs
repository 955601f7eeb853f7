//! `/api/auth/*`.

use super::registration::{FinishedRegistration, Purpose, RegistrationView, check_recovery, start as begin};
use super::sign_in::{Challenge, device_name, finish, sign_out, start};
use super::{
    AuthError, Caller, Device, SignedIn, address_key, change, clearing_cookie, devices, logins, setting_cookie,
};
use crate::app_state::AppState;
use crate::clock;
use crate::error::{ApiError, Problem};
use crate::extract::{ClientAddress, Json};
use crate::invitations::{check_invitation, check_reset};
use crate::setup;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use credentials::{Argon2Params, Bytes};
use serde::{Deserialize, Serialize};
use shared::{DeviceId, MemberId};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(begin_registration))
        .routes(routes!(start_login))
        .routes(routes!(finish_login))
        .routes(routes!(put_password))
        .routes(routes!(post_recovery))
        .routes(routes!(log_out))
        .routes(routes!(log_out_everywhere))
        .merge(devices::router())
}

/// What a new password is for.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum RegistrationPurpose {
    /// The first account.
    Setup {
        /// The one-time code printed at the start.
        code: String,
    },
    /// One's own new password; the old one was proved by signing in within the last five minutes.
    Password,
    /// A forgotten password.
    Recovery {
        email: String,
        /// Proof of the recovery code, base64url.
        #[schema(value_type = String)]
        proof: Bytes,
    },
    /// The account of whoever holds an invitation.
    Invitation {
        /// As in the link.
        token: String,
    },
    /// A password by a reset link.
    Reset {
        /// As in the link.
        token: String,
    },
}

/// The first message of a registration.
#[derive(Deserialize, ToSchema)]
struct RegistrationRequest {
    purpose: RegistrationPurpose,
    /// OPAQUE's registration request, base64url.
    #[schema(value_type = String)]
    request: Bytes,
}

/// The first message of a sign-in.
#[derive(Deserialize, ToSchema)]
struct LoginStart {
    email: String,
    /// OPAQUE's KE1, base64url.
    #[schema(value_type = String)]
    request: Bytes,
}

/// The answer to it.
#[derive(Serialize, ToSchema)]
struct LoginChallenge {
    /// To be named in the second message.
    login: String,
    /// OPAQUE's KE2, base64url.
    #[schema(value_type = String)]
    response: Bytes,
    /// How to stretch the password.
    #[schema(value_type = super::registration::Argon2View)]
    argon2: Argon2Params,
}

/// The second message of a sign-in.
#[derive(Deserialize, ToSchema)]
struct LoginFinish {
    login: String,
    /// OPAQUE's KE3, base64url.
    #[schema(value_type = String)]
    finalization: Bytes,
    #[serde(flatten)]
    client: Client,
}

/// Who is signing in with what.
#[derive(Default, Deserialize, ToSchema)]
pub struct Client {
    /// The device this client was before, if it was one.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    device: Option<DeviceId>,
    /// A name for it; browsers are named by what they call themselves.
    #[serde(default)]
    device_name: Option<String>,
    /// Native clients want the login's token in the answer instead of a cookie.
    #[serde(default)]
    token: bool,
}

impl Client {
    /// The device behind a request.
    pub fn device(&self, headers: &HeaderMap) -> Device {
        let named = self.device_name.as_deref().and_then(devices::checked_name);
        Device { known: self.device, name: named.unwrap_or_else(|| device_of(headers)) }
    }

    /// The answer to a sign-in: with a cookie, or with a token where the client asked for one.
    pub fn answer(&self, status: StatusCode, login: SignedIn, key_by_password: Option<Bytes>) -> Response {
        let mut view = LoginView { member_id: login.member, device_id: login.device, key_by_password, token: None };
        if self.token {
            view.token = Some(login.secret);
            return (status, Json(view)).into_response();
        }
        (status, AppendHeaders([(header::SET_COOKIE, setting_cookie(&login.secret))]), Json(view)).into_response()
    }
}

/// Who is signed in.
#[derive(Serialize, ToSchema)]
pub struct LoginView {
    #[schema(value_type = String)]
    member_id: MemberId,
    #[schema(value_type = String)]
    device_id: DeviceId,
    /// The member's replica key, wrapped by what only the client learned of the password; base64url.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    key_by_password: Option<Bytes>,
    /// The login's bearer token, for those who asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// One's new password.
#[derive(Deserialize, ToSchema)]
struct PasswordRequest {
    registration: FinishedRegistration,
}

/// A new password by the recovery code.
#[derive(Deserialize, ToSchema)]
struct RecoveryRequest {
    registration: FinishedRegistration,
    #[serde(flatten)]
    client: Client,
}

/// Where to sign out.
#[derive(Deserialize, ToSchema)]
struct LogoutEverywhere {
    /// Leaves this device signed in.
    #[serde(default)]
    keep_this: bool,
}

/// Begins to register a password, which itself is never sent.
///
/// 200 · 401 `not_signed_in` `recovery_failed` · 403 `setup_code_wrong` `device_required` `fresh_sign_in_needed` · 404
/// `…_invalid` · 409 `setup_done` · 410 `…_used` `…_expired` of an invitation or a reset link ·
/// 422 `message_invalid` · 429 `too_many_attempts` with Retry-After
#[utoipa::path(post, path = "/api/auth/registration", tag = "auth", security((), ("cookie" = [])),
    request_body = RegistrationRequest, responses((status = 200, body = RegistrationView),
    (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 410, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)))]
async fn begin_registration(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    caller: Result<Caller, ApiError>,
    Json(body): Json<RegistrationRequest>,
) -> Result<Json<RegistrationView>, ApiError> {
    let limited = state.limits.registration.take(address_key(address), clock::now());
    limited.map_err(|retry_after_s| AuthError::TooMany { retry_after_s })?;
    let purpose = match body.purpose {
        RegistrationPurpose::Setup { code } => {
            setup::check_code(&state, &code).await?;
            Purpose::Setup
        }
        RegistrationPurpose::Password => {
            let caller = caller?;
            caller.must_be_signed_in()?;
            change::must_be_fresh(&state, &caller).await?;
            Purpose::Password(caller.viewer.member)
        }
        RegistrationPurpose::Recovery { email, proof } => {
            Purpose::Recovery(check_recovery(&state, &email, proof, address).await?)
        }
        RegistrationPurpose::Invitation { token } => {
            let found = state.db.read(move |conn| check_invitation(conn, &token, clock::now())).await?;
            Purpose::Invitation(found.id)
        }
        RegistrationPurpose::Reset { token } => {
            Purpose::Reset(state.db.read(move |conn| check_reset(conn, &token, clock::now())).await?)
        }
    };
    Ok(Json(begin(&state, purpose, &body.request).await?))
}

/// Begins to sign in. The answer says nothing about whether there is such an account.
///
/// 200 · 422 `message_invalid` · 429 `too_many_attempts` with Retry-After
#[utoipa::path(post, path = "/api/auth/login/start", tag = "auth", security(()), request_body = LoginStart, responses(
    (status = 200, body = LoginChallenge), (status = 422, body = Problem), (status = 429, body = Problem)))]
async fn start_login(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(body): Json<LoginStart>,
) -> Result<Json<LoginChallenge>, ApiError> {
    let Challenge { login, response, argon2 } = start(&state, &body.email, &body.request, address).await?;
    Ok(Json(LoginChallenge { login, response, argon2 }))
}

/// Proves the password; sets the login's cookie, or gives a token to native clients that ask for one.
///
/// 200 who and where · 401 `sign_in_failed` · 409 `sign_in_gone`
#[utoipa::path(post, path = "/api/auth/login/finish", tag = "auth", security(()), request_body = LoginFinish, responses(
    (status = 200, body = LoginView), (status = 401, body = Problem), (status = 409, body = Problem)))]
async fn finish_login(
    State(state): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<LoginFinish>,
) -> Result<Response, ApiError> {
    let LoginFinish { login, finalization, client } = body;
    let (signed_in, key) = finish(&state, &login, &finalization, client.device(&headers)).await?;
    Ok(client.answer(StatusCode::OK, signed_in, Some(key)))
}

/// Stores one's new password. Other devices are locked until it is given there.
///
/// 204 · 401 `not_signed_in` · 403 `device_required` `fresh_sign_in_needed` · 409 `registration_gone` · 422
/// `message_invalid`
#[utoipa::path(post, path = "/api/auth/password", tag = "auth", request_body = PasswordRequest, responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 409, body = Problem),
    (status = 422, body = Problem)))]
async fn put_password(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<PasswordRequest>,
) -> Result<StatusCode, ApiError> {
    caller.must_be_signed_in()?;
    change::change_password(&state, caller, &body.registration).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stores a new password for whoever holds the recovery code, and signs them in.
///
/// 200 who and where · 409 `registration_gone` · 422 `message_invalid`
#[utoipa::path(post, path = "/api/auth/recovery", tag = "auth", security(()), request_body = RecoveryRequest, responses(
    (status = 200, body = LoginView), (status = 409, body = Problem), (status = 422, body = Problem)))]
async fn post_recovery(
    State(state): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<RecoveryRequest>,
) -> Result<Response, ApiError> {
    let RecoveryRequest { registration, client } = body;
    let signed_in = change::recover(&state, &registration, client.device(&headers)).await?;
    Ok(client.answer(StatusCode::OK, signed_in, None))
}

/// Signs this device out. Harmless without a login.
///
/// 204
#[utoipa::path(post, path = "/api/auth/logout", tag = "auth", security((), ("cookie" = [])), responses((status = 204)))]
async fn log_out(State(state): State<AppState>, headers: HeaderMap) -> Result<impl IntoResponse, ApiError> {
    if let Some(secret) = logins::login_secret(&headers) {
        sign_out(&state, secret).await?;
    }
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(header::SET_COOKIE, clearing_cookie())])))
}

/// Signs all of one's devices out; each wipes what it keeps.
///
/// 204 · 401 `not_signed_in` · 403 `device_required`
#[utoipa::path(post, path = "/api/auth/logout-everywhere", tag = "auth", request_body = LogoutEverywhere, responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn log_out_everywhere(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<LogoutEverywhere>,
) -> Result<StatusCode, ApiError> {
    caller.must_be_signed_in()?;
    devices::revoke_everywhere(&state, caller, body.keep_this).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The name of the device behind a request.
pub fn device_of(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    device_name(agent.unwrap_or_default())
}
