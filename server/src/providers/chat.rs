//! What a chat provider is asked and what it answers, in no vendor's words.

use futures_util::stream::BoxStream;
use shared::Failure;
use shared::profile::Language;

/// A streamed answer: pieces, then [`ChatEvent::Done`] or one failure, then nothing.
pub type ChatStream = BoxStream<'static, Result<ChatEvent, Failure>>;

/// A service that answers chats.
pub trait ChatProvider: Send + Sync {
    /// Asks for an answer. Nothing is sent before the stream is first polled; dropping it hangs up.
    ///
    /// The stream has no idle limit of its own: the turn machine watches its signs of life.
    fn chat(&self, request: ChatRequest) -> ChatStream;
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatRequest {
    /// The model, as the provider names it.
    pub model: String,
    /// Instructions: first the blocks that stay the same from turn to turn, then the others.
    pub system: Vec<SystemBlock>,
    /// The conversation: begins and ends with a [`ChatRole::User`] message, roles alternate, none is empty.
    pub messages: Vec<ChatMessage>,
    /// Upper bound of the answer, for services that demand one.
    pub max_tokens: u32,
    /// What the call is about, for a provider that is no model.
    pub scene: Scene,
}

/// A part of the instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemBlock {
    /// The text.
    pub text: String,
    /// Whether it stays the same from turn to turn. What does not is sent right before the newest message, so that
    /// everything in front of it can be served from a provider's cache.
    pub cacheable: bool,
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatMessage {
    /// Whose.
    pub role: ChatRole,
    /// The text.
    pub text: String,
}

/// Who speaks, as models see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatRole {
    /// People, and everything else that is not the model itself.
    User,
    /// The model.
    Assistant,
}

/// The facts behind a request that Demo plays with; models get them in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scene {
    /// The Kin's name.
    pub kin: String,
    /// The Kin's role.
    pub role: String,
    /// Who wrote the message.
    pub speaker: String,
    /// Their language.
    pub language: Language,
    /// The message as they wrote it.
    pub message: String,
}

/// A sign of a running answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatEvent {
    /// A piece of text, never empty.
    Text(String),
    /// Bytes came that carry no text: a ping, a thought, a comment.
    Heard,
    /// The answer is whole.
    Done {
        /// What it cost.
        usage: Usage,
        /// Why it ended.
        stop: StopReason,
    },
}

/// Tokens of one call, where the provider tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Read, cached ones included.
    pub input_tokens: Option<u64>,
    /// Written.
    pub output_tokens: Option<u64>,
}

/// Why a model stopped writing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StopReason {
    /// It had said everything.
    #[default]
    End,
    /// It ran into the limit of tokens.
    Length,
    /// The provider's filter or the model itself declined.
    Declined,
}
