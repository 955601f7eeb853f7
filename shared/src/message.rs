//! Messages of a session.

use crate::ids::{KinId, MemberId, ParseIdError};
use crate::limits::MAX_EMOJI_BYTES;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// Who wrote a message. Its text form is the id, whose prefix tells the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Author {
    /// A person of the household.
    Member(MemberId),
    /// A Kin.
    Kin(KinId),
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(id) => id.fmt(f),
            Self::Kin(id) => id.fmt(f),
        }
    }
}

impl FromStr for Author {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        text.parse().map(Self::Member).or_else(|_| text.parse().map(Self::Kin))
    }
}

impl Serialize for Author {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Author {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The lasting state of an admitted message. Waiting in the queue is no lasting fact: see the `queue` frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageState {
    /// Whole: a member's message, or an answer that ended by itself.
    Done,
    /// An answer a member stopped; its text is what had come so far.
    Stopped,
    /// An answer that failed; its text is what had come so far, its failure says why.
    Failed,
    /// A member's message taken back before a turn took it up. Not shown, not told to the model.
    Withdrawn,
    /// A failed or stopped answer that a retry has replaced. Not shown, not told to the model.
    Superseded,
    /// Its author or an admin had its words taken away, for everybody and for good. Shown as a gap, not told to the model.
    Redacted,
}

impl MessageState {
    /// The form kept in documents, the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Withdrawn => "withdrawn",
            Self::Superseded => "superseded",
            Self::Redacted => "redacted",
        }
    }

    /// Whether the message still has a place in the thread as people read it.
    pub const fn is_shown(self) -> bool {
        !matches!(self, Self::Withdrawn | Self::Superseded)
    }
}

impl FromStr for MessageState {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Done, Self::Stopped, Self::Failed, Self::Withdrawn, Self::Superseded, Self::Redacted]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| format!("unknown message state {text:?}"))
    }
}

/// Whether a text is one emoji and nothing else, of at most [`MAX_EMOJI_BYTES`].
///
/// Follows the shape of emoji sequences in Unicode Technical Standard 51 over whole blocks, without its tables: a new
/// year's emoji pass, letters and words never do.
pub fn is_emoji(text: &str) -> bool {
    if text.is_empty() || text.len() > MAX_EMOJI_BYTES {
        return false;
    }
    let chars: Vec<char> = text.chars().collect();
    match chars.as_slice() {
        [a, b] if is_flag_letter(*a) && is_flag_letter(*b) => true,
        ['0'..='9' | '#' | '*', rest @ ..] => matches!(rest, ['\u{20e3}'] | ['\u{fe0f}', '\u{20e3}']),
        _ => chars.split(|c| *c == '\u{200d}').all(is_emoji_element),
    }
}

/// One picture, then at most a variation selector, a skin tone and tags (flags of regions).
fn is_emoji_element(chars: &[char]) -> bool {
    let Some((first, rest)) = chars.split_first() else { return false };
    let rest = rest.strip_prefix(&['\u{fe0f}']).unwrap_or(rest);
    let rest = match rest {
        ['\u{1f3fb}'..='\u{1f3ff}', rest @ ..] => rest,
        _ => rest,
    };
    is_picture(*first) && rest.iter().all(|c| matches!(c, '\u{e0020}'..='\u{e007f}'))
}

const fn is_flag_letter(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

const fn is_picture(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{2199}'
        | '\u{21a9}'..='\u{21aa}' | '\u{231a}'..='\u{23ff}' | '\u{24c2}' | '\u{25aa}'..='\u{27bf}'
        | '\u{2934}'..='\u{2935}' | '\u{2b05}'..='\u{2b55}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
        && !is_flag_letter(c)
        && !matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

#[cfg(test)]
mod tests {
    use super::is_emoji;

    #[test]
    fn one_emoji_is_one_whatever_it_is_made_of() {
        for good in ["👍", "❤️", "❤", "👍🏽", "👩‍🍳", "👩🏽‍🍳", "🏳️‍🌈", "🇫🇷", "1️⃣", "#⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]
        {
            assert!(is_emoji(good), "{good}");
        }
    }

    #[test]
    fn words_and_several_emoji_are_none() {
        for bad in
            ["", " ", "a", "1", "ok", "👍👍", "👍a", "\u{200d}", "👍\u{200d}", "\u{fe0f}", "🇫", "🇫🇷🇫🇷", "<b>", "🏽"]
        {
            assert!(!is_emoji(bad), "{bad}");
        }
        assert!(!is_emoji(&"👩‍🍳".repeat(4)));
    }
}
