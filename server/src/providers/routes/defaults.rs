//! `/api/providers/defaults`.

use super::super::{DefaultChoice, Providers, Use};
use crate::auth::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use shared::{ProviderId, Right};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A provider and one of its models.
#[derive(Serialize, Deserialize, ToSchema)]
pub(super) struct ChoiceBody {
    #[schema(value_type = String)]
    provider_id: ProviderId,
    /// Left out for search, which has no models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
}

/// What is used where nobody chose otherwise, by `chat`, `small`, `embedding`, `image` and `search`. In a request, uses
/// left out stay as they are and `null` takes one away; in an answer, uses without a default are `null`.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub(super) struct DefaultsBody {
    #[schema(value_type = std::collections::HashMap<String, ChoiceBody>)]
    uses: BTreeMap<Use, Option<ChoiceBody>>,
}

impl From<super::super::Defaults> for DefaultsBody {
    fn from(mut defaults: super::super::Defaults) -> Self {
        let uses = Use::ALL.into_iter().map(|wanted| {
            let choice = defaults.remove(&wanted);
            (wanted, choice.map(|DefaultChoice { provider_id, model }| ChoiceBody { provider_id, model }))
        });
        Self { uses: uses.collect() }
    }
}

/// Reads the defaults.
///
/// 200
#[utoipa::path(get, path = "/api/providers/defaults", tag = "providers", responses(
    (status = 200, body = DefaultsBody), (status = 401, body = Problem), (status = 403, body = Problem)))]
pub(super) async fn get_defaults(
    State(providers): State<Providers>,
    caller: Caller,
) -> Result<Json<DefaultsBody>, ApiError> {
    caller.must(Right::ReadProviders)?;
    Ok(Json(providers.defaults(caller.viewer).await?.into()))
}

/// Changes defaults, all that are named or none. For admins.
///
/// 200 with every default · 403 `admin_only` · 404 `provider_not_found` · 422 `capability_missing` `model_unknown`
#[utoipa::path(put, path = "/api/providers/defaults", tag = "providers", request_body = DefaultsBody, responses(
    (status = 200, body = DefaultsBody), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn put_defaults(
    State(providers): State<Providers>,
    caller: Caller,
    Json(body): Json<DefaultsBody>,
) -> Result<Json<DefaultsBody>, ApiError> {
    caller.must(Right::ManageProviders)?;
    let choice = |ChoiceBody { provider_id, model }| DefaultChoice { provider_id, model };
    let changes = body.uses.into_iter().map(|(wanted, one)| (wanted, one.map(choice))).collect();
    Ok(Json(providers.set_defaults(caller.viewer, changes).await?.into()))
}
