//! `/api/members/{id}/reset`, `/api/resets`

use super::{TokenRequest, take_attempt};
use crate::app_state::AppState;
use crate::auth::routes::{Client, LoginView};
use crate::auth::{Caller, FinishedRegistration, address_key};
use crate::clock;
use crate::error::{ApiError, Problem};
use crate::extract::{ClientAddress, Json, Path};
use crate::hub::Hub;
use crate::invitations::reset::{accept, offer};
use crate::invitations::{InvitationError, check_reset};
use crate::members::{self, MemberError};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use shared::{MemberId, Right, UnixMillis};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(offer_reset)).routes(routes!(look_at_reset)).routes(routes!(accept_reset))
}

/// A reset link just written.
#[derive(Serialize, ToSchema)]
struct ResetView {
    /// For the link's fragment, `/#reset=<token>`. The only time it is seen.
    token: String,
    #[schema(value_type = i64)]
    expires_at: UnixMillis,
}

/// Whose password the link sets.
#[derive(Serialize, ToSchema)]
struct ResetLookView {
    /// As the household calls them.
    nickname: String,
    /// To sign in with from now on.
    email: String,
}

/// The new password.
#[derive(Deserialize, ToSchema)]
struct AcceptResetRequest {
    token: String,
    /// Begun with the purpose `reset`.
    registration: FinishedRegistration,
    #[serde(flatten)]
    client: Client,
}

/// Writes a link by which a member chooses another password. It works once, for 24 hours; an earlier one ends.
///
/// 201 with its token, once · 403 `admin_only` · 404 `member_not_found`
#[utoipa::path(post, path = "/api/members/{id}/reset", tag = "members", params(("id" = String, Path)), responses(
    (status = 201, body = ResetView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn offer_reset(
    State(hub): State<Hub>,
    caller: Caller,
    Path(id): Path<MemberId>,
) -> Result<(StatusCode, Json<ResetView>), ApiError> {
    caller.must(Right::ManageMembers)?;
    let (token, expires_at) = offer(&hub, caller, id).await?;
    Ok((StatusCode::CREATED, Json(ResetView { token, expires_at })))
}

/// Tells whoever holds a reset link whose password it sets.
///
/// 200 · 404 `reset_invalid` · 410 `reset_used` `reset_expired` · 429 `too_many_attempts`
#[utoipa::path(post, path = "/api/resets/look", tag = "members", security(()), request_body = TokenRequest,
    responses((status = 200, body = ResetLookView), (status = 404, body = Problem), (status = 410, body = Problem),
    (status = 429, body = Problem)))]
async fn look_at_reset(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(body): Json<TokenRequest>,
) -> Result<Json<ResetLookView>, ApiError> {
    take_attempt(&state, address)?;
    let member = state.db.read(move |connection| {
        let id = check_reset(connection, &body.token, clock::now())?;
        Ok::<_, InvitationError>(members::find(connection, id)?.ok_or(MemberError::NotFound(id))?)
    });
    let member = member.await?;
    state.limits.links.give_back(address_key(address));
    Ok(Json(ResetLookView { nickname: member.nickname, email: member.email }))
}

/// Stores the new password and signs in; every device from before is signed out and wipes itself.
///
/// 200 · 404 `reset_invalid` · 409 `registration_gone` · 410 `reset_used` `reset_expired` · 429 `too_many_attempts`
#[utoipa::path(post, path = "/api/resets/accept", tag = "members", security(()), request_body = AcceptResetRequest,
    responses((status = 200, body = LoginView), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 410, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)))]
async fn accept_reset(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Json(body): Json<AcceptResetRequest>,
) -> Result<Response, ApiError> {
    take_attempt(&state, address)?;
    let AcceptResetRequest { token, registration, client } = body;
    let signed_in = accept(&state, token, &registration, client.device(&headers)).await?;
    state.limits.links.give_back(address_key(address));
    Ok(client.answer(StatusCode::OK, signed_in, None))
}
