//! OpenAI's chat completions, and the many servers that speak the same.

mod embeddings;
mod images;

use super::chat::{ChatEvent, ChatProvider, ChatRequest, ChatRole, ChatStream, StopReason, Usage};
use super::failure::Words;
use super::http::{Broken, Decode, Endpoint};
use super::model_list::{ModelInfo, ModelList, does};
use super::sse::SseEvent;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::header::HeaderValue;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shared::{Failure, FailureKind};
use std::collections::VecDeque;

/// A provider that speaks chat completions.
pub(super) struct OpenAi {
    endpoint: Endpoint,
    /// The vendor itself, whose list names everything it sells.
    is_vendor: bool,
}

impl OpenAi {
    pub(super) fn new(endpoint: Endpoint, is_vendor: bool) -> Self {
        Self { endpoint, is_vendor }
    }

    async fn list(&self) -> Result<Vec<ModelInfo>, Failure> {
        let request = self.endpoint.request(Method::GET, "models", self.endpoint.bearer()?)?;
        let body = self.endpoint.whole(request).await.map_err(no_list)?;
        let list = body["data"].as_array().ok_or_else(|| malformed("the list of models has no data"))?;
        let mut models: Vec<ModelInfo> = list.iter().filter_map(|model| self.listed(model)).collect();
        models.sort_by(|a, b| a.name.cmp(&b.name));
        models.dedup();
        Ok(models)
    }

    fn listed(&self, model: &Value) -> Option<ModelInfo> {
        let name = model["id"].as_str()?;
        // The vendor's list names everything it sells, models that search by themselves among it.
        let does = does(name).filter(|_| !self.is_vendor || !name.contains("search"))?;
        // As OpenRouter and vLLM tell it.
        let window = model["context_length"].as_u64().or(model["max_model_len"].as_u64());
        let context_tokens = window.and_then(|window| u32::try_from(window).ok());
        Some(ModelInfo { context_tokens, ..ModelInfo::named(name, does) })
    }

    fn call(&self, request: &ChatRequest) -> Result<RequestBuilder, Failure> {
        self.endpoint.post("chat/completions", self.endpoint.bearer()?, &body(request))
    }
}

impl ModelList for OpenAi {
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, Failure>> {
        self.list().boxed()
    }
}

impl ChatProvider for OpenAi {
    fn chat(&self, request: ChatRequest) -> ChatStream {
        self.endpoint.clone().stream(self.call(&request), Decoder::default())
    }
}

/// A list that is not there says something about the address, not about a model.
pub(super) fn no_list(failure: Failure) -> Failure {
    if failure.kind == FailureKind::ModelNotFound { Failure { kind: FailureKind::Refused, ..failure } } else { failure }
}

/// A header's value that is never printed.
pub(super) fn sensitive(text: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_str(text).map_err(|_| Failure::of(FailureKind::Unauthorized))?;
    value.set_sensitive(true);
    Ok(value)
}

pub(super) fn malformed(what: &str) -> Failure {
    Failure::with_detail(FailureKind::Malformed, what)
}

/// The request's body. `max_tokens` is left to the service: newer models refuse the old name, older servers do not
/// know the new one, and all have a default.
fn body(request: &ChatRequest) -> Value {
    let stable = request.system.iter().filter(|block| block.cacheable).map(|block| block.text.as_str());
    let mut messages = vec![json!({"role": "system", "content": stable.collect::<Vec<_>>().join("\n\n")})];
    let last = request.messages.len().saturating_sub(1);
    for (at, message) in request.messages.iter().enumerate() {
        let role = match message.role {
            ChatRole::User => "user",
            ChatRole::Assistant => "assistant",
        };
        // Strict chat templates take a system message at the beginning only.
        let volatile = request.system.iter().filter(|block| at == last && !block.cacheable);
        let parts: Vec<&str> = volatile.map(|block| block.text.as_str()).chain([message.text.as_str()]).collect();
        messages.push(json!({"role": role, "content": parts.join("\n\n")}));
    }
    json!({
        "model": request.model,
        "messages": messages,
        "stream": true,
        "stream_options": {"include_usage": true},
    })
}

#[derive(Default)]
struct Decoder {
    usage: Usage,
    /// A reason to end was given: the text is whole even if `[DONE]` never comes.
    stop: Option<StopReason>,
}

impl Decoder {
    fn done(&self) -> ChatEvent {
        ChatEvent::Done { usage: self.usage, stop: self.stop.unwrap_or_default() }
    }

    fn note(&mut self, body: &Value) {
        let usage = &body["usage"];
        if usage.is_object() {
            self.usage = Usage {
                input_tokens: usage["prompt_tokens"].as_u64(),
                output_tokens: usage["completion_tokens"].as_u64(),
            };
        }
        self.stop = body["choices"][0]["finish_reason"].as_str().map(stop_reason).or(self.stop);
    }
}

fn stop_reason(text: &str) -> StopReason {
    match text {
        "length" => StopReason::Length,
        "content_filter" => StopReason::Declined,
        _ => StopReason::End,
    }
}

impl Decode for Decoder {
    fn event(&mut self, event: &SseEvent, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken> {
        if event.data.trim() == "[DONE]" {
            out.push_back(self.done());
            return Ok(());
        }
        let chunk: Value = serde_json::from_str(&event.data).map_err(|_| Broken::Malformed("an event is not JSON"))?;
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Broken::Said(Words::read(&chunk)));
        }
        if !chunk["choices"].is_array() && !chunk["usage"].is_object() {
            return Err(Broken::Malformed("an event is no piece of an answer"));
        }
        self.note(&chunk);
        push_text(text_of(&chunk["choices"][0]["delta"]["content"]), out);
        Ok(())
    }

    fn whole(&mut self, body: &Value, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken> {
        if body.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Broken::Said(Words::read(body)));
        }
        let message = &body["choices"][0]["message"];
        if !message.is_object() {
            return Err(Broken::Malformed("the answer is no chat completion"));
        }
        self.note(body);
        push_text(text_of(&message["content"]), out);
        out.push_back(self.done());
        Ok(())
    }

    fn end(&mut self) -> Option<ChatEvent> {
        self.stop.map(|_| self.done())
    }
}

/// A string, or Mistral's list of parts, of which thoughts are left out.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

/// Appends text, to the piece before it when both came at once.
pub(super) fn push_text(text: String, out: &mut VecDeque<ChatEvent>) {
    if text.is_empty() {
        return;
    }
    match out.back_mut() {
        Some(ChatEvent::Text(before)) => before.push_str(&text),
        Some(ChatEvent::Heard | ChatEvent::Done { .. }) | None => out.push_back(ChatEvent::Text(text)),
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
            r#"{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}"#,
            r#"{"choices":[{"delta":{"reasoning_content":"hm"},"finish_reason":null}]}"#,
            r#"{"choices":[{"delta":{"content":"a"},"finish_reason":null}]}"#,
            r#"{"choices":[{"delta":{"content":[{"type":"text","text":"b"}]},"finish_reason":null}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#,
            r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#,
            "[DONE]",
        ]);
        let usage = Usage { input_tokens: Some(3), output_tokens: Some(2) };
        let expected = [ChatEvent::Text("ab".into()), ChatEvent::Done { usage, stop: StopReason::Length }];
        assert!(broken.is_none());
        assert_eq!(events, expected);
    }

    #[test]
    fn what_is_no_answer_breaks() {
        for (data, said) in [("<<<", false), ("{}", false), ("[]", false), (r#"{"error":{"message":"x"}}"#, true)] {
            let (events, broken) = decode(&[data]);
            assert!(events.is_empty());
            assert_eq!(matches!(broken, Some(Broken::Said(_))), said, "{data}");
            assert!(broken.is_some(), "{data}");
        }
    }

    #[test]
    fn what_changes_stands_right_before_the_newest_message() {
        let message = |role, text: &str| ChatMessage { role, text: text.into() };
        let request = ChatRequest {
            model: "m".into(),
            system: vec![
                SystemBlock { text: "stable".into(), cacheable: true },
                SystemBlock { text: "now".into(), cacheable: false },
            ],
            messages: vec![
                message(ChatRole::User, "Ana: a"),
                message(ChatRole::Assistant, "b"),
                message(ChatRole::User, "Ana: c"),
            ],
            max_tokens: 1,
            scene: Scene::default(),
        };
        let expected = json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "stable"},
                {"role": "user", "content": "Ana: a"},
                {"role": "assistant", "content": "b"},
                {"role": "user", "content": "now\n\nAna: c"},
            ],
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        assert_eq!(body(&request), expected);
    }
}
