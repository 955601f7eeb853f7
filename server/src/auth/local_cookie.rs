//! The login's cookie in a second form, for browsers at the machine itself.
//!
//! WebKit takes `Secure` and `__Host-` at their word and keeps no such cookie from `http://localhost`, where there is
//! nothing to encrypt. There, and only there, the cookie also goes out, and comes back, without them. What is inside
//! knows the one form: this translates.

use super::logins::{COOKIE, cookie_named, cookie_secret};
use crate::reach::{Arrival, Reach, is_local_name};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// The second form's name.
const LOCAL: &str = "kinstead-local";

/// Reads the second form where it counts, and adds it to what sets or clears the first.
pub async fn translate_local_cookie(State(reach): State<Reach>, mut request: Request, next: Next) -> Response {
    // A proxy on this machine that tells nothing of itself looks like the machine; with a public address it is not.
    let is_local = request.extensions().get::<Arrival>().is_some_and(is_at_the_machine);
    if !is_local || reach.is_public_over_https() {
        return next.run(request).await;
    }
    let headers = request.headers_mut();
    if cookie_secret(headers).is_none()
        && let Some(secret) = cookie_named(headers, LOCAL)
        && let Ok(cookie) = HeaderValue::from_str(&format!("{COOKIE}={secret}"))
    {
        headers.append(header::COOKIE, cookie);
    }
    let mut response = next.run(request).await;
    let set = response.headers().get_all(header::SET_COOKIE).iter().filter_map(local_form).collect::<Vec<_>>();
    for cookie in set {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Unencrypted, from this machine, under one of its names, and through nobody's hands.
fn is_at_the_machine(arrival: &Arrival) -> bool {
    let is_direct = !arrival.by_proxy && !arrival.unknown_proxy;
    !arrival.https && is_direct && arrival.client.is_loopback() && is_local_name(&arrival.host)
}

fn local_form(cookie: &HeaderValue) -> Option<HeaderValue> {
    let rest = cookie.to_str().ok()?.strip_prefix(COOKIE)?.strip_prefix('=')?;
    HeaderValue::from_str(&format!("{LOCAL}={}", rest.replace(" Secure;", ""))).ok()
}
