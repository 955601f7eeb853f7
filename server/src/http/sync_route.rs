//! The replicas' WebSocket, described for OpenAPI.

use crate::app_state::AppState;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{ApiError, Problem};
use crate::hub::{Hub, sync_socket};
use crate::reach::{Arrival, Reach};
use axum::Extension;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(open_sync))
}

/// The WebSocket of a signed-in device's replica: subprotocol `kinstead.sync.1`, CBOR frames.
///
/// 101 · 400 `upgrade_needed` · 401 `not_signed_in` · 403 `device_required` `cross_origin`
#[utoipa::path(get, path = "/api/sync", tag = "sync", security(("cookie" = [])), responses(
    (status = 101), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn open_sync(
    engine: State<Engine>,
    hub: State<Hub>,
    reach: State<Reach>,
    arrival: Option<Extension<Arrival>>,
    caller: Caller,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    sync_socket(engine, hub, reach, arrival, caller, headers, upgrade).await
}
