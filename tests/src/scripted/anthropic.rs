//! Anthropic messages, as documented at <https://docs.anthropic.com/en/api/messages-streaming>.

use super::openai::halves;
use super::script::{Fault, ToolCall};
use super::wire::{Call, KEY, Last, Refusal, Wire, text_of, tokens};
use axum::http::HeaderMap;
use serde_json::{Value, json};

/// The models that exist here.
pub const MODELS: [&str; 2] = ["claude-sonnet-4-5-20250929", "claude-haiku-4-5-20251001"];

pub(super) fn admit(headers: &HeaderMap) -> Result<(), Refusal> {
    match headers.get("x-api-key").map(|value| value.as_bytes()) {
        Some(key) if key == KEY.as_bytes() => {}
        Some(_) => return Err(refuse(Fault::BadKey, "")),
        None => return Err(refuse(Fault::NoKey, "")),
    }
    if headers.contains_key("anthropic-version") {
        Ok(())
    } else {
        Err(error(400, "invalid_request_error", "anthropic-version: header is required"))
    }
}

pub(super) fn read(body: Option<&Value>) -> Result<Call, Refusal> {
    let invalid = |message| Err(error(400, "invalid_request_error", message));
    let Some(body) = body else { return invalid("The request body is not valid JSON") };
    let Some(model) = body["model"].as_str() else { return invalid("model: Field required") };
    let Some(messages) = body["messages"].as_array() else {
        return invalid("messages: Field required");
    };
    if body["max_tokens"].as_u64().is_none() {
        return invalid("max_tokens: Field required");
    }
    if !MODELS.contains(&model) {
        return Err(refuse(Fault::NoModel, model));
    }
    Ok(Call {
        model: model.to_owned(),
        stream: body["stream"] == true,
        include_usage: true,
        last: last(messages),
        input_tokens: tokens(&body["messages"].to_string()) + tokens(&body["system"].to_string()),
    })
}

/// Tool results travel in a user message; words beside them do not make it a person's.
fn last(messages: &[Value]) -> Last {
    let Some(message) = messages.iter().rev().find(|message| message["role"] == "user") else {
        return Last::Nothing;
    };
    let content = &message["content"];
    let mut blocks = content.as_array().into_iter().flatten();
    if let Some(result) = blocks.find(|block| block["type"] == "tool_result") {
        return Last::ToolResult(text_of(&result["content"]).unwrap_or_default());
    }
    text_of(content).map_or(Last::Nothing, Last::User)
}

pub(super) fn refuse(fault: Fault, model: &str) -> Refusal {
    match fault {
        Fault::NoKey => error(401, "authentication_error", "x-api-key header is required"),
        Fault::BadKey => error(401, "authentication_error", "invalid x-api-key"),
        Fault::NoModel => error(404, "not_found_error", &format!("model: {model}")),
        Fault::RateLimit { retry_after_secs } => {
            let message = "This request would exceed the rate limit for your organization of 50 requests per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.";
            let mut refusal = error(429, "rate_limit_error", message);
            refusal.headers = vec![
                ("retry-after", retry_after_secs.to_string()),
                ("anthropic-ratelimit-requests-limit", "50".to_owned()),
                ("anthropic-ratelimit-requests-remaining", "0".to_owned()),
                ("x-should-retry", "true".to_owned()),
            ];
            refusal
        }
        Fault::Overloaded => {
            let mut refusal = error(529, "overloaded_error", "Overloaded");
            refusal.headers = vec![("x-should-retry", "true".to_owned())];
            refusal
        }
        Fault::Internal => error(500, "api_error", "Internal server error"),
        Fault::ContextTooLong => {
            error(400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum")
        }
    }
}

pub(super) fn no_such_path() -> Refusal {
    error(404, "not_found_error", "Not found")
}

pub(super) fn models() -> Value {
    let data = MODELS.map(|id| {
        let name = if id.contains("sonnet") { "Claude Sonnet 4.5" } else { "Claude Haiku 4.5" };
        json!({"type": "model", "id": id, "display_name": name, "created_at": "2025-09-29T00:00:00Z"})
    });
    json!({"data": data, "has_more": false, "first_id": MODELS.first(), "last_id": MODELS.last()})
}

/// The value of the `request-id` header, repeated in error bodies.
pub(super) fn request_id(number: usize) -> String {
    format!("req_011Scripted{number:08}")
}

fn error(status: u16, kind: &str, message: &str) -> Refusal {
    let body = json!({"type": "error", "error": {"type": kind, "message": message}});
    Refusal { status, headers: Vec::new(), body }
}

/// Writes one answer as named server-sent events or as a `message`.
pub(super) struct Writer {
    number: usize,
    model: String,
    input_tokens: u64,
    said: String,
    /// Content blocks begun so far.
    blocks: usize,
    text_open: bool,
    tools: usize,
}

impl Writer {
    pub(super) fn new(call: &Call, number: usize) -> Self {
        Self {
            number,
            model: call.model.clone(),
            input_tokens: call.input_tokens,
            said: String::new(),
            blocks: 0,
            text_open: false,
            tools: 0,
        }
    }

    fn message(&self, content: Value, stop_reason: Value, output_tokens: u64) -> Value {
        json!({
            "id": format!("msg_01Scripted{:08}", self.number),
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": null,
            "usage": {
                "input_tokens": self.input_tokens,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "output_tokens": output_tokens,
                "service_tier": "standard",
            },
        })
    }

    fn start_block(&mut self, block: Value) -> String {
        let index = self.blocks;
        self.blocks += 1;
        let mut events = event(json!({"type": "content_block_start", "index": index, "content_block": block}));
        if index == 0 {
            events.push_str(&event(json!({"type": "ping"})));
        }
        events
    }

    fn delta(&self, delta: Value) -> String {
        event(json!({"type": "content_block_delta", "index": self.blocks.saturating_sub(1), "delta": delta}))
    }

    fn stop_block(&self) -> String {
        event(json!({"type": "content_block_stop", "index": self.blocks.saturating_sub(1)}))
    }

    fn close_text(&mut self) -> String {
        if std::mem::take(&mut self.text_open) { self.stop_block() } else { String::new() }
    }

    fn tool_id(&self, index: usize) -> String {
        format!("toolu_01Scripted{:08}{index:02}", self.number)
    }
}

impl Wire for Writer {
    fn opening(&mut self) -> String {
        event(json!({"type": "message_start", "message": self.message(json!([]), Value::Null, 1)}))
    }

    fn text(&mut self, chunk: &str) -> String {
        self.said.push_str(chunk);
        let mut events = String::new();
        if !self.text_open {
            self.text_open = true;
            events = self.start_block(json!({"type": "text", "text": ""}));
        }
        events + &self.delta(json!({"type": "text_delta", "text": chunk}))
    }

    fn tool(&mut self, call: &ToolCall) -> String {
        let mut events = self.close_text();
        let id = self.tool_id(self.tools);
        self.tools += 1;
        let block = json!({"type": "tool_use", "id": id, "name": call.name, "input": {}});
        events.push_str(&self.start_block(block));
        let arguments = call.arguments.to_string();
        self.said.push_str(&arguments);
        let [first, second] = halves(&arguments);
        for piece in ["", first, second] {
            events.push_str(&self.delta(json!({"type": "input_json_delta", "partial_json": piece})));
        }
        events + &self.stop_block()
    }

    fn closing(&mut self) -> String {
        let mut events = self.close_text();
        let reason = if self.tools == 0 { "end_turn" } else { "tool_use" };
        events.push_str(&event(json!({
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"output_tokens": tokens(&self.said)},
        })));
        events + &event(json!({"type": "message_stop"}))
    }

    fn error(&self) -> String {
        event(refuse(Fault::Overloaded, &self.model).body)
    }

    fn whole(&self, text: &str, tools: &[ToolCall]) -> Value {
        let mut content = Vec::new();
        let mut said = text.to_owned();
        if !text.is_empty() {
            content.push(json!({"type": "text", "text": text}));
        }
        for (index, call) in tools.iter().enumerate() {
            let id = self.tool_id(index);
            content.push(json!({"type": "tool_use", "id": id, "name": call.name, "input": call.arguments}));
            said.push_str(&call.arguments.to_string());
        }
        let reason = if tools.is_empty() { "end_turn" } else { "tool_use" };
        self.message(json!(content), json!(reason), tokens(&said))
    }
}

/// A server-sent event named after the payload's own `type`.
fn event(payload: Value) -> String {
    let name = payload["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {payload}\n\n")
}
