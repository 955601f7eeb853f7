//! The web app: inside the binary of a release, from `app/dist` in development.
//!
//! xtask builds the folder and lists it in `assets.json`. Files under `assets/` carry their hash in their name and may
//! be kept for ever; everything else is checked for news each time.

#[cfg_attr(debug_assertions, path = "web/folder.rs")]
#[cfg_attr(not(debug_assertions), path = "web/embedded.rs")]
mod files;

use crate::error::ApiError;
use axum::body::Body;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

/// A file as `assets.json` lists it.
#[derive(Debug, Clone, Deserialize)]
struct Asset {
    path: String,
    hash: String,
    /// Size of the Brotli form beside it, `<path>.br`, if there is one.
    br_bytes: Option<u64>,
    #[serde(default)]
    immutable: bool,
}

/// Answers whatever no route of the API takes.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return Err(ApiError::not_found("address"));
    }
    if method != Method::GET && method != Method::HEAD {
        let detail = "this address does not take this method";
        return Err(ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail));
    }
    let path = if path.is_empty() { "index.html" } else { path }.to_owned();
    // Reading a folder blocks; the embedded form does not, and the hop is cheap beside a page load.
    let found =
        tokio::task::spawn_blocking(move || find(&path, accepts_brotli(&headers)).map(|found| (found, headers)));
    match found.await.map_err(ApiError::internal)? {
        Some((found, headers)) => Ok(found.answer(&headers)),
        None if uri.path().starts_with("/assets/") => Err(ApiError::not_found("file")),
        None => {
            let text = "The web app is not built. Build it with: cargo xtask web\n";
            Ok((StatusCode::SERVICE_UNAVAILABLE, text).into_response())
        }
    }
}

struct Found {
    asset: Asset,
    brotli: bool,
    bytes: files::Bytes,
}

/// The file of this path, or the page that draws every address of the app.
fn find(path: &str, brotli: bool) -> Option<Found> {
    let list = files::read("assets.json")?;
    let list: Vec<Asset> = serde_json::from_slice(&list).ok()?;
    let named = |name: &str| list.iter().find(|asset| asset.path.trim_start_matches('/') == name);
    let asset = match named(path) {
        Some(asset) => asset,
        None if path.starts_with("assets/") => return None,
        None => named("index.html")?,
    };
    let plain = asset.path.trim_start_matches('/');
    let packed = if brotli && asset.br_bytes.is_some() { files::read(&format!("{plain}.br")) } else { None };
    let (brotli, bytes) = match packed {
        Some(bytes) => (true, bytes),
        None => (false, files::read(plain)?),
    };
    Some(Found { asset: asset.clone(), brotli, bytes })
}

impl Found {
    fn answer(self, request: &HeaderMap) -> Response {
        // Weak: the same file in two encodings.
        let tag = format!("W/\"{}\"", self.asset.hash);
        let known = request.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let known = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
        let mut response =
            if known { StatusCode::NOT_MODIFIED.into_response() } else { Response::new(Body::from(self.bytes)) };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(&self.asset.path)));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if self.brotli && !known {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        }
        let cache = if self.asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        parts.next() == Some("br") && parts.all(|weight| weight != "q=0")
    })
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
