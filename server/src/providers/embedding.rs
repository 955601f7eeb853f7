//! What an embedding provider is asked and what it answers, in no vendor's words.

use futures_util::future::BoxFuture;
use serde_json::Value;
use shared::{Failure, FailureKind};

/// A service that turns texts into vectors.
pub trait EmbeddingProvider: Send + Sync {
    /// One vector per text, in their order.
    fn embed(&self, request: EmbedRequest) -> BoxFuture<'_, Result<Embedded, Failure>>;
}

/// Texts to embed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedRequest {
    /// The model, as the provider names it.
    pub model: String,
    /// What to embed; none is empty.
    pub texts: Vec<String>,
    /// What the vectors are for.
    pub purpose: Purpose,
}

/// Some models embed what is looked for differently from what is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be found.
    Document,
    /// To find with.
    Query,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// As many as there were texts, all of one length.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens read, where the provider tells.
    pub tokens: Option<u64>,
}

impl Embedded {
    /// Checks that there is one vector per text and that all are of one length.
    pub(super) fn check(self, texts: usize) -> Result<Self, Failure> {
        let broken = |what| Err(Failure::with_detail(FailureKind::Malformed, what));
        let Some(first) = self.vectors.first() else { return broken("the answer holds no vectors") };
        if self.vectors.len() != texts {
            return broken("the answer holds another number of vectors than there were texts");
        }
        let length = first.len();
        let is_whole = |vector: &Vec<f32>| vector.len() == length && vector.iter().all(|value| value.is_finite());
        if length == 0 || !self.vectors.iter().all(is_whole) {
            return broken("the vectors are empty, broken or not of one length");
        }
        Ok(self)
    }
}

/// A JSON list of numbers.
pub(super) fn vector(value: &Value) -> Option<Vec<f32>> {
    // Vectors are kept in single precision, as the vendors compute them.
    #[expect(clippy::cast_possible_truncation, reason = "the vendors compute in single precision")]
    let numbers = value.as_array()?.iter().map(|number| number.as_f64().map(|number| number as f32));
    numbers.collect()
}

/// Reads `{"data": [{"index": 0, "embedding": […]}]}`, which OpenAI and Voyage share.
pub(super) fn listed(body: &Value, texts: usize) -> Result<Embedded, Failure> {
    let mut rows: Vec<(u64, Vec<f32>)> = Vec::new();
    for (at, row) in (0..).zip(body["data"].as_array().into_iter().flatten()) {
        let Some(vector) = vector(&row["embedding"]) else {
            return Err(Failure::with_detail(FailureKind::Malformed, "a vector is not a list of numbers"));
        };
        rows.push((row["index"].as_u64().unwrap_or(at), vector));
    }
    rows.sort_by_key(|(index, _)| *index);
    let usage = &body["usage"];
    let tokens = usage["prompt_tokens"].as_u64().or(usage["total_tokens"].as_u64());
    Embedded { vectors: rows.into_iter().map(|(_, vector)| vector).collect(), tokens }.check(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn vectors_come_in_the_order_of_the_texts() {
        let body = json!({
            "data": [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}],
            "usage": {"prompt_tokens": 2, "total_tokens": 2},
        });
        let expected = Embedded { vectors: vec![vec![1.0, 0.0], vec![0.0, 1.0]], tokens: Some(2) };
        assert_eq!(listed(&body, 2), Ok(expected));
    }

    #[test]
    fn other_numbers_and_lengths_are_malformed() {
        for body in [
            json!({}),
            json!({"data": []}),
            json!({"data": [{"embedding": [1.0]}]}),
            json!({"data": [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}]}),
            json!({"data": [{"embedding": []}, {"embedding": []}]}),
            json!({"data": [{"embedding": ["x"]}, {"embedding": [1.0]}]}),
        ] {
            let failure = listed(&body, 2).expect_err("is refused");
            assert_eq!(failure.kind, FailureKind::Malformed, "{body}");
        }
    }
}
