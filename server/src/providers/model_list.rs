//! The models a provider offers.

use super::capability::Capability;
use futures_util::future::BoxFuture;
use shared::Failure;

/// A service that tells which models it offers.
pub trait ModelList: Send + Sync {
    /// Lists them. Fails within seconds when the service cannot be reached.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, Failure>>;
}

/// A model as its provider lists it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModelInfo {
    /// The name that requests use.
    pub name: String,
    /// A name for people, where the provider has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it does.
    #[serde(skip)]
    pub does: Capability,
    /// Tokens it can read, where the list tells.
    #[serde(skip)]
    pub context_tokens: Option<u32>,
}

impl ModelInfo {
    /// A model that is known by its name alone.
    pub(super) fn named(name: &str, does: Capability) -> Self {
        Self { name: name.to_owned(), label: None, does, context_tokens: None }
    }
}

/// Parts of names of models that turn texts into vectors.
const EMBEDS: [&str; 8] = ["embed", "bge-", "minilm", "gte-", "e5-", "voyage-", "nomic-", "arctic-"];
/// Parts of names of models that draw.
const DRAWS: [&str; 8] =
    ["dall-e", "gpt-image", "stable-diffusion", "sdxl", "flux", "imagen", "flash-image", "kandinsky"];
/// Parts of names of models that neither chat, embed nor draw.
const OTHERS: [&str; 10] =
    ["whisper", "tts", "moderation", "audio", "realtime", "transcribe", "sora", "babbage", "davinci", "rerank"];

/// What a model of this name does, as far as a name tells; `None` when it is of no use here.
pub(super) fn does(name: &str) -> Option<Capability> {
    let name = name.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if has(&OTHERS) {
        None
    } else if has(&EMBEDS) {
        Some(Capability::Embedding)
    } else if has(&DRAWS) {
        Some(Capability::Image)
    } else {
        Some(Capability::Llm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_models_do() {
        use Capability::*;
        for (name, expected) in [
            ("gpt-4o", Some(Llm)),
            ("text-embedding-3-small", Some(Embedding)),
            ("nomic-embed-text:latest", Some(Embedding)),
            ("mxbai-embed-large", Some(Embedding)),
            ("BAAI/bge-m3", Some(Embedding)),
            ("gpt-image-1", Some(Image)),
            ("black-forest-labs/FLUX.1-schnell", Some(Image)),
            ("whisper-1", None),
            ("gpt-4o-audio-preview", None),
            ("llama3.2:3b", Some(Llm)),
        ] {
            assert_eq!(does(name), expected, "{name}");
        }
    }
}
