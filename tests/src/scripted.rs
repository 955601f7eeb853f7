//! A fake of paid model services that speaks their true wire formats.
//!
//! It serves OpenAI chat completions and Anthropic messages on one loopback port, accepts only
//! [`KEY`] and only [`OPENAI_MODELS`] and [`ANTHROPIC_MODELS`]. Each model call uses up one queued
//! [`Script`]; with none queued the newest message's text decides (see `wish.rs`: `[slow 20 50]`,
//! `[cut 3]`, `[tool name {…}]`, …) and a text that asks for nothing is echoed as Markdown.
//! A call with a wrong key or model is refused before it reaches a script. The fake never reaches
//! out to anything.

mod anthropic;
mod control;
mod openai;
mod play;
mod script;
mod state;
mod wire;
mod wish;

#[cfg(test)]
mod tests;

pub use anthropic::MODELS as ANTHROPIC_MODELS;
pub use openai::MODELS as OPENAI_MODELS;
pub use script::{Script, ToolCall};
pub use state::{RecordedRequest, RequestState};
pub use wire::{KEY, Vendor};

use axum::Router;
use axum::extract::{DefaultBodyLimit, State as Shared};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use bytes::Bytes;
use serde_json::Value;
use state::State;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use std::{future::Future, io};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Requests with pictures are large; the vendors take about this much.
const MAX_BODY_BYTES: usize = 64 * 1024 * 1024;

/// How long the `wait_for_*` methods wait before they fail the test.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running provider. Dropping it ends its connections and frees its port.
#[derive(Debug)]
pub struct ScriptedProvider {
    state: Arc<State>,
    address: SocketAddr,
    /// Its own runtime: ending it ends every connection, kept-alive ones too, which is what a
    /// provider that goes down looks like. Empty only while being dropped.
    runtime: Option<Runtime>,
}

impl ScriptedProvider {
    /// Starts on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When no port can be had.
    pub async fn start() -> Self {
        Self::start_at(0).await.expect("a loopback port can be bound")
    }

    /// Starts on `port` of 127.0.0.1; 0 picks a free one.
    ///
    /// # Errors
    /// When the port is taken or no thread can be started.
    pub async fn start_at(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?.into_std()?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("scripted-provider")
            .enable_all()
            .build()?;
        let state = Arc::new(State::new());
        let router = router(Arc::clone(&state));
        runtime.spawn(async move {
            let listener = TcpListener::from_std(listener)?;
            // Small writes must leave as they are written.
            let listener = listener.tap_io(|stream| {
                let _best_effort = stream.set_nodelay(true);
            });
            axum::serve(listener, router).await
        });
        Ok(Self { state, address, runtime: Some(runtime) })
    }

    /// Where it listens, as `http://127.0.0.1:PORT` without a slash. Paths begin with `/v1/`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Queues one script.
    pub fn push(&self, script: Script) {
        self.state.push([script]);
    }

    /// The number of scripts not used yet.
    pub fn queued(&self) -> usize {
        self.state.queued()
    }

    /// Every generation request so far, refused ones too, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.state.requests()
    }

    /// Lets `chunks` chunks of gated answers go, those already waiting first.
    pub fn release(&self, chunks: usize) {
        self.release_gate("", chunks);
    }

    /// Like [`release`](Self::release), at the gate named `gate`.
    pub fn release_gate(&self, gate: &str, chunks: usize) {
        self.state.release(gate, chunks);
    }

    /// Forgets scripts, requests and unused releases; chunks waiting at a gate are let go.
    pub fn reset(&self) {
        self.state.reset();
    }

    /// Waits until at least `count` generation requests have arrived, and gives them all.
    ///
    /// # Panics
    /// When that takes longer than 30 seconds.
    pub async fn wait_for_request(&self, count: usize) -> Vec<RecordedRequest> {
        let arrived = self.state.wait_until(|requests| requests.len() >= count);
        self.patiently(arrived, &format!("{count} requests")).await
    }

    /// Waits until the answer to request `number` (from 1) is in `state`: tells, for instance,
    /// whether a stopped turn has really hung up ([`RequestState::Abandoned`]).
    ///
    /// # Panics
    /// When that takes longer than 30 seconds.
    pub async fn wait_for_state(&self, number: usize, state: RequestState) -> RecordedRequest {
        let there = |request: &RecordedRequest| request.number == number && request.state == state;
        let reached = self.state.wait_until(|requests| requests.iter().any(there));
        let requests = self.patiently(reached, &format!("request {number} {state:?}")).await;
        requests.into_iter().find(there).expect("the wait ends when there is one")
    }

    /// Goes down: connections end, the port refuses, until [`start_at`](Self::start_at) takes it
    /// again. Returns when the port is free.
    pub async fn stop(mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Ending a runtime blocks, which async threads must not.
            let ended = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(PATIENCE));
            ended.await.expect("ending a runtime does not panic");
        }
    }

    async fn patiently<T>(&self, wait: impl Future<Output = T>, what: &str) -> T {
        match tokio::time::timeout(PATIENCE, wait).await {
            Ok(value) => value,
            Err(_) => panic!("waited {PATIENCE:?} for {what}; so far: {:#?}", self.requests()),
        }
    }
}

impl Drop for ScriptedProvider {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat_completions))
        .route("/v1/messages", post(messages))
        .route("/v1/models", get(models))
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_path)
        .merge(control::routes())
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(state)
}

async fn chat_completions(Shared(state): Shared<Arc<State>>, headers: HeaderMap, body: Bytes) -> Response {
    generate(Vendor::OpenAi, &state, &headers, &body).await
}

async fn messages(Shared(state): Shared<Arc<State>>, headers: HeaderMap, body: Bytes) -> Response {
    generate(Vendor::Anthropic, &state, &headers, &body).await
}

async fn generate(vendor: Vendor, state: &Arc<State>, headers: &HeaderMap, body: &[u8]) -> Response {
    let json: Option<Value> = serde_json::from_slice(body).ok();
    let recorded = json.clone().unwrap_or_else(|| String::from_utf8_lossy(body).into());
    let ticket = state.record(vendor, readable(headers), recorded);
    match vendor.admit(headers).and_then(|()| vendor.read(json.as_ref())) {
        Ok(call) => {
            let script = state.next_script(&call);
            play::play(vendor, &call, &script, ticket).await
        }
        Err(refusal) => play::refuse(vendor, refusal, ticket),
    }
}

async fn models(headers: HeaderMap) -> Response {
    let vendor = Vendor::of_shared_path(&headers);
    match vendor.admit(&headers) {
        Ok(()) => play::listing(vendor, &vendor.models()),
        Err(refusal) => play::error_body(vendor, refusal, 0),
    }
}

async fn no_such_path(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let vendor = Vendor::of_shared_path(&headers);
    play::error_body(vendor, vendor.no_such_path(method.as_str(), uri.path()), 0)
}

fn readable(headers: &HeaderMap) -> BTreeMap<String, String> {
    let texts = headers.iter().filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    });
    texts.collect()
}
