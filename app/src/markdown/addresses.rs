//! Addresses that stand bare in a text become links, as people and models write them.

use super::{Inline, safe_link};

/// Splits a text at the web addresses in it.
pub fn link_addresses(text: String) -> Vec<Inline> {
    let mut pieces = Vec::new();
    let mut rest = text.as_str();
    let mut from = 0;
    while let Some(at) = next_address(rest, from) {
        let end = at + address_length(&rest[at..]);
        let Some(link) = safe_link(&rest[at..end]).filter(|link| !link.ends_with("://")) else {
            from = end;
            continue;
        };
        if at > 0 {
            pieces.push(Inline::Text(rest[..at].to_owned()));
        }
        pieces.push(Inline::Link(link, vec![Inline::Text(rest[at..end].to_owned())]));
        (rest, from) = (&rest[end..], 0);
    }
    if pieces.is_empty() {
        return vec![Inline::Text(text)];
    }
    if !rest.is_empty() {
        pieces.push(Inline::Text(rest.to_owned()));
    }
    pieces
}

/// Where the next address begins: not in the middle of a word.
fn next_address(text: &str, from: usize) -> Option<usize> {
    text[from..].match_indices("http").map(|(at, _)| from + at).find(|at| {
        let word = text[..*at].chars().next_back().is_some_and(char::is_alphanumeric);
        let scheme = text[*at + "http".len()..].trim_start_matches('s').starts_with("://");
        scheme && !word
    })
}

/// How far it goes: to a space or a mark that ends a sentence; a closing bracket belongs to it if it opened one.
fn address_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '«' | '»' | '“' | '”');
    let mut address = &text[..text.find(ends).unwrap_or(text.len())];
    while let Some(last) = address.chars().next_back() {
        let opened = |open: char, close: char| address.matches(open).count() >= address.matches(close).count();
        let drops = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' | '~' | '…' => true,
            ')' => !opened('(', ')'),
            ']' => !opened('[', ']'),
            _ => false,
        };
        if !drops {
            break;
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    address.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        let show = |inline| {
            if let Inline::Link(address, _) = inline {
                format!("<{address}>")
            } else if let Inline::Text(text) = inline {
                text
            } else {
                format!("{inline:?}")
            }
        };
        link_addresses(text.to_owned()).into_iter().map(show).collect()
    }

    #[test]
    fn addresses_become_links_and_the_sentence_around_them_stays() {
        assert_eq!(parts("see https://a.org/b_c?d=1."), ["see ", "<https://a.org/b_c?d=1>", "."]);
        assert_eq!(
            parts("(https://a.org/x_(y)) et http://b.fr !"),
            ["(", "<https://a.org/x_(y)>", ") et ", "<http://b.fr>", " !"]
        );
        assert_eq!(parts("https://é.fr/à"), ["<https://é.fr/à>"]);
    }

    #[test]
    fn what_is_no_address_stays_text() {
        for text in
            ["", "https://", "xhttps://a.org", "javascript://a.org", "http:/a.org", "https://.", "httpss://a.org"]
        {
            assert_eq!(parts(text).concat(), text, "{text}");
            assert!(!parts(text).iter().any(|part| part.starts_with('<')), "{text}");
        }
    }
}
