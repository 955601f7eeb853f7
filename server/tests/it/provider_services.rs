//! Embeddings, pictures, web search and Gemini's chat over the wire: what each vendor is asked, what it answers, and what
//! comes of every fault.

use crate::engine_world::World;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt;
use serde_json::{Value, json};
use server::providers::{
    ApiKey, ChatEvent, ChatMessage, ChatRequest, ChatRole, DrawRequest, EmbedRequest, Freshness, NewProvider,
    ProviderKind, Purpose, Scene, SearchRequest, StopReason, SystemBlock, Usage,
};
use shared::{Failure, FailureKind, ProviderId};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

const SECRET: &str = "sk-very-secret";
/// The smallest PNG there is.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// What a vendor was asked.
#[derive(Debug, Clone)]
struct Asked {
    method: String,
    path: String,
    key: String,
    body: Value,
}

/// Something that goes wrong at a vendor, or on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    BadKey,
    TooMany,
    Down,
    NoJson,
    OtherShape,
    Elsewhere,
    Cut,
}

/// A vendor of everything: answers by path, each in its own format.
#[derive(Clone, Default)]
struct Vendor {
    asked: Arc<Mutex<Vec<Asked>>>,
    fault: Arc<Mutex<Option<Fault>>>,
}

impl Vendor {
    async fn start() -> (Self, String) {
        let vendor = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let this = vendor.clone();
        let router = Router::new().fallback(move |request: Request| async move { this.answer(request).await });
        tokio::spawn(async move { axum::serve(listener, router).await });
        (vendor, address)
    }

    fn fail(&self, fault: Option<Fault>) {
        *self.fault.lock().expect("not poisoned") = fault;
    }

    fn last(&self) -> Asked {
        self.asked.lock().expect("not poisoned").last().cloned().expect("was asked")
    }

    async fn answer(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, 1 << 20).await.expect("a body");
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let asked = Asked {
            method: parts.method.to_string(),
            path: parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default(),
            key: ["authorization", "x-goog-api-key", "x-subscription-token"]
                .into_iter()
                .find_map(header)
                .unwrap_or_default(),
            body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        };
        let path = asked.path.clone();
        let texts = asked.body["input"].as_array().or(asked.body["requests"].as_array()).map_or(0, Vec::len);
        self.asked.lock().expect("not poisoned").push(asked);
        let fault = *self.fault.lock().expect("not poisoned");
        match fault {
            Some(fault) => broken(fault),
            None => healthy(&path, texts),
        }
    }
}

fn broken(fault: Fault) -> Response {
    let said = json!({"error": {"message": "as said by the vendor", "code": 0}}).to_string();
    match fault {
        Fault::BadKey => (StatusCode::UNAUTHORIZED, said).into_response(),
        Fault::TooMany => (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "7")], said).into_response(),
        Fault::Down => (StatusCode::SERVICE_UNAVAILABLE, said).into_response(),
        Fault::NoJson => "<html>It works!</html>".into_response(),
        Fault::OtherShape => r#"{"hello":"world"}"#.into_response(),
        Fault::Elsewhere => (StatusCode::FOUND, [(header::LOCATION, "http://127.0.0.1:1/")]).into_response(),
        Fault::Cut => {
            let pieces = [Ok("{\"data\":"), Err(std::io::Error::other("gone"))];
            Body::from_stream(futures_util::stream::iter(pieces)).into_response()
        }
    }
}

/// What the vendors' documentation shows.
fn healthy(path: &str, texts: usize) -> Response {
    let vector = |at: usize| json!([at as f64 + 0.5, -1.0]);
    let body = if path.ends_with("/embeddings") {
        // In any order: the index tells.
        let rows = (0..texts).rev().map(|at| json!({"object": "embedding", "index": at, "embedding": vector(at)}));
        json!({"object": "list", "data": rows.collect::<Vec<_>>(), "model": "m", "usage": {"total_tokens": 4}})
    } else if path.contains(":batchEmbedContents") {
        json!({"embeddings": (0..texts).map(|at| json!({"values": vector(at)})).collect::<Vec<_>>()})
    } else if path.ends_with("/images/generations") {
        json!({"created": 1, "data": [{"b64_json": PNG}]})
    } else if path.contains(":predict") {
        json!({"predictions": [{"mimeType": "image/png", "bytesBase64Encoded": PNG}]})
    } else if path.contains("image:generateContent") {
        let parts = json!([{"text": "Here."}, {"inlineData": {"mimeType": "image/png", "data": PNG}}]);
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]})
    } else if path.contains(":streamGenerateContent") {
        let pieces = [
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Bon"}]}, "index": 0}]}),
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "jour"}]}, "finishReason": "STOP"}],
                   "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 2}}),
        ];
        let events: String = pieces.iter().map(|piece| format!("data: {piece}\r\n\r\n")).collect();
        return ([(header::CONTENT_TYPE, "text/event-stream")], events).into_response();
    } else if path.contains("/web/search") {
        let found = json!({"title": "Wazemmes", "url": "https://example.org/", "description": "On Sunday", "age": "2 days ago"});
        json!({"type": "search", "web": {"type": "search", "results": [found]}})
    } else if path.contains("/search") {
        let found = json!({"title": "Wazemmes", "url": "https://example.org/", "content": "On Sunday", "score": 0.9});
        json!({"query": "q", "results": [found]})
    } else if path.contains("/models?pageSize") {
        let model = |name: &str, method: &str| json!({"name": format!("models/{name}"), "supportedGenerationMethods": [method]});
        json!({"models": [model("gemini-2.5-flash", "generateContent"), model("gemini-2.5-flash-image", "generateContent"),
                          model("imagen-4.0", "predict"), model("gemini-embedding-001", "embedContent")]})
    } else if path.ends_with("/models") {
        json!({"object": "list", "data": [{"id": "gpt-4o"}, {"id": "text-embedding-3-small"}, {"id": "gpt-image-1"}]})
    } else {
        return StatusCode::NOT_FOUND.into_response();
    };
    axum::Json(body).into_response()
}

async fn connect(world: &World, kind: ProviderKind, address: &str) -> ProviderId {
    let new = NewProvider {
        name: "Service".into(),
        kind,
        base_url: Some(address.to_owned()),
        api_key: Some(ApiKey::new(SECRET)),
        capabilities: None,
        query: Some("market".into()),
    };
    world.providers.add(world.ana, new).await.unwrap_or_else(|error| panic!("{kind:?}: {error:?}")).record.id
}

/// What a household uses a service for, with the model it uses.
#[derive(Debug, Clone, Copy)]
enum Service {
    Embed(ProviderKind, &'static str),
    Draw(ProviderKind, &'static str),
    Search(ProviderKind),
}

const SERVICES: [Service; 9] = [
    Service::Embed(ProviderKind::Openai, "text-embedding-3-small"),
    Service::Embed(ProviderKind::Gemini, "gemini-embedding-001"),
    Service::Embed(ProviderKind::Voyage, "voyage-3.5"),
    Service::Draw(ProviderKind::Openai, "gpt-image-1"),
    Service::Draw(ProviderKind::Gemini, "gemini-2.5-flash-image"),
    Service::Draw(ProviderKind::Gemini, "imagen-4.0"),
    Service::Search(ProviderKind::Brave),
    Service::Search(ProviderKind::Searxng),
    Service::Search(ProviderKind::Tavily),
];

impl Service {
    fn kind(self) -> ProviderKind {
        match self {
            Self::Embed(kind, _) | Self::Draw(kind, _) | Self::Search(kind) => kind,
        }
    }

    /// Uses it once; what it gave is checked, a failure is given.
    async fn used(self, world: &World, id: ProviderId) -> Option<Failure> {
        match self {
            Self::Embed(_, model) => {
                let texts = vec!["salt".to_owned(), "pepper".to_owned()];
                let request = EmbedRequest { model: model.into(), texts, purpose: Purpose::Query };
                let found = world.providers.embedding(id).await.expect("embeds").embed(request).await;
                found.map(|embedded| assert_eq!(embedded.vectors, [vec![0.5, -1.0], vec![1.5, -1.0]])).err()
            }
            Self::Draw(_, model) => {
                let request = DrawRequest { model: model.into(), prompt: "a pear".into() };
                let drawn = world.providers.image(id).await.expect("draws").draw(request).await;
                let check = |picture: server::providers::Picture| {
                    assert_eq!(
                        (picture.media_type.as_str(), picture.bytes),
                        ("image/png", STANDARD.decode(PNG).expect("is"))
                    );
                };
                drawn.map(check).err()
            }
            Self::Search(_) => {
                let request =
                    SearchRequest { freshness: Some(Freshness::Week), ..SearchRequest::of("market in Lille") };
                let found = world.providers.search(id).await.expect("searches").search(request).await;
                let check = |hits: Vec<server::providers::SearchHit>| {
                    assert_eq!((hits[0].title.as_str(), hits[0].url.as_str()), ("Wazemmes", "https://example.org/"));
                    assert_eq!((hits.len(), hits[0].description.as_str()), (1, "On Sunday"));
                };
                found.map(check).err()
            }
        }
    }
}

#[tokio::test]
async fn each_vendor_is_asked_in_its_own_words() {
    let (world, (vendor, address)) = (World::new().await, Vendor::start().await);
    for service in SERVICES {
        let id = connect(&world, service.kind(), &address).await;
        assert_eq!(service.used(&world, id).await, None, "{service:?}");
        let asked = vendor.last();
        assert!(asked.key.contains(SECRET), "{service:?}: {}", asked.key);
        assert!(!asked.path.contains(SECRET) && !asked.body.to_string().contains(SECRET), "{service:?}");
        let expected = match service {
            Service::Embed(ProviderKind::Openai, _) => {
                ("POST", "/v1/embeddings", json!({"model": "text-embedding-3-small", "input": ["salt", "pepper"]}))
            }
            Service::Embed(ProviderKind::Voyage, _) => (
                "POST",
                "/v1/embeddings",
                json!({"model": "voyage-3.5", "input": ["salt", "pepper"], "input_type": "query"}),
            ),
            Service::Embed(..) => ("POST", "/models/gemini-embedding-001:batchEmbedContents", json!({})),
            Service::Draw(ProviderKind::Openai, _) => {
                ("POST", "/v1/images/generations", json!({"model": "gpt-image-1", "prompt": "a pear", "n": 1}))
            }
            Service::Draw(_, "imagen-4.0") => {
                ("POST", "/models/imagen-4.0:predict", json!({"instances": [{"prompt": "a pear"}]}))
            }
            Service::Draw(..) => (
                "POST",
                "/models/gemini-2.5-flash-image:generateContent",
                json!({"generationConfig": {"responseModalities": ["TEXT", "IMAGE"]}}),
            ),
            Service::Search(ProviderKind::Brave) => ("GET", "/web/search?q=market+in+Lille", json!(null)),
            Service::Search(ProviderKind::Searxng) => {
                ("GET", "/search?q=market+in+Lille&format=json&time_range=week", json!(null))
            }
            Service::Search(_) => ("POST", "/search", json!({"query": "market in Lille", "time_range": "week"})),
        };
        let (method, path, body) = expected;
        assert_eq!(asked.method, method, "{service:?}");
        assert!(asked.path.contains(path), "{service:?} asked {}", asked.path);
        for (name, value) in body.as_object().into_iter().flatten() {
            assert_eq!(&asked.body[name], value, "{service:?}: {name} of {}", asked.body);
        }
    }
}

#[tokio::test]
async fn each_fault_of_each_vendor_has_its_failure() {
    let (world, (vendor, address)) = (World::new().await, Vendor::start().await);
    for service in SERVICES {
        vendor.fail(None);
        let id = connect(&world, service.kind(), &address).await;
        for (fault, kind) in [
            (Fault::BadKey, FailureKind::Unauthorized),
            (Fault::TooMany, FailureKind::RateLimited),
            (Fault::Down, FailureKind::Overloaded),
            (Fault::NoJson, FailureKind::Malformed),
            (Fault::OtherShape, FailureKind::Malformed),
            (Fault::Elsewhere, FailureKind::Redirects),
            (Fault::Cut, FailureKind::CutShort),
        ] {
            vendor.fail(Some(fault));
            let failure = service.used(&world, id).await.unwrap_or_else(|| panic!("{service:?} takes {fault:?}"));
            assert_eq!(failure.kind, kind, "{service:?}, {fault:?}: {failure:?}");
            assert_eq!(failure.retry_at.is_some(), fault == Fault::TooMany, "{service:?}, {fault:?}");
            assert!(!failure.detail.contains(SECRET));
        }
    }
}

#[tokio::test]
async fn gemini_talks_in_pieces() {
    let (world, (vendor, address)) = (World::new().await, Vendor::start().await);
    let id = connect(&world, ProviderKind::Gemini, &address).await;
    let request = ChatRequest {
        model: "gemini-2.5-flash".into(),
        system: vec![SystemBlock { text: "s".into(), cacheable: true }],
        messages: vec![ChatMessage { role: ChatRole::User, text: "Ana: hello".into() }],
        max_tokens: 100,
        scene: Scene::default(),
    };
    let stream = world.providers.client(id).await.expect("is there").chat(request.clone());
    let events: Vec<_> = stream
        .map(|event| event.expect("no failure"))
        .filter(|event| std::future::ready(*event != ChatEvent::Heard))
        .collect()
        .await;
    let text: String = events
        .iter()
        .filter_map(|event| if let ChatEvent::Text(text) = event { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(text, "Bonjour");
    let usage = Usage { input_tokens: Some(5), output_tokens: Some(2) };
    assert_eq!(events.last(), Some(&ChatEvent::Done { usage, stop: StopReason::End }));
    let asked = vendor.last();
    assert!(asked.path.ends_with("/models/gemini-2.5-flash:streamGenerateContent?alt=sse"), "{}", asked.path);
    assert_eq!(asked.body["contents"][0]["parts"][0]["text"], "Ana: hello");

    for (fault, kind) in [
        (Fault::BadKey, FailureKind::Unauthorized),
        (Fault::Elsewhere, FailureKind::Redirects),
        (Fault::NoJson, FailureKind::Malformed),
    ] {
        vendor.fail(Some(fault));
        let mut stream = world.providers.client(id).await.expect("is there").chat(request.clone());
        let failure = loop {
            match stream.next().await {
                Some(Ok(_)) => {}
                Some(Err(failure)) => break failure,
                None => panic!("{fault:?} ends in silence"),
            }
        };
        assert_eq!(failure.kind, kind, "{fault:?}");
    }
}
