//! Thin wrappers of axum's extractors, so that bad bodies and ids answer in the one shape of errors.

use crate::error::ApiError;
use crate::reach::Arrival;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// Largest request body.
pub const MAX_BODY_BYTES: usize = 256 * 1024;
/// A body over the limit is read and thrown away up to here, so that its sender gets to read the answer.
const MAX_DRAINED_BYTES: usize = 32 * 1024 * 1024;
/// A body must be here within this time.
const BODY_TIME: Duration = Duration::from_secs(30);

/// A JSON body, in and out.
pub struct Json<T>(pub T);

impl<T: serde::Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        let RawJson(bytes) = RawJson::read(request).await?;
        parse(&bytes).map(Json)
    }
}

/// The bytes of a JSON body, for handlers that need them as they came.
pub struct RawJson(pub Vec<u8>);

impl<S: Send + Sync> FromRequest<S> for RawJson {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        Self::read(request).await
    }
}

impl RawJson {
    async fn read(request: Request) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            let detail = "the body must be JSON, with the header Content-Type: application/json";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail));
        }
        let body = read_body(request.into_body(), MAX_BODY_BYTES, BODY_TIME).await?;
        body.map(Self).ok_or_else(|| {
            let detail = format!("the body is over the limit of {MAX_BODY_BYTES} bytes; nothing was changed");
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail)
        })
    }
}

/// Parses a JSON body.
///
/// # Errors
/// 400 `json_malformed` when it is no JSON, 422 `json_invalid` when it is not the JSON asked for.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => {
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "json_invalid", error.to_string())
        }
        serde_json::error::Category::Syntax | serde_json::error::Category::Eof | serde_json::error::Category::Io => {
            ApiError::new(StatusCode::BAD_REQUEST, "json_malformed", format!("the body is not JSON: {error}"))
        }
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

/// Reads a body within a time; `None` when it has more than `most` bytes.
///
/// # Errors
/// 400 `body_cut_short`, 408 `body_too_slow`.
pub async fn read_body(body: Body, most: usize, within: Duration) -> Result<Option<Vec<u8>>, ApiError> {
    tokio::time::timeout(within, collect(body, most)).await.unwrap_or_else(|_| {
        Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", "the body did not arrive in time"))
    })
}

async fn collect(body: Body, most: usize) -> Result<Option<Vec<u8>>, ApiError> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    let mut seen = 0;
    while let Some(piece) = stream.next().await {
        let Ok(piece) = piece else {
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "body_cut_short", "the body broke off"));
        };
        seen += piece.len();
        if seen <= most {
            bytes.extend_from_slice(&piece);
        } else if seen > MAX_DRAINED_BYTES {
            break;
        }
    }
    Ok((seen <= most).then_some(bytes))
}

/// Parameters of the path.
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Self(value))
            .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, "path_invalid", error.body_text()))
    }
}

/// Parameters of the query string.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, "query_invalid", error.body_text()))
    }
}

/// Address of whoever sent the request; a proxy's word is taken where `trusted_proxies` names it.
pub struct ClientAddress(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        let arrival = parts.extensions.get::<Arrival>();
        Ok(Self(arrival.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |arrival| arrival.client)))
    }
}
