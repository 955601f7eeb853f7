//! One provider's clients, one per thing it can do, and the trial that finds out what that is.

use super::anthropic::Anthropic;
use super::brave::Brave;
use super::capability::Capability;
use super::chat::ChatProvider;
use super::demo::Demo;
use super::embedding::{EmbedRequest, EmbeddingProvider, Purpose};
use super::gemini::Gemini;
use super::http::Endpoint;
use super::image::ImageProvider;
use super::kind::ProviderKind;
use super::model_list::{ModelInfo, ModelList};
use super::openai::OpenAi;
use super::search::{SearchHit, SearchProvider, SearchRequest};
use super::searxng::Searxng;
use super::tavily::Tavily;
use super::voyage::Voyage;
use shared::{Failure, FailureKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is searched for in a trial when nobody says what.
const TRIAL_QUERY: &str = "news";

/// What a provider offers, each behind its trait; `None` for what it cannot do.
#[derive(Default)]
pub(super) struct Clients {
    pub(super) list: Option<Arc<dyn ModelList>>,
    pub(super) chat: Option<Arc<dyn ChatProvider>>,
    pub(super) embedding: Option<Arc<dyn EmbeddingProvider>>,
    pub(super) image: Option<Arc<dyn ImageProvider>>,
    pub(super) search: Option<Arc<dyn SearchProvider>>,
}

/// What a trial found.
pub(super) struct Trial {
    pub(super) models: Vec<ModelInfo>,
    /// The first page found, for a search engine.
    pub(super) hit: Option<SearchHit>,
    pub(super) latency_ms: u32,
    pub(super) capabilities: Vec<Capability>,
}

impl Clients {
    /// The script that needs no address.
    pub(super) fn demo(piece: Duration) -> Self {
        let demo = Arc::new(Demo { piece });
        Self { list: Some(demo.clone()), chat: Some(demo), ..Self::default() }
    }

    /// The clients of a service at an address.
    pub(super) fn at(kind: ProviderKind, endpoint: Endpoint) -> Self {
        match kind {
            ProviderKind::Anthropic => {
                let one = Arc::new(Anthropic::new(endpoint));
                Self { list: Some(one.clone()), chat: Some(one), ..Self::default() }
            }
            ProviderKind::Openai | ProviderKind::OpenaiCompatible | ProviderKind::Demo => {
                let one = Arc::new(OpenAi::new(endpoint, kind == ProviderKind::Openai));
                Self {
                    list: Some(one.clone()),
                    chat: Some(one.clone()),
                    embedding: Some(one.clone()),
                    image: Some(one),
                    search: None,
                }
            }
            ProviderKind::Gemini => {
                let one = Arc::new(Gemini::new(endpoint));
                Self {
                    list: Some(one.clone()),
                    chat: Some(one.clone()),
                    embedding: Some(one.clone()),
                    image: Some(one),
                    search: None,
                }
            }
            ProviderKind::Voyage => {
                let one = Arc::new(Voyage::new(endpoint));
                Self { list: Some(one.clone()), embedding: Some(one), ..Self::default() }
            }
            ProviderKind::Brave => Self { search: Some(Arc::new(Brave::new(endpoint))), ..Self::default() },
            ProviderKind::Searxng => Self { search: Some(Arc::new(Searxng::new(endpoint))), ..Self::default() },
            ProviderKind::Tavily => Self { search: Some(Arc::new(Tavily::new(endpoint))), ..Self::default() },
        }
    }

    /// Lists the models; a search engine has none.
    pub(super) async fn models(&self) -> Result<Vec<ModelInfo>, Failure> {
        match &self.list {
            Some(list) => list.models().await,
            None => Ok(Vec::new()),
        }
    }

    /// Reaches the service and finds out what it can do. No picture is drawn for it: that would cost money.
    pub(super) async fn try_out(&self, kind: ProviderKind, query: Option<&str>) -> Result<Trial, Failure> {
        let started = Instant::now();
        if let Some(search) = &self.search {
            let query = query.map(str::trim).filter(|query| !query.is_empty()).unwrap_or(TRIAL_QUERY);
            let hits = search.search(SearchRequest::of(query)).await?;
            let (latency_ms, hit) = (since(started), hits.into_iter().next());
            return Ok(Trial { models: Vec::new(), hit, latency_ms, capabilities: kind.capabilities().to_vec() });
        }
        let models = self.models().await?;
        let latency_ms = since(started);
        let mut capabilities = Vec::new();
        for capability in kind.capabilities() {
            let mut able = models.iter().filter(|model| model.does == *capability);
            let Some(first) = able.next() else { continue };
            // Many servers list models that they cannot serve: whether they embed is found out with one word.
            if *capability == Capability::Embedding && kind.is_own() && !self.embeds(&first.name).await {
                continue;
            }
            capabilities.push(*capability);
        }
        Ok(Trial { models, hit: None, latency_ms, capabilities })
    }

    async fn embeds(&self, model: &str) -> bool {
        let Some(client) = &self.embedding else { return false };
        let texts = vec!["house".to_owned()];
        client.embed(EmbedRequest { model: model.to_owned(), texts, purpose: Purpose::Document }).await.is_ok()
    }
}

/// What to say of a provider that is asked for what it cannot do.
pub(super) fn unable() -> Failure {
    Failure::of(FailureKind::NoModel)
}

fn since(started: Instant) -> u32 {
    u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX)
}
