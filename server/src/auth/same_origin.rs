//! Keeps other sites' pages from using a member's cookie.

use super::{AuthError, logins};
use crate::error::ApiError;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;

/// Whether the browser says that the page behind the request is ours, or that there is none (typed address).
///
/// `Sec-Fetch-Site` cannot be set by pages; where a browser does not send it (plain HTTP), `Origin` must name the host.
pub fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok());
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    let Some((_, origin)) = text(header::ORIGIN).and_then(|origin| origin.split_once("://")) else { return false };
    text(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(origin))
}

/// Refuses requests that could change something with a cookie but from elsewhere. WebSockets are checked where they open.
///
/// Requests without our cookie pass: a bearer token is nothing a browser adds by itself.
pub async fn refuse_other_origins(request: Request, next: Next) -> Result<Response, ApiError> {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !safe && logins::has_cookie(request.headers()) && !is_same_origin(request.headers()) {
        return Err(AuthError::OtherOrigin.into());
    }
    Ok(next.run(request).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")));
        pairs.collect()
    }

    #[test]
    fn only_our_own_pages_pass() {
        let host = ("host", "localhost:4270");
        for (same, sent) in [
            (true, vec![host, ("origin", "http://localhost:4270")]),
            (true, vec![host, ("origin", "https://localhost:4270")]),
            (true, vec![host, ("sec-fetch-site", "same-origin")]),
            (true, vec![host, ("sec-fetch-site", "none")]),
            (false, vec![host, ("origin", "http://localhost:3000")]),
            (false, vec![host, ("origin", "null")]),
            (false, vec![host, ("origin", "http://localhost:4270.example")]),
            (false, vec![host, ("sec-fetch-site", "same-site"), ("origin", "http://localhost:4270")]),
            (false, vec![host, ("sec-fetch-site", "cross-site")]),
            (false, vec![host]),
            (false, vec![("origin", "http://localhost:4270")]),
        ] {
            assert_eq!(is_same_origin(&headers(&sent)), same, "{sent:?}");
        }
    }
}
