//! Typed operations: what a client may change, as plain data.
//!
//! A client makes a change in its own Automerge document and sends not the bytes but the operation and the change's
//! header. The server rebuilds the change from both and compares the hash, so hostile bytes have nowhere to go.

use crate::ids::{MessageId, SessionId};
use crate::time::UnixMillis;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! bytes_newtype {
    ($(#[$doc:meta])* $name:ident, $len:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $len]);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_bytes(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes = serde_bytes::ByteArray::<$len>::deserialize(deserializer)?;
                Ok(Self(bytes.into_array()))
            }
        }
    };
}

bytes_newtype!(
    /// One writer of one document: sixteen random bytes per device, document and incarnation.
    ActorId, 16
);
bytes_newtype!(
    /// SHA-256 of a change's canonical bytes, as Automerge defines it.
    ChangeHash, 32
);

/// The place of a change in its document's history, as the client made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeHeader {
    /// Who writes; registered to the device on first use.
    pub actor: ActorId,
    /// 1 for an actor's first change, then one more each.
    pub seq: u64,
    /// One more than the highest operation number the client's document held.
    pub start_op: u64,
    /// Heads of the client's document before the change, ascending.
    pub deps: Vec<ChangeHash>,
    /// The change's time by the client's clock, in milliseconds.
    pub time: UnixMillis,
    /// What the rebuilt change must hash to.
    pub hash: ChangeHash,
}

/// Which text of a `kin` document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextField {
    /// Tone and personality.
    Character,
    /// Goal and knowledge.
    Expertise,
}

impl TextField {
    /// The key in the document and the column in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Character => "character",
            Self::Expertise => "expertise",
        }
    }
}

/// One replacement in a text. Several apply one after the other, each to the result of those before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Where, in Unicode scalar values.
    pub at: u32,
    /// How many scalar values are taken out.
    pub delete: u32,
    /// What is put in their place.
    pub insert: String,
}

/// Settings that follow a member between devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreferenceKey {
    /// `light`, `dark` or `system`.
    Theme,
    /// `en` or `fr`.
    Language,
}

impl PreferenceKey {
    /// The key in the `me` document.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Theme => "theme",
            Self::Language => "language",
        }
    }

    /// Whether `value` is one this setting knows.
    pub fn allows(self, value: &str) -> bool {
        match self {
            Self::Theme => matches!(value, "light" | "dark" | "system"),
            Self::Language => matches!(value, "en" | "fr"),
        }
    }
}

/// Everything a client may do to a document. What a document kind takes is decided in `sync::gate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// In a chapter: adds a message of one's own under a fresh id.
    AddMessage {
        /// Made by the client; unique in the household.
        message: MessageId,
        /// Markdown, at most [`MAX_MESSAGE_BYTES`](crate::limits::MAX_MESSAGE_BYTES).
        text: String,
        /// When the member sent it, by the client's clock.
        sent_at: UnixMillis,
        /// The message of the same session that it quotes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply_to: Option<MessageId>,
    },
    /// In a session's open chapter: sets or takes back one's own reaction to a message of any chapter.
    React {
        /// Which.
        message: MessageId,
        /// One emoji, see [`is_emoji`](crate::message::is_emoji); empty for none.
        emoji: String,
    },
    /// In a `kin` document: edits one of its texts.
    EditText {
        /// Which text.
        field: TextField,
        /// In order, at most [`MAX_SPLICES`](crate::limits::MAX_SPLICES).
        splices: Vec<Splice>,
    },
    /// In a `me` document: the member has read a session up to `seq`.
    SetRead {
        /// The session.
        session: SessionId,
        /// The newest message seen.
        seq: u64,
    },
    /// In a `me` document: sets a preference.
    SetPreference {
        /// Which.
        key: PreferenceKey,
        /// Its value, see [`PreferenceKey::allows`].
        value: String,
    },
    /// In a `me` document: what the member has written for a session and not sent.
    SetDraft {
        /// The session.
        session: SessionId,
        /// At most [`MAX_DRAFT_BYTES`](crate::limits::MAX_DRAFT_BYTES); empty for none.
        text: String,
        /// When it was written, by the device's clock: of several devices' drafts the newest stands.
        at: UnixMillis,
        /// The message it will quote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply_to: Option<MessageId>,
    },
    /// In a `me` document: keeps a message at hand, or no longer.
    SetPin {
        /// Of which session.
        session: SessionId,
        /// Which message.
        message: MessageId,
        /// How it begins, at most [`MAX_EXCERPT_BYTES`](crate::limits::MAX_EXCERPT_BYTES); `None` takes the pin out.
        excerpt: Option<String>,
    },
}
