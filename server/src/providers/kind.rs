//! The kinds of provider that can be set up.

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
    /// The built-in script.
    Demo,
}

impl ProviderKind {
    /// Every kind, in the order forms offer them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::Openai, Self::OpenaiCompatible, Self::Demo];

    /// The form kept in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenaiCompatible => "openai-compatible",
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Demo => "demo",
        }
    }

    /// Where the service is unless a base URL says otherwise.
    pub const fn default_base_url(self) -> Option<&'static str> {
        match self {
            Self::OpenaiCompatible | Self::Demo => None,
            Self::Openai => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com/v1"),
        }
    }

    /// Whether it is useless without a key.
    pub const fn needs_key(self) -> bool {
        match self {
            Self::OpenaiCompatible | Self::Demo => false,
            Self::Openai | Self::Anthropic => true,
        }
    }

    /// What it can be used for.
    pub const fn capabilities(self) -> &'static [&'static str] {
        match self {
            Self::OpenaiCompatible | Self::Openai | Self::Anthropic | Self::Demo => &["llm"],
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
        }
        assert!("Demo".parse::<ProviderKind>().is_err());
    }
}
