//! What the member is writing, per thread, as the composers show it. The replica keeps it; this is what it was last told.

use shared::SessionId;
use std::collections::HashMap;
use sync::view::Draft;

/// What composers show, and what the replica knows of it.
#[derive(Debug, Default)]
pub struct Drafts {
    written: HashMap<SessionId, Draft>,
    told: HashMap<SessionId, Draft>,
}

impl Drafts {
    /// The draft of a thread.
    pub fn get(&self, session: SessionId) -> Draft {
        self.written.get(&session).cloned().unwrap_or_default()
    }

    /// The member has changed it here.
    pub fn set(&mut self, session: SessionId, draft: Draft) {
        self.written.insert(session, draft);
    }

    /// What the replica does not know yet of a thread; it counts as told from then on.
    pub fn untold(&mut self, session: SessionId) -> Option<Draft> {
        let draft = self.get(session);
        let told = self.told.insert(session, draft.clone());
        (told.unwrap_or_default() != draft).then_some(draft)
    }

    /// The replica has lost what it was told.
    pub fn retell(&mut self, session: SessionId) {
        self.told.remove(&session);
    }

    /// Threads of which the replica does not know everything.
    pub fn sessions(&self) -> Vec<SessionId> {
        self.written.keys().copied().collect()
    }

    /// The replica says what the draft is, e.g. as another device has it. What is being typed is never overwritten;
    /// gives whether the composer shows something else now.
    pub fn take(&mut self, session: SessionId, draft: Draft, is_busy: bool) -> bool {
        // Its own words come back to it, perhaps late.
        if is_busy || self.told.get(&session) == Some(&draft) {
            return false;
        }
        self.told.insert(session, draft.clone());
        self.written.insert(session, draft.clone()) != Some(draft)
    }

    /// Takes away what has been sent and keeps what was written behind it meanwhile.
    pub fn forget_sent(&mut self, session: SessionId, sent: &str) {
        let rest = rest_after(&self.get(session).text, sent);
        self.set(session, Draft { text: rest, reply_to: None });
    }
}

/// The draft without what was sent. A draft that was changed altogether stays.
fn rest_after(draft: &str, sent: &str) -> String {
    match draft.trim_start().strip_prefix(sent.trim()) {
        Some(rest) => rest.trim_start().to_owned(),
        None => draft.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::UnixMillis;

    fn draft(text: &str) -> Draft {
        Draft { text: text.into(), reply_to: None }
    }

    #[test]
    fn what_was_written_since_sending_stays() {
        assert_eq!(rest_after("hello", "hello"), "");
        assert_eq!(rest_after(" hello\n", "hello"), "");
        assert_eq!(rest_after("hello and more", "hello"), "and more");
        assert_eq!(rest_after("something else", "hello"), "something else");
    }

    #[test]
    fn another_devices_words_appear_but_never_over_what_is_typed() {
        let here = SessionId::new(UnixMillis(1), [1; 10]);
        let mut drafts = Drafts::default();
        assert!(drafts.take(here, draft("from the phone"), false));
        assert_eq!(drafts.untold(here), None, "the replica said it");
        drafts.set(here, draft("from the phone, and here"));
        assert!(!drafts.take(here, draft("something else"), true));
        assert_eq!(drafts.untold(here), Some(draft("from the phone, and here")));
        drafts.set(here, draft("from the phone, and he"));
        // What was told comes back late.
        assert!(!drafts.take(here, draft("from the phone, and here"), false));
        assert_eq!(drafts.get(here), draft("from the phone, and he"));
    }
}
