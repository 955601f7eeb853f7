//! SearXNG, the household's own search engine.

use super::http::Endpoint;
use super::openai::malformed;
use super::search::{SearchHit, SearchProvider, SearchRequest, hits};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::Method;
use shared::{Failure, FailureKind};

/// A provider that speaks SearXNG's JSON.
pub(super) struct Searxng(Endpoint);

impl Searxng {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self(endpoint)
    }

    async fn ask(&self, request: SearchRequest) -> Result<Vec<SearchHit>, Failure> {
        let mut query = vec![("q", request.query.as_str()), ("format", "json")];
        if let Some(freshness) = request.freshness {
            query.push(("time_range", freshness.as_str()));
        }
        let headers = if self.0.key.is_some() { self.0.bearer()? } else { Default::default() };
        let call = self.0.request_with(Method::GET, "search", &query, headers)?;
        let body = self.0.whole(call).await.map_err(no_json)?;
        hits(&body["results"], "content", "publishedDate", request.count)
            .ok_or_else(|| malformed("the answer holds no results of a search"))
    }
}

/// SearXNG as it comes answers its own page with 403 when asked for JSON.
fn no_json(failure: Failure) -> Failure {
    if failure.kind == FailureKind::Unauthorized && failure.detail.starts_with("403") {
        let said = "this SearXNG gives no JSON: add `json` to `search.formats` in its settings.yml";
        return Failure::with_detail(FailureKind::Refused, said);
    }
    failure
}

impl SearchProvider for Searxng {
    fn search(&self, request: SearchRequest) -> BoxFuture<'_, Result<Vec<SearchHit>, Failure>> {
        self.ask(request).boxed()
    }
}
