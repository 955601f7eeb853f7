//! Whether the server works: alive (`/health`) and able to take work (`/api/health/ready`).
//!
//! A full disk or a failing one stops writing, not reading: the server is then degraded, and restarting it would mend
//! nothing, so `/health` goes on answering 200.

pub mod disk;

use crate::app_state::AppState;
use crate::db::{Db, DbError, Trouble};
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::settings::Settings;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Less free room than this is told before it is none.
pub const LOW_DISK_BYTES: u64 = 200 * 1024 * 1024;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_health)).routes(routes!(get_ready))
}

/// The server's health.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HealthView {
    /// `ok` or `degraded`.
    pub status: &'static str,
    /// What is wrong: `disk_full`, `disk_low`, `writes_fail`.
    pub problems: Vec<&'static str>,
    /// Of Kinstead.
    pub version: &'static str,
}

/// Tells whether the server answers and can read its database, and what else is wrong.
///
/// 200, also when degraded · 500 the database cannot be read
#[utoipa::path(get, path = "/health", tag = "about", security(()), responses(
    (status = 200, body = HealthView), (status = 500, body = Problem)))]
async fn get_health(State(db): State<Db>, State(settings): State<Arc<Settings>>) -> Result<Json<HealthView>, ApiError> {
    Ok(Json(health(&db, &settings).await?))
}

/// Tells whether the server takes work: it can read and write.
///
/// 200 · 503 with the same body when it cannot write
#[utoipa::path(get, path = "/api/health/ready", tag = "about", security(()), responses(
    (status = 200, body = HealthView), (status = 500, body = Problem), (status = 503, body = HealthView)))]
async fn get_ready(State(db): State<Db>, State(settings): State<Arc<Settings>>) -> Result<Response, ApiError> {
    let health = health(&db, &settings).await?;
    let writes = health.problems.iter().all(|problem| *problem == "disk_low");
    let status = if writes { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    Ok((status, Json(health)).into_response())
}

/// The server's health, as of now.
///
/// # Errors
/// When the database cannot be read.
pub async fn health(db: &Db, settings: &Settings) -> Result<HealthView, DbError> {
    db.read(|connection| {
        let one: i64 = connection.query_row("select count(*) from audience_log", [], |row| row.get(0))?;
        Ok::<_, DbError>(one)
    })
    .await?;
    // What failed may work again: only a write can tell.
    if db.trouble().is_some() {
        db.try_write().await;
    }
    let mut problems = Vec::new();
    match db.trouble() {
        Some(Trouble::Full) => problems.push("disk_full"),
        Some(Trouble::Failing) => problems.push("writes_fail"),
        None => {}
    }
    let free = disk::room(&settings.data).map(|room| room.free_bytes);
    if problems.is_empty() && free.is_some_and(|free| free < LOW_DISK_BYTES) {
        problems.push("disk_low");
    }
    let status = if problems.is_empty() { "ok" } else { "degraded" };
    Ok(HealthView { status, problems, version: env!("CARGO_PKG_VERSION") })
}
