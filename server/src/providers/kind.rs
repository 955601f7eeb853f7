//! The kinds of provider that can be set up.

use super::capability::Capability;
use std::str::FromStr;

/// Which wire format a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProviderKind {
    /// Any address that offers OpenAI's chat completions; a key is optional.
    OpenaiCompatible,
    /// OpenAI.
    Openai,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Voyage AI.
    Voyage,
    /// The built-in script.
    Demo,
    /// Brave Search.
    Brave,
    /// The household's own SearXNG; a key is optional.
    Searxng,
    /// Tavily.
    Tavily,
}

impl ProviderKind {
    /// Every kind, in the order forms offer them.
    pub const ALL: [Self; 9] = [
        Self::Anthropic,
        Self::Openai,
        Self::Gemini,
        Self::Voyage,
        Self::OpenaiCompatible,
        Self::Demo,
        Self::Brave,
        Self::Searxng,
        Self::Tavily,
    ];

    /// The form kept in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenaiCompatible => "openai-compatible",
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Voyage => "voyage",
            Self::Demo => "demo",
            Self::Brave => "brave",
            Self::Searxng => "searxng",
            Self::Tavily => "tavily",
        }
    }

    /// Where the service is unless a base URL says otherwise.
    pub const fn default_base_url(self) -> Option<&'static str> {
        match self {
            Self::OpenaiCompatible | Self::Searxng | Self::Demo => None,
            Self::Openai => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com/v1"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta"),
            Self::Voyage => Some("https://api.voyageai.com/v1"),
            Self::Brave => Some("https://api.search.brave.com/res/v1"),
            Self::Tavily => Some("https://api.tavily.com"),
        }
    }

    /// Whether it is useless without a key.
    pub const fn needs_key(self) -> bool {
        match self {
            Self::OpenaiCompatible | Self::Searxng | Self::Demo => false,
            Self::Openai | Self::Anthropic | Self::Gemini | Self::Voyage | Self::Brave | Self::Tavily => true,
        }
    }

    /// The version that paths of this kind's addresses hold; empty for none.
    pub(super) const fn version(self) -> &'static str {
        match self {
            Self::OpenaiCompatible | Self::Openai | Self::Anthropic | Self::Voyage | Self::Demo => "/v1",
            Self::Gemini => "/v1beta",
            Self::Brave => "/res/v1",
            Self::Searxng | Self::Tavily => "",
        }
    }

    /// Whether it is a service of the household itself, which may be anywhere in its network.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::OpenaiCompatible | Self::Searxng | Self::Demo)
    }

    /// Everything that a provider of this kind may be able to do.
    pub const fn capabilities(self) -> &'static [Capability] {
        use Capability::{Embedding, Image, Llm, Search};
        match self {
            Self::OpenaiCompatible | Self::Openai | Self::Gemini => &[Llm, Embedding, Image],
            Self::Anthropic | Self::Demo => &[Llm],
            Self::Voyage => &[Embedding],
            Self::Brave | Self::Searxng | Self::Tavily => &[Search],
        }
    }
}

impl FromStr for ProviderKind {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| format!("unknown provider kind {text:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_is_the_wire_form() {
        for kind in ProviderKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).expect("serialises"), kind.as_str());
            assert_eq!(kind.is_own(), kind.default_base_url().is_none());
        }
        assert!("Demo".parse::<ProviderKind>().is_err());
    }
}
