//! Whether the server works.

use crate::app_state::AppState;
use crate::db::{Db, DbError};
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_health))
}

/// The server's health.
#[derive(Serialize, ToSchema)]
struct HealthView {
    /// `ok`.
    status: &'static str,
    /// Of Kinstead.
    version: &'static str,
}

/// Tells whether the server answers and can read its database.
///
/// 200
#[utoipa::path(get, path = "/health", tag = "about", security(()), responses(
    (status = 200, body = HealthView), (status = 503, body = Problem)))]
async fn get_health(State(db): State<Db>) -> Result<Json<HealthView>, ApiError> {
    db.read(|connection| {
        let one: i64 = connection.query_row("select count(*) from audience_log", [], |row| row.get(0))?;
        Ok::<_, DbError>(one)
    })
    .await?;
    Ok(Json(HealthView { status: "ok", version: env!("CARGO_PKG_VERSION") }))
}
