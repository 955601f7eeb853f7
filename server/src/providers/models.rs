//! What is known of models: how much they read and write, and what they cost. In the repository, so that it can be
//! corrected in the open; an admin can override each line (L-6). Prices are list prices in US dollars per million tokens.

use super::kind::ProviderKind;

/// What is known of a model. `None` is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ModelFacts {
    /// Tokens it can read.
    pub context_tokens: Option<u32>,
    /// Tokens it can write.
    pub max_output_tokens: Option<u32>,
    /// US dollars per million tokens read.
    pub input_price: Option<f64>,
    /// US dollars per million tokens written.
    pub output_price: Option<f64>,
}

impl ModelFacts {
    /// These where they are known, else those of `other`.
    pub fn or(self, other: Self) -> Self {
        Self {
            context_tokens: self.context_tokens.or(other.context_tokens),
            max_output_tokens: self.max_output_tokens.or(other.max_output_tokens),
            input_price: self.input_price.or(other.input_price),
            output_price: self.output_price.or(other.output_price),
        }
    }
}

/// Vendor, name, context, output, price in, price out. 0 is "has none".
type Line = (ProviderKind, &'static str, u32, u32, f64, f64);

const TABLE: &[Line] = &[
    (ProviderKind::Anthropic, "claude-opus-4-5", 200_000, 64_000, 5.0, 25.0),
    (ProviderKind::Anthropic, "claude-opus-4-1", 200_000, 32_000, 15.0, 75.0),
    (ProviderKind::Anthropic, "claude-opus-4", 200_000, 32_000, 15.0, 75.0),
    (ProviderKind::Anthropic, "claude-sonnet-4-5", 200_000, 64_000, 3.0, 15.0),
    (ProviderKind::Anthropic, "claude-sonnet-4", 200_000, 64_000, 3.0, 15.0),
    (ProviderKind::Anthropic, "claude-haiku-4-5", 200_000, 64_000, 1.0, 5.0),
    (ProviderKind::Anthropic, "claude-3-7-sonnet", 200_000, 64_000, 3.0, 15.0),
    (ProviderKind::Anthropic, "claude-3-5-sonnet", 200_000, 8_192, 3.0, 15.0),
    (ProviderKind::Anthropic, "claude-3-5-haiku", 200_000, 8_192, 0.8, 4.0),
    (ProviderKind::Anthropic, "claude-3-opus", 200_000, 4_096, 15.0, 75.0),
    (ProviderKind::Anthropic, "claude-3-haiku", 200_000, 4_096, 0.25, 1.25),
    (ProviderKind::Openai, "gpt-5", 400_000, 128_000, 1.25, 10.0),
    (ProviderKind::Openai, "gpt-5-mini", 400_000, 128_000, 0.25, 2.0),
    (ProviderKind::Openai, "gpt-5-nano", 400_000, 128_000, 0.05, 0.4),
    (ProviderKind::Openai, "gpt-4.1", 1_047_576, 32_768, 2.0, 8.0),
    (ProviderKind::Openai, "gpt-4.1-mini", 1_047_576, 32_768, 0.4, 1.6),
    (ProviderKind::Openai, "gpt-4.1-nano", 1_047_576, 32_768, 0.1, 0.4),
    (ProviderKind::Openai, "gpt-4o", 128_000, 16_384, 2.5, 10.0),
    (ProviderKind::Openai, "gpt-4o-mini", 128_000, 16_384, 0.15, 0.6),
    (ProviderKind::Openai, "gpt-4-turbo", 128_000, 4_096, 10.0, 30.0),
    (ProviderKind::Openai, "gpt-4", 8_192, 8_192, 30.0, 60.0),
    (ProviderKind::Openai, "gpt-3.5-turbo", 16_385, 4_096, 0.5, 1.5),
    (ProviderKind::Openai, "o1", 200_000, 100_000, 15.0, 60.0),
    (ProviderKind::Openai, "o3", 200_000, 100_000, 2.0, 8.0),
    (ProviderKind::Openai, "o3-mini", 200_000, 100_000, 1.1, 4.4),
    (ProviderKind::Openai, "o4-mini", 200_000, 100_000, 1.1, 4.4),
    (ProviderKind::Openai, "text-embedding-3-small", 8_191, 0, 0.02, 0.0),
    (ProviderKind::Openai, "text-embedding-3-large", 8_191, 0, 0.13, 0.0),
    (ProviderKind::Openai, "text-embedding-ada-002", 8_191, 0, 0.1, 0.0),
    (ProviderKind::Gemini, "gemini-2.5-pro", 1_048_576, 65_536, 1.25, 10.0),
    (ProviderKind::Gemini, "gemini-2.5-flash", 1_048_576, 65_536, 0.3, 2.5),
    (ProviderKind::Gemini, "gemini-2.5-flash-lite", 1_048_576, 65_536, 0.1, 0.4),
    (ProviderKind::Gemini, "gemini-2.0-flash", 1_048_576, 8_192, 0.1, 0.4),
    (ProviderKind::Gemini, "gemini-2.0-flash-lite", 1_048_576, 8_192, 0.075, 0.3),
    (ProviderKind::Gemini, "gemini-embedding-001", 2_048, 0, 0.15, 0.0),
    (ProviderKind::Voyage, "voyage-3.5", 32_000, 0, 0.06, 0.0),
    (ProviderKind::Voyage, "voyage-3.5-lite", 32_000, 0, 0.02, 0.0),
    (ProviderKind::Voyage, "voyage-3-large", 32_000, 0, 0.18, 0.0),
    (ProviderKind::Voyage, "voyage-code-3", 32_000, 0, 0.18, 0.0),
    (ProviderKind::Voyage, "voyage-finance-2", 32_000, 0, 0.12, 0.0),
    (ProviderKind::Voyage, "voyage-law-2", 16_000, 0, 0.12, 0.0),
];

/// What the table knows of a model. Of a compatible server's only sizes are taken: what it charges is its own affair.
pub fn known(kind: ProviderKind, model: &str) -> ModelFacts {
    let is_compatible = kind == ProviderKind::OpenaiCompatible;
    // Gateways put the vendor in front: `anthropic/claude-sonnet-4-5`.
    let name = if is_compatible { model.rsplit('/').next().unwrap_or(model) } else { model };
    let mut lines = TABLE.iter().filter(|(vendor, ..)| is_compatible || *vendor == kind);
    let Some(&(_, _, context, output, input_price, output_price)) =
        lines.find(|(_, line, ..)| is_version_of(name, line))
    else {
        return ModelFacts::default();
    };
    let size = |tokens: u32| Some(tokens).filter(|tokens| *tokens > 0);
    let price = |price: f64| Some(price).filter(|price| *price > 0.0 && !is_compatible);
    ModelFacts {
        context_tokens: size(context),
        max_output_tokens: size(output),
        input_price: price(input_price),
        output_price: price(output_price),
    }
}

/// Whether `name` is `line` itself, or a dated or latest edition of it.
fn is_version_of(name: &str, line: &str) -> bool {
    let Some(rest) = name.strip_prefix(line) else { return false };
    let Some(edition) = rest.strip_prefix('-') else { return rest.is_empty() };
    let edition = edition.strip_prefix("preview-").unwrap_or(edition);
    let is_date = edition.len() >= 3 && edition.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_date || edition == "latest"
}

/// Models to begin with for chat, the best choice first.
const CHAT_FIRST: &[&str] =
    &["claude-sonnet-4-5", "claude-sonnet-4", "gpt-5", "gpt-4.1", "gpt-4o", "gemini-2.5-flash", "gemini-2.5-pro"];
/// Models to begin with for small work.
const SMALL_FIRST: &[&str] =
    &["claude-haiku-4-5", "claude-3-5-haiku", "gpt-5-mini", "gpt-4.1-mini", "gpt-4o-mini", "gemini-2.5-flash-lite"];
/// Models to begin with for memory.
const EMBEDDING_FIRST: &[&str] = &["voyage-3.5", "text-embedding-3-small", "gemini-embedding-001", "nomic-embed-text"];
/// Models to begin with for pictures.
const IMAGE_FIRST: &[&str] = &["gpt-image-1", "gemini-2.5-flash-image", "imagen-4.0-generate-001", "dall-e-3"];

/// Which of `names` to begin with for a use; the first when none is known.
pub fn first_choice(wanted: super::Use, names: &[&str]) -> Option<String> {
    let order = match wanted {
        super::Use::Chat => CHAT_FIRST,
        super::Use::Small => SMALL_FIRST,
        super::Use::Embedding => EMBEDDING_FIRST,
        super::Use::Image => IMAGE_FIRST,
        super::Use::Search => return None,
    };
    let known = order.iter().find_map(|line| names.iter().find(|name| is_version_of(name, line)));
    known.or(names.first()).map(|name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::Use;

    #[test]
    fn editions_of_a_model_are_found_and_relatives_are_not() {
        let context = |kind, name| known(kind, name).context_tokens;
        assert_eq!(context(ProviderKind::Anthropic, "claude-sonnet-4-5-20250929"), Some(200_000));
        assert_eq!(context(ProviderKind::Openai, "gpt-4o-mini-2024-07-18"), Some(128_000));
        assert_eq!(context(ProviderKind::Openai, "gpt-4-0613"), Some(8_192));
        assert_eq!(context(ProviderKind::Openai, "gpt-4o-search-preview"), None);
        assert_eq!(context(ProviderKind::Openai, "gpt-4o-mystery"), None);
        assert_eq!(context(ProviderKind::Gemini, "gemini-2.5-flash-preview-05-20"), Some(1_048_576));
        assert_eq!(context(ProviderKind::Openai, "claude-3-haiku"), None);
        assert_eq!(known(ProviderKind::Openai, "gpt-4o-mini").input_price, Some(0.15));
        let gateway = known(ProviderKind::OpenaiCompatible, "anthropic/claude-3-haiku");
        assert_eq!((gateway.context_tokens, gateway.input_price), (Some(200_000), None));
        assert_eq!(known(ProviderKind::OpenaiCompatible, "llama3.2:3b"), ModelFacts::default());
    }

    #[test]
    fn a_good_model_is_chosen_to_begin_with() {
        let names = ["gpt-3.5-turbo", "gpt-4o", "gpt-4o-mini"];
        assert_eq!(first_choice(Use::Chat, &names).as_deref(), Some("gpt-4o"));
        assert_eq!(first_choice(Use::Small, &names).as_deref(), Some("gpt-4o-mini"));
        assert_eq!(first_choice(Use::Chat, &["llama3", "qwen3"]).as_deref(), Some("llama3"));
        assert_eq!(first_choice(Use::Chat, &[]), None);
    }
}
