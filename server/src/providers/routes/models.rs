//! `/api/providers/{id}/models`.

use super::super::{ModelFacts, Providers, known};
use super::views::ModelView;
use crate::auth::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path};
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::{ProviderId, Right};
use utoipa::ToSchema;

/// What a provider offers now.
#[derive(Serialize, ToSchema)]
pub(super) struct ModelsView {
    models: Vec<ModelView>,
}

/// What is true of a model. Facts left out are the built-in table's.
#[derive(Deserialize, ToSchema)]
pub(super) struct ModelFactsRequest {
    /// As the provider names it.
    name: String,
    #[serde(default)]
    context_tokens: Option<u32>,
    #[serde(default)]
    max_output_tokens: Option<u32>,
    /// US dollars per million tokens read.
    #[serde(default)]
    input_price: Option<f64>,
    /// US dollars per million tokens written.
    #[serde(default)]
    output_price: Option<f64>,
}

/// Asks a provider which models it offers now, and adds what is known of them.
///
/// 200 · 403 `scope_missing` · 404 `provider_not_found` · 422 `provider_unreachable` … when it cannot be asked
#[utoipa::path(get, path = "/api/providers/{id}/models", tag = "providers", params(("id" = String, Path)), responses(
    (status = 200, body = ModelsView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
    (status = 422, body = Problem)))]
pub(super) async fn list_models(
    State(providers): State<Providers>,
    caller: Caller,
    Path(id): Path<ProviderId>,
) -> Result<Json<ModelsView>, ApiError> {
    caller.must(Right::ReadProviders)?;
    let check = providers.check(caller.viewer, id).await?;
    let mut own = providers.overrides(caller.viewer, id).await?;
    let kind = check.record.kind;
    let models = check.models.into_iter().map(|model| {
        let facts = own.remove(&model.name).unwrap_or_default().or(known(kind, &model.name));
        ModelView::new(model, facts)
    });
    Ok(Json(ModelsView { models: models.collect() }))
}

/// Says what is true of a model, over the built-in table. For admins.
///
/// 204 · 403 `admin_only` · 404 `provider_not_found` · 422 `model_unknown` `model_facts_invalid`
#[utoipa::path(put, path = "/api/providers/{id}/models", tag = "providers", params(("id" = String, Path)),
    request_body = ModelFactsRequest, responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 422, body = Problem)))]
pub(super) async fn put_model(
    State(providers): State<Providers>,
    caller: Caller,
    Path(id): Path<ProviderId>,
    Json(body): Json<ModelFactsRequest>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::ManageProviders)?;
    let ModelFactsRequest { name, context_tokens, max_output_tokens, input_price, output_price } = body;
    let facts = ModelFacts { context_tokens, max_output_tokens, input_price, output_price };
    providers.override_model(caller.viewer, id, name, facts).await?;
    Ok(StatusCode::NO_CONTENT)
}
