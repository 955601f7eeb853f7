//! Anthropic's messages.

use super::capability::Capability;
use super::chat::{ChatEvent, ChatProvider, ChatRequest, ChatRole, ChatStream, StopReason, Usage};
use super::failure::Words;
use super::http::{Broken, Decode, Endpoint};
use super::model_list::{ModelInfo, ModelList};
use super::openai::{malformed, no_list, push_text, sensitive};
use super::sse::SseEvent;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shared::Failure;
use std::collections::VecDeque;

const API_VERSION: &str = "2023-06-01";

/// A provider that speaks Anthropic's messages.
pub(super) struct Anthropic(Endpoint);

impl Anthropic {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self(endpoint)
    }

    fn headers(&self) -> Result<HeaderMap, Failure> {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.0.key {
            headers.insert("x-api-key", sensitive(key.expose())?);
        }
        headers.insert("anthropic-version", HeaderValue::from_static(API_VERSION));
        Ok(headers)
    }

    async fn list(&self) -> Result<Vec<ModelInfo>, Failure> {
        let request = self.0.request(Method::GET, "models?limit=1000", self.headers()?)?;
        let body = self.0.whole(request).await.map_err(no_list)?;
        let list = body["data"].as_array().ok_or_else(|| malformed("the list of models has no data"))?;
        let models = list.iter().filter_map(|model| {
            let label = model["display_name"].as_str().map(str::to_owned);
            Some(ModelInfo { label, ..ModelInfo::named(model["id"].as_str()?, Capability::Llm) })
        });
        Ok(models.collect())
    }

    fn call(&self, request: &ChatRequest) -> Result<RequestBuilder, Failure> {
        self.0.post("messages", self.headers()?, &body(request))
    }
}

impl ModelList for Anthropic {
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, Failure>> {
        self.list().boxed()
    }
}

impl ChatProvider for Anthropic {
    fn chat(&self, request: ChatRequest) -> ChatStream {
        self.0.clone().stream(self.call(&request), Decoder::default())
    }
}

/// The request's body. Two points are marked for the cache: the end of the stable instructions, and the end of the
/// conversation before the newest message.
fn body(request: &ChatRequest) -> Value {
    let mut system: Vec<Value> = Vec::new();
    for block in request.system.iter().filter(|block| block.cacheable) {
        system.push(json!({"type": "text", "text": block.text}));
    }
    if let Some(last) = system.last_mut() {
        last["cache_control"] = json!({"type": "ephemeral"});
    }
    let last = request.messages.len().saturating_sub(1);
    let mut messages: Vec<Value> = Vec::new();
    for (at, message) in request.messages.iter().enumerate() {
        let role = match message.role {
            ChatRole::User => "user",
            ChatRole::Assistant => "assistant",
        };
        let volatile = request.system.iter().filter(|block| at == last && !block.cacheable);
        let texts = volatile.map(|block| &block.text).chain([&message.text]);
        let mut content: Vec<Value> = texts.map(|text| json!({"type": "text", "text": text})).collect();
        if at + 1 == last
            && let Some(end) = content.last_mut()
        {
            end["cache_control"] = json!({"type": "ephemeral"});
        }
        messages.push(json!({"role": role, "content": content}));
    }
    json!({
        "model": request.model,
        "max_tokens": request.max_tokens.min(most_tokens(&request.model)),
        "system": system,
        "messages": messages,
        "stream": true,
    })
}

/// The first Claude 3 models refuse to be asked for more.
fn most_tokens(model: &str) -> u32 {
    let old = ["claude-3-haiku", "claude-3-sonnet", "claude-3-opus"];
    if old.iter().any(|name| model.starts_with(name)) { 4096 } else { u32::MAX }
}

#[derive(Default)]
struct Decoder {
    usage: Usage,
    stop: StopReason,
}

impl Decoder {
    fn note_usage(&mut self, usage: &Value) {
        let count = |name: &str| usage[name].as_u64();
        if let Some(fresh) = count("input_tokens") {
            let cached = [count("cache_read_input_tokens"), count("cache_creation_input_tokens")];
            self.usage.input_tokens = Some(fresh + cached.into_iter().flatten().sum::<u64>());
        }
        self.usage.output_tokens = count("output_tokens").or(self.usage.output_tokens);
    }

    fn note_stop(&mut self, reason: &Value) {
        self.stop = match reason.as_str() {
            Some("max_tokens" | "model_context_window_exceeded") => StopReason::Length,
            Some("refusal") => StopReason::Declined,
            Some(_) => StopReason::End,
            None => self.stop,
        };
    }

    fn done(&self) -> ChatEvent {
        ChatEvent::Done { usage: self.usage, stop: self.stop }
    }
}

impl Decode for Decoder {
    fn event(&mut self, event: &SseEvent, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken> {
        let data: Value = serde_json::from_str(&event.data).map_err(|_| Broken::Malformed("an event is not JSON"))?;
        match data["type"].as_str() {
            Some("error") => return Err(Broken::Said(Words::read(&data))),
            Some("message_start") => self.note_usage(&data["message"]["usage"]),
            Some("content_block_delta") => {
                // Other deltas are thoughts and tool arguments.
                push_text(data["delta"]["text"].as_str().unwrap_or_default().to_owned(), out);
            }
            Some("message_delta") => {
                self.note_usage(&data["usage"]);
                self.note_stop(&data["delta"]["stop_reason"]);
            }
            Some("message_stop") => out.push_back(self.done()),
            // New kinds of events may be added, says the documentation; they are signs of life.
            Some(_) => {}
            None => return Err(Broken::Malformed("an event has no type")),
        }
        Ok(())
    }

    fn whole(&mut self, body: &Value, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken> {
        match body["type"].as_str() {
            Some("error") => return Err(Broken::Said(Words::read(body))),
            Some("message") => {}
            Some(_) | None => return Err(Broken::Malformed("the answer is no message")),
        }
        self.note_usage(&body["usage"]);
        self.note_stop(&body["stop_reason"]);
        for block in body["content"].as_array().into_iter().flatten() {
            push_text(block["text"].as_str().unwrap_or_default().to_owned(), out);
        }
        out.push_back(self.done());
        Ok(())
    }

    fn end(&mut self) -> Option<ChatEvent> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::chat::{ChatMessage, Scene, SystemBlock};

    fn decode(data: &[&str]) -> (Vec<ChatEvent>, Option<Broken>) {
        let mut decoder = Decoder::default();
        let mut out = VecDeque::new();
        for data in data {
            let event = SseEvent { name: String::new(), data: (*data).to_owned() };
            if let Err(broken) = decoder.event(&event, &mut out) {
                return (out.into(), Some(broken));
            }
        }
        (out.into(), None)
    }

    #[test]
    fn an_answer_is_read_with_its_usage() {
        let (events, broken) = decode(&[
            r#"{"type":"message_start","message":{"usage":{"input_tokens":3,"cache_read_input_tokens":10,"output_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"b"}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{"output_tokens":7}}"#,
            r#"{"type":"message_stop"}"#,
        ]);
        let usage = Usage { input_tokens: Some(13), output_tokens: Some(7) };
        let expected = [ChatEvent::Text("ab".into()), ChatEvent::Done { usage, stop: StopReason::Declined }];
        assert!(broken.is_none());
        assert_eq!(events, expected);
    }

    #[test]
    fn what_is_no_answer_breaks() {
        for (data, said) in [("<<<", false), ("{}", false), (r#"{"type":"error","error":{"type":"x"}}"#, true)] {
            let (events, broken) = decode(&[data]);
            assert!(events.is_empty());
            assert_eq!(matches!(broken, Some(Broken::Said(_))), said, "{data}");
            assert!(broken.is_some(), "{data}");
        }
    }

    #[test]
    fn the_cache_reaches_to_the_end_of_what_will_come_again() {
        let message = |role, text: &str| ChatMessage { role, text: text.into() };
        let request = ChatRequest {
            model: "claude-3-haiku-20240307".into(),
            system: vec![
                SystemBlock { text: "stable".into(), cacheable: true },
                SystemBlock { text: "now".into(), cacheable: false },
            ],
            messages: vec![
                message(ChatRole::User, "Ana: a"),
                message(ChatRole::Assistant, "b"),
                message(ChatRole::User, "Ana: c"),
            ],
            max_tokens: 8192,
            scene: Scene::default(),
        };
        let cache = json!({"type": "ephemeral"});
        let expected = json!({
            "model": "claude-3-haiku-20240307",
            "max_tokens": 4096,
            "system": [{"type": "text", "text": "stable", "cache_control": cache}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "Ana: a"}]},
                {"role": "assistant", "content": [{"type": "text", "text": "b", "cache_control": cache}]},
                {"role": "user", "content": [{"type": "text", "text": "now"}, {"type": "text", "text": "Ana: c"}]},
            ],
            "stream": true,
        });
        assert_eq!(body(&request), expected);
    }
}
