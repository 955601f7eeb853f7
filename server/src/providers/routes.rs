//! `/api/providers`.

mod defaults;
mod models;
mod views;

use super::{BaseUrlError, Capability, NewProvider, ProviderChange, ProviderError, ProviderKind, Providers};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::{Db, DbError};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path};
use crate::kins;
use crate::providers::records;
use crate::providers::seal::ApiKey;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use shared::{ProviderId, Right};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use views::{CheckedProviderView, FoundView, ProviderView, ProvidersView, UsedProviderView, UserView};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_providers, add_provider))
        .routes(routes!(find_servers))
        .routes(routes!(defaults::get_defaults, defaults::put_defaults))
        .routes(routes!(get_provider, change_provider, delete_provider))
        .routes(routes!(test_provider))
        .routes(routes!(models::list_models, models::put_model))
}

/// A provider to add.
#[derive(Deserialize, ToSchema)]
struct AddProviderRequest {
    name: String,
    /// `openai`, `anthropic`, `gemini`, `voyage`, `openai-compatible`, `demo`, `brave`, `searxng` or `tavily`.
    #[schema(value_type = String)]
    kind: ProviderKind,
    /// Its address; left out for the vendor's own.
    #[serde(default)]
    base_url: Option<String>,
    /// Its key. Stored sealed, never given back.
    #[serde(default)]
    #[schema(format = Password)]
    api_key: Option<String>,
    /// What it can do, when that is not to be found out: any of `llm`, `embedding`, `image`, `search`.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    capabilities: Option<Vec<Capability>>,
    /// What a search engine is asked when it is tried.
    #[serde(default)]
    query: Option<String>,
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
    /// What it can do; an empty list finds out again.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    capabilities: Option<Vec<Capability>>,
}

/// How to try a provider.
#[derive(Default, Deserialize, ToSchema)]
struct TestProviderRequest {
    /// What a search engine is asked.
    #[serde(default)]
    query: Option<String>,
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
            ProviderError::Address(BaseUrlError::Private) => invalid("address_private"),
            ProviderError::Address(BaseUrlError::Forbidden) => invalid("address_forbidden"),
            ProviderError::Address(BaseUrlError::Unreadable | BaseUrlError::Scheme | BaseUrlError::Extras) => {
                invalid("address_invalid")
            }
            ProviderError::Unable(_) | ProviderError::Capabilities => invalid("capability_missing"),
            ProviderError::Model => invalid("model_unknown"),
            ProviderError::Facts => invalid("model_facts_invalid"),
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
    (status = 200, body = ProvidersView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn list_providers(State(providers): State<Providers>, caller: Caller) -> Result<Json<ProvidersView>, ApiError> {
    caller.must(Right::ReadProviders)?;
    let list = providers.list(caller.viewer).await?;
    Ok(Json(ProvidersView { items: list.into_iter().map(ProviderView::from).collect() }))
}

/// Tries a provider and stores it if it works. For admins.
///
/// 201 with its models · 403 `admin_only` · 422 `name_invalid` `address_missing` `address_invalid` `address_private`
/// `address_forbidden` `key_missing` `key_invalid` `capability_missing`, or `provider_unauthorized` `provider_redirects` `provider_unreachable` `provider_malformed` … when it does not work
#[utoipa::path(post, path = "/api/providers", tag = "providers", request_body = AddProviderRequest, responses(
    (status = 201, body = CheckedProviderView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 422, body = Problem)))]
async fn add_provider(
    State(providers): State<Providers>,
    caller: Caller,
    Json(body): Json<AddProviderRequest>,
) -> Result<(StatusCode, Json<CheckedProviderView>), ApiError> {
    caller.must(Right::ManageProviders)?;
    let AddProviderRequest { name, kind, base_url, api_key, capabilities, query } = body;
    let api_key = api_key.as_deref().map(ApiKey::new);
    let new = NewProvider { name, kind, base_url, api_key, capabilities, query };
    let check = providers.add(caller.viewer, new).await?;
    Ok((StatusCode::CREATED, Json(check.into())))
}

/// Reads a provider and what would stop without it.
///
/// 200 · 404 `provider_not_found`
#[utoipa::path(get, path = "/api/providers/{id}", tag = "providers", params(("id" = String, Path)), responses(
    (status = 200, body = UsedProviderView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn get_provider(
    State(providers): State<Providers>,
    State(db): State<Db>,
    caller: Caller,
    Path(id): Path<ProviderId>,
) -> Result<Json<UsedProviderView>, ApiError> {
    caller.must(Right::ReadProviders)?;
    let list = providers.list(caller.viewer).await?;
    let record = list.into_iter().find(|record| record.id == id).ok_or(ProviderError::NotFound(id))?;
    let read =
        move |connection: &_| Ok::<_, DbError>((kins::list_using(connection, id)?, records::uses_of(connection, id)?));
    let (users, defaults) = db.read(read).await?;
    let kins = users.into_iter().map(|kin| UserView { id: kin.id, name: kin.name }).collect();
    let defaults = defaults.into_iter().map(|wanted| wanted.as_str()).collect();
    Ok(Json(UsedProviderView { provider: record.into(), kins, defaults }))
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
    caller.must(Right::ManageProviders)?;
    let ChangeProviderRequest { name, base_url, api_key, capabilities } = body;
    let change = ProviderChange { name, base_url, api_key: api_key.as_deref().map(ApiKey::new), capabilities };
    Ok(Json(providers.change(caller.viewer, id, change).await?.into()))
}

/// Removes a provider. Kins that use it have no model afterwards, uses that fall back on it no default: reading it
/// first tells which. For admins.
///
/// 204 · 403 `admin_only` · 404 `provider_not_found`
#[utoipa::path(delete, path = "/api/providers/{id}", tag = "providers", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete_provider(
    State(providers): State<Providers>,
    caller: Caller,
    Path(id): Path<ProviderId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::ManageProviders)?;
    providers.remove(caller.viewer, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tries a provider now and writes down what came of it. For admins.
///
/// 200 with what it can do, also when it does not answer: then `check.failure` says why · 403 `admin_only` · 404
/// `provider_not_found`
#[utoipa::path(post, path = "/api/providers/{id}/test", tag = "providers", params(("id" = String, Path)),
    request_body = TestProviderRequest, responses(
    (status = 200, body = CheckedProviderView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn test_provider(
    State(providers): State<Providers>,
    caller: Caller,
    Path(id): Path<ProviderId>,
    Json(body): Json<TestProviderRequest>,
) -> Result<Json<CheckedProviderView>, ApiError> {
    caller.must(Right::ManageProviders)?;
    match providers.check_with(caller.viewer, id, body.query.as_deref()).await {
        Ok(check) => Ok(Json(check.into())),
        Err(ProviderError::Failed(_)) => {
            let list = providers.list(caller.viewer).await?;
            let record = list.into_iter().find(|record| record.id == id).ok_or(ProviderError::NotFound(id))?;
            Ok(Json(CheckedProviderView { provider: record.into(), models: Vec::new(), hit: None }))
        }
        Err(error) => Err(error.into()),
    }
}

/// Looks for model servers on the server's own machine that are not set up yet. For admins.
///
/// 200 · 403 `admin_only`
#[utoipa::path(get, path = "/api/providers/found", tag = "providers", responses(
    (status = 200, body = FoundView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn find_servers(State(providers): State<Providers>, caller: Caller) -> Result<Json<FoundView>, ApiError> {
    caller.must(Right::ManageProviders)?;
    Ok(Json(providers.found(caller.viewer).await?.into()))
}
