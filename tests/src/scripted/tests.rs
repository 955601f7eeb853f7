//! Reads the provider's own output as a client would, over a real connection.

mod anthropic;
mod control;
mod faults;
mod openai;

use super::{KEY, ScriptedProvider, Vendor};
use reqwest::Response;
use serde_json::{Value, json};

/// One server-sent event: its name, when it has one, and its data.
type Event = (Option<String>, String);

/// Both vendors, for facts that hold for each.
const VENDORS: [Vendor; 2] = [Vendor::OpenAi, Vendor::Anthropic];

fn model(vendor: Vendor) -> &'static str {
    match vendor {
        Vendor::OpenAi => "gpt-4o-mini",
        Vendor::Anthropic => "claude-haiku-4-5-20251001",
    }
}

fn body(vendor: Vendor, text: &str, stream: bool) -> Value {
    let mut body = json!({
        "model": model(vendor),
        "stream": stream,
        "messages": [{"role": "user", "content": text}],
    });
    if vendor == Vendor::Anthropic {
        body["max_tokens"] = json!(1024);
    }
    body
}

/// Sends `body` with `key` the way the vendor's own client does.
async fn send(provider: &ScriptedProvider, vendor: Vendor, key: &str, body: &Value) -> Response {
    let client = reqwest::Client::new();
    let url = provider.url();
    let request = match vendor {
        Vendor::OpenAi => client.post(format!("{url}/v1/chat/completions")).bearer_auth(key),
        Vendor::Anthropic => {
            client.post(format!("{url}/v1/messages")).header("x-api-key", key).header("anthropic-version", "2023-06-01")
        }
    };
    request.json(body).send().await.expect("the provider answers")
}

async fn ask(provider: &ScriptedProvider, vendor: Vendor, text: &str, stream: bool) -> Response {
    send(provider, vendor, KEY, &body(vendor, text, stream)).await
}

async fn whole(response: Response) -> Value {
    assert_eq!(response.headers()["content-type"], "application/json");
    response.json().await.expect("a JSON body")
}

async fn events(response: Response) -> Vec<Event> {
    assert_eq!(response.headers()["content-type"], "text/event-stream; charset=utf-8");
    parse(&response.text().await.expect("a proper end"))
}

/// Splits a stream into its events; whatever is not one fails the test.
fn parse(stream: &str) -> Vec<Event> {
    let blocks = stream.strip_suffix("\n\n").expect("the last event is complete").split("\n\n");
    let event = |block: &str| {
        let (name, data) = match block.split_once('\n') {
            Some((first, data)) => (first.strip_prefix("event: "), data),
            None => (None, block),
        };
        let data = data.strip_prefix("data: ").expect("a data line");
        (name.map(str::to_owned), data.to_owned())
    };
    blocks.map(event).collect()
}

fn json_of((_, data): &Event) -> Value {
    serde_json::from_str(data).expect("JSON data")
}

/// The answer's text, put together from its deltas.
fn said(events: &[Event]) -> String {
    let texts = events.iter().filter(|(_, data)| data != "[DONE]").filter_map(|event| {
        let json = json_of(event);
        let openai = json["choices"][0]["delta"]["content"].as_str();
        openai.or(json["delta"]["text"].as_str()).map(str::to_owned)
    });
    texts.collect()
}
