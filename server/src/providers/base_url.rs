//! Addresses of providers as people paste them.

use reqwest::Url;

/// Longest address that is taken.
const MAX_URL_CHARS: usize = 500;

/// Why a text is no provider's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// Not a URL at all.
    #[error("the address is not a URL such as http://localhost:11434/v1")]
    Unreadable,
    /// Another scheme.
    #[error("the address must begin with http:// or https://")]
    Scheme,
    /// A name or password before the host, a query or a fragment: places where keys hide in plain sight.
    #[error("the address must not hold a user name, a password, a query or a fragment")]
    Extras,
    /// Inside the household's network, for a service of the outside.
    #[error("this service is on the internet: its address cannot be in the private network")]
    Private,
    /// Where no provider is.
    #[error("a provider cannot be at a link-local or metadata address")]
    Forbidden,
}

/// What people paste along with an address, the longest first.
const OPERATIONS: [&str; 7] =
    ["/chat/completions", "/images/generations", "/web/search", "/embeddings", "/messages", "/models", "/search"];

/// Brings an address to the form that paths such as `/models` are appended to.
///
/// Takes it with or without a trailing slash, with or without the version that this kind's paths hold (`/v1`), and with
/// the path of an operation at its end.
///
/// # Errors
/// See [`BaseUrlError`].
pub(super) fn normalise(text: &str, version: &str) -> Result<Url, BaseUrlError> {
    let text = text.trim();
    if text.chars().count() > MAX_URL_CHARS {
        return Err(BaseUrlError::Unreadable);
    }
    let mut url = Url::parse(text).map_err(|_| BaseUrlError::Unreadable)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BaseUrlError::Scheme);
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(BaseUrlError::Unreadable);
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err(BaseUrlError::Extras);
    }
    let mut path = url.path().trim_end_matches('/').to_owned();
    for operation in OPERATIONS {
        if let Some(shorter) = path.strip_suffix(operation) {
            path = shorter.trim_end_matches('/').to_owned();
        }
    }
    // Some services count versions elsewhere (`/v1beta/openai`, `/paas/v4`): those are left as they are.
    if !path.split('/').any(is_version) {
        path.push_str(version);
    }
    url.set_path(&path);
    Ok(url)
}

fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

/// The address of an operation, which may have a query, under a normalised base.
pub(super) fn join(base: &Url, operation: &str) -> Url {
    let (path, query) = operation.split_once('?').map_or((operation, None), |(path, query)| (path, Some(query)));
    let mut url = base.clone();
    url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
    url.set_query(query);
    url
}

/// Whether the host is this machine: such a call must not go through a proxy.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_way_to_write_an_address_leads_to_the_same_place() {
        let cases = [
            ("http://localhost:11434", "http://localhost:11434/v1/models"),
            ("http://localhost:11434/", "http://localhost:11434/v1/models"),
            (" http://localhost:11434/v1 ", "http://localhost:11434/v1/models"),
            ("http://localhost:11434/v1/", "http://localhost:11434/v1/models"),
            ("https://openrouter.ai/api/v1/chat/completions", "https://openrouter.ai/api/v1/models"),
            ("https://api.groq.com/openai", "https://api.groq.com/openai/v1/models"),
            ("https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1/models"),
            (
                "https://generativelanguage.googleapis.com/v1beta/openai/",
                "https://generativelanguage.googleapis.com/v1beta/openai/models",
            ),
        ];
        for (text, expected) in cases {
            let base = normalise(text, "/v1").expect(text);
            assert_eq!(join(&base, "models").as_str(), expected);
        }
    }

    #[test]
    fn each_kind_has_its_own_version() {
        for (text, version, expected) in [
            ("http://searx.home", "", "http://searx.home/search"),
            ("http://searx.home/search", "", "http://searx.home/search"),
            ("http://home.lan/searx/", "", "http://home.lan/searx/search"),
            ("https://api.search.brave.com", "/res/v1", "https://api.search.brave.com/res/v1/search"),
            ("https://x.example", "/v1beta", "https://x.example/v1beta/search"),
        ] {
            let base = normalise(text, version).expect(text);
            assert_eq!(join(&base, "search").as_str(), expected);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let cases = [
            ("", BaseUrlError::Unreadable),
            ("localhost:11434", BaseUrlError::Scheme),
            ("ollama", BaseUrlError::Unreadable),
            ("file:///etc/passwd", BaseUrlError::Scheme),
            ("https://", BaseUrlError::Unreadable),
            ("https://me:pass@example.org/v1", BaseUrlError::Extras),
            ("https://example.org/v1?key=1", BaseUrlError::Extras),
            ("https://example.org/v1#x", BaseUrlError::Extras),
        ];
        for (text, error) in cases {
            assert_eq!(normalise(text, "/v1"), Err(error), "{text}");
        }
    }

    #[test]
    fn this_machine_is_known_by_each_of_its_names() {
        for (text, expected) in [
            ("http://localhost:1/v1", true),
            ("http://127.0.0.5/v1", true),
            ("http://[::1]:8080/v1", true),
            ("http://192.168.1.2/v1", false),
            ("https://api.openai.com/v1", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(text).expect("a URL")), expected, "{text}");
        }
    }
}
