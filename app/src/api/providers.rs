//! Providers, their models and defaults, and how far the first day has come.

use super::{ApiError, Items, Model, Provider, ProviderCreated, ProviderRequest, body, call, read};
use serde::{Deserialize, Serialize};
use shared::{KinId, ProviderId};
use std::collections::BTreeMap;

/// How a provider answered last.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Check {
    /// `connected`, `slow` or `failing`.
    pub state: String,
    /// How long it took.
    #[serde(default)]
    pub latency_ms: Option<u32>,
    /// How many models it listed.
    #[serde(default)]
    pub model_count: Option<u32>,
    /// Why it did not answer.
    #[serde(default)]
    pub failure: Option<CheckFailure>,
}

/// Why a provider did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CheckFailure {
    /// A kind of failure.
    pub kind: String,
    /// The provider's own words.
    #[serde(default)]
    pub detail: String,
}

/// A page that a search engine found. Its words are a stranger's.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Hit {
    /// Its title.
    pub title: String,
    /// What it says.
    #[serde(default)]
    pub description: String,
}

/// What to change of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProviderPatch {
    /// Another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Another address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Another key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
}

/// What would stop without a provider.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Dependants {
    /// Kins that would lose their model.
    pub kins: Vec<DependentKin>,
    /// Uses that would lose their default.
    pub defaults: Vec<String>,
}

/// A Kin that thinks with a provider.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DependentKin {
    /// Which.
    pub id: KinId,
    /// Its name.
    pub name: String,
}

/// A provider and, where it has models, one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultChoice {
    /// Which provider.
    pub provider_id: ProviderId,
    /// Which model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// By `chat`, `small`, `embedding`, `image` and `search`.
pub type Defaults = BTreeMap<String, Option<DefaultChoice>>;

/// A model server on the server's own machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FoundServer {
    /// The program's name.
    pub name: String,
    /// The address to add it with.
    pub base_url: String,
    /// How many models it has.
    pub models: u32,
}

/// What comes next on the first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WizardStep {
    /// Something to think with.
    Providers,
    /// Something to look things up with.
    Search,
    /// Who moves in first.
    Kin,
    /// Nothing.
    Done,
}

#[derive(Serialize, Deserialize)]
struct Progress {
    step: WizardStep,
}

#[derive(Deserialize)]
struct Models {
    models: Vec<Model>,
}

/// Every configured provider.
pub async fn providers() -> Result<Vec<Provider>, ApiError> {
    let items: Items<Provider> = read(call("GET", "/api/providers", None).await?)?;
    Ok(items.items)
}

/// Tests a provider and keeps it.
pub async fn add_provider(request: &ProviderRequest) -> Result<ProviderCreated, ApiError> {
    read(call("POST", "/api/providers", Some(body(request)?)).await?)
}

/// Changes a provider after testing it as it will be.
pub async fn change_provider(id: ProviderId, patch: &ProviderPatch) -> Result<ProviderCreated, ApiError> {
    read(call("PATCH", &format!("/api/providers/{id}"), Some(body(patch)?)).await?)
}

/// Tests a provider that is kept; its state says what came of it. `query` is for search engines.
pub async fn test_provider(id: ProviderId, query: &str) -> Result<ProviderCreated, ApiError> {
    let request = body(&serde_json::json!({ "query": query }))?;
    read(call("POST", &format!("/api/providers/{id}/test"), Some(request)).await?)
}

/// What would stop without a provider.
pub async fn dependants(id: ProviderId) -> Result<Dependants, ApiError> {
    read(call("GET", &format!("/api/providers/{id}"), None).await?)
}

/// Forgets a provider and its key.
pub async fn delete_provider(id: ProviderId) -> Result<(), ApiError> {
    call("DELETE", &format!("/api/providers/{id}"), None).await.map(drop)
}

/// Asks a provider which models it has now.
pub async fn models(id: ProviderId) -> Result<Vec<Model>, ApiError> {
    let models: Models = read(call("GET", &format!("/api/providers/{id}/models"), None).await?)?;
    Ok(models.models)
}

/// What is used where nobody chose otherwise.
pub async fn defaults() -> Result<Defaults, ApiError> {
    read(call("GET", "/api/providers/defaults", None).await?)
}

/// Changes one default.
pub async fn set_default(wanted: &str, choice: &DefaultChoice) -> Result<Defaults, ApiError> {
    let change = BTreeMap::from([(wanted, Some(choice))]);
    read(call("PUT", "/api/providers/defaults", Some(body(&change)?)).await?)
}

/// Model servers on the server's own machine that are not set up yet.
pub async fn found_servers() -> Result<Vec<FoundServer>, ApiError> {
    let items: Items<FoundServer> = read(call("GET", "/api/providers/found", None).await?)?;
    Ok(items.items)
}

/// How far the first day has come.
pub async fn wizard_step() -> Result<WizardStep, ApiError> {
    let progress: Progress = read(call("GET", "/api/setup/progress", None).await?)?;
    Ok(progress.step)
}

/// Goes on with the first day; gives where it is then.
pub async fn go_on(step: WizardStep) -> Result<WizardStep, ApiError> {
    let progress: Progress = read(call("PUT", "/api/setup/progress", Some(body(&Progress { step })?)).await?)?;
    Ok(progress.step)
}
