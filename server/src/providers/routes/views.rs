//! What the routes tell of providers.

use super::super::{Check, FoundServer, ModelFacts, ModelInfo, ProviderCheck, ProviderRecord, SearchHit};
use serde::Serialize;
use shared::{KinId, ProviderId, UnixMillis};
use utoipa::ToSchema;

/// A model as its provider lists it.
#[derive(Serialize, ToSchema)]
pub(super) struct ModelView {
    name: String,
    /// A name for people, where the provider has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// What it does: `llm`, `embedding` or `image`.
    does: &'static str,
    /// Tokens it reads, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    context_tokens: Option<u32>,
    /// Tokens it writes, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    /// US dollars per million tokens read, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_price: Option<f64>,
    /// US dollars per million tokens written, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_price: Option<f64>,
}

impl ModelView {
    pub(super) fn new(model: ModelInfo, facts: ModelFacts) -> Self {
        let ModelInfo { name, label, does, context_tokens } = model;
        let ModelFacts { max_output_tokens, input_price, output_price, .. } = facts;
        let context_tokens = facts.context_tokens.or(context_tokens);
        Self { name, label, does: does.as_str(), context_tokens, max_output_tokens, input_price, output_price }
    }
}

/// How a provider answered last.
#[derive(Serialize, ToSchema)]
struct CheckView {
    /// `connected`, `slow` or `failing`.
    state: &'static str,
    #[schema(value_type = i64)]
    at: UnixMillis,
    /// How long it took, when it was last tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    latency_ms: Option<u32>,
    /// How many models it listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    model_count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureView>,
}

/// Why it did not answer.
#[derive(Serialize, ToSchema)]
struct FailureView {
    /// Its code, such as `unauthorized`.
    kind: &'static str,
    /// The provider's own words.
    detail: String,
}

impl From<Check> for CheckView {
    fn from(check: Check) -> Self {
        let state = check.state();
        let Check { at, latency_ms, model_count, failure } = check;
        let failure = failure.map(|failure| FailureView { kind: failure.kind.as_str(), detail: failure.detail });
        Self { state, at, latency_ms, model_count, failure }
    }
}

/// A provider, without its key.
#[derive(Serialize, ToSchema)]
pub(super) struct ProviderView {
    #[schema(value_type = String)]
    id: ProviderId,
    name: String,
    kind: &'static str,
    base_url: Option<String>,
    /// Whether a key is stored.
    has_key: bool,
    /// The key's last four characters, for admins.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_hint: Option<String>,
    /// What it can do: any of `llm`, `embedding`, `image`, `search`.
    capabilities: Vec<&'static str>,
    /// Whether the admin chose them.
    capabilities_by_hand: bool,
    /// How it answered last; left out when it was never tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<CheckView>,
    #[schema(value_type = i64)]
    created_at: UnixMillis,
}

impl From<ProviderRecord> for ProviderView {
    fn from(record: ProviderRecord) -> Self {
        let ProviderRecord { id, name, kind, base_url, has_key, key_hint, capabilities, by_hand, check, created_at } =
            record;
        Self {
            id,
            name,
            kind: kind.as_str(),
            base_url,
            has_key,
            key_hint,
            capabilities: capabilities.into_iter().map(|one| one.as_str()).collect(),
            capabilities_by_hand: by_hand,
            check: check.map(CheckView::from),
            created_at,
        }
    }
}

/// A page that a search engine found.
#[derive(Serialize, ToSchema)]
pub(super) struct HitView {
    title: String,
    url: String,
    description: String,
    /// How old it is, in the engine's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    age: Option<String>,
}

/// A provider that was just tried.
#[derive(Serialize, ToSchema)]
pub(super) struct CheckedProviderView {
    #[serde(flatten)]
    pub(super) provider: ProviderView,
    pub(super) models: Vec<ModelView>,
    /// The first page found, for a search engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hit: Option<HitView>,
}

impl From<ProviderCheck> for CheckedProviderView {
    fn from(check: ProviderCheck) -> Self {
        let kind = check.record.kind;
        let models = check.models.into_iter().map(|model| {
            let facts = super::super::known(kind, &model.name);
            ModelView::new(model, facts)
        });
        let hit = check.hit.map(|SearchHit { title, url, description, age }| HitView { title, url, description, age });
        Self { models: models.collect(), hit, provider: check.record.into() }
    }
}

/// A Kin that thinks with a provider's models.
#[derive(Serialize, ToSchema)]
pub(super) struct UserView {
    #[schema(value_type = String)]
    pub(super) id: KinId,
    pub(super) name: String,
}

/// A provider and what would stop without it.
#[derive(Serialize, ToSchema)]
pub(super) struct UsedProviderView {
    #[serde(flatten)]
    pub(super) provider: ProviderView,
    /// Kins that would lose their model.
    pub(super) kins: Vec<UserView>,
    /// Uses that would lose their default.
    pub(super) defaults: Vec<&'static str>,
}

/// Every provider.
#[derive(Serialize, ToSchema)]
pub(super) struct ProvidersView {
    pub(super) items: Vec<ProviderView>,
}

/// A model server found on this machine.
#[derive(Serialize, ToSchema)]
struct FoundServerView {
    /// The program's name.
    name: &'static str,
    /// The address to add it with, as `openai-compatible`.
    base_url: String,
    /// How many models it has.
    models: usize,
    /// Whether one of them can serve memory.
    embeds: bool,
}

/// Model servers found on this machine.
#[derive(Serialize, ToSchema)]
pub(super) struct FoundView {
    items: Vec<FoundServerView>,
}

impl From<Vec<FoundServer>> for FoundView {
    fn from(found: Vec<FoundServer>) -> Self {
        let items = found.into_iter().map(|server| {
            let FoundServer { program, base_url, models, embeds } = server;
            FoundServerView { name: program.name(), base_url, models, embeds }
        });
        Self { items: items.collect() }
    }
}
