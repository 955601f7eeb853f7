//! Tavily, a search engine for models.

use super::http::Endpoint;
use super::openai::malformed;
use super::search::{SearchHit, SearchProvider, SearchRequest, hits};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use shared::Failure;

/// A provider that speaks Tavily's search.
pub(super) struct Tavily(Endpoint);

impl Tavily {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self(endpoint)
    }

    async fn ask(&self, request: SearchRequest) -> Result<Vec<SearchHit>, Failure> {
        let mut body = json!({"query": request.query, "max_results": request.count, "search_depth": "basic"});
        if let Some(freshness) = request.freshness {
            body["time_range"] = freshness.as_str().into();
        }
        let call = self.0.post("search", self.0.bearer()?, &body)?;
        let body = self.0.whole(call).await?;
        hits(&body["results"], "content", "published_date", request.count)
            .ok_or_else(|| malformed("the answer holds no results of a search"))
    }
}

impl SearchProvider for Tavily {
    fn search(&self, request: SearchRequest) -> BoxFuture<'_, Result<Vec<SearchHit>, Failure>> {
        self.ask(request).boxed()
    }
}
