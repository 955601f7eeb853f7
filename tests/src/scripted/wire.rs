//! What both vendors' formats have in common, and which of the two a request meets.

use super::script::{Fault, ToolCall};
use super::{anthropic, openai};
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The only key that is accepted.
pub const KEY: &str = "test-key";

/// Whose wire format a request speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Vendor {
    /// OpenAI chat completions.
    OpenAi,
    /// Anthropic messages.
    Anthropic,
}

/// The newest message of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Last {
    /// A person's (or system's) words.
    User(String),
    /// What a tool of the client gave back.
    ToolResult(String),
    /// There is no text to react to.
    Nothing,
}

/// What the provider needs to know of a request in order to answer it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub model: String,
    pub stream: bool,
    /// OpenAI's `stream_options.include_usage`; Anthropic always tells.
    pub include_usage: bool,
    pub last: Last,
    pub input_tokens: u64,
}

/// An error answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Value,
}

/// Writes one answer in a vendor's format, event by event or whole.
///
/// Order of calls: `opening`, any of `text` and `tool`, then `closing` or `error`.
pub(crate) trait Wire {
    /// The events before the first word.
    fn opening(&mut self) -> String;
    /// The events for one piece of text.
    fn text(&mut self, chunk: &str) -> String;
    /// The events for one tool call.
    fn tool(&mut self, call: &ToolCall) -> String;
    /// The events of a proper end.
    fn closing(&mut self) -> String;
    /// The event that tells of an error in mid stream.
    fn error(&self) -> String;
    /// The whole answer of a call that is not streamed.
    fn whole(&self, text: &str, tools: &[ToolCall]) -> Value;
}

impl Vendor {
    /// The format of a path that both vendors serve, or neither does.
    pub(crate) fn of_shared_path(headers: &HeaderMap) -> Self {
        if headers.contains_key("x-api-key") { Self::Anthropic } else { Self::OpenAi }
    }

    /// Checks the key, and Anthropic's version header.
    pub(crate) fn admit(self, headers: &HeaderMap) -> Result<(), Refusal> {
        match self {
            Self::OpenAi => openai::admit(headers),
            Self::Anthropic => anthropic::admit(headers),
        }
    }

    /// Reads a generation request and checks its model; `None` is a body that is not JSON.
    pub(crate) fn read(self, body: Option<&Value>) -> Result<Call, Refusal> {
        match self {
            Self::OpenAi => openai::read(body),
            Self::Anthropic => anthropic::read(body),
        }
    }

    /// The error body, status and headers for `fault`.
    pub(crate) fn refuse(self, fault: Fault, model: &str) -> Refusal {
        match self {
            Self::OpenAi => openai::refuse(fault, model),
            Self::Anthropic => anthropic::refuse(fault, model),
        }
    }

    /// What the vendor says of a path it does not serve.
    pub(crate) fn no_such_path(self, method: &str, path: &str) -> Refusal {
        match self {
            Self::OpenAi => openai::no_such_path(method, path),
            Self::Anthropic => anthropic::no_such_path(),
        }
    }

    /// The list of models.
    pub(crate) fn models(self) -> Value {
        match self {
            Self::OpenAi => openai::models(),
            Self::Anthropic => anthropic::models(),
        }
    }

    /// A writer for the answer to the `number`th request.
    pub(crate) fn wire(self, call: &Call, number: usize) -> Box<dyn Wire + Send> {
        match self {
            Self::OpenAi => Box::new(openai::Writer::new(call, number)),
            Self::Anthropic => Box::new(anthropic::Writer::new(call, number)),
        }
    }

    /// The fault that an error inside a stream stands for.
    pub(crate) fn mid_stream_fault(self) -> Fault {
        match self {
            Self::OpenAi => Fault::Internal,
            Self::Anthropic => Fault::Overloaded,
        }
    }

    /// Headers that every answer of the vendor carries.
    pub(crate) fn headers(self, number: usize) -> Vec<(&'static str, String)> {
        match self {
            Self::OpenAi => vec![
                ("x-request-id", format!("req_scripted{number:08}")),
                ("openai-version", "2020-10-01".to_owned()),
                ("openai-processing-ms", "12".to_owned()),
            ],
            Self::Anthropic => vec![("request-id", anthropic::request_id(number))],
        }
    }
}

/// A deterministic stand-in for a tokenizer: four characters to a token.
pub(crate) fn tokens(text: &str) -> u64 {
    let characters = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    characters.div_ceil(4)
}

/// The text of a message's `content`: a string, or blocks of type `text`.
pub(crate) fn text_of(content: &Value) -> Option<String> {
    if let Some(text) = content.as_str() {
        return Some(text.to_owned());
    }
    let blocks = content.as_array()?.iter();
    let texts: Vec<&str> =
        blocks.filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}
