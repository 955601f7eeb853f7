//! Brave Search.

use super::http::Endpoint;
use super::openai::{malformed, sensitive};
use super::search::{Freshness, SearchHit, SearchProvider, SearchRequest, hits};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reqwest::Method;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use shared::Failure;

/// A provider that speaks Brave's web search.
pub(super) struct Brave(Endpoint);

impl Brave {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self(endpoint)
    }

    async fn ask(&self, request: SearchRequest) -> Result<Vec<SearchHit>, Failure> {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.0.key {
            headers.insert("x-subscription-token", sensitive(key.expose())?);
        }
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let count = request.count.to_string();
        let mut query = vec![("q", request.query.as_str()), ("count", count.as_str()), ("text_decorations", "false")];
        if let Some(freshness) = request.freshness {
            let age = match freshness {
                Freshness::Day => "pd",
                Freshness::Week => "pw",
                Freshness::Month => "pm",
            };
            query.push(("freshness", age));
        }
        let call = self.0.request_with(Method::GET, "web/search", &query, headers)?;
        let body = self.0.whole(call).await?;
        // An answer without a `web` part is how Brave says that nothing was found.
        let list = &body["web"]["results"];
        if list.is_null() && body["type"] == "search" {
            return Ok(Vec::new());
        }
        hits(list, "description", "age", request.count)
            .ok_or_else(|| malformed("the answer holds no results of a search"))
    }
}

impl SearchProvider for Brave {
    fn search(&self, request: SearchRequest) -> BoxFuture<'_, Result<Vec<SearchHit>, Failure>> {
        self.ask(request).boxed()
    }
}
