//! `/api/household`

use super::{HouseholdError, name, rename};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::hub::Hub;
use crate::settings::Settings;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use shared::Right;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_household, patch_household))
}

/// The household.
#[derive(Serialize, ToSchema)]
struct HouseholdView {
    /// Empty until it has one.
    name: String,
    /// Where it is reached from outside, without a slash at the end; null where nobody said.
    public_url: Option<String>,
}

/// Its new name.
#[derive(Deserialize, ToSchema)]
struct ChangeHouseholdRequest {
    name: String,
}

/// Reads what the household is called, and where it is reached.
///
/// 200
#[utoipa::path(get, path = "/api/household", tag = "household", responses(
    (status = 200, body = HouseholdView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn get_household(
    State(db): State<Db>,
    State(settings): State<Arc<Settings>>,
    caller: Caller,
) -> Result<Json<HouseholdView>, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let name = db.read(|connection| Ok::<_, HouseholdError>(name(connection)?)).await?;
    Ok(Json(HouseholdView { name, public_url: public_url(&settings) }))
}

/// Names the household.
///
/// 200 · 403 `admin_only` · 422 `name_invalid`
#[utoipa::path(patch, path = "/api/household", tag = "household", request_body = ChangeHouseholdRequest, responses(
    (status = 200, body = HouseholdView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 422, body = Problem)))]
async fn patch_household(
    State(hub): State<Hub>,
    State(settings): State<Arc<Settings>>,
    caller: Caller,
    Json(body): Json<ChangeHouseholdRequest>,
) -> Result<Json<HouseholdView>, ApiError> {
    caller.must(Right::ManageServer)?;
    let name = rename(&hub, caller, &body.name).await?;
    Ok(Json(HouseholdView { name, public_url: public_url(&settings) }))
}

fn public_url(settings: &Settings) -> Option<String> {
    settings.public_url.get().map(|url| url.as_str().trim_end_matches('/').to_owned())
}
