//! What happens to every request.

use crate::error::ApiError;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::time::Instant;
use tracing::Instrument;

/// One span per request. The path holds ids at most; the query may hold more and stays out.
pub(super) async fn trace(request: Request, next: Next) -> Response {
    let span = tracing::info_span!("request", method = %request.method(), path = request.uri().path());
    let begun = Instant::now();
    async move {
        let response = next.run(request).await;
        let duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::debug!(status = response.status().as_u16(), duration_ms, "answered");
        response
    }
    .instrument(span)
    .await
}

/// A handler's panic is a 500 like any other; the panic itself is in the log already.
pub(super) fn panicked(_panic: Box<dyn Any + Send + 'static>) -> Response {
    ApiError::internal("a handler panicked").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::routing::get;
    use tower::ServiceExt;
    use tower_http::catch_panic::CatchPanicLayer;

    #[tokio::test]
    async fn a_panic_is_a_problem_like_any_other_and_tells_nothing() {
        let handler = async || -> &'static str { panic!("the secret is 42") };
        let router = Router::new().route("/", get(handler)).layer(CatchPanicLayer::custom(panicked));
        let request = Request::builder().uri("/").body(Body::empty()).expect("a request");
        let response = router.oneshot(request).await.expect("an answer");
        assert_eq!(response.status(), 500);
        let body = axum::body::to_bytes(response.into_body(), 10_000).await.expect("a body");
        let body = String::from_utf8(body.to_vec()).expect("text");
        assert!(body.contains(r#""code":"internal""#) && !body.contains("42"), "{body}");
    }
}
