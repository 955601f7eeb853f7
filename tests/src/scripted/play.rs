//! Turns a script into bytes, waits and cuts, and plays them as a response.

use super::script::{Beat, Ending, Part, Script, ToolCall};
use super::state::{RequestState, Ticket};
use super::wire::{Call, Refusal, Vendor, Wire};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header::CONTENT_TYPE};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use serde_json::Value;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

const EVENT_STREAM: &str = "text/event-stream; charset=utf-8";
const JSON: &str = "application/json";
const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Welcome to the network</title></head>\n<body><h1>Please sign in</h1></body></html>\n";

/// Long enough for what was written before to leave in a packet of its own.
const FLUSH: Duration = Duration::from_millis(2);

/// One step of a response body.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    /// Sent in a write of its own.
    Bytes(Bytes),
    Pause(Duration),
    Gate(String),
    /// The connection drops.
    Cut,
    /// Nothing follows and the connection stays.
    Hang,
}

/// Answers one call that was let in. Does not return for [`Script::Silence`].
pub(crate) async fn play(vendor: Vendor, call: &Call, script: &Script, ticket: Ticket) -> Response {
    let mut wire = vendor.wire(call, ticket.number());
    let content_type = if call.stream { EVENT_STREAM } else { JSON };
    match script.part() {
        Part::Speak { beats, ending, split } if call.stream => {
            let mut pieces = streamed(wire.as_mut(), &beats, ending);
            if split {
                pieces = split_characters(pieces);
            }
            respond(vendor, content_type, pieces, ticket)
        }
        Part::Speak { ending: Ending::Error, .. } => {
            refuse(vendor, vendor.refuse(vendor.mid_stream_fault(), &call.model), ticket)
        }
        Part::Speak { beats, ending, split } => {
            // The head of an answer that is not streamed comes when the answer does.
            for beat in &beats {
                wait(beat, &ticket).await;
            }
            let mut pieces = at_once(wire.as_ref(), &beats, ending);
            if split {
                pieces = split_characters(pieces);
            }
            respond(vendor, content_type, pieces, ticket)
        }
        Part::Refuse(fault) => refuse(vendor, vendor.refuse(fault, &call.model), ticket),
        Part::Garbage => {
            let pieces = if call.stream {
                vec![text(wire.opening()), text("data: {\"oops\": \n\ndata: <<<>>>\n\n".to_owned())]
            } else {
                vec![text("{\"oops\": <<<".to_owned())]
            };
            respond(vendor, content_type, pieces, ticket)
        }
        Part::Html => respond(vendor, "text/html; charset=utf-8", vec![text(PAGE.to_owned())], ticket),
        Part::Silence => {
            // The ticket is held meanwhile, so that a client that gives up is noticed.
            let _held = ticket;
            std::future::pending().await
        }
    }
}

/// Answers a recorded call with an error body.
pub(crate) fn refuse(vendor: Vendor, refusal: Refusal, mut ticket: Ticket) -> Response {
    ticket.end(RequestState::Answered);
    error_body(vendor, refusal, ticket.number())
}

/// An error body; `number` is 0 for requests that are not recorded.
pub(crate) fn error_body(vendor: Vendor, refusal: Refusal, number: usize) -> Response {
    let Refusal { status, headers, mut body } = refusal;
    if vendor == Vendor::Anthropic {
        body["request_id"] = super::anthropic::request_id(number).into();
    }
    let mut response = response(vendor, number, status, JSON, Body::from(body.to_string()));
    add_headers(&mut response, headers);
    response
}

/// A JSON body to a request that is not recorded.
pub(crate) fn listing(vendor: Vendor, body: &Value) -> Response {
    response(vendor, 0, 200, JSON, Body::from(body.to_string()))
}

/// The events of a streamed answer and the waits between them.
fn streamed(wire: &mut dyn Wire, beats: &[Beat], ending: Ending) -> Vec<Piece> {
    let mut pieces = vec![text(wire.opening())];
    for beat in beats {
        pieces.push(match beat {
            Beat::Text(chunk) => text(wire.text(chunk)),
            Beat::Tool(call) => text(wire.tool(call)),
            Beat::Pause(ms) => Piece::Pause(Duration::from_millis(*ms)),
            Beat::Gate(name) => Piece::Gate(name.clone()),
        });
    }
    match ending {
        Ending::Proper => pieces.push(text(wire.closing())),
        Ending::Error => pieces.push(text(wire.error())),
        // Without the pause the server would drop what it has not flushed yet.
        Ending::Cut => pieces.extend([Piece::Pause(FLUSH), Piece::Cut]),
        Ending::Hang => pieces.push(Piece::Hang),
    }
    pieces
}

/// The body of an answer that is not streamed. One that does not end properly stops halfway.
fn at_once(wire: &dyn Wire, beats: &[Beat], ending: Ending) -> Vec<Piece> {
    let mut said = String::new();
    let mut tools: Vec<ToolCall> = Vec::new();
    for beat in beats {
        match beat {
            Beat::Text(chunk) => said.push_str(chunk),
            Beat::Tool(call) => tools.push(call.clone()),
            Beat::Pause(_) | Beat::Gate(_) => {}
        }
    }
    let whole = Bytes::from(wire.whole(&said, &tools).to_string());
    let half = whole.slice(..whole.len() / 2);
    match ending {
        Ending::Proper | Ending::Error => vec![Piece::Bytes(whole)],
        Ending::Cut => vec![Piece::Bytes(half), Piece::Pause(FLUSH), Piece::Cut],
        Ending::Hang => vec![Piece::Bytes(half), Piece::Hang],
    }
}

/// Cuts before every continuation byte, so that no write holds a whole multi-byte character.
fn split_characters(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut split = Vec::new();
    for piece in pieces {
        let Piece::Bytes(mut rest) = piece else {
            split.push(piece);
            continue;
        };
        while let Some(at) = rest.iter().skip(1).position(|byte| byte & 0xC0 == 0x80) {
            split.push(Piece::Bytes(rest.split_to(at + 1)));
            split.push(Piece::Pause(FLUSH));
        }
        split.push(Piece::Bytes(rest));
    }
    split
}

/// Plays `pieces` as the body of a 200.
fn respond(vendor: Vendor, content_type: &'static str, pieces: Vec<Piece>, ticket: Ticket) -> Response {
    let number = ticket.number();
    let body = stream::unfold((VecDeque::from(pieces), ticket), |(mut pieces, mut ticket)| async {
        loop {
            match pieces.pop_front() {
                Some(Piece::Bytes(bytes)) => {
                    if pieces.is_empty() {
                        // The server may never ask again after the last bytes.
                        ticket.end(RequestState::Answered);
                    }
                    // Not being ready for a moment makes hyper flush what it has.
                    tokio::task::yield_now().await;
                    return Some((Ok(bytes), (pieces, ticket)));
                }
                Some(Piece::Pause(time)) => tokio::time::sleep(time).await,
                Some(Piece::Gate(name)) => ticket.state().pass(&name).await,
                Some(Piece::Cut) => {
                    ticket.end(RequestState::Cut);
                    let cut = io::Error::new(io::ErrorKind::ConnectionAborted, "cut by the script");
                    return Some((Err(cut), (pieces, ticket)));
                }
                Some(Piece::Hang) => std::future::pending().await,
                None => return None,
            }
        }
    });
    response(vendor, number, 200, content_type, Body::from_stream(body))
}

fn response(vendor: Vendor, number: usize, status: u16, content_type: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    add_headers(&mut response, vendor.headers(number));
    response
}

async fn wait(beat: &Beat, ticket: &Ticket) {
    match beat {
        Beat::Pause(ms) => tokio::time::sleep(Duration::from_millis(*ms)).await,
        Beat::Gate(name) => ticket.state().pass(name).await,
        Beat::Text(_) | Beat::Tool(_) => {}
    }
}

fn add_headers(response: &mut Response, headers: Vec<(&'static str, String)>) {
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
}

fn text(text: String) -> Piece {
    Piece::Bytes(Bytes::from(text))
}
