//! What a test can ask the provider to do, said without any vendor's words.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One answer (or fault) for one model call. Queued scripts are used up in order.
///
/// The JSON form is `{"kind": "gated", "chunks": ["a", "b"]}`; unknown kinds and fields are refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Script {
    /// A normal answer, one stream event per chunk.
    Answer {
        /// The text, cut where stream events are cut.
        chunks: Vec<String>,
        /// Milliseconds before each chunk.
        #[serde(default)]
        delay_ms: u64,
    },
    /// A normal answer whose every chunk waits for [`release`](super::ScriptedProvider::release).
    ///
    /// The head of the stream goes out at once, its end together with the last chunk. An empty
    /// last chunk holds the end back.
    Gated {
        /// The text, cut where stream events are cut.
        chunks: Vec<String>,
        /// The gate to wait at; tests with several calls at once give each its own.
        #[serde(default)]
        gate: String,
    },
    /// Text, then calls of the client's tools; ends with the vendor's "call these" stop reason.
    ToolCalls {
        /// Said before the calls; none when empty.
        #[serde(default)]
        text: String,
        /// In order.
        calls: Vec<ToolCall>,
    },
    /// 429 with a `Retry-After` header, for this call and the next `times - 1`.
    RateLimit {
        /// Value of the header, in seconds.
        retry_after_secs: u64,
        /// How many calls are refused; 0 counts as 1.
        #[serde(default = "once")]
        times: u32,
    },
    /// 529 from Anthropic, 503 from OpenAI.
    Overloaded,
    /// Chunks, then the connection drops: no `[DONE]`, no `message_stop`.
    CutStream {
        /// Sent before the cut.
        chunks: Vec<String>,
    },
    /// A normal answer sent so that each multi-byte character arrives in several writes.
    SplitUtf8 {
        /// The whole text.
        #[serde(default = "accented")]
        text: String,
    },
    /// 200, but the body (or the stream's data lines) is not JSON.
    GarbageJson,
    /// 200 with an HTML page, as captive portals and proxies do.
    Html,
    /// Accepts the request and never answers, not even with headers.
    Silence,
    /// Chunks, then nothing, with the connection left open.
    SilenceAfter {
        /// Sent before the silence.
        chunks: Vec<String>,
    },
    /// Chunks, then the vendor's error event inside the stream.
    ///
    /// A call that is not streamed gets the same error as a 500 (529 from Anthropic).
    ErrorEvent {
        /// Sent before the error.
        #[serde(default)]
        chunks: Vec<String>,
    },
    /// 401 although the key is right (it was revoked).
    Unauthorized,
    /// 404 although the model is listed (it was retired).
    ModelNotFound,
    /// 400: the messages do not fit the model's window.
    ContextTooLong,
}

/// One call of a client's tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The tool's name as the client offered it.
    pub name: String,
    /// A JSON object; empty when left out.
    #[serde(default = "no_arguments")]
    pub arguments: Value,
}

impl Script {
    /// A normal answer without delays.
    pub fn answer<T: Into<String>>(chunks: impl IntoIterator<Item = T>) -> Self {
        Self::Answer { chunks: texts(chunks), delay_ms: 0 }
    }

    /// A normal answer with `delay_ms` milliseconds before each chunk.
    pub fn slow<T: Into<String>>(chunks: impl IntoIterator<Item = T>, delay_ms: u64) -> Self {
        Self::Answer { chunks: texts(chunks), delay_ms }
    }

    /// An answer whose chunks wait at the unnamed gate.
    pub fn gated<T: Into<String>>(chunks: impl IntoIterator<Item = T>) -> Self {
        Self::gated_at("", chunks)
    }

    /// An answer whose chunks wait at the gate named `gate`.
    pub fn gated_at<T: Into<String>>(gate: &str, chunks: impl IntoIterator<Item = T>) -> Self {
        Self::Gated { chunks: texts(chunks), gate: gate.to_owned() }
    }

    /// One call of the tool `name` and no text.
    pub fn tool_call(name: &str, arguments: Value) -> Self {
        let call = ToolCall { name: name.to_owned(), arguments };
        Self::ToolCalls { text: String::new(), calls: vec![call] }
    }

    /// Chunks, then the connection drops.
    pub fn cut<T: Into<String>>(chunks: impl IntoIterator<Item = T>) -> Self {
        Self::CutStream { chunks: texts(chunks) }
    }

    /// An answer in French and emoji, split inside its characters.
    pub fn split_utf8() -> Self {
        Self::SplitUtf8 { text: accented() }
    }

    /// Chunks, then silence.
    pub fn silence_after<T: Into<String>>(chunks: impl IntoIterator<Item = T>) -> Self {
        Self::SilenceAfter { chunks: texts(chunks) }
    }

    /// Chunks, then an error event.
    pub fn error_event<T: Into<String>>(chunks: impl IntoIterator<Item = T>) -> Self {
        Self::ErrorEvent { chunks: texts(chunks) }
    }

    /// 429 for `times` calls.
    pub fn rate_limit(retry_after_secs: u64, times: u32) -> Self {
        Self::RateLimit { retry_after_secs, times }
    }
}

/// What one call gets, in the order it gets it. Vendors turn beats into bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Beat {
    /// A piece of the answer's text.
    Text(String),
    /// A call of the client's tool.
    Tool(ToolCall),
    /// Wait this many milliseconds.
    Pause(u64),
    /// Wait for one permit of this gate.
    Gate(String),
}

/// How an answer that began well comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As the vendor documents it.
    Proper,
    /// The connection drops.
    Cut,
    /// Nothing more is sent and the connection stays.
    Hang,
    /// The vendor's error event.
    Error,
}

/// A refusal with an error body, worded by each vendor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The request had no key.
    NoKey,
    /// The key is wrong or revoked.
    BadKey,
    /// There is no such model.
    NoModel,
    /// Too many requests.
    RateLimit { retry_after_secs: u64 },
    /// The service has no room.
    Overloaded,
    /// The service failed.
    Internal,
    /// The messages do not fit.
    ContextTooLong,
}

/// A script in the terms the player works with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    /// A well-formed beginning and one of four ends.
    Speak { beats: Vec<Beat>, ending: Ending, split: bool },
    /// An error body.
    Refuse(Fault),
    /// 200 and nonsense.
    Garbage,
    /// 200 and a page.
    Html,
    /// No answer at all.
    Silence,
}

impl Script {
    /// What this script comes to for one call.
    pub(crate) fn part(&self) -> Part {
        let speak = |beats, ending| Part::Speak { beats, ending, split: false };
        match self {
            Self::Answer { chunks, delay_ms } => speak(each_after(chunks, |_| Beat::Pause(*delay_ms)), Ending::Proper),
            Self::Gated { chunks, gate } => speak(each_after(chunks, |_| Beat::Gate(gate.clone())), Ending::Proper),
            Self::ToolCalls { text, calls } => {
                let said = (!text.is_empty()).then(|| Beat::Text(text.clone()));
                let beats = said.into_iter().chain(calls.iter().cloned().map(Beat::Tool));
                speak(beats.collect(), Ending::Proper)
            }
            Self::CutStream { chunks } => speak(plain(chunks), Ending::Cut),
            Self::SilenceAfter { chunks } => speak(plain(chunks), Ending::Hang),
            Self::ErrorEvent { chunks } => speak(plain(chunks), Ending::Error),
            Self::SplitUtf8 { text } => {
                let beats = vec![Beat::Text(text.clone())];
                Part::Speak { beats, ending: Ending::Proper, split: true }
            }
            Self::RateLimit { retry_after_secs, .. } => {
                Part::Refuse(Fault::RateLimit { retry_after_secs: *retry_after_secs })
            }
            Self::Overloaded => Part::Refuse(Fault::Overloaded),
            Self::Unauthorized => Part::Refuse(Fault::BadKey),
            Self::ModelNotFound => Part::Refuse(Fault::NoModel),
            Self::ContextTooLong => Part::Refuse(Fault::ContextTooLong),
            Self::GarbageJson => Part::Garbage,
            Self::Html => Part::Html,
            Self::Silence => Part::Silence,
        }
    }
}

fn texts<T: Into<String>>(chunks: impl IntoIterator<Item = T>) -> Vec<String> {
    chunks.into_iter().map(Into::into).collect()
}

fn plain(chunks: &[String]) -> Vec<Beat> {
    chunks.iter().cloned().map(Beat::Text).collect()
}

fn each_after(chunks: &[String], wait: impl Fn(&str) -> Beat) -> Vec<Beat> {
    chunks.iter().flat_map(|chunk| [wait(chunk), Beat::Text(chunk.clone())]).collect()
}

fn once() -> u32 {
    1
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

fn accented() -> String {
    "Où étais-tu ? Ça coûte 3 €. Familia: 👩‍👧 家族.".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_form_is_what_browser_tests_write() {
        let read = |value| serde_json::from_value::<Script>(value);
        let gated = read(json!({"kind": "gated", "chunks": ["a", "b"]})).expect("valid");
        assert_eq!(gated, Script::gated(["a", "b"]));
        let limit = read(json!({"kind": "rate_limit", "retry_after_secs": 3})).expect("valid");
        assert_eq!(limit, Script::rate_limit(3, 1));
        assert_eq!(read(json!({"kind": "split_utf8"})).expect("valid"), Script::split_utf8());
        assert_eq!(read(json!({"kind": "silence"})).expect("valid"), Script::Silence);
        assert!(read(json!({"kind": "answer", "chunks": [], "delay": 3})).is_err());
        assert!(read(json!({"kind": "applause"})).is_err());
    }

    #[test]
    fn gate_comes_before_each_chunk() {
        let Part::Speak { beats, ending, split } = Script::gated(["a", "b"]).part() else {
            panic!("a gated answer speaks");
        };
        let gate = || Beat::Gate(String::new());
        let text = |text: &str| Beat::Text(text.to_owned());
        assert_eq!(beats, [gate(), text("a"), gate(), text("b")]);
        assert_eq!((ending, split), (Ending::Proper, false));
    }
}
