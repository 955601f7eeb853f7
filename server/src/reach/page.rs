//! The page for those who come unencrypted: why the app cannot work like this, and three ways to mend it.

use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};

/// Where the page's own style is.
pub(super) const CSS_PATH: &str = "/https-needed.css";

const CSS: &str = include_str!("page/https-needed.css");
const EN: &str = include_str!("page/en.html");
const FR: &str = include_str!("page/fr.html");

/// The page, in the language the browser likes better. `unknown_proxy`: something claims to be a proxy and is not
/// believed, which is then the likeliest cause.
pub(super) fn https_needed(languages: &str, host: &str, port: u16, unknown_proxy: bool) -> Response {
    let french = prefers_french(languages);
    let host = if is_plain_host(host) {
        host
    } else if french {
        "ADRESSE-DU-SERVEUR"
    } else {
        "SERVER-ADDRESS"
    };
    let page = if french { FR } else { EN };
    let page = page.replace("{host}", host).replace("{port}", &port.to_string());
    let page = page.replace("{proxy}", if unknown_proxy { "k-proxy is-shown" } else { "k-proxy" });
    let language = HeaderValue::from_static(if french { "fr" } else { "en" });
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let vary = HeaderValue::from_static("accept-language");
    let headers: [(HeaderName, HeaderValue); 3] =
        [(header::CONTENT_TYPE, kind), (header::CONTENT_LANGUAGE, language), (header::VARY, vary)];
    (StatusCode::FORBIDDEN, headers, page).into_response()
}

/// The page's style.
pub(super) fn css() -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8"))], CSS).into_response()
}

/// Whether a host may be written into a page or an address as it is.
pub(super) fn is_plain_host(host: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'[' | b']' | b':');
    !host.is_empty() && host.len() <= 253 && host.bytes().all(plain)
}

/// Whether `Accept-Language` ranks French above English.
fn prefers_french(languages: &str) -> bool {
    let weight_of = |wanted: &str| {
        let weights = languages.split(',').filter_map(|one| {
            let mut parts = one.split(';').map(str::trim);
            let tag = parts.next()?;
            let language = tag.split('-').next()?;
            let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |q| q.parse::<f32>().ok())?;
            language.eq_ignore_ascii_case(wanted).then_some(weight)
        });
        weights.fold(0.0, f32::max)
    };
    weight_of("fr") > weight_of("en")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_liked_better() {
        assert!(prefers_french("fr-FR,fr;q=0.9,en;q=0.8") && prefers_french("de, fr;q=0.5"));
        assert!(!prefers_french("") && !prefers_french("en-GB,en;q=0.9,fr;q=0.8") && !prefers_french("de"));
    }

    #[test]
    fn both_pages_have_the_same_places_and_run_nothing() {
        for page in [EN, FR] {
            for place in
                ["{host}", "{port}", "{proxy}", CSS_PATH, "tls_cert", "acme_domain", "trusted_proxies", "ssh -L"]
            {
                assert!(page.contains(place), "{place}");
            }
            assert!(
                !page.contains("<script") && !page.contains("style=") && !page.contains("http://localhost:{port}\"")
            );
        }
    }
}
