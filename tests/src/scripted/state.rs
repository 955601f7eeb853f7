//! What the provider remembers: the queue of scripts, the gates and every request it got.

use super::script::Script;
use super::wire::{Call, Last, Vendor};
use super::wish;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::{Semaphore, watch};

/// One generation request, as it arrived. Model listings are not recorded.
#[derive(Debug, Clone, Serialize)]
pub struct RecordedRequest {
    /// Counts from 1, in order of arrival.
    pub number: usize,
    /// Whose wire format it spoke.
    pub vendor: Vendor,
    /// Header names in lower case; a header that is not text is left out.
    pub headers: BTreeMap<String, String>,
    /// The body, or a JSON string of it when it was not JSON.
    pub body: Value,
    /// When the whole request was there.
    #[serde(skip)]
    pub arrived_at: Instant,
    /// The same, in milliseconds since the provider started.
    pub arrived_ms: u64,
    /// How far its answer is.
    pub state: RequestState,
}

/// How far the answer to a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestState {
    /// Being written, waiting at a gate, or silent.
    Open,
    /// Written to its end; refusals too.
    Answered,
    /// The script dropped the connection.
    Cut,
    /// The client left before the end.
    Abandoned,
}

#[derive(Debug, Default)]
struct Inner {
    requests: Vec<RecordedRequest>,
    scripts: VecDeque<Script>,
    /// How often a message's wish for rate limits was granted, by its text.
    limited: HashMap<String, u32>,
    gates: HashMap<String, Arc<Semaphore>>,
}

/// The provider's state, shared by its handlers and the test.
#[derive(Debug)]
pub(crate) struct State {
    inner: Mutex<Inner>,
    changed: watch::Sender<()>,
    started_at: Instant,
}

impl State {
    pub(crate) fn new() -> Self {
        let (changed, _) = watch::channel(());
        Self { inner: Mutex::default(), changed, started_at: Instant::now() }
    }

    /// Appends to the queue.
    pub(crate) fn push(&self, scripts: impl IntoIterator<Item = Script>) {
        self.lock().scripts.extend(scripts);
    }

    /// Scripts not used yet.
    pub(crate) fn queued(&self) -> usize {
        self.lock().scripts.len()
    }

    /// Every request so far.
    pub(crate) fn requests(&self) -> Vec<RecordedRequest> {
        self.lock().requests.clone()
    }

    /// Forgets scripts, requests and unused releases. Calls waiting at a gate are let go.
    pub(crate) fn reset(&self) {
        let before = std::mem::take(&mut *self.lock());
        before.gates.values().for_each(|gate| gate.close());
    }

    /// Lets `chunks` more chunks through `gate`, now or when they come.
    pub(crate) fn release(&self, gate: &str, chunks: usize) {
        self.gate(gate).add_permits(chunks.min(Semaphore::MAX_PERMITS / 1024));
    }

    /// Waits for one permit of `gate` and uses it up. Waiters are served in order.
    pub(crate) async fn pass(&self, gate: &str) {
        // A gate is closed by a reset, which lets everyone go.
        if let Ok(permit) = self.gate(gate).acquire().await {
            permit.forget();
        }
    }

    /// Waits until `enough` holds for the requests so far.
    pub(crate) async fn wait_until(&self, enough: impl Fn(&[RecordedRequest]) -> bool) -> Vec<RecordedRequest> {
        // Subscribed before looking, so that no change falls between the two.
        let mut news = self.changed.subscribe();
        loop {
            let requests = self.requests();
            if enough(&requests) || news.changed().await.is_err() {
                return requests;
            }
        }
    }

    /// Takes down a request that has arrived.
    pub(crate) fn record(self: &Arc<Self>, vendor: Vendor, headers: BTreeMap<String, String>, body: Value) -> Ticket {
        let arrived_at = Instant::now();
        let since_start = arrived_at.duration_since(self.started_at).as_millis();
        let arrived_ms = u64::try_from(since_start).unwrap_or(u64::MAX);
        let state = RequestState::Open;
        let mut inner = self.lock();
        let number = inner.requests.len() + 1;
        inner.requests.push(RecordedRequest { number, vendor, headers, body, arrived_at, arrived_ms, state });
        drop(inner);
        self.changed.send_replace(());
        Ticket { state: Arc::clone(self), number, arrived_at, ended: false }
    }

    /// The script for one call: the next of the queue, or what its newest message asks for.
    pub(crate) fn next_script(&self, call: &Call) -> Script {
        let mut inner = self.lock();
        let Some(script) = inner.scripts.pop_front() else { return wished(&mut inner, &call.last) };
        if let Script::RateLimit { retry_after_secs, times } = script
            && times > 1
        {
            inner.scripts.push_front(Script::rate_limit(retry_after_secs, times - 1));
        }
        script
    }

    fn gate(&self, name: &str) -> Arc<Semaphore> {
        let mut inner = self.lock();
        let gate = inner.gates.entry(name.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(0)));
        Arc::clone(gate)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A wish for rate limits is granted `times` times for one text, then the text is echoed.
fn wished(inner: &mut Inner, last: &Last) -> Script {
    let script = wish::script_for(last);
    if let (Script::RateLimit { times, .. }, Last::User(text)) = (&script, last) {
        let granted = inner.limited.entry(text.clone()).or_default();
        if *granted >= (*times).max(1) {
            return wish::echo(text);
        }
        *granted += 1;
    }
    script
}

/// Follows one request to its end. Dropped before that, the client has left.
#[derive(Debug)]
pub(crate) struct Ticket {
    state: Arc<State>,
    number: usize,
    /// Tells requests apart when a reset has begun the count anew.
    arrived_at: Instant,
    ended: bool,
}

impl Ticket {
    /// The request's number, from 1.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Where the queue, the gates and the other requests are.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Notes the end of the answer; the first end counts.
    pub(crate) fn end(&mut self, end: RequestState) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let mut inner = self.state.lock();
        let request = inner.requests.get_mut(self.number.saturating_sub(1));
        if let Some(request) = request.filter(|request| request.arrived_at == self.arrived_at) {
            request.state = end;
        }
        drop(inner);
        self.state.changed.send_replace(());
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.end(RequestState::Abandoned);
    }
}
