//! The exact security headers of every kind of answer.

use crate::support::{Answer, House, get, post};

const PAGE_CSP: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'";
const API_CSP: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";
const PERMISSIONS: &str = "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), \
    gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

/// Headers that are about the body and not about trust.
const OTHERS: [&str; 8] =
    ["content-type", "content-length", "etag", "vary", "content-encoding", "allow", "date", "retry-after"];

fn trust(answer: &Answer) -> Vec<(String, String)> {
    let of_trust = answer.headers.iter().filter(|(name, _)| !OTHERS.contains(&name.as_str()));
    let mut headers: Vec<_> =
        of_trust.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    headers.sort();
    headers
}

fn expected(csp: &str, cache: &str) -> Vec<(String, String)> {
    [
        ("cache-control", cache),
        ("content-security-policy", csp),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", PERMISSIONS),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

#[tokio::test]
async fn every_kind_of_answer_has_exactly_these_headers() {
    let (house, admin) = House::with_admin().await;
    // A page, whether the app is built or not.
    let page = house.send(get("/kin/basile")).await;
    let cache = page.header("cache-control").to_owned();
    assert!(["no-cache", "no-store"].contains(&cache.as_str()));
    assert_eq!(trust(&page), expected(PAGE_CSP, &cache));
    assert_eq!(trust(&house.send(get("/assets/gone.js")).await), expected(PAGE_CSP, "no-store"));
    for answer in [
        house.send(get("/api/kins").by(&admin)).await,
        house.send(get("/health")).await,
        house.send(get("/api/nothing")).await,
        house.send(get("/api/kins")).await,
        house.send(post("/api/kins").by(&admin).bytes(b"{".to_vec()).header("content-type", "application/json")).await,
        house.send(post("/api/kins").cookie("__Host-kinstead=x").header("sec-fetch-site", "cross-site")).await,
    ] {
        assert_eq!(trust(&answer), expected(API_CSP, "no-store"), "{}", answer.status);
    }
}

#[tokio::test]
async fn other_sites_are_told_nothing() {
    let (house, _) = House::with_admin().await;
    let preflight = get("/api/kins").header("origin", "https://evil.example");
    let answer = house.send(preflight.header("access-control-request-method", "POST")).await;
    assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control-")), "{:?}", answer.headers);
}
