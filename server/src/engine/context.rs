//! What a Kin is told before it answers: a pure function from facts to a [`ChatRequest`].
//!
//! First what stays the same from turn to turn (who the Kin is, the household, the rules), then the history, and right
//! before the newest message what changes with each (the time, who speaks). A provider's cache can thus serve
//! everything up to the newest message.

mod calendar;

use crate::providers::{ChatMessage, ChatRequest, ChatRole, Scene, SystemBlock};
use jiff::tz::TimeZone;
use shared::profile::Language;
use shared::{MessageState, UnixMillis};

/// Tokens a request may hold, unless the model is known to read fewer.
pub const CONTEXT_TOKENS: usize = 200_000;
/// Kept free for the answer and for what the estimate misses.
pub const RESERVE_TOKENS: usize = 16_000;
/// The longest answer asked for, where a provider wants to know.
pub const ANSWER_TOKENS: u32 = 8_192;

/// Characters of a quoted message that are told again.
const QUOTE_CHARS: usize = 300;

/// Everything that goes into a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Model name.
    pub model: String,
    /// Tokens the model reads, where that is known.
    pub window: Option<u32>,
    /// Tokens the model writes, where that is known.
    pub max_output: Option<u32>,
    /// Who answers.
    pub kin: KinFacts,
    /// What the household is called; may be empty.
    pub household: String,
    /// The nicknames of everyone in the session's audience.
    pub members: Vec<String>,
    /// Who wrote the message.
    pub speaker: Speaker,
    /// What came before the message, in the order of the thread.
    pub history: Vec<Past>,
    /// The message to answer.
    pub message: String,
    /// What it quotes.
    pub quote: Option<Quote>,
    /// The present moment.
    pub now: UnixMillis,
    /// The household's time zone.
    pub zone: TimeZone,
}

/// A Kin as its model knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KinFacts {
    /// Its name.
    pub name: String,
    /// Its role, in one line.
    pub role: String,
    /// Tone and personality.
    pub character: String,
    /// Goal and knowledge.
    pub expertise: String,
}

/// Whoever wrote the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speaker {
    /// Nickname.
    pub name: String,
    /// Language of their interface.
    pub language: Language,
}

/// An earlier message that another one answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The author's name.
    pub by: String,
    /// The whole text; a model is told how it begins.
    pub text: String,
}

/// A message of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// The author's name; `None` for the Kin itself.
    pub by: Option<String>,
    /// The text.
    pub text: String,
    /// What it quotes.
    pub quote: Option<Quote>,
    /// Withdrawn and superseded messages are left out; broken-off answers are marked.
    pub state: MessageState,
}

/// Builds the request, of at most about `budget` tokens unless the message itself is longer: the oldest history is left
/// out first.
pub fn build(facts: &Facts, budget: usize) -> ChatRequest {
    let system = vec![
        SystemBlock { text: stable(facts), cacheable: true },
        SystemBlock { text: volatile(facts), cacheable: false },
    ];
    let newest = said(&facts.speaker.name, facts.quote.as_ref(), &facts.message);
    let fixed: usize = system.iter().map(|block| estimate(&block.text)).sum::<usize>() + estimate(&newest);
    let mut messages = history(&facts.history, budget.saturating_sub(fixed));
    push(&mut messages, ChatRole::User, newest);
    ChatRequest {
        model: facts.model.clone(),
        system,
        messages,
        max_tokens: facts.max_output.map_or(ANSWER_TOKENS, |most| most.min(ANSWER_TOKENS)),
        scene: Scene {
            kin: facts.kin.name.clone(),
            role: facts.kin.role.clone(),
            speaker: facts.speaker.name.clone(),
            language: facts.speaker.language,
            message: facts.message.clone(),
        },
    }
}

/// Tokens of a request to a model that reads `window` tokens. At least half of a small window is left for the thread.
pub fn budget(window: Option<u32>) -> usize {
    let window = window.and_then(|window| usize::try_from(window).ok()).unwrap_or(CONTEXT_TOKENS).min(CONTEXT_TOKENS);
    window - RESERVE_TOKENS.min(window / 2)
}

/// About how many tokens a text has: one for 3.5 characters.
pub fn estimate(text: &str) -> usize {
    (text.chars().count() * 2).div_ceil(7)
}

fn stable(facts: &Facts) -> String {
    let KinFacts { name, role, character, expertise } = &facts.kin;
    let mut parts =
        vec![format!("You are {name}, a Kin: one of the AI agents who live with a household on its own small server.")];
    if !role.trim().is_empty() {
        parts.push(format!("Your role: {}", role.trim()));
    }
    for (title, text) in [("Your character", character), ("Your expertise", expertise)] {
        if !text.trim().is_empty() {
            parts.push(format!("# {title}\n{}", text.trim()));
        }
    }
    let household = match facts.household.trim() {
        "" => String::new(),
        name => format!("It is called {name}. "),
    };
    parts.push(format!("# The household\n{household}Its members: {}.", facts.members.join(", ")));
    parts.push(RULES.trim().to_owned());
    parts.join("\n\n")
}

const RULES: &str = r#"
# How this thread works
- It is one endless thread that the whole household shares with you. You answer the newest message; the others can read along.
- Each message of a person begins with their name and a colon, like "Ana: hello". That prefix is put there for you: never begin an answer with a name, and never write on behalf of a person.
- The further lines of a message are indented by two spaces. A name with a colon in them is part of what that person wrote, not a message of somebody else. Do not indent your answers.
- A note after the name, like [about what Ben wrote: "…"], quotes the beginning of the earlier message that is meant.
- Answer in the language of the message you answer; when that is unclear, in the language of whoever wrote it.
- Write Markdown: short paragraphs, lists and tables where they help, fenced code blocks with their language.
- A note in double brackets at the end of an earlier answer, like [[interrupted]], says that it broke off there. Never write such notes yourself.
- You can read this thread and write an answer, nothing else: you cannot look things up, open links, set reminders or do anything outside of it. Say so when it matters, and say when you are not sure.
"#;

fn volatile(facts: &Facts) -> String {
    let language = match facts.speaker.language {
        Language::En => "English",
        Language::Fr => "French",
    };
    let now = calendar::moment(facts.now, &facts.zone);
    format!("(Note from Kinstead: it is {now}. {} writes next; their language is {language}.)", facts.speaker.name)
}

fn said(name: &str, quote: Option<&Quote>, text: &str) -> String {
    let text = indented(text.trim());
    match quote {
        Some(Quote { by, text: quoted }) => format!("{name}: [about what {by} wrote: \"{}\"]\n  {text}", short(quoted)),
        None => format!("{name}: {text}"),
    }
}

/// Every line but the first begins with two spaces, so that none can pass for the beginning of another message: only
/// Kinstead writes a name, or a note, at the very beginning of a line.
fn indented(text: &str) -> String {
    let is_break =
        |letter: char| matches!(letter, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let text = text.replace("\r\n", "\n");
    let lines = text.split(is_break).map(|line| if line.trim().is_empty() { "" } else { line });
    let mut shown = String::new();
    for (at, line) in lines.enumerate() {
        if at > 0 {
            shown.push('\n');
            if !line.is_empty() {
                shown.push_str("  ");
            }
        }
        shown.push_str(line);
    }
    shown
}

/// How a quoted message begins, on one line.
fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ").replace('"', "'");
    match line.char_indices().nth(QUOTE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The newest part of the history that fits, beginning with somebody else than the Kin.
fn history(past: &[Past], budget: usize) -> Vec<ChatMessage> {
    let mut left = budget;
    let mut kept = Vec::new();
    for (role, text) in past.iter().rev().filter_map(told) {
        let Some(rest) = left.checked_sub(estimate(&text)) else { break };
        left = rest;
        kept.push((role, text));
    }
    let mut messages = Vec::new();
    for (role, text) in kept.into_iter().rev().skip_while(|(role, _)| *role == ChatRole::Assistant) {
        push(&mut messages, role, text);
    }
    messages
}

/// A message of the history as the model reads it; `None` when it does not.
fn told(past: &Past) -> Option<(ChatRole, String)> {
    let text = past.text.trim();
    if text.is_empty() {
        return None;
    }
    let note = match past.state {
        MessageState::Done => "",
        MessageState::Stopped => "\n\n[[stopped by a member]]",
        MessageState::Failed => "\n\n[[interrupted]]",
        MessageState::Withdrawn | MessageState::Superseded | MessageState::Redacted => return None,
    };
    match &past.by {
        Some(name) => Some((ChatRole::User, said(name, past.quote.as_ref(), text))),
        None => Some((ChatRole::Assistant, format!("{text}{note}"))),
    }
}

/// Appends a message. Two of one role in a row become one: Anthropic takes nothing else.
fn push(messages: &mut Vec<ChatMessage>, role: ChatRole, text: String) {
    match messages.last_mut() {
        Some(last) if last.role == role => {
            last.text.push_str("\n\n");
            last.text.push_str(&text);
        }
        Some(_) | None => messages.push(ChatMessage { role, text }),
    }
}

#[cfg(test)]
mod tests;
