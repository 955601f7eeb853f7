//! From a vendor's refusal to a [`Failure`]: one reading for every shape of error body in use.

use super::seal::ApiKey;
use serde_json::Value;
use shared::{Failure, FailureKind, UnixMillis};

/// What an error body says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// Machine-readable words: codes and types, in lower case.
    codes: Vec<String>,
    /// The sentence for people; may be empty.
    message: String,
    /// How long to wait, when the body says it: Google's do, in words like `34s`.
    wait: Option<String>,
}

impl Words {
    /// Reads OpenAI's, Anthropic's, Google's, Brave's, Tavily's, Ollama's, llama.cpp's, Mistral's and FastAPI's shapes,
    /// whichever it is.
    pub(super) fn read(body: &Value) -> Self {
        let error = body.get("error").unwrap_or(&Value::Null);
        let details = error["details"].as_array().map(Vec::as_slice).unwrap_or_default();
        let codes = [&error["code"], &error["type"], &error["status"], &body["code"], &body["type"]];
        let codes = codes.into_iter().chain(details.iter().map(|detail| &detail["reason"]));
        let codes = codes.filter_map(Value::as_str).map(str::to_ascii_lowercase).collect();
        let messages = [
            &error["message"],
            &error["detail"],
            error,
            &body["message"],
            &body["detail"],
            &body["detail"]["error"],
            &body["detail"][0]["msg"],
        ];
        let message = messages.into_iter().find_map(Value::as_str).unwrap_or_default().to_owned();
        let wait = details.iter().find_map(|detail| detail["retryDelay"].as_str()).map(str::to_owned);
        Self { codes, message, wait }
    }

    fn has(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    fn says(&self, phrases: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        phrases.iter().any(|phrase| message.contains(phrase))
    }

    fn too_long(&self) -> bool {
        self.has(&["context_length_exceeded", "exceed_context_size_error", "request_too_large"])
            || self.says(&[
                "prompt is too long",
                "exceeds the maximum number of tokens",
                "maximum context length",
                "context size",
                "context window",
                "context_length",
            ])
    }

    /// When the body says that the provider may be asked again.
    pub(super) fn retry_at(&self, now: UnixMillis) -> Option<UnixMillis> {
        retry_at(now, self.wait.as_deref()?.strip_suffix('s'), None)
    }

    /// Quotas are no rate limits: waiting does not help, paying does. Google calls its rate limits quotas, though.
    fn unpaid(&self) -> bool {
        if self.has(&["resource_exhausted"]) {
            return false;
        }
        self.has(&["insufficient_quota", "billing_error", "billing_hard_limit_reached", "insufficient_balance"])
            || self.says(&["credit balance is too low", "exceeded your current quota", "insufficient balance"])
    }
}

/// The failure of an answer with an error status. `words` is `None` when the body was not JSON.
pub(super) fn of_status(status: u16, words: Option<&Words>) -> FailureKind {
    let none = Words::default();
    let said = words.unwrap_or(&none);
    let refused = matches!(status, 400..500);
    if refused && said.has(&["model_not_found"]) {
        return FailureKind::ModelNotFound;
    }
    if said.too_long() {
        return FailureKind::ContextTooLong;
    }
    // 432 and 433 are Tavily's words for a plan that is used up.
    if refused && (said.unpaid() || matches!(status, 402 | 432 | 433)) {
        return FailureKind::Refused;
    }
    if refused && said.has(&["subscription_token_invalid", "api_key_invalid"]) {
        return FailureKind::Unauthorized;
    }
    if matches!(status, 300..400) {
        return FailureKind::Redirects;
    }
    match status {
        401 | 403 => FailureKind::Unauthorized,
        400 if said.says(&["api key not valid", "invalid api key"]) => FailureKind::Unauthorized,
        // A page instead of JSON means that the address is wrong, not the model.
        404 if words.is_some() => FailureKind::ModelNotFound,
        429 => FailureKind::RateLimited,
        408 => FailureKind::Overloaded,
        500.. => FailureKind::Overloaded,
        _ => FailureKind::Refused,
    }
}

/// The failure of an error that came inside a stream, where no status tells more.
pub(super) fn of_event(words: &Words) -> FailureKind {
    if words.has(&["model_not_found", "not_found_error", "not_found"]) {
        FailureKind::ModelNotFound
    } else if words.too_long() {
        FailureKind::ContextTooLong
    } else if words.unpaid() {
        FailureKind::Refused
    } else if words.has(&["rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "requests", "tokens"]) {
        FailureKind::RateLimited
    } else if words.has(&["authentication_error", "permission_error", "permission_denied", "invalid_api_key"]) {
        FailureKind::Unauthorized
    } else if words.has(&["invalid_request_error", "invalid_argument"]) {
        FailureKind::Refused
    } else {
        // An answer that began was acceptable to the provider: what stops it in the middle is the provider's trouble.
        FailureKind::Overloaded
    }
}

/// A failure in the provider's words, without the key and control characters.
pub(super) fn worded(kind: FailureKind, words: &str, key: Option<&ApiKey>) -> Failure {
    let mut clean = words.split_whitespace().collect::<Vec<_>>().join(" ");
    clean.retain(|letter| !letter.is_control());
    if let Some(key) = key.map(ApiKey::expose).filter(|key| !key.is_empty()) {
        clean = clean.replace(key, "[key]");
    }
    Failure::with_detail(kind, &clean)
}

impl Words {
    /// The sentence for people, or what can be said in its place.
    pub(super) fn message_or<'a>(&'a self, otherwise: &'a str) -> &'a str {
        if self.message.trim().is_empty() { otherwise } else { &self.message }
    }
}

/// Waits of more than a week are no answer to anyone.
const LONGEST_WAIT_MS: i64 = 7 * 24 * 3_600_000;

/// When a provider says it may be asked again. `after` is the value of `Retry-After`, seconds or an HTTP date;
/// `after_ms` is that of OpenAI's finer `retry-after-ms`.
pub(super) fn retry_at(now: UnixMillis, after: Option<&str>, after_ms: Option<&str>) -> Option<UnixMillis> {
    let wait = after_ms
        .and_then(|text| text.trim().parse::<f64>().ok())
        .or_else(|| after?.trim().parse::<f64>().ok().map(|seconds| seconds * 1000.0))
        .filter(|wait| wait.is_finite() && *wait >= 0.0)
        .map(|wait| wait.ceil().min(LONGEST_WAIT_MS as f64) as i64)
        .or_else(|| {
            let moment = httpdate::parse_http_date(after?.trim()).ok()?;
            let since = moment.duration_since(std::time::UNIX_EPOCH).ok()?;
            let moment = UnixMillis(i64::try_from(since.as_millis()).ok()?);
            Some(moment.since(now).clamp(0, LONGEST_WAIT_MS))
        })?;
    Some(now.plus_ms(wait))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kind(status: u16, body: Value) -> FailureKind {
        of_status(status, Some(&Words::read(&body)))
    }

    #[test]
    fn each_vendors_refusals_are_told_apart() {
        use FailureKind::*;
        let openai = |code: &str, message: &str| json!({"error": {"message": message, "type": "x", "code": code}});
        let anthropic =
            |kind: &str, message: &str| json!({"type": "error", "error": {"type": kind, "message": message}});
        let cases = [
            (401, openai("invalid_api_key", "Incorrect API key provided"), Unauthorized),
            (403, openai("", "Country not supported"), Unauthorized),
            (404, openai("model_not_found", "The model `x` does not exist"), ModelNotFound),
            (400, openai("model_not_found", "The model `x` does not exist"), ModelNotFound),
            (404, json!({"error": "model 'x' not found"}), ModelNotFound),
            (404, anthropic("not_found_error", "model: x"), ModelNotFound),
            (429, openai("rate_limit_exceeded", "Rate limit reached"), RateLimited),
            (429, openai("insufficient_quota", "You exceeded your current quota"), Refused),
            (400, anthropic("invalid_request_error", "Your credit balance is too low"), Refused),
            (402, json!({"error": {"code": 402, "message": "Insufficient credits"}}), Refused),
            (400, openai("context_length_exceeded", "too many"), ContextTooLong),
            (
                400,
                anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
                ContextTooLong,
            ),
            (413, anthropic("request_too_large", "Request exceeds the maximum size"), ContextTooLong),
            (
                500,
                json!({"error": {"code": 500, "message": "the request exceeds the available context size"}}),
                ContextTooLong,
            ),
            (400, json!({"error": {"message": "API key not valid. Please pass a valid API key."}}), Unauthorized),
            (422, json!({"detail": [{"msg": "field required"}]}), Refused),
            (500, openai("", "The server had an error"), Overloaded),
            (503, json!({"error": {"message": "Loading model", "type": "unavailable_error"}}), Overloaded),
            (529, anthropic("overloaded_error", "Overloaded"), Overloaded),
            (400, json!([]), Refused),
            (302, json!({}), Redirects),
            (401, json!({"detail": {"error": "Unauthorized: missing or invalid API key."}}), Unauthorized),
            (401, json!({"detail": "Provided API key is invalid."}), Unauthorized),
            (432, json!({"detail": {"error": "This request exceeds your plan's set usage limit."}}), Refused),
            (422, json!({"error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "invalid"}}), Unauthorized),
            (
                400,
                json!({"error": {"status": "INVALID_ARGUMENT", "message": "x", "details": [{"reason": "API_KEY_INVALID"}]}}),
                Unauthorized,
            ),
            (
                429,
                json!({"error": {"status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota"}}),
                RateLimited,
            ),
            (
                400,
                json!({"error": {"status": "INVALID_ARGUMENT", "message": "The input token count (2) exceeds the maximum number of tokens allowed (1)."}}),
                ContextTooLong,
            ),
        ];
        for (status, body, expected) in cases {
            assert_eq!(kind(status, body.clone()), expected, "{status} {body}");
        }
        assert_eq!(of_status(404, None), Refused);
        assert_eq!(of_status(502, None), Overloaded);
    }

    #[test]
    fn errors_inside_a_stream_go_by_their_words() {
        use FailureKind::*;
        for (kind, expected) in [
            ("overloaded_error", Overloaded),
            ("api_error", Overloaded),
            ("server_error", Overloaded),
            ("something_new", Overloaded),
            ("rate_limit_error", RateLimited),
            ("authentication_error", Unauthorized),
            ("invalid_request_error", Refused),
        ] {
            let words = Words::read(&json!({"error": {"type": kind, "message": "x"}}));
            assert_eq!(of_event(&words), expected, "{kind}");
        }
    }

    #[test]
    fn details_are_short_clean_and_without_the_key() {
        let key = ApiKey::new("sk-secret");
        let said = format!("bad\n\tkey sk-secret\u{7} {}", "x".repeat(400));
        let failure = worded(FailureKind::Unauthorized, &said, Some(&key));
        assert!(failure.detail.starts_with("bad key [key] xxx"), "{}", failure.detail);
        assert_eq!(failure.detail.chars().count(), 300);
        assert_eq!(Words::read(&json!({"error": {"message": "  "}})).message_or("HTTP 500"), "HTTP 500");
    }

    #[test]
    fn retry_after_is_read_in_each_of_its_forms() {
        let now = UnixMillis(784_111_777_000);
        let at = |after, ms| retry_at(now, after, ms).map(|moment| moment.since(now));
        assert_eq!(at(Some("7"), None), Some(7_000));
        assert_eq!(at(Some("0.5"), None), Some(500));
        assert_eq!(at(Some("7"), Some("250")), Some(250));
        assert_eq!(at(Some("Sun, 06 Nov 1994 08:49:47 GMT"), None), Some(10_000));
        assert_eq!(at(Some("Sun, 06 Nov 1994 08:49:30 GMT"), None), Some(0));
        assert_eq!(at(Some("1e300"), None), Some(LONGEST_WAIT_MS));
        for nonsense in ["", "soon", "-1", "NaN", "inf"] {
            assert_eq!(at(Some(nonsense), None), None, "{nonsense}");
        }
        assert_eq!(at(None, None), None);
    }
}
