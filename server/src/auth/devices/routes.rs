//! `/api/me/devices`.

use super::{DeviceRecord, list, rename, revoke_one};
use crate::app_state::AppState;
use crate::auth::{AuthError, Caller};
use crate::clock;
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path};
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::DeviceId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// One's own devices.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_devices)).routes(routes!(patch_device, delete_device))
}

/// A device.
#[derive(Serialize, ToSchema)]
struct DeviceView {
    #[schema(value_type = String)]
    id: DeviceId,
    /// Browser and system, or what its member called it; may be empty.
    name: String,
    /// Milliseconds since 1970.
    created_at: i64,
    /// The same, to the hour.
    last_seen_at: i64,
    /// Whether the request came from it.
    current: bool,
    /// False when its login ran out: it is locked until the password is given there.
    signed_in: bool,
}

impl DeviceView {
    fn new(device: DeviceRecord, caller: &Caller) -> Self {
        let current = caller.device == Some(device.id);
        let DeviceRecord { id, name, created_at, last_seen_at, signed_in } = device;
        Self { id, name, created_at: created_at.0, last_seen_at: last_seen_at.0, current, signed_in }
    }
}

/// Every device.
#[derive(Serialize, ToSchema)]
struct DevicesView {
    items: Vec<DeviceView>,
}

/// What to change of a device.
#[derive(Deserialize, ToSchema)]
struct DevicePatch {
    name: String,
}

/// Lists one's devices, last seen first.
///
/// 200 · 401 `not_signed_in` · 403 `device_required`
#[utoipa::path(get, path = "/api/me/devices", tag = "me", responses(
    (status = 200, body = DevicesView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn list_devices(State(db): State<Db>, caller: Caller) -> Result<Json<DevicesView>, ApiError> {
    caller.must_be_signed_in()?;
    let (member, now) = (caller.viewer.member, clock::now());
    let devices = db.read(move |connection| Ok::<_, AuthError>(list(connection, member, now)?)).await?;
    Ok(Json(DevicesView { items: devices.into_iter().map(|device| DeviceView::new(device, &caller)).collect() }))
}

/// Names a device.
///
/// 200 · 401 `not_signed_in` · 403 `device_required` · 404 `device_not_found` · 422 `name_invalid`
#[utoipa::path(patch, path = "/api/me/devices/{id}", tag = "me", params(("id" = String, Path,)),
    request_body = DevicePatch, responses((status = 200, body = DeviceView), (status = 401, body = Problem),
    (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn patch_device(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<DeviceId>,
    Json(body): Json<DevicePatch>,
) -> Result<Json<DeviceView>, ApiError> {
    caller.must_be_signed_in()?;
    let device = rename(&state, caller, id, &body.name).await?;
    Ok(Json(DeviceView::new(device, &caller)))
}

/// Signs a device out from afar: it wipes what it keeps, at once or as soon as it comes back.
///
/// 204 · 401 `not_signed_in` · 403 `device_required` · 404 `device_not_found`
#[utoipa::path(delete, path = "/api/me/devices/{id}", tag = "me", params(("id" = String, Path,)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete_device(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<DeviceId>,
) -> Result<StatusCode, ApiError> {
    caller.must_be_signed_in()?;
    revoke_one(&state, caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
