//! `/api/events`

use super::stream;
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::hub::Hub;
use crate::supervisor::Supervisor;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::{KeepAlive, Sse};
use shared::Right;
use std::time::Duration;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Often enough that no proxy thinks the connection is dead.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(stream_events))
}

/// Streams what happens, as Server-Sent Events, for as long as the client listens.
///
/// Each has the name of what happened (`kin.message.received`, `kin.message.sent`, `kin.created` …), an id to resume
/// behind, and `{id, time, source, data}`. `kin.message.delta` is a piece of a running answer: it has no id, is not
/// stored, and names its turn, attempt (a higher one makes earlier text void) and offset in bytes. Events are kept for
/// 30 days; who resumes behind an older one hears `events.gap` first, and reads anew what it keeps up to date.
///
/// 200 · 400 `last_event_id_invalid` · 403 `scope_missing`
#[utoipa::path(get, path = "/api/events", tag = "events",
    params(("Last-Event-ID" = Option<String>, Header, description = "Begins behind this event instead of now.")),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 400, body = Problem),
        (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn stream_events(
    State(db): State<Db>,
    State(hub): State<Hub>,
    State(supervisor): State<Supervisor>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let after = last_event_id(&headers)?;
    let stream = stream::open(db, &hub, caller, after, supervisor.stop()).await?;
    let unbuffered = [(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"))];
    Ok((unbuffered, Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))))
}

fn last_event_id(headers: &HeaderMap) -> Result<Option<i64>, ApiError> {
    let Some(value) = headers.get("last-event-id").filter(|value| !value.is_empty()) else { return Ok(None) };
    let id = value.to_str().ok().and_then(|text| text.parse::<i64>().ok()).filter(|id| *id >= 0);
    let invalid =
        || ApiError::new(StatusCode::BAD_REQUEST, "last_event_id_invalid", "Last-Event-ID must be the id of an event");
    id.map(Some).ok_or_else(invalid)
}
