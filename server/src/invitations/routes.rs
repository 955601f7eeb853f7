//! `/api/invitations`, `/api/resets`

mod resets;

use super::accept::{Look, accept, look};
use super::rows::{Invitation, list_open};
use super::{InvitationError, invite, withdraw};
use crate::app_state::AppState;
use crate::auth::routes::{Client, LoginView};
use crate::auth::{AuthError, Caller, FinishedRegistration, address_key};
use crate::clock;
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::{ClientAddress, Json, Path};
use crate::hub::Hub;
use crate::members::NewMember;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use shared::profile::Language;
use shared::{InvitationId, MemberId, Right, Role, UnixMillis};
use std::net::IpAddr;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_invitations, create_invitation))
        .routes(routes!(delete_invitation))
        .routes(routes!(look_at_invitation))
        .routes(routes!(accept_invitation))
        .merge(resets::router())
}

/// Takes one attempt at a link from an address; a rightful one gives it back.
fn take_attempt(state: &AppState, address: IpAddr) -> Result<(), AuthError> {
    let limited = state.limits.links.take(address_key(address), clock::now());
    limited.map_err(|retry_after_s| AuthError::TooMany { retry_after_s })
}

/// An open invitation.
#[derive(Serialize, ToSchema)]
struct InvitationView {
    #[schema(value_type = String)]
    id: InvitationId,
    /// `admin` or `member`.
    role: &'static str,
    /// `en` or `fr`; null when nobody said.
    language: Option<&'static str>,
    #[schema(value_type = String)]
    created_by: MemberId,
    #[schema(value_type = i64)]
    created_at: UnixMillis,
    #[schema(value_type = i64)]
    expires_at: UnixMillis,
}

impl From<Invitation> for InvitationView {
    fn from(invitation: Invitation) -> Self {
        let Invitation { id, role, language, created_by, created_at, expires_at } = invitation;
        let (role, language) = (role.as_str(), language.map(Language::as_str));
        Self { id, role, language, created_by, created_at, expires_at }
    }
}

/// The open invitations.
#[derive(Serialize, ToSchema)]
struct InvitationsView {
    items: Vec<InvitationView>,
}

/// An invitation to write.
#[derive(Deserialize, ToSchema)]
struct InviteRequest {
    /// `admin` or `member`.
    role: String,
    /// What the invited person is greeted in: `en` or `fr`.
    #[serde(default)]
    language: Option<String>,
}

/// An invitation just written.
#[derive(Serialize, ToSchema)]
struct CreatedInvitationView {
    #[serde(flatten)]
    invitation: InvitationView,
    /// For the link's fragment, `/#invite=<token>`. The only time it is seen.
    token: String,
}

/// The token of a link.
#[derive(Deserialize, ToSchema)]
struct TokenRequest {
    token: String,
}

/// What a link invites to.
#[derive(Serialize, ToSchema)]
struct LookView {
    /// Who invites, as the household calls them.
    inviter: String,
    /// The household's name, empty when it has none.
    household: String,
    /// `admin` or `member`.
    role: &'static str,
    /// `en` or `fr`; null when nobody said.
    language: Option<&'static str>,
    #[schema(value_type = i64)]
    expires_at: UnixMillis,
}

/// The account of whoever was invited.
#[derive(Deserialize, ToSchema)]
struct AcceptRequest {
    token: String,
    email: String,
    first_name: String,
    last_name: String,
    nickname: String,
    /// `en` or `fr`.
    language: String,
    /// A built-in portrait, or empty.
    #[serde(default)]
    avatar: String,
    /// Begun with the purpose `invitation`.
    registration: FinishedRegistration,
    #[serde(flatten)]
    client: Client,
}

/// Lists invitations nobody has used yet, newest first.
///
/// 200 · 403 `admin_only`
#[utoipa::path(get, path = "/api/invitations", tag = "members", responses(
    (status = 200, body = InvitationsView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn list_invitations(State(db): State<Db>, caller: Caller) -> Result<Json<InvitationsView>, ApiError> {
    caller.must(Right::ManageMembers)?;
    let now = clock::now();
    let open = db.read(move |connection| Ok::<_, InvitationError>(list_open(connection, now)?)).await?;
    Ok(Json(InvitationsView { items: open.into_iter().map(InvitationView::from).collect() }))
}

/// Writes an invitation. It works once, for 24 hours.
///
/// 201 with its token, once · 403 `admin_only` · 409 `too_many_invitations` · 422 `role_unknown` `language_unknown`
#[utoipa::path(post, path = "/api/invitations", tag = "members", request_body = InviteRequest, responses(
    (status = 201, body = CreatedInvitationView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Problem)))]
async fn create_invitation(
    State(hub): State<Hub>,
    caller: Caller,
    Json(body): Json<InviteRequest>,
) -> Result<(StatusCode, Json<CreatedInvitationView>), ApiError> {
    caller.must(Right::ManageMembers)?;
    let role: Role = body.role.parse().map_err(|_| InvitationError::RoleUnknown)?;
    let language = body.language.as_deref();
    let language = language.map(|tag| Language::from_tag(tag).ok_or(InvitationError::LanguageUnknown)).transpose()?;
    let (invitation, token) = invite(&hub, caller, role, language).await?;
    Ok((StatusCode::CREATED, Json(CreatedInvitationView { invitation: invitation.into(), token })))
}

/// Takes an invitation back that nobody has used.
///
/// 204 · 403 `admin_only` · 404 `invitation_not_found`
#[utoipa::path(delete, path = "/api/invitations/{id}", tag = "members", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete_invitation(
    State(hub): State<Hub>,
    caller: Caller,
    Path(id): Path<InvitationId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::ManageMembers)?;
    withdraw(&hub, caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tells whoever holds a link what it invites to.
///
/// 200 · 404 `invitation_invalid` · 410 `invitation_used` `invitation_expired` · 429 `too_many_attempts`
#[utoipa::path(post, path = "/api/invitations/look", tag = "members", security(()), request_body = TokenRequest,
    responses((status = 200, body = LookView), (status = 404, body = Problem), (status = 410, body = Problem),
    (status = 429, body = Problem)))]
async fn look_at_invitation(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(body): Json<TokenRequest>,
) -> Result<Json<LookView>, ApiError> {
    take_attempt(&state, address)?;
    let found = state.db.read(move |connection| look(connection, &body.token, clock::now())).await?;
    state.limits.links.give_back(address_key(address));
    let Look { inviter, household, role, language, expires_at } = found;
    let (role, language) = (role.as_str(), language.map(Language::as_str));
    Ok(Json(LookView { inviter, household, role, language, expires_at }))
}

/// Makes the account of whoever was invited, and signs them in.
///
/// 201 · 404 `invitation_invalid` · 409 `email_taken` `registration_gone` · 410 `invitation_used` `invitation_expired` ·
/// 422 names the field · 429 `too_many_attempts`
#[utoipa::path(post, path = "/api/invitations/accept", tag = "members", security(()), request_body = AcceptRequest,
    responses((status = 201, body = LoginView), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 410, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem)))]
async fn accept_invitation(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Json(body): Json<AcceptRequest>,
) -> Result<Response, ApiError> {
    take_attempt(&state, address)?;
    let AcceptRequest { token, email, first_name, last_name, nickname, language, avatar, registration, client } = body;
    let new = |role| {
        let new = NewMember::check(&email, &first_name, &last_name, &nickname, &language, role)?;
        Ok(new.with_avatar(avatar))
    };
    let signed_in = accept(&state, token, new, &registration, client.device(&headers)).await?;
    state.limits.links.give_back(address_key(address));
    Ok(client.answer(StatusCode::CREATED, signed_in, None))
}
