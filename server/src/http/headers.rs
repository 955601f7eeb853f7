//! Security headers of every answer (W-2): browsers are told to trust nothing but us.
//!
//! CORS stays closed: there is no `Access-Control-Allow-Origin` anywhere. Isolation (COEP) is not asked for: nothing
//! needs it, and it would refuse pictures from elsewhere that a member chose to load.

use axum::http::header::{self, HeaderName, HeaderValue};
use axum::response::Response;

/// For pages and files. `wasm-unsafe-eval` compiles the app's programs, nothing else; avatars and previews are `blob:`;
/// inline styles are the sizes that the app computes.
const PAGE_CSP: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'";
/// For what is data: opened as a page it may do nothing at all.
const API_CSP: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";
/// What no page of ours uses, and no script that slipped in shall either.
const PERMISSIONS: &str = "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), \
    gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";
/// A year. Without subdomains: they may be somebody else's machines.
const HSTS: &str = "max-age=31536000";

const ALWAYS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    (header::X_FRAME_OPTIONS, "DENY"),
];

/// What the headers depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About {
    /// Whether the answer is data rather than a page.
    pub api: bool,
    /// Whether it goes out encrypted, for a name that is not this machine's own.
    pub hsts: bool,
}

/// Sets the headers of an answer.
pub(crate) fn secure(response: &mut Response, about: About) {
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let csp = if about.api { API_CSP } else { PAGE_CSP };
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(csp));
    if about.hsts {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
    // An answer of the API is for its caller, not for a cache, unless it says so itself.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
