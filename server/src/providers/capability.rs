//! What providers can do, and what a household uses them for.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Something a provider can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Capability {
    /// Answers chats.
    Llm,
    /// Turns texts into vectors.
    Embedding,
    /// Draws pictures.
    Image,
    /// Searches the web.
    Search,
}

impl Capability {
    /// Every one, in the order people read them.
    pub const ALL: [Self; 4] = [Self::Llm, Self::Embedding, Self::Image, Self::Search];

    /// The form kept in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Llm => "llm",
            Self::Embedding => "embedding",
            Self::Image => "image",
            Self::Search => "search",
        }
    }
}

impl FromStr for Capability {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|one| one.as_str() == text);
        found.ok_or_else(|| format!("unknown capability {text:?}"))
    }
}

/// A use that has a default provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// A Kin's answers.
    Chat,
    /// Small work behind the scenes: titles, summaries.
    Small,
    /// Memory.
    Embedding,
    /// Pictures.
    Image,
    /// Looking things up.
    Search,
}

impl Use {
    /// Every one, in the order people read them.
    pub const ALL: [Self; 5] = [Self::Chat, Self::Small, Self::Embedding, Self::Image, Self::Search];

    /// The form kept in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Small => "small",
            Self::Embedding => "embedding",
            Self::Image => "image",
            Self::Search => "search",
        }
    }

    /// What a provider must be able to do for it.
    pub const fn needs(self) -> Capability {
        match self {
            Self::Chat | Self::Small => Capability::Llm,
            Self::Embedding => Capability::Embedding,
            Self::Image => Capability::Image,
            Self::Search => Capability::Search,
        }
    }

    /// Whether a default for it names a model; a search engine has none.
    pub const fn has_model(self) -> bool {
        !matches!(self, Self::Search)
    }
}

impl FromStr for Use {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|one| one.as_str() == text).ok_or_else(|| format!("unknown use {text:?}"))
    }
}
