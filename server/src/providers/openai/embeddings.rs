//! OpenAI's embeddings.

use super::super::embedding::{EmbedRequest, Embedded, EmbeddingProvider, listed};
use super::OpenAi;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use shared::Failure;

impl EmbeddingProvider for OpenAi {
    fn embed(&self, request: EmbedRequest) -> BoxFuture<'_, Result<Embedded, Failure>> {
        async move {
            let body = json!({"model": request.model, "input": request.texts, "encoding_format": "float"});
            let call = self.endpoint.post("embeddings", self.endpoint.bearer()?, &body)?;
            listed(&self.endpoint.whole(call).await?, request.texts.len())
        }
        .boxed()
    }
}
