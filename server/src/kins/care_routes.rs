//! `/api/kins`: order, putting away, removing and bringing back.

use super::archive::{archive, unarchive};
use super::deleted::{self, DeletedKin};
use super::order::order;
use super::remove::restore;
use super::routes::{KinView, KinsView, answer};
use super::{KinError, rows};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::Db;
use crate::engine::Engine;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path};
use crate::hub::Hub;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use shared::{KinId, MemberId, Right, UnixMillis};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(order_kins))
        .routes(routes!(list_deleted_kins))
        .routes(routes!(get_kin_summary))
        .routes(routes!(archive_kin))
        .routes(routes!(unarchive_kin))
        .routes(routes!(restore_kin))
}

/// A new order.
#[derive(Deserialize, ToSchema)]
struct OrderRequest {
    /// Kins, first to be listed first. Those left out follow as they stood.
    #[schema(value_type = Vec<String>)]
    ids: Vec<KinId>,
}

/// What goes with a Kin.
#[derive(Serialize, ToSchema)]
struct KinSummaryView {
    /// Messages of its thread, answers included.
    messages: u32,
    /// When the first was sent; null when there is none.
    #[schema(value_type = Option<i64>)]
    first_message_at: Option<UnixMillis>,
    #[schema(value_type = i64)]
    created_at: UnixMillis,
}

/// A Kin that was removed and can still be brought back.
#[derive(Serialize, ToSchema)]
struct DeletedKinView {
    #[schema(value_type = String)]
    id: KinId,
    name: String,
    role: String,
    avatar: String,
    hue: String,
    /// Messages that would come back with it.
    messages: u32,
    #[schema(value_type = i64)]
    deleted_at: UnixMillis,
    /// Who did; null when unknown.
    #[schema(value_type = Option<String>)]
    deleted_by: Option<MemberId>,
    /// When nothing of it will be left.
    #[schema(value_type = i64)]
    ends_at: UnixMillis,
}

impl From<DeletedKin> for DeletedKinView {
    fn from(kin: DeletedKin) -> Self {
        Self {
            ends_at: kin.ends_at(),
            id: kin.id,
            name: kin.name,
            role: kin.role,
            avatar: kin.avatar,
            hue: kin.hue,
            messages: kin.thread.messages,
            deleted_at: kin.deleted_at,
            deleted_by: kin.deleted_by,
        }
    }
}

/// Kins that can be brought back.
#[derive(Serialize, ToSchema)]
struct DeletedKinsView {
    items: Vec<DeletedKinView>,
}

/// Puts the Kins in order, for the whole household.
///
/// 200 with all of them · 404 `kin_not_found` · 422 `order_repeats`
#[utoipa::path(put, path = "/api/kins/order", tag = "kins", request_body = OrderRequest, responses(
    (status = 200, body = KinsView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn order_kins(
    State(hub): State<Hub>,
    caller: Caller,
    Json(body): Json<OrderRequest>,
) -> Result<Json<KinsView>, ApiError> {
    caller.must(Right::CareForKins)?;
    let kins = order(&hub, body.ids).await?;
    Ok(Json(KinsView { items: kins.into_iter().map(KinView::from).collect() }))
}

/// Lists the Kins that were removed less than 30 days ago, newest first.
///
/// 200
#[utoipa::path(get, path = "/api/kins/deleted", tag = "kins", responses(
    (status = 200, body = DeletedKinsView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn list_deleted_kins(State(db): State<Db>, caller: Caller) -> Result<Json<DeletedKinsView>, ApiError> {
    caller.must(Right::CareForKins)?;
    let kins = db.read(|connection| Ok::<_, KinError>(deleted::list(connection)?)).await?;
    Ok(Json(DeletedKinsView { items: kins.into_iter().map(DeletedKinView::from).collect() }))
}

/// Says how much there is of a Kin: what would go with it.
///
/// 200 · 404 `kin_not_found`
#[utoipa::path(get, path = "/api/kins/{id}/summary", tag = "kins", params(("id" = String, Path)), responses(
    (status = 200, body = KinSummaryView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn get_kin_summary(
    State(db): State<Db>,
    caller: Caller,
    Path(id): Path<KinId>,
) -> Result<Json<KinSummaryView>, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let read = db.read(move |connection| {
        let kin = rows::find(connection, id)?.ok_or(KinError::NotFound(id))?;
        Ok::<_, KinError>((kin, rows::summary(connection, id)?))
    });
    let (kin, thread) = read.await?;
    let created_at = kin.created_at;
    Ok(Json(KinSummaryView { messages: thread.messages, first_message_at: thread.first_at, created_at }))
}

/// Puts a Kin away: out of the lists, not written to, its thread stays readable. What waits or runs is stopped.
///
/// 200 · 404 `kin_not_found`
#[utoipa::path(post, path = "/api/kins/{id}/archive", tag = "kins", params(("id" = String, Path)), responses(
    (status = 200, body = KinView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn archive_kin(
    State(hub): State<Hub>,
    State(engine): State<Engine>,
    caller: Caller,
    Path(id): Path<KinId>,
) -> Result<Response, ApiError> {
    caller.must(Right::CareForKins)?;
    Ok(answer(StatusCode::OK, archive(&hub, &engine, id).await?))
}

/// Brings a Kin back that was put away.
///
/// 200 · 404 `kin_not_found`
#[utoipa::path(post, path = "/api/kins/{id}/unarchive", tag = "kins", params(("id" = String, Path)), responses(
    (status = 200, body = KinView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn unarchive_kin(State(hub): State<Hub>, caller: Caller, Path(id): Path<KinId>) -> Result<Response, ApiError> {
    caller.must(Right::CareForKins)?;
    Ok(answer(StatusCode::OK, unarchive(&hub, id).await?))
}

/// Brings a removed Kin back, with its thread, its texts and its place.
///
/// 200 · 404 `kin_not_found` when it was not removed, or nothing of it is left
#[utoipa::path(post, path = "/api/kins/{id}/restore", tag = "kins", params(("id" = String, Path)), responses(
    (status = 200, body = KinView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn restore_kin(State(hub): State<Hub>, caller: Caller, Path(id): Path<KinId>) -> Result<Response, ApiError> {
    caller.must(Right::CareForKins)?;
    Ok(answer(StatusCode::OK, restore(&hub, caller, id).await?))
}
