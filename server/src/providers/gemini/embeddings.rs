//! Gemini's embeddings.

use super::super::embedding::{EmbedRequest, Embedded, EmbeddingProvider, Purpose, vector};
use super::super::openai::malformed;
use super::Gemini;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use shared::Failure;

impl EmbeddingProvider for Gemini {
    fn embed(&self, request: EmbedRequest) -> BoxFuture<'_, Result<Embedded, Failure>> {
        async move {
            let call = self.call(&request.model, "batchEmbedContents", &body(&request))?;
            let answer = self.0.whole(call).await?;
            let list = answer["embeddings"].as_array().ok_or_else(|| malformed("the answer holds no vectors"))?;
            let vectors: Option<Vec<_>> = list.iter().map(|one| vector(&one["values"])).collect();
            let vectors = vectors.ok_or_else(|| malformed("a vector is not a list of numbers"))?;
            Embedded { vectors, tokens: None }.check(request.texts.len())
        }
        .boxed()
    }
}

fn body(request: &EmbedRequest) -> Value {
    let task = match request.purpose {
        Purpose::Document => "RETRIEVAL_DOCUMENT",
        Purpose::Query => "RETRIEVAL_QUERY",
    };
    let model = request.model.strip_prefix("models/").unwrap_or(&request.model);
    let requests = request.texts.iter().map(
        |text| json!({"model": format!("models/{model}"), "content": {"parts": [{"text": text}]}, "taskType": task}),
    );
    json!({"requests": requests.collect::<Vec<_>>()})
}
