//! Voyage AI: embeddings. It has no list of models, so the known ones are built in.

use super::capability::Capability;
use super::embedding::{EmbedRequest, Embedded, EmbeddingProvider, Purpose, listed};
use super::http::Endpoint;
use super::model_list::{ModelInfo, ModelList};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use shared::Failure;

/// The models, the one to begin with first.
pub const MODELS: [&str; 6] =
    ["voyage-3.5", "voyage-3.5-lite", "voyage-3-large", "voyage-code-3", "voyage-finance-2", "voyage-law-2"];

/// A provider that speaks Voyage AI's embeddings.
pub(super) struct Voyage(Endpoint);

impl Voyage {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self(endpoint)
    }

    async fn ask(&self, request: EmbedRequest) -> Result<Embedded, Failure> {
        let kind = match request.purpose {
            Purpose::Document => "document",
            Purpose::Query => "query",
        };
        let body = json!({"input": request.texts, "model": request.model, "input_type": kind});
        let call = self.0.post("embeddings", self.0.bearer()?, &body)?;
        listed(&self.0.whole(call).await?, request.texts.len())
    }
}

impl ModelList for Voyage {
    /// The list is built in, so a word is embedded to find out whether the service answers and takes the key.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, Failure>> {
        async {
            let word = EmbedRequest {
                model: MODELS[0].to_owned(),
                texts: vec!["house".to_owned()],
                purpose: Purpose::Document,
            };
            self.ask(word).await?;
            Ok(MODELS.map(|name| ModelInfo::named(name, Capability::Embedding)).to_vec())
        }
        .boxed()
    }
}

impl EmbeddingProvider for Voyage {
    fn embed(&self, request: EmbedRequest) -> BoxFuture<'_, Result<Embedded, Failure>> {
        self.ask(request).boxed()
    }
}
