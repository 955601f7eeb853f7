//! What the member has written and not sent, per thread; survives a reload.

use super::page;
use shared::SessionId;
use std::collections::HashMap;

/// Drafts read so far.
#[derive(Debug, Default)]
pub struct Drafts {
    texts: HashMap<SessionId, String>,
}

impl Drafts {
    /// The draft of a thread.
    pub fn get(&self, session: SessionId) -> String {
        match self.texts.get(&session) {
            Some(text) => text.clone(),
            None => page::remembered(&key(session)).unwrap_or_default(),
        }
    }

    /// Keeps a draft.
    pub fn set(&mut self, session: SessionId, text: String) {
        page::remember(&key(session), (!text.is_empty()).then_some(&text));
        self.texts.insert(session, text);
    }

    /// Takes away what has been sent and keeps what was written behind it meanwhile.
    pub fn forget_sent(&mut self, session: SessionId, sent: &str) {
        let rest = rest_after(&self.get(session), sent);
        self.set(session, rest);
    }
}

/// The draft without what was sent. A draft that was changed altogether stays.
fn rest_after(draft: &str, sent: &str) -> String {
    match draft.trim_start().strip_prefix(sent.trim()) {
        Some(rest) => rest.trim_start().to_owned(),
        None => draft.to_owned(),
    }
}

fn key(session: SessionId) -> String {
    format!("draft.{session}")
}

#[cfg(test)]
mod tests {
    use super::rest_after;

    #[test]
    fn what_was_written_since_sending_stays() {
        assert_eq!(rest_after("hello", "hello"), "");
        assert_eq!(rest_after(" hello\n", "hello"), "");
        assert_eq!(rest_after("hello and more", "hello"), "and more");
        assert_eq!(rest_after("something else", "hello"), "something else");
    }
}
