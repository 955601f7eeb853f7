//! What a search provider is asked and what it answers, in no vendor's words (L-7).

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::Failure;

/// Results asked for when nobody says how many.
pub const DEFAULT_COUNT: u8 = 5;

/// A service that searches the web.
pub trait SearchProvider: Send + Sync {
    /// Searches. No result is an empty list, not a failure.
    fn search(&self, request: SearchRequest) -> BoxFuture<'_, Result<Vec<SearchHit>, Failure>>;
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    /// In words.
    pub query: String,
    /// 1 to 20, which every engine gives at once.
    pub count: u8,
    /// How old a page may be.
    pub freshness: Option<Freshness>,
}

impl SearchRequest {
    /// A search of any age with the usual number of results.
    pub fn of(query: &str) -> Self {
        Self { query: query.to_owned(), count: DEFAULT_COUNT, freshness: None }
    }
}

/// How old a page may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    /// A day.
    Day,
    /// A week.
    Week,
    /// A month.
    Month,
}

impl Freshness {
    /// As SearXNG and Tavily call it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }
}

/// A page that was found. Its words are a stranger's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SearchHit {
    /// Its title, plain text.
    pub title: String,
    /// Where it is; http or https.
    pub url: String,
    /// What it says, plain text, in short.
    pub description: String,
    /// How old it is, in the engine's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age: Option<String>,
}

/// Longest text taken from one result.
const MAX_TEXT_CHARS: usize = 600;

/// The hits of a list whose entries call the description `text` and the age `age`.
pub(super) fn hits(list: &Value, text: &str, age: &str, count: u8) -> Option<Vec<SearchHit>> {
    let hits = list.as_array()?.iter().filter_map(|row| {
        let url = row["url"].as_str().filter(|url| url.starts_with("https://") || url.starts_with("http://"))?;
        let title = plain(row["title"].as_str().unwrap_or_default());
        Some(SearchHit {
            title: if title.is_empty() { url.to_owned() } else { title },
            url: url.to_owned(),
            description: plain(row[text].as_str().unwrap_or_default()),
            age: row[age].as_str().map(plain).filter(|age| !age.is_empty()),
        })
    });
    Some(hits.take(usize::from(count)).collect())
}

/// Takes marks such as `<strong>` and `&amp;` out of a text, which engines put around what matched.
fn plain(text: &str) -> String {
    let mut clean = String::new();
    let mut in_mark = false;
    for (at, letter) in text.char_indices() {
        match letter {
            // "a < b" is no mark.
            '<' if text[at + 1..].starts_with(|next: char| next.is_ascii_alphabetic() || next == '/') => in_mark = true,
            '>' if in_mark => in_mark = false,
            _ if in_mark => {}
            _ => clean.push(letter),
        }
    }
    for (name, letter) in [
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&#39;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        clean = clean.replace(name, letter);
    }
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|letter| !letter.is_control()).take(MAX_TEXT_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hits_are_plain_text_with_web_addresses() {
        let list = json!([
            {"title": "Le <strong>marché</strong> &amp; co", "url": "https://a.example/", "text": "1 < 2\n and  3", "age": "2 days ago"},
            {"title": "", "url": "http://b.example/"},
            {"title": "bad", "url": "javascript:alert(1)"},
            {"title": "none"},
        ]);
        let hit = |title: &str, url: &str, description: &str, age: Option<&str>| SearchHit {
            title: title.into(),
            url: url.into(),
            description: description.into(),
            age: age.map(str::to_owned),
        };
        let expected = vec![
            hit("Le marché & co", "https://a.example/", "1 < 2 and 3", Some("2 days ago")),
            hit("http://b.example/", "http://b.example/", "", None),
        ];
        assert_eq!(hits(&list, "text", "age", 5), Some(expected.clone()));
        assert_eq!(hits(&list, "text", "age", 1).map(|hits| hits.len()), Some(1));
        assert_eq!(hits(&json!({}), "text", "age", 5), None);
    }
}
