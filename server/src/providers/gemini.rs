//! Google's Gemini, in its own wire format.

mod embeddings;
mod images;

use super::capability::Capability;
use super::chat::{ChatEvent, ChatProvider, ChatRequest, ChatRole, ChatStream, StopReason, Usage};
use super::failure::Words;
use super::http::{Broken, Decode, Endpoint};
use super::model_list::{ModelInfo, ModelList};
use super::openai::{malformed, no_list, push_text, sensitive};
use super::sse::SseEvent;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shared::{Failure, FailureKind};
use std::collections::VecDeque;

/// A provider that speaks Gemini.
pub(super) struct Gemini(Endpoint);

impl Gemini {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self(endpoint)
    }

    fn headers(&self) -> Result<HeaderMap, Failure> {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.0.key {
            headers.insert("x-goog-api-key", sensitive(key.expose())?);
        }
        Ok(headers)
    }

    async fn list(&self) -> Result<Vec<ModelInfo>, Failure> {
        let request = self.0.request(Method::GET, "models?pageSize=1000", self.headers()?)?;
        let body = self.0.whole(request).await.map_err(no_list)?;
        let list = body["models"].as_array().ok_or_else(|| malformed("the list of models has no models"))?;
        Ok(list.iter().filter_map(listed).collect())
    }

    /// Asks `model` to do `method`.
    fn call(&self, model: &str, method: &str, body: &Value) -> Result<RequestBuilder, Failure> {
        let model = model.strip_prefix("models/").unwrap_or(model);
        // The model is part of the address here: it must not lead anywhere else.
        if model.is_empty() || !model.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)) {
            return Err(Failure::of(FailureKind::ModelNotFound));
        }
        self.0.post(&format!("models/{model}:{method}"), self.headers()?, body)
    }
}

impl ModelList for Gemini {
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, Failure>> {
        self.list().boxed()
    }
}

impl ChatProvider for Gemini {
    fn chat(&self, request: ChatRequest) -> ChatStream {
        let call = self.call(&request.model, "streamGenerateContent?alt=sse", &body(&request));
        self.0.clone().stream(call, Decoder::default())
    }
}

/// One entry of the list; `None` for what does nothing that is used here.
fn listed(model: &Value) -> Option<ModelInfo> {
    let name = model["name"].as_str()?;
    let name = name.strip_prefix("models/").unwrap_or(name);
    let methods = model["supportedGenerationMethods"].as_array();
    let can = |method: &str| methods.is_some_and(|methods| methods.iter().any(|one| one == method));
    let is_other = ["tts", "audio", "live", "aqa", "robotics", "computer-use"].iter().any(|part| name.contains(part));
    let does = if can("embedContent") || can("batchEmbedContents") {
        Capability::Embedding
    } else if (can("predict") && name.starts_with("imagen")) || (can("generateContent") && name.contains("image")) {
        Capability::Image
    } else if can("generateContent") && !is_other {
        Capability::Llm
    } else {
        return None;
    };
    Some(ModelInfo {
        name: name.to_owned(),
        label: model["displayName"].as_str().map(str::to_owned),
        does,
        context_tokens: model["inputTokenLimit"].as_u64().and_then(|limit| u32::try_from(limit).ok()),
    })
}

/// The request's body. What stays the same is the system instruction; what does not stands before the newest message.
fn body(request: &ChatRequest) -> Value {
    let stable = request.system.iter().filter(|block| block.cacheable);
    let system: Vec<Value> = stable.map(|block| json!({"text": block.text})).collect();
    let last = request.messages.len().saturating_sub(1);
    let contents = request.messages.iter().enumerate().map(|(at, message)| {
        let role = match message.role {
            ChatRole::User => "user",
            ChatRole::Assistant => "model",
        };
        let volatile = request.system.iter().filter(|block| at == last && !block.cacheable);
        let texts = volatile.map(|block| &block.text).chain([&message.text]);
        json!({"role": role, "parts": texts.map(|text| json!({"text": text})).collect::<Vec<_>>()})
    });
    json!({
        "systemInstruction": {"parts": system},
        "contents": contents.collect::<Vec<_>>(),
        "generationConfig": {"maxOutputTokens": request.max_tokens},
    })
}

#[derive(Default)]
struct Decoder {
    usage: Usage,
    stop: Option<StopReason>,
}

impl Decoder {
    fn read(&mut self, chunk: &Value, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken> {
        if chunk.get("error").is_some() {
            return Err(Broken::Said(Words::read(chunk)));
        }
        let (usage, blocked) = (&chunk["usageMetadata"], &chunk["promptFeedback"]["blockReason"]);
        if !chunk["candidates"].is_array() && !usage.is_object() && !blocked.is_string() {
            return Err(Broken::Malformed("an event is no piece of an answer"));
        }
        if usage.is_object() {
            let thoughts = usage["thoughtsTokenCount"].as_u64().unwrap_or(0);
            self.usage = Usage {
                input_tokens: usage["promptTokenCount"].as_u64(),
                output_tokens: usage["candidatesTokenCount"].as_u64().map(|said| said + thoughts),
            };
        }
        if blocked.is_string() {
            self.stop = Some(StopReason::Declined);
        }
        let candidate = &chunk["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            // Thoughts are no part of the answer.
            if part["thought"] != true {
                push_text(part["text"].as_str().unwrap_or_default().to_owned(), out);
            }
        }
        self.stop = candidate["finishReason"].as_str().map(stop_reason).or(self.stop);
        Ok(())
    }
}

fn stop_reason(text: &str) -> StopReason {
    match text {
        "MAX_TOKENS" => StopReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => StopReason::Declined,
        _ => StopReason::End,
    }
}

impl Decode for Decoder {
    fn event(&mut self, event: &SseEvent, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken> {
        let chunk = serde_json::from_str(&event.data).map_err(|_| Broken::Malformed("an event is not JSON"))?;
        self.read(&chunk, out)
    }

    fn whole(&mut self, body: &Value, out: &mut VecDeque<ChatEvent>) -> Result<(), Broken> {
        // Without `alt=sse`, which some gateways drop, the same pieces come as a list.
        let pieces = body.as_array().map_or(std::slice::from_ref(body), Vec::as_slice);
        for piece in pieces {
            self.read(piece, out)?;
        }
        out.push_back(self.end().ok_or(Broken::Malformed("the answer has no end"))?);
        Ok(())
    }

    /// Nothing announces the end: the last piece gives a reason, and then the stream is over.
    fn end(&mut self) -> Option<ChatEvent> {
        self.stop.map(|stop| ChatEvent::Done { usage: self.usage, stop })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::chat::{ChatMessage, Scene, SystemBlock};

    fn decode(data: &[&str]) -> (Vec<ChatEvent>, Option<Broken>, Option<ChatEvent>) {
        let mut decoder = Decoder::default();
        let mut out = VecDeque::new();
        for data in data {
            let event = SseEvent { name: String::new(), data: (*data).to_owned() };
            if let Err(broken) = decoder.event(&event, &mut out) {
                return (out.into(), Some(broken), None);
            }
        }
        let end = decoder.end();
        (out.into(), None, end)
    }

    #[test]
    fn an_answer_is_read_without_its_thoughts() {
        let (events, broken, end) = decode(&[
            r#"{"candidates":[{"content":{"parts":[{"text":"hm","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":3}}"#,
            r#"{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"index":0}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"text":"b"}],"role":"model"},"finishReason":"MAX_TOKENS","index":0}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"thoughtsTokenCount":5}}"#,
        ]);
        assert!(broken.is_none());
        assert_eq!(events, [ChatEvent::Text("ab".into())]);
        let usage = Usage { input_tokens: Some(3), output_tokens: Some(7) };
        assert_eq!(end, Some(ChatEvent::Done { usage, stop: StopReason::Length }));
    }

    #[test]
    fn a_blocked_question_is_declined_and_a_broken_stream_has_no_end() {
        let (_, broken, end) = decode(&[r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#]);
        assert!(broken.is_none());
        assert!(matches!(end, Some(ChatEvent::Done { stop: StopReason::Declined, .. })));
        let (_, _, end) = decode(&[r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#]);
        assert_eq!(end, None);
        for (data, said) in [("<<<", false), ("{}", false), (r#"{"error":{"status":"INTERNAL"}}"#, true)] {
            let (_, broken, _) = decode(&[data]);
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
            max_tokens: 8192,
            scene: Scene::default(),
        };
        let expected = json!({
            "systemInstruction": {"parts": [{"text": "stable"}]},
            "contents": [
                {"role": "user", "parts": [{"text": "Ana: a"}]},
                {"role": "model", "parts": [{"text": "b"}]},
                {"role": "user", "parts": [{"text": "now"}, {"text": "Ana: c"}]},
            ],
            "generationConfig": {"maxOutputTokens": 8192},
        });
        assert_eq!(body(&request), expected);
    }

    #[test]
    fn the_list_tells_what_models_do() {
        let model = |name: &str, methods: &[&str]| json!({"name": name, "supportedGenerationMethods": methods, "inputTokenLimit": 10});
        let does = |name, methods: &[&str]| listed(&model(name, methods)).map(|model| model.does);
        assert_eq!(does("models/gemini-2.5-flash", &["generateContent", "countTokens"]), Some(Capability::Llm));
        assert_eq!(does("models/gemini-2.5-flash-image", &["generateContent"]), Some(Capability::Image));
        assert_eq!(does("models/imagen-4.0-generate-001", &["predict"]), Some(Capability::Image));
        assert_eq!(does("models/gemini-embedding-001", &["embedContent"]), Some(Capability::Embedding));
        assert_eq!(does("models/gemini-2.5-flash-preview-tts", &["generateContent"]), None);
        assert_eq!(does("models/veo-3.0", &["predictLongRunning"]), None);
    }
}
