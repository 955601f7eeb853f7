//! The test's side of the provider, for tests that are not in this process.

use super::script::Script;
use super::state::{RecordedRequest, State};
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use bytes::Bytes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::sync::Arc;

/// The control endpoints; their paths begin with an underscore, which no vendor's do.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/_script", post(script))
        .route("/_requests", get(requests))
        .route("/_release", post(release))
        .route("/_reset", post(reset))
}

#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Release {
    chunks: usize,
    gate: String,
}

impl Default for Release {
    fn default() -> Self {
        Self { chunks: 1, gate: String::new() }
    }
}

#[derive(Debug, Serialize)]
struct Recorded {
    queued: usize,
    requests: Vec<RecordedRequest>,
}

/// Why a body of the test was not understood; answers 400.
#[derive(Debug)]
struct NotUnderstood(serde_json::Error);

impl IntoResponse for NotUnderstood {
    fn into_response(self) -> Response {
        (StatusCode::BAD_REQUEST, Json(json!({"error": self.0.to_string()}))).into_response()
    }
}

/// Queues an array of scripts.
///
/// 200 with the number now queued · 400 when one is unknown; then none is queued
async fn script(Shared(state): Shared<Arc<State>>, body: Bytes) -> Result<Json<Value>, NotUnderstood> {
    state.push(parse::<Vec<Script>>(&body)?);
    Ok(Json(json!({"queued": state.queued()})))
}

/// Lists what was asked so far, and how many scripts are left.
async fn requests(Shared(state): Shared<Arc<State>>) -> Json<Recorded> {
    Json(Recorded { queued: state.queued(), requests: state.requests() })
}

/// Lets chunks of gated answers go; without a body, one chunk of the unnamed gate.
///
/// 204 · 400 when the body is not `{"chunks": 1, "gate": ""}`
async fn release(Shared(state): Shared<Arc<State>>, body: Bytes) -> Result<StatusCode, NotUnderstood> {
    let Release { chunks, gate } = if body.is_empty() { Release::default() } else { parse(&body)? };
    state.release(&gate, chunks);
    Ok(StatusCode::NO_CONTENT)
}

/// Forgets scripts, requests and releases.
async fn reset(Shared(state): Shared<Arc<State>>) -> StatusCode {
    state.reset();
    StatusCode::NO_CONTENT
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, NotUnderstood> {
    serde_json::from_slice(body).map_err(NotUnderstood)
}
