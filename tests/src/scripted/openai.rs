//! OpenAI chat completions, as documented at <https://platform.openai.com/docs/api-reference/chat>.

use super::script::{Fault, ToolCall};
use super::wire::{Call, KEY, Last, Refusal, Wire, text_of, tokens};
use axum::http::{HeaderMap, header::AUTHORIZATION};
use serde_json::{Value, json};

/// The models that exist here.
pub const MODELS: [&str; 3] = ["gpt-4o", "gpt-4o-mini", "gpt-4.1-mini"];

/// `created` of every answer and model, so that equal scripts give equal bytes.
const CREATED: u64 = 1_764_547_200;

pub(super) fn admit(headers: &HeaderMap) -> Result<(), Refusal> {
    let key = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    match key.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(KEY) => Ok(()),
        Some(_) => Err(refuse(Fault::BadKey, "")),
        None => Err(refuse(Fault::NoKey, "")),
    }
}

pub(super) fn read(body: Option<&Value>) -> Result<Call, Refusal> {
    let Some(body) = body else {
        let message = "We could not parse the JSON body of your request.";
        return Err(error(400, message, "invalid_request_error", Value::Null, Value::Null));
    };
    let Some(model) = body["model"].as_str() else {
        let message = "you must provide a model parameter";
        return Err(error(400, message, "invalid_request_error", Value::Null, Value::Null));
    };
    let Some(messages) = body["messages"].as_array() else {
        let message = "Missing required parameter: 'messages'.";
        let code = json!("missing_required_parameter");
        return Err(error(400, message, "invalid_request_error", json!("messages"), code));
    };
    if !MODELS.contains(&model) {
        return Err(refuse(Fault::NoModel, model));
    }
    Ok(Call {
        model: model.to_owned(),
        stream: body["stream"] == true,
        include_usage: body["stream_options"]["include_usage"] == true,
        last: last(messages),
        input_tokens: tokens(&body["messages"].to_string()),
    })
}

/// A tool's result counts only when nothing was said after it.
fn last(messages: &[Value]) -> Last {
    let newest = messages.iter().rev().find(|message| message["role"] == "user" || message["role"] == "tool");
    let Some(message) = newest else { return Last::Nothing };
    let text = text_of(&message["content"]);
    if message["role"] == "tool" {
        return Last::ToolResult(text.unwrap_or_default());
    }
    text.map_or(Last::Nothing, Last::User)
}

pub(super) fn refuse(fault: Fault, model: &str) -> Refusal {
    let invalid = "invalid_request_error";
    match fault {
        Fault::NoKey => {
            let message = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
            error(401, message, invalid, Value::Null, Value::Null)
        }
        Fault::BadKey => {
            let message = "Incorrect API key provided: wrong***key. You can find your API key at https://platform.openai.com/account/api-keys.";
            error(401, message, invalid, Value::Null, json!("invalid_api_key"))
        }
        Fault::NoModel => {
            let message = format!("The model `{model}` does not exist or you do not have access to it.");
            error(404, &message, invalid, Value::Null, json!("model_not_found"))
        }
        Fault::RateLimit { retry_after_secs } => {
            let message = format!(
                "Rate limit reached for {model} in organization org-scripted on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in {retry_after_secs}s. Visit https://platform.openai.com/account/rate-limits to learn more."
            );
            let mut refusal = error(429, &message, "requests", Value::Null, json!("rate_limit_exceeded"));
            refusal.headers = vec![
                ("retry-after", retry_after_secs.to_string()),
                ("retry-after-ms", retry_after_secs.saturating_mul(1000).to_string()),
                ("x-ratelimit-limit-requests", "3".to_owned()),
                ("x-ratelimit-remaining-requests", "0".to_owned()),
                ("x-ratelimit-reset-requests", format!("{retry_after_secs}s")),
            ];
            refusal
        }
        Fault::Overloaded => {
            let message = "The server is currently overloaded with other requests. Sorry about that! You can retry your request, or contact us through our help center at help.openai.com if the error persists.";
            error(503, message, "server_error", Value::Null, Value::Null)
        }
        Fault::Internal => {
            let message = "The server had an error while processing your request. Sorry about that!";
            error(500, message, "server_error", Value::Null, Value::Null)
        }
        Fault::ContextTooLong => {
            let message = "This model's maximum context length is 128000 tokens. However, your messages resulted in 208310 tokens. Please reduce the length of the messages.";
            error(400, message, invalid, json!("messages"), json!("context_length_exceeded"))
        }
    }
}

pub(super) fn no_such_path(method: &str, path: &str) -> Refusal {
    let message = format!("Invalid URL ({method} {path})");
    error(404, &message, "invalid_request_error", Value::Null, Value::Null)
}

pub(super) fn models() -> Value {
    let data: Vec<Value> = MODELS
        .iter()
        .map(|id| json!({"id": id, "object": "model", "created": CREATED, "owned_by": "system"}))
        .collect();
    json!({"object": "list", "data": data})
}

fn error(status: u16, message: &str, kind: &str, param: Value, code: Value) -> Refusal {
    let body = json!({"error": {"message": message, "type": kind, "param": param, "code": code}});
    Refusal { status, headers: Vec::new(), body }
}

/// Writes one answer as `chat.completion.chunk` events or as a `chat.completion`.
pub(super) struct Writer {
    id: String,
    model: String,
    include_usage: bool,
    input_tokens: u64,
    said: String,
    tools: usize,
    number: usize,
}

impl Writer {
    pub(super) fn new(call: &Call, number: usize) -> Self {
        Self {
            id: format!("chatcmpl-scripted{number:08}"),
            model: call.model.clone(),
            include_usage: call.include_usage,
            input_tokens: call.input_tokens,
            said: String::new(),
            tools: 0,
            number,
        }
    }

    fn chunk(&self, choices: Value, usage: Value) -> String {
        let mut chunk = json!({
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": self.model,
            "service_tier": "default",
            "system_fingerprint": "fp_scripted",
            "choices": choices,
        });
        // Without `include_usage` the field is not there at all; with it, null until the last chunk.
        if self.include_usage {
            chunk["usage"] = usage;
        }
        data(&chunk)
    }

    fn delta(&self, delta: Value, finish_reason: Value) -> String {
        let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason});
        self.chunk(json!([choice]), Value::Null)
    }

    fn usage(&self, said: &str) -> Value {
        let output = tokens(said);
        json!({
            "prompt_tokens": self.input_tokens,
            "completion_tokens": output,
            "total_tokens": self.input_tokens + output,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        })
    }

    fn call_id(&self, index: usize) -> String {
        format!("call_scripted{:08}_{index}", self.number)
    }
}

impl Wire for Writer {
    fn opening(&mut self) -> String {
        self.delta(json!({"role": "assistant", "content": "", "refusal": null}), Value::Null)
    }

    fn text(&mut self, chunk: &str) -> String {
        self.said.push_str(chunk);
        self.delta(json!({"content": chunk}), Value::Null)
    }

    fn tool(&mut self, call: &ToolCall) -> String {
        let index = self.tools;
        self.tools += 1;
        let head = json!({
            "index": index,
            "id": self.call_id(index),
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        });
        let mut events = self.delta(json!({"tool_calls": [head]}), Value::Null);
        let arguments = call.arguments.to_string();
        self.said.push_str(&arguments);
        for piece in halves(&arguments) {
            let more = json!({"index": index, "function": {"arguments": piece}});
            events.push_str(&self.delta(json!({"tool_calls": [more]}), Value::Null));
        }
        events
    }

    fn closing(&mut self) -> String {
        let reason = if self.tools == 0 { "stop" } else { "tool_calls" };
        let mut events = self.delta(json!({}), json!(reason));
        if self.include_usage {
            events.push_str(&self.chunk(json!([]), self.usage(&self.said)));
        }
        events.push_str("data: [DONE]\n\n");
        events
    }

    fn error(&self) -> String {
        data(&refuse(Fault::Internal, &self.model).body)
    }

    fn whole(&self, text: &str, tools: &[ToolCall]) -> Value {
        let calls: Vec<Value> = (0..)
            .zip(tools)
            .map(|(index, call)| {
                let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
                json!({"id": self.call_id(index), "type": "function", "function": function})
            })
            .collect();
        let content = if text.is_empty() && !calls.is_empty() { Value::Null } else { json!(text) };
        let mut message = json!({"role": "assistant", "content": content, "refusal": null, "annotations": []});
        let mut reason = "stop";
        let mut said = text.to_owned();
        if !calls.is_empty() {
            reason = "tool_calls";
            said.extend(tools.iter().map(|call| call.arguments.to_string()));
            message["tool_calls"] = json!(calls);
        }
        json!({
            "id": self.id,
            "object": "chat.completion",
            "created": CREATED,
            "model": self.model,
            "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": reason}],
            "usage": self.usage(&said),
            "service_tier": "default",
            "system_fingerprint": "fp_scripted",
        })
    }
}

fn data(json: &Value) -> String {
    format!("data: {json}\n\n")
}

/// Arguments arrive in pieces, as they do from the real service.
pub(super) fn halves(text: &str) -> [&str; 2] {
    let (first, second) = text.split_at(text.floor_char_boundary(text.len() / 2));
    [first, second]
}
