//! Keeps other sites' pages from using a member's cookie.

use super::{AuthError, logins};
use crate::error::ApiError;
use crate::reach::{Arrival, Reach};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method, header};
use axum::middleware::Next;
use axum::response::Response;

/// Whether the browser says that the page behind the request is ours, or that there is none (typed address).
///
/// `Sec-Fetch-Site` cannot be set by pages; where a browser does not send it (plain HTTP), `Origin` must be ours.
pub fn is_same_origin(headers: &HeaderMap, is_ours: impl FnOnce(&str) -> bool) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    text(header::ORIGIN).is_some_and(is_ours)
}

/// Refuses requests that could change something with a cookie but from elsewhere. WebSockets are checked where they open.
///
/// Requests without our cookie pass: a bearer token is nothing a browser adds by itself.
pub async fn refuse_other_origins(
    State(reach): State<Reach>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let arrival = request.extensions().get::<Arrival>();
    let ours = |origin: &str| arrival.is_some_and(|arrival| reach.is_our_origin(origin, arrival));
    if !safe && logins::has_cookie(request.headers()) && !is_same_origin(request.headers(), ours) {
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

    fn our_origin(origin: &str) -> bool {
        origin == "http://localhost:4270"
    }

    #[test]
    fn only_our_own_pages_pass() {
        for (same, sent) in [
            (true, vec![("origin", "http://localhost:4270")]),
            (true, vec![("sec-fetch-site", "same-origin")]),
            (true, vec![("sec-fetch-site", "none")]),
            (false, vec![("origin", "http://localhost:3000")]),
            (false, vec![("origin", "null")]),
            (false, vec![("sec-fetch-site", "same-site"), ("origin", "http://localhost:4270")]),
            (false, vec![("sec-fetch-site", "cross-site")]),
            (false, vec![]),
        ] {
            assert_eq!(is_same_origin(&headers(&sent), our_origin), same, "{sent:?}");
        }
    }
}
