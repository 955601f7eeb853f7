//! `GET /api/sync`: the WebSocket of a replica.

use super::Hub;
use super::connection::{Connection, RunCommand};
use crate::auth::Caller;
use crate::engine::{Engine, commands};
use crate::error::ApiError;
use crate::reach::{Arrival, Reach};
use axum::Extension;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use shared::frame::SUBPROTOCOL;
use shared::limits::MAX_FRAME_BYTES;
use std::sync::Arc;

/// Opens the sync connection of a signed-in device.
///
/// 101 · 400 no WebSocket · 401 not signed in · 403 `device_required` for a token, `cross_origin` from another site
pub async fn sync_socket(
    State(engine): State<Engine>,
    State(hub): State<Hub>,
    State(reach): State<Reach>,
    arrival: Option<Extension<Arrival>>,
    caller: Caller,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let device = caller.must_be_signed_in()?;
    // Browsers send the page's origin with every WebSocket; programs send none.
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    if origin.is_some_and(|origin| !arrival.is_some_and(|Extension(arrival)| reach.is_our_origin(origin, &arrival))) {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "cross_origin", "sync answers pages of this server only"));
    }
    let upgrade = upgrade.map_err(|_| {
        let detail = "this is a WebSocket: ask for an upgrade to one";
        ApiError::new(StatusCode::BAD_REQUEST, "upgrade_needed", detail)
    })?;
    let viewer = caller.viewer;
    let run: RunCommand = Arc::new(move |id, command| {
        let engine = engine.clone();
        Box::pin(async move {
            let result = commands::run(&engine, viewer, id, command).await;
            result.map_err(|error| (error.code().to_owned(), error.to_string()))
        })
    });
    Ok(upgrade.protocols([SUBPROTOCOL]).max_message_size(MAX_FRAME_BYTES).max_frame_size(MAX_FRAME_BYTES).on_upgrade(
        move |socket| async move {
            let (id, mailbox) = hub.0.fanout.open(viewer, device);
            // Between the request and now it may have been signed out, with no mailbox there yet to hear of it.
            if !hub.lets_in(caller).await {
                mailbox.end();
            }
            Connection::new(hub.clone(), mailbox, run).serve(socket).await;
            hub.0.fanout.leave(id);
        },
    ))
}
