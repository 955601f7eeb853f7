//! Talking HTTP to a provider: one client for all, bounded bodies, and the reading of streamed answers.

use super::base_url::{is_loopback, join};
use super::chat::{ChatEvent, ChatStream};
use super::failure::{self, Words};
use super::openai::sensitive;
use super::reach::GuardedNames;
use super::seal::ApiKey;
use super::sse::{SseEvent, SseParser};
use crate::engine::Timer;
use futures_util::stream;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Method, RequestBuilder, Response, Url, redirect};
use serde_json::Value;
use shared::{Failure, FailureKind};
use std::collections::VecDeque;
use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const KEEP_ALIVE: Duration = Duration::from_secs(20);
/// For calls whose whole answer is waited for: lists of models, error bodies.
const WHOLE_TIMEOUT: Duration = Duration::from_secs(20);
const MAX_PEEK_BYTES: usize = 1024 * 1024;
const MAX_ERROR_BYTES: usize = 64 * 1024;
/// OpenRouter's list of models is about half a megabyte.
const MAX_WHOLE_BYTES: usize = 8 * 1024 * 1024;

/// HTTP clients, built when first used: an idle server holds no connections and no certificates.
#[derive(Clone, Default)]
pub(super) struct Http(Arc<Clients>);

#[derive(Default)]
struct Clients {
    /// Honours the proxy of the environment.
    outward: OnceLock<Client>,
    /// For this machine itself.
    direct: OnceLock<Client>,
}

impl Http {
    fn client(&self, url: &Url) -> Result<Client, Failure> {
        let direct = is_loopback(url);
        let cell = if direct { &self.0.direct } else { &self.0.outward };
        if let Some(client) = cell.get() {
            return Ok(client.clone());
        }
        let mut builder = Client::builder()
            .redirect(redirect::Policy::none())
            .dns_resolver(Arc::new(GuardedNames))
            .connect_timeout(CONNECT_TIMEOUT)
            // A connection that died in silence must not cost a turn its two minutes.
            .http2_keep_alive_interval(KEEP_ALIVE)
            .http2_keep_alive_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("Kinstead/", env!("CARGO_PKG_VERSION")));
        if direct {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| Failure::with_detail(FailureKind::Internal, &chain(&error)))?;
        Ok(cell.get_or_init(|| client).clone())
    }
}

impl Http {
    /// A small JSON answer of a server that may not be there; `None` for anything else.
    pub(super) async fn peek(&self, url: &str, patience: Duration) -> Option<Value> {
        let url: Url = url.parse().ok()?;
        let answer = async {
            let response = self.client(&url).ok()?.get(url).send().await.ok()?;
            if !response.status().is_success() {
                return None;
            }
            let (body, _) = bounded(response, MAX_PEEK_BYTES).await;
            serde_json::from_slice(&body).ok()
        };
        tokio::time::timeout(patience, answer).await.ok()?
    }
}

/// One provider's address, and what is needed to call it.
#[derive(Clone)]
pub(super) struct Endpoint {
    pub(super) http: Http,
    pub(super) base: Url,
    pub(super) key: Option<ApiKey>,
    pub(super) timer: Timer,
}

impl Endpoint {
    /// Begins a request; `headers` hold the key.
    pub(super) fn request(
        &self,
        method: Method,
        operation: &str,
        headers: HeaderMap,
    ) -> Result<RequestBuilder, Failure> {
        let url = join(&self.base, operation);
        Ok(self.http.client(&url)?.request(method, url).headers(headers))
    }

    /// The same with a query; its values may hold anything.
    pub(super) fn request_with(
        &self,
        method: Method,
        operation: &str,
        query: &[(&str, &str)],
        headers: HeaderMap,
    ) -> Result<RequestBuilder, Failure> {
        let mut url = join(&self.base, operation);
        url.query_pairs_mut().extend_pairs(query);
        Ok(self.http.client(&url)?.request(method, url).headers(headers))
    }

    /// Begins a request with a JSON body; `headers` hold the key.
    pub(super) fn post(
        &self,
        operation: &str,
        mut headers: HeaderMap,
        body: &Value,
    ) -> Result<RequestBuilder, Failure> {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let body = serde_json::to_vec(body).map_err(|_| Failure::of(FailureKind::Internal))?;
        Ok(self.request(Method::POST, operation, headers)?.body(body))
    }

    /// The key as most services want it.
    pub(super) fn bearer(&self) -> Result<HeaderMap, Failure> {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.key {
            let bearer = zeroize::Zeroizing::new(format!("Bearer {}", key.expose()));
            headers.insert(AUTHORIZATION, sensitive(&bearer)?);
        }
        Ok(headers)
    }

    /// Sends a request and reads the whole JSON answer.
    pub(super) async fn whole(&self, request: RequestBuilder) -> Result<Value, Failure> {
        self.whole_within(request, WHOLE_TIMEOUT, MAX_WHOLE_BYTES).await
    }

    /// The same for answers that take longer or are larger.
    pub(super) async fn whole_within(
        &self,
        request: RequestBuilder,
        time: Duration,
        max_bytes: usize,
    ) -> Result<Value, Failure> {
        let answer = async {
            let response = self.send(request).await?;
            let page = is_page(&response);
            let (body, cut) = bounded(response, max_bytes).await;
            match serde_json::from_slice(&body) {
                Ok(body) => Ok(body),
                Err(_) if cut => Err(Failure::of(FailureKind::CutShort)),
                Err(_) => Err(self.not_json(page)),
            }
        };
        let timed_out = |_| Failure::of(FailureKind::TimedOut);
        tokio::time::timeout(time, answer).await.map_err(timed_out)?
    }

    /// Sends a request and reads its answer as a stream of events.
    pub(super) fn stream<D: Decode>(self, request: Result<RequestBuilder, Failure>, decoder: D) -> ChatStream {
        let (step, failed) = match request {
            Ok(request) => (Step::Send(request), None),
            Err(failure) => (Step::Over, Some(failure)),
        };
        let reading = Reading {
            endpoint: self,
            step,
            failed,
            decoder,
            parser: SseParser::default(),
            out: VecDeque::new(),
            any_event: false,
        };
        Box::pin(stream::unfold(reading, |mut reading| async {
            let item = reading.next().await?;
            Some((item, reading))
        }))
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let response = request.send().await.map_err(|error| self.unsent(error))?;
        if response.status().is_success() { Ok(response) } else { Err(self.refusal(response).await) }
    }

    /// Reads an answer with an error status.
    async fn refusal(&self, response: Response) -> Failure {
        let status = response.status();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let retry_at = failure::retry_at(self.timer.now(), header(RETRY_AFTER.as_str()), header("retry-after-ms"));
        let body = tokio::time::timeout(WHOLE_TIMEOUT, bounded(response, MAX_ERROR_BYTES)).await;
        let body = body.map(|(body, _)| body).unwrap_or_default();
        let words = serde_json::from_slice(&body).ok().map(|body: Value| Words::read(&body));
        let kind = failure::of_status(status.as_u16(), words.as_ref());
        let retry_at = retry_at.or_else(|| words.as_ref()?.retry_at(self.timer.now()));
        let status =
            if status.is_redirection() { format!("{status}: the address redirects") } else { status.to_string() };
        let said = words.as_ref().map_or(status.as_str(), |words| words.message_or(&status));
        Failure { retry_at, ..failure::worded(kind, said, self.key.as_ref()) }
    }

    /// A request that got no answer.
    fn unsent(&self, error: reqwest::Error) -> Failure {
        let error = error.without_url();
        let kind = if error.is_builder() {
            FailureKind::Refused
        } else if error.is_connect() || error.is_timeout() {
            FailureKind::Unreachable
        } else {
            FailureKind::CutShort
        };
        failure::worded(kind, &chain(&error), self.key.as_ref())
    }

    fn not_json(&self, page: bool) -> Failure {
        let said = if page { "the address answered with a web page" } else { "the answer is not JSON" };
        Failure::with_detail(FailureKind::Malformed, said)
    }
}

/// A vendor's reading of a streamed answer.
pub(super) trait Decode: Send + 'static {
    /// Reads one event and appends what it means; [`ChatEvent::Done`] ends the stream.
    fn event(&mut self, event: &SseEvent, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken>;

    /// Reads an answer that came in one piece although a stream was asked for, as some compatible servers do.
    fn whole(&mut self, body: &Value, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken>;

    /// What the end of the stream means when nothing announced it: done after all, or `None` for cut short.
    fn end(&mut self) -> Option<ChatEvent>;
}

/// Why a streamed answer cannot be read on.
#[derive(Debug)]
pub(super) enum Broken {
    /// The provider says that it failed.
    Said(Words),
    /// It is not in the provider's format.
    Malformed(&'static str),
}

enum Step {
    Send(RequestBuilder),
    Read(Response),
    Over,
}

/// An answer being read.
struct Reading<D> {
    endpoint: Endpoint,
    step: Step,
    decoder: D,
    parser: SseParser,
    /// Read, not yet handed on.
    out: VecDeque<ChatEvent>,
    /// Comes after `out`.
    failed: Option<Failure>,
    any_event: bool,
}

impl<D: Decode> Reading<D> {
    async fn next(&mut self) -> Option<Result<ChatEvent, Failure>> {
        loop {
            if let Some(event) = self.out.pop_front() {
                if matches!(event, ChatEvent::Done { .. }) {
                    self.step = Step::Over;
                    self.out.clear();
                    self.failed = None;
                }
                return Some(Ok(event));
            }
            if let Some(failure) = self.failed.take() {
                self.step = Step::Over;
                return Some(Err(failure));
            }
            match std::mem::replace(&mut self.step, Step::Over) {
                Step::Over => return None,
                Step::Send(request) => match self.endpoint.send(request).await {
                    Ok(response) if is_stream(&response) => {
                        // Headers are a sign of life: some models think long before their first word.
                        self.out.push_back(ChatEvent::Heard);
                        self.step = Step::Read(response);
                    }
                    Ok(response) => self.read_whole(response).await,
                    Err(failure) => self.failed = Some(failure),
                },
                Step::Read(mut response) => match response.chunk().await {
                    Ok(Some(bytes)) => {
                        self.take(&bytes);
                        self.step = Step::Read(response);
                    }
                    Ok(None) => self.ended(),
                    Err(error) => {
                        let said = chain(&error.without_url());
                        let failure = failure::worded(FailureKind::CutShort, &said, self.endpoint.key.as_ref());
                        self.failed = Some(failure);
                    }
                },
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let mut events = Vec::new();
        let parsed = self.parser.feed(bytes, &mut events);
        for event in &events {
            self.any_event = true;
            if let Err(broken) = self.decoder.event(event, &mut self.out) {
                self.failed = Some(self.broken(&broken));
                return;
            }
        }
        if let Err(error) = parsed {
            self.failed = Some(Failure::with_detail(FailureKind::Malformed, &error.to_string()));
        } else if self.out.is_empty() {
            self.out.push_back(ChatEvent::Heard);
        }
    }

    fn ended(&mut self) {
        if let Some(event) = self.parser.finish() {
            self.any_event = true;
            // Half an event is what a cut looks like, not a fault of its own.
            if let Err(Broken::Said(words)) = self.decoder.event(&event, &mut self.out) {
                self.failed = Some(self.broken(&Broken::Said(words)));
                return;
            }
        }
        if self.out.iter().any(|event| matches!(event, ChatEvent::Done { .. })) {
            return;
        }
        match self.decoder.end() {
            Some(done) => self.out.push_back(done),
            None if self.any_event => self.failed = Some(Failure::of(FailureKind::CutShort)),
            None => {
                let failure = Failure::with_detail(FailureKind::Malformed, "the answer holds no events");
                self.failed = Some(failure);
            }
        }
    }

    async fn read_whole(&mut self, response: Response) {
        let page = is_page(&response);
        let (body, cut) = bounded(response, MAX_WHOLE_BYTES).await;
        let result = match serde_json::from_slice(&body) {
            Ok(body) => self.decoder.whole(&body, &mut self.out).map_err(|broken| self.broken(&broken)),
            Err(_) if cut => Err(Failure::of(FailureKind::CutShort)),
            Err(_) => Err(self.endpoint.not_json(page)),
        };
        self.failed = result.err();
    }

    fn broken(&self, broken: &Broken) -> Failure {
        match broken {
            Broken::Said(words) => {
                let kind = failure::of_event(words);
                failure::worded(kind, words.message_or(""), self.endpoint.key.as_ref())
            }
            Broken::Malformed(what) => Failure::with_detail(FailureKind::Malformed, what),
        }
    }
}

fn content_type(response: &Response) -> &str {
    response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Servers that leave the type away or call a stream `text/plain` are read as streams; JSON and pages never are one.
fn is_stream(response: &Response) -> bool {
    !content_type(response).starts_with("application/json") && !is_page(response)
}

fn is_page(response: &Response) -> bool {
    content_type(response).starts_with("text/html")
}

/// At most `limit` bytes of the body, and whether it broke off or went on.
async fn bounded(mut response: Response, limit: usize) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(bytes)) if body.len() + bytes.len() <= limit => body.extend_from_slice(&bytes),
            Ok(None) => return (body, false),
            Ok(Some(_)) | Err(_) => return (body, true),
        }
    }
}

/// The last cause, which says most ("connection refused"), behind the first, which says where.
fn chain(error: &dyn Error) -> String {
    let mut last = None;
    let mut next = error.source();
    while let Some(cause) = next {
        last = Some(cause);
        next = cause.source();
    }
    last.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}
