//! What servers send that the scripted provider, which is well bred, does not.

use crate::engine_world::World;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::StreamExt;
use server::providers::{
    ApiKey, ChatEvent, ChatMessage, ChatRequest, ChatRole, NewProvider, ProviderKind, Scene, StopReason, SystemBlock,
    Usage,
};
use shared::{Failure, FailureKind};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

const SECRET: &str = "sk-very-secret";

/// Asks a server that answers with `answer`; gives what came of it.
async fn ask(answer: impl Fn() -> Response + Clone + Send + Sync + 'static) -> (Vec<ChatEvent>, Option<Failure>) {
    let router = Router::new()
        .route("/v1/models", get(|| async { r#"{"data":[{"id":"b"},{"id":"a"}]}"# }))
        .route("/v1/chat/completions", post(async move || answer()));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let world = World::new().await;
    let new = NewProvider {
        name: "Odd".into(),
        kind: ProviderKind::OpenaiCompatible,
        base_url: Some(url),
        api_key: Some(ApiKey::new(SECRET)),
        capabilities: None,
        query: None,
    };
    let id = world.providers.add(world.ana, new).await.expect("can be reached").record.id;
    let mut stream = world.providers.client(id).await.expect("is there").chat(request());
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(ChatEvent::Heard) => {}
            Ok(event) => events.push(event),
            Err(failure) => {
                assert!(stream.next().await.is_none(), "nothing follows a failure");
                return (events, Some(failure));
            }
        }
    }
    (events, None)
}

fn request() -> ChatRequest {
    ChatRequest {
        model: "a".into(),
        system: vec![SystemBlock { text: "s".into(), cacheable: true }],
        messages: vec![ChatMessage { role: ChatRole::User, text: "Ana: hello".into() }],
        max_tokens: 100,
        scene: Scene::default(),
    }
}

fn events(body: &'static str) -> impl Fn() -> Response + Clone {
    move || ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

fn json(status: u16, body: &'static str) -> impl Fn() -> Response + Clone {
    move || {
        let status = StatusCode::from_u16(status).expect("a status");
        (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

fn text(text: &str) -> ChatEvent {
    ChatEvent::Text(text.into())
}

fn done() -> ChatEvent {
    ChatEvent::Done { usage: Usage::default(), stop: StopReason::End }
}

#[tokio::test]
async fn a_stream_may_leave_done_away_once_it_gave_a_reason_to_end() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\n\n\
                data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    assert_eq!(ask(events(body)).await, (vec![text("a"), done()], None));
}

#[tokio::test]
async fn a_stream_that_ends_without_either_was_cut_short() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\n\ndata: {\"choi";
    assert_eq!(ask(events(body)).await, (vec![text("a")], Some(Failure::of(FailureKind::CutShort))));
}

#[tokio::test]
async fn the_last_blank_line_may_be_missing_and_comments_mean_nothing() {
    let body = ": OPENROUTER PROCESSING\r\n\r\n: again\n\n\
                data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\r\n\r\ndata: [DONE]";
    assert_eq!(ask(events(body)).await, (vec![text("a"), done()], None));
}

#[tokio::test]
async fn an_answer_in_one_piece_is_taken() {
    let body = r#"{"choices":[{"message":{"content":"all at once"},"finish_reason":"stop"}]}"#;
    assert_eq!(ask(json(200, body)).await, (vec![text("all at once"), done()], None));
}

#[tokio::test]
async fn an_error_with_status_200_is_an_error() {
    let (events, failure) = ask(json(200, r#"{"error":{"message":"no credit","code":"insufficient_quota"}}"#)).await;
    assert!(events.is_empty());
    assert_eq!(failure, Some(Failure::with_detail(FailureKind::Refused, "no credit")));
}

#[tokio::test]
async fn an_empty_body_is_malformed() {
    let (events, failure) = ask(events("")).await;
    assert!(events.is_empty());
    assert_eq!(failure.map(|failure| failure.kind), Some(FailureKind::Malformed));
}

#[tokio::test]
async fn the_key_is_scrubbed_from_the_providers_words() {
    let (_, failure) = ask(json(400, r#"{"error":{"message":"bad header sk-very-secret!"}}"#)).await;
    assert_eq!(failure, Some(Failure::with_detail(FailureKind::Refused, "bad header [key]!")));
}

#[tokio::test]
async fn an_endless_error_is_read_to_its_limit_only() {
    let endless = || {
        let pieces = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>("x".repeat(10_000)));
        (StatusCode::BAD_GATEWAY, Body::from_stream(pieces)).into_response()
    };
    let (_, failure) = ask(endless).await;
    assert_eq!(failure, Some(Failure::with_detail(FailureKind::Overloaded, "502 Bad Gateway")));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let seen = Arc::new(Mutex::new(Vec::<HeaderMap>::new()));
    let record = Arc::clone(&seen);
    let thief = Router::new().fallback(async move |headers: HeaderMap| {
        record.lock().expect("is not poisoned").push(headers);
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, thief).await });
    let redirect = move || {
        let location = format!("http://{address}/v1/chat/completions");
        (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, location)]).into_response()
    };
    let (_, failure) = ask(redirect).await;
    let failure = failure.expect("a failure");
    assert_eq!(failure.kind, FailureKind::Redirects);
    assert!(failure.detail.contains("redirects"), "{}", failure.detail);
    assert!(seen.lock().expect("is not poisoned").is_empty());
}
