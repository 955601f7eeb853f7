//! Looking for words in what this device has in memory: the newest chapters of every session, and open threads.

use super::Replica;
use crate::find::{fold, matches};
use crate::port::Event;
use crate::view::FoundView;
use shared::DocumentId;

/// Messages that are found at once.
const MOST: usize = 6;
/// Characters shown of one.
const EXCERPT: usize = 90;
/// Characters shown before the first word that was looked for.
const BEFORE: usize = 20;

impl Replica {
    pub(super) fn find(&mut self, words: String) {
        let mut found: Vec<FoundView> = Vec::new();
        for (id, loaded) in &self.loaded {
            let DocumentId::Chapter(session, _) = id else { continue };
            for message in loaded.messages.values() {
                if message.seq.is_none() || !message.state.is_shown() {
                    continue;
                }
                if let Some(ranges) = matches(&message.text, &words) {
                    found.push(FoundView {
                        session: *session,
                        message: message.id,
                        author: message.author,
                        sent_at: message.sent_at,
                        excerpt: excerpt(&message.text, ranges[0].start),
                    });
                }
            }
        }
        found.sort_by_key(|found| (std::cmp::Reverse(found.sent_at), found.message));
        found.truncate(MOST);
        self.event(Event::Found { words, found });
    }
}

/// The line around the first word that was looked for, without Markdown's marks.
fn excerpt(text: &str, at: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut start = at.saturating_sub(BEFORE);
    // From the beginning of a word.
    while start > 0 && start < at && fold(letters[start - 1]).is_alphanumeric() {
        start += 1;
    }
    let cut = if start > 0 { "…" } else { "" };
    let words: String = letters[start..].iter().filter(|letter| !matches!(letter, '*' | '`' | '#' | '|')).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    let words: String = words.join(" ").chars().take(EXCERPT).collect();
    format!("{cut}{words}")
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn an_excerpt_shows_what_was_found() {
        assert_eq!(excerpt("# One **two**\nthree", 2), "One two three");
        let long = format!("{} the needle here", "hay ".repeat(40));
        let at = long.find("needle").expect("it is there");
        assert!(excerpt(&long, at).starts_with("…hay hay"));
        assert!(excerpt(&long, at).ends_with("the needle here"));
    }
}
