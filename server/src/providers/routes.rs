//! `/api/providers`.

use super::{
    ModelInfo, NewProvider, ProviderChange, ProviderCheck, ProviderError, ProviderKind, ProviderRecord, Providers,
};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::{Db, DbError};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path};
use crate::kins;
use crate::providers::seal::ApiKey;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::{KinId, ProviderId, UnixMillis};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_providers, add_provider))
        .routes(routes!(get_provider, change_provider, delete_provider))
        .routes(routes!(list_models))
}

/// A provider to add.
#[derive(Deserialize, ToSchema)]
struct AddProviderRequest {
    name: String,
    /// `openai-compatible`, `openai`, `anthropic` or `demo`.
    #[schema(value_type = String)]
    kind: ProviderKind,
    /// Its address; left out for the vendor's own.
    #[serde(default)]
    base_url: Option<String>,
    /// Its key. Stored sealed, never given back.
    #[serde(default)]
    #[schema(format = Password)]
    api_key: Option<String>,
}

/// What to change; fields left out stay as they are.
#[derive(Deserialize, ToSchema)]
struct ChangeProviderRequest {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    base_url: Option<String>,
    #[serde(default)]
    #[schema(format = Password)]
    api_key: Option<String>,
}

/// A model as its provider lists it.
#[derive(Serialize, ToSchema)]
struct ModelView {
    name: String,
    /// A name for people, where the provider has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// A provider, without its key.
#[derive(Serialize, ToSchema)]
struct ProviderView {
    #[schema(value_type = String)]
    id: ProviderId,
    name: String,
    kind: &'static str,
    base_url: Option<String>,
    /// Whether a key is stored.
    has_key: bool,
    /// What it can be used for, e.g. `llm`.
    #[schema(value_type = Vec<String>)]
    capabilities: &'static [&'static str],
    #[schema(value_type = i64)]
    created_at: UnixMillis,
}

/// A provider that was just reached.
#[derive(Serialize, ToSchema)]
struct CheckedProviderView {
    #[serde(flatten)]
    provider: ProviderView,
    models: Vec<ModelView>,
}

/// A Kin that thinks with a provider's models.
#[derive(Serialize, ToSchema)]
struct UserView {
    #[schema(value_type = String)]
    id: KinId,
    name: String,
}

/// A provider and who uses it.
#[derive(Serialize, ToSchema)]
struct UsedProviderView {
    #[serde(flatten)]
    provider: ProviderView,
    /// Kins that would lose their model with it.
    kins: Vec<UserView>,
}

/// Every provider.
#[derive(Serialize, ToSchema)]
struct ProvidersView {
    items: Vec<ProviderView>,
}

/// What a provider offers now.
#[derive(Serialize, ToSchema)]
struct ModelsView {
    models: Vec<ModelView>,
}

impl From<ProviderRecord> for ProviderView {
    fn from(record: ProviderRecord) -> Self {
        let ProviderRecord { id, name, kind, base_url, has_key, created_at } = record;
        Self { id, name, kind: kind.as_str(), base_url, has_key, capabilities: kind.capabilities(), created_at }
    }
}

fn models(models: Vec<ModelInfo>) -> Vec<ModelView> {
    models.into_iter().map(|ModelInfo { name, label }| ModelView { name, label }).collect()
}

impl From<ProviderCheck> for CheckedProviderView {
    fn from(check: ProviderCheck) -> Self {
        Self { provider: check.record.into(), models: models(check.models) }
    }
}

impl From<ProviderError> for ApiError {
    fn from(error: ProviderError) -> Self {
        let text = error.to_string();
        let invalid = |code: &'static str| Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, text.clone());
        match error {
            ProviderError::Forbidden => Self::new(StatusCode::FORBIDDEN, "admin_only", text),
            ProviderError::NotFound(_) => Self::new(StatusCode::NOT_FOUND, "provider_not_found", text),
            ProviderError::Name => invalid("name_invalid"),
            ProviderError::NoAddress => invalid("address_missing"),
            ProviderError::Address(_) => invalid("address_invalid"),
            ProviderError::NoKey => invalid("key_missing"),
            ProviderError::KeyAgain => invalid("key_needed_again"),
            ProviderError::Key => invalid("key_invalid"),
            // The request asked for something that does not work as it stands, so it is no 5xx of ours.
            ProviderError::Failed(failure) => {
                let detail = if failure.detail.is_empty() { text } else { format!("{text}: {}", failure.detail) };
                let code = format!("provider_{}", failure.kind.as_str());
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
            }
            ProviderError::Db(error) => error.into(),
            ProviderError::Hub(error) => error.into(),
        }
    }
}

/// Lists the household's providers, oldest first.
///
/// 200
#[utoipa::path(get, path = "/api/providers", tag = "providers", responses(
    (status = 200, body = ProvidersView), (status = 401, body = Problem)))]
async fn list_providers(State(providers): State<Providers>, caller: Caller) -> Result<Json<ProvidersView>, ApiError> {
    let list = providers.list(caller.viewer).await?;
    Ok(Json(ProvidersView { items: list.into_iter().map(ProviderView::from).collect() }))
}

/// Tries a provider and stores it if it works. For admins.
///
/// 201 with its models · 403 `admin_only` · 422 `name_invalid` `address_missing` `address_invalid` `key_missing`
/// `key_invalid`, or `provider_unauthorized` `provider_unreachable` `provider_malformed` … when it does not work
#[utoipa::path(post, path = "/api/providers", tag = "providers", request_body = AddProviderRequest, responses(
    (status = 201, body = CheckedProviderView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 422, body = Problem)))]
async fn add_provider(
    State(providers): State<Providers>,
    caller: Caller,
    Json(body): Json<AddProviderRequest>,
) -> Result<(StatusCode, Json<CheckedProviderView>), ApiError> {
    let AddProviderRequest { name, kind, base_url, api_key } = body;
    let new = NewProvider { name, kind, base_url, api_key: api_key.as_deref().map(ApiKey::new) };
    let check = providers.add(caller.viewer, new).await?;
    Ok((StatusCode::CREATED, Json(check.into())))
}

/// Reads a provider and which Kins use it.
///
/// 200 · 404 `provider_not_found`
#[utoipa::path(get, path = "/api/providers/{id}", tag = "providers", params(("id" = String, Path)), responses(
    (status = 200, body = UsedProviderView), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn get_provider(
    State(providers): State<Providers>,
    State(db): State<Db>,
    caller: Caller,
    Path(id): Path<ProviderId>,
) -> Result<Json<UsedProviderView>, ApiError> {
    let list = providers.list(caller.viewer).await?;
    let record = list.into_iter().find(|record| record.id == id).ok_or(ProviderError::NotFound(id))?;
    let users = db.read(move |connection| Ok::<_, DbError>(kins::list_using(connection, id)?)).await?;
    let kins = users.into_iter().map(|kin| UserView { id: kin.id, name: kin.name }).collect();
    Ok(Json(UsedProviderView { provider: record.into(), kins }))
}

/// Changes a provider after trying it as it will be. For admins.
///
/// 200 with its models · 403 `admin_only` · 404 `provider_not_found` · 422 as when adding one, or `key_needed_again`
#[utoipa::path(patch, path = "/api/providers/{id}", tag = "providers", params(("id" = String, Path)),
    request_body = ChangeProviderRequest, responses(
    (status = 200, body = CheckedProviderView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn change_provider(
    State(providers): State<Providers>,
    caller: Caller,
    Path(id): Path<ProviderId>,
    Json(body): Json<ChangeProviderRequest>,
) -> Result<Json<CheckedProviderView>, ApiError> {
    let ChangeProviderRequest { name, base_url, api_key } = body;
    let change = ProviderChange { name, base_url, api_key: api_key.as_deref().map(ApiKey::new) };
    Ok(Json(providers.change(caller.viewer, id, change).await?.into()))
}

/// Removes a provider. Kins that use it have no model afterwards: reading it first tells which. For admins.
///
/// 204 · 403 `admin_only` · 404 `provider_not_found`
#[utoipa::path(delete, path = "/api/providers/{id}", tag = "providers", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete_provider(
    State(providers): State<Providers>,
    caller: Caller,
    Path(id): Path<ProviderId>,
) -> Result<StatusCode, ApiError> {
    providers.remove(caller.viewer, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Asks a provider which models it offers now.
///
/// 200 · 404 `provider_not_found` · 422 `provider_unreachable` … when it cannot be asked
#[utoipa::path(get, path = "/api/providers/{id}/models", tag = "providers", params(("id" = String, Path)), responses(
    (status = 200, body = ModelsView), (status = 401, body = Problem), (status = 404, body = Problem),
    (status = 422, body = Problem)))]
async fn list_models(
    State(providers): State<Providers>,
    caller: Caller,
    Path(id): Path<ProviderId>,
) -> Result<Json<ModelsView>, ApiError> {
    let check = providers.check(caller.viewer, id).await?;
    Ok(Json(ModelsView { models: models(check.models) }))
}
