use super::super::{KEY, RequestState, Script, ScriptedProvider, Vendor};
use super::{VENDORS, ask, body, events, said};
use reqwest::Response;
use serde_json::{Value, json};
use std::time::Duration;

async fn post(provider: &ScriptedProvider, path: &str, body: &str) -> Response {
    let request = reqwest::Client::new().post(format!("{}{path}", provider.url()));
    request.body(body.to_owned()).send().await.expect("an answer")
}

/// Reads until `text` has arrived and gives everything read.
async fn read_until(response: &mut Response, text: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(text) {
        let piece = response.chunk().await.expect("no break").expect("no end");
        seen.push_str(&String::from_utf8_lossy(&piece));
    }
    seen
}

#[tokio::test]
async fn each_chunk_waits_for_its_release() {
    let provider = ScriptedProvider::start().await;
    for vendor in VENDORS {
        provider.push(Script::gated(["one ", "two ", "three "]));
        let mut response = ask(&provider, vendor, "hello", true).await;
        let mut seen = read_until(&mut response, "\n\n").await;
        let early = tokio::time::timeout(Duration::from_millis(100), response.chunk()).await;
        assert!(early.is_err(), "only the head comes unreleased: {early:?}");
        provider.release(1);
        seen += &read_until(&mut response, "one ").await;
        provider.release(1);
        seen += &read_until(&mut response, "two ").await;
        assert!(!seen.contains("three"), "{seen}");
        provider.release(1);
        seen += &response.text().await.expect("a proper end");
        assert_eq!(said(&super::parse(&seen)), "one two three ");
    }
}

#[tokio::test]
async fn named_gates_steer_calls_apart() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::gated_at("a", ["from a"]));
    provider.push(Script::gated_at("b", ["from b"]));
    let first = ask(&provider, Vendor::OpenAi, "hello", true).await;
    let second = ask(&provider, Vendor::Anthropic, "hello", true).await;
    provider.release_gate("b", 1);
    assert_eq!(said(&events(second).await), "from b");
    assert_eq!(provider.requests()[0].state, RequestState::Open);
    provider.release_gate("a", 1);
    assert_eq!(said(&events(first).await), "from a");
    provider.wait_for_state(1, RequestState::Answered).await;
}

#[tokio::test]
async fn requests_are_recorded_as_they_arrive() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::Silence);
    let sent = body(Vendor::Anthropic, "hello", true);
    let waiting = provider.wait_for_request(1);
    tokio::select! {
        requests = waiting => {
            let request = &requests[0];
            assert_eq!((request.number, request.vendor), (1, Vendor::Anthropic));
            assert_eq!(request.body, sent);
            assert_eq!(request.headers["anthropic-version"], "2023-06-01");
            assert_eq!(request.state, RequestState::Open);
        }
        answer = super::send(&provider, Vendor::Anthropic, KEY, &sent) => panic!("{answer:?}"),
    }
}

#[tokio::test]
async fn tests_in_other_processes_steer_it_over_http() {
    let provider = ScriptedProvider::start().await;
    let scripts = json!([
        {"kind": "answer", "chunks": ["one"], "delay_ms": 1},
        {"kind": "gated", "chunks": ["two"], "gate": "g"},
    ]);
    let queued: Value = post(&provider, "/_script", &scripts.to_string()).await.json().await.expect("JSON");
    assert_eq!(queued, json!({"queued": 2}));
    let unknown = post(&provider, "/_script", r#"[{"kind": "answer", "chunks": []}, {"kind": "?"}]"#).await;
    assert_eq!(unknown.status(), 400);
    assert_eq!(provider.queued(), 2, "one unknown script queues none");

    assert_eq!(said(&events(ask(&provider, Vendor::OpenAi, "a", true).await).await), "one");
    let gated = ask(&provider, Vendor::OpenAi, "b", true).await;
    assert_eq!(post(&provider, "/_release", "").await.status(), 204, "the unnamed gate, one chunk");
    let released = post(&provider, "/_release", r#"{"chunks": 1, "gate": "g"}"#).await;
    assert_eq!(released.status(), 204);
    assert_eq!(said(&events(gated).await), "two");

    provider.wait_for_state(2, RequestState::Answered).await;
    let url = format!("{}/_requests", provider.url());
    let listed: Value = reqwest::get(&url).await.expect("an answer").json().await.expect("JSON");
    assert_eq!(listed["queued"], 0);
    let second = &listed["requests"][1];
    assert_eq!(second["number"], 2);
    assert_eq!(second["vendor"], "openai");
    assert_eq!(second["state"], "answered");
    assert_eq!(second["body"], body(Vendor::OpenAi, "b", true));
    assert!(second["arrived_ms"].as_u64() >= listed["requests"][0]["arrived_ms"].as_u64());

    assert_eq!(post(&provider, "/_reset", "").await.status(), 204);
    assert_eq!(provider.requests().len(), 0);
}

#[tokio::test]
async fn reset_lets_waiting_calls_go() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::gated(["one"]));
    let gated = ask(&provider, Vendor::OpenAi, "hello", true).await;
    provider.reset();
    assert_eq!(said(&events(gated).await), "one");
    provider.push(Script::gated(["two"]));
    let gated = ask(&provider, Vendor::OpenAi, "hello", true).await;
    assert_eq!(provider.requests().len(), 1);
    provider.release(1);
    assert_eq!(said(&events(gated).await), "two");
}

#[tokio::test]
async fn stopped_provider_breaks_streams_and_comes_back_on_its_port() {
    let provider = ScriptedProvider::start().await;
    let port = provider.port();
    let url = provider.url();
    provider.push(Script::silence_after(["one"]));
    let open = ask(&provider, Vendor::OpenAi, "hello", true).await;
    provider.stop().await;
    assert!(open.text().await.is_err());
    assert!(reqwest::get(&url).await.expect_err("nobody listens").is_connect());

    let provider = ScriptedProvider::start_at(port).await.expect("the port is free again");
    assert_eq!(provider.url(), url);
    assert_eq!(ask(&provider, Vendor::OpenAi, "hello", true).await.status(), 200);
}

#[tokio::test]
async fn unknown_paths_answer_in_the_vendors_shape() {
    let provider = ScriptedProvider::start().await;
    let client = reqwest::Client::new();
    let url = format!("{}/v1/nothing", provider.url());
    let openai = client.get(&url).send().await.expect("an answer");
    assert_eq!(openai.status(), 404);
    assert_eq!(super::whole(openai).await["error"]["type"], "invalid_request_error");
    let anthropic = client.get(&url).header("x-api-key", KEY).send().await.expect("an answer");
    assert_eq!(super::whole(anthropic).await["error"]["type"], "not_found_error");
}
