//! `/api/me/tokens`

use super::{TokenError, TokenRecord, create_mine, list, revoke};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path};
use crate::hub::Hub;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::{TokenId, UnixMillis};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_tokens, create_token)).routes(routes!(delete_token))
}

/// A token in short.
#[derive(Serialize, ToSchema)]
struct TokenView {
    #[schema(value_type = String)]
    id: TokenId,
    name: String,
    /// Some of `read`, `talk`, `manage`.
    scopes: Vec<&'static str>,
    #[schema(value_type = i64)]
    created_at: UnixMillis,
}

impl From<TokenRecord> for TokenView {
    fn from(token: TokenRecord) -> Self {
        let scopes = token.scopes.each().map(|scope| scope.as_str()).collect();
        Self { id: token.id, name: token.name, scopes, created_at: token.created_at }
    }
}

/// The caller's tokens.
#[derive(Serialize, ToSchema)]
struct TokensView {
    items: Vec<TokenView>,
}

/// A token to make.
#[derive(Deserialize, ToSchema)]
struct CreateTokenRequest {
    name: String,
    /// Some of `read`, `talk`, `manage`, or `all`.
    scopes: Vec<String>,
}

/// A token just made.
#[derive(Serialize, ToSchema)]
struct CreatedTokenView {
    #[serde(flatten)]
    token: TokenView,
    /// The only time it is seen.
    secret: String,
}

/// Lists one's own tokens, newest first; never their secrets.
///
/// 200 · 403 `device_required`
#[utoipa::path(get, path = "/api/me/tokens", tag = "me", responses(
    (status = 200, body = TokensView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn list_tokens(State(db): State<Db>, caller: Caller) -> Result<Json<TokensView>, ApiError> {
    caller.must_be_signed_in()?;
    let member = caller.viewer.member;
    let tokens = db.read(move |connection| Ok::<_, TokenError>(list(connection, member)?)).await?;
    Ok(Json(TokensView { items: tokens.into_iter().map(TokenView::from).collect() }))
}

/// Makes a token for scripts, within what one may do oneself.
///
/// 201 with the secret, once · 403 `device_required` · 409 `too_many_tokens` · 422 `name_invalid` `scopes_unknown`
#[utoipa::path(post, path = "/api/me/tokens", tag = "me", request_body = CreateTokenRequest, responses(
    (status = 201, body = CreatedTokenView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Problem)))]
async fn create_token(
    State(hub): State<Hub>,
    caller: Caller,
    Json(body): Json<CreateTokenRequest>,
) -> Result<(StatusCode, Json<CreatedTokenView>), ApiError> {
    caller.must_be_signed_in()?;
    let (token, secret) = create_mine(&hub, caller, &body.name, &body.scopes).await?;
    Ok((StatusCode::CREATED, Json(CreatedTokenView { token: token.into(), secret })))
}

/// Takes a token back. Whatever uses it ends at once.
///
/// 204 · 403 `device_required` · 404 `token_not_found`
#[utoipa::path(delete, path = "/api/me/tokens/{id}", tag = "me", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete_token(State(hub): State<Hub>, caller: Caller, Path(id): Path<TokenId>) -> Result<StatusCode, ApiError> {
    caller.must_be_signed_in()?;
    revoke(&hub, caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
