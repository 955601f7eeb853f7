//! Who is let through to the app, and what the others are told.

use super::arrival::{Arrival, Transport};
use super::public_url::without_port;
use super::{Reach, page};
use crate::error::ApiError;
use crate::http::headers;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Path of ACME's HTTP-01 challenges.
const CHALLENGES: &str = "/.well-known/acme-challenge/";

/// Notes how a request arrived, answers those that came unencrypted, and gives every answer its security headers.
pub async fn arrive(State(reach): State<Reach>, mut request: Request, next: Next) -> Response {
    let arrival = Arrival::of(&request, &reach.0.settings.trusted_proxies);
    let answer = answer_instead(&reach, &request, &arrival);
    let about = headers::About {
        api: is_api(request.uri().path()),
        hsts: arrival.https && !super::is_local_name(&arrival.host),
    };
    request.extensions_mut().insert(arrival);
    let mut response = match answer {
        Some(answer) => answer,
        None => next.run(request).await,
    };
    headers::secure(&mut response, about);
    response
}

fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/") || is_probe(path)
}

fn is_probe(path: &str) -> bool {
    matches!(path, "/health" | "/api/health/ready")
}

/// What is answered without asking the app, if anything.
fn answer_instead(reach: &Reach, request: &Request, arrival: &Arrival) -> Option<Response> {
    let transport = request.extensions().get::<Transport>()?;
    let path = request.uri().path();
    if !transport.tls
        && let Some(token) = path.strip_prefix(CHALLENGES)
    {
        let answer = reach.certificates().http_challenge(token);
        return Some(
            answer.map_or_else(|| ApiError::not_found("challenge").into_response(), IntoResponse::into_response),
        );
    }
    if arrival.is_secure() || is_probe(path) {
        return None;
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if is_api(path) || !reads {
        let detail = "Kinstead is used over https, or on the machine itself at http://localhost";
        return Some(ApiError::new(StatusCode::FORBIDDEN, "https_needed", detail).into_response());
    }
    if path == page::CSS_PATH {
        return Some(page::css());
    }
    if reach.0.settings.has_tls()
        && let Some(target) = secure_address(reach, arrival, request)
    {
        return Some((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, target)]).into_response());
    }
    let languages = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let port = reach.listening().main.map_or(reach.0.settings.listen.port(), |address| address.port());
    Some(page::https_needed(languages.unwrap_or_default(), without_port(&arrival.host), port, arrival.unknown_proxy))
}

/// The same page over https.
fn secure_address(reach: &Reach, arrival: &Arrival, request: &Request) -> Option<HeaderValue> {
    let name = without_port(&arrival.host);
    let rest = request.uri().path_and_query().map_or("/", |rest| rest.as_str());
    let public = reach.0.settings.public_url.get();
    if let Some(public) = public.filter(|public| without_port(public.host()).eq_ignore_ascii_case(name)) {
        return HeaderValue::from_str(&format!("{public}{rest}")).ok();
    }
    if name.is_empty() || !page::is_plain_host(name) {
        return None;
    }
    let port = reach.listening().main.map_or(443, |address| address.port());
    let port = if port == 443 { String::new() } else { format!(":{port}") };
    HeaderValue::from_str(&format!("https://{name}{port}{rest}")).ok()
}
