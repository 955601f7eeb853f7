//! The one shape of a failed request: RFC 9457 problem details plus a stable `code`.
//!
//! Clients switch on `code`, so a code never changes its meaning; `detail` is for people and may. Each area has one
//! `From<ItsError> for ApiError` with a full match; nothing else picks statuses and codes.

use crate::db::DbError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;
use std::error::Error;

/// A failed request.
#[derive(Debug)]
pub struct ApiError {
    /// HTTP status.
    pub status: StatusCode,
    /// Stable, for programs.
    pub code: Cow<'static, str>,
    /// For people; never a member's text or a secret.
    pub detail: String,
    /// Seconds after which it makes sense to try again.
    pub retry_after_s: Option<u64>,
    /// For the log, never for the client.
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ApiError {
    /// A refusal the client can act on.
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>, detail: impl Into<String>) -> Self {
        Self { status, code: code.into(), detail: detail.into(), retry_after_s: None, source: None }
    }

    /// Our own fault: the cause goes to the log only.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let detail = "something went wrong in Kinstead; its log says what";
        Self { source: Some(source.into()), ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail) }
    }

    /// Adds when to try again.
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// Does not exist, or not for this viewer: one answer for both.
    pub fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what}"))
    }
}

impl From<DbError> for ApiError {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Full => Self {
                source: Some(Box::new(error)),
                ..Self::new(
                    StatusCode::INSUFFICIENT_STORAGE,
                    "disk_full",
                    "the server's disk is full; nothing was changed",
                )
            },
            DbError::Closed => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the server is stopping").retry_after(5)
            }
            DbError::Sqlite(_) | DbError::Panicked => Self::internal(error),
        }
    }
}

impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> Self {
        DbError::from(error).into()
    }
}

/// The body of a failed request.
#[derive(Debug, serde::Serialize, utoipa::ToSchema)]
pub struct Problem {
    /// Always `about:blank`: the code tells more.
    #[serde(rename = "type")]
    #[schema(example = "about:blank")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// HTTP status.
    status: u16,
    /// For people.
    detail: String,
    /// For programs; never changes its meaning.
    code: Cow<'static, str>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            let error = self.source.as_deref().map(|error| chain(error)).unwrap_or_default();
            tracing::error!(status = self.status.as_u16(), code = &*self.code, error, "request failed");
        }
        let problem = Problem {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: self.detail,
            code: self.code,
        };
        let body = serde_json::to_vec(&problem).expect("a problem holds only texts and a number");
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// An error and its causes in one line.
pub fn chain(error: &(dyn Error + 'static)) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line.push_str(": ");
        line.push_str(&error.to_string());
        cause = error.source();
    }
    line
}
