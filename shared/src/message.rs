//! Messages of a session.

use crate::ids::{KinId, MemberId, ParseIdError};
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
        }
    }

    /// Whether the message still belongs to the thread as people and models read it.
    pub const fn is_shown(self) -> bool {
        !matches!(self, Self::Withdrawn | Self::Superseded)
    }
}

impl FromStr for MessageState {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Done, Self::Stopped, Self::Failed, Self::Withdrawn, Self::Superseded]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| format!("unknown message state {text:?}"))
    }
}
