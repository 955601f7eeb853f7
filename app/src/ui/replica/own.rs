//! What of a thread is the member's own: drafts, pins, reactions, what they look for and what they are reading.

use super::Replica;
use crate::ui::page;
use dioxus::prelude::*;
use shared::{MessageId, SessionId};
use sync::port::Request;
use sync::view::{Draft, FoundView, HomeView, OwnView, Pin};

/// Messages that were found by their words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finds {
    /// In one thread only.
    pub session: Option<SessionId>,
    /// What was looked for.
    pub words: String,
    /// Newest first.
    pub found: Vec<FoundView>,
    /// How many there are, as far as is known.
    pub count: u32,
    /// Whether that is all there are.
    pub is_counted: bool,
    /// Whether it goes on by itself.
    pub is_searching: bool,
}

/// A message to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sought {
    /// In which thread.
    pub session: SessionId,
    /// Which.
    pub message: MessageId,
    /// Its chapter, where that is known: the thread is loaded back to it at once.
    pub chapter: Option<u32>,
    /// Whether the focus stays where it is.
    pub keeps_focus: bool,
}

/// What is typed reaches the replica's disk after this.
const KEEP_MS: i32 = 250;

impl Replica {
    /// The member's pins in the open thread, oldest first.
    pub fn pins(&self) -> ReadSignal<Vec<Pin>> {
        self.pins.into()
    }

    /// What was found last, wherever it was said.
    pub fn found(&self) -> ReadSignal<Finds> {
        self.found.into()
    }

    /// What was found last in one thread.
    pub fn found_here(&self) -> ReadSignal<Finds> {
        self.found_here.into()
    }

    /// Nothing is looked for in a thread any more.
    pub fn forget_found_here(&mut self) {
        self.found_here.set(Finds::default());
    }

    /// Nothing is looked for everywhere any more.
    pub fn forget_found(&mut self) {
        self.found.set(Finds::default());
    }

    /// The message to show.
    pub fn sought(&self) -> ReadSignal<Option<Sought>> {
        self.sought.into()
    }

    /// What the member has written for a thread and not sent.
    pub fn draft(&self, session: SessionId) -> Draft {
        let _ = self.drafts_shown.read();
        self.drafts.read().get(session)
    }

    /// Sets or takes back the member's reaction to a message of the open thread.
    pub fn react(&self, message: MessageId, emoji: &str) {
        if let Some(session) = *self.wanted.peek() {
            self.ask(Request::React { session, message, emoji: emoji.to_owned() });
        }
    }

    /// Keeps a message of the open thread at hand, or no longer.
    pub fn pin(&self, message: MessageId, excerpt: Option<String>) {
        if let Some(session) = *self.wanted.peek() {
            self.ask(Request::Pin { session, message, excerpt });
        }
    }

    /// Looks for words; see [`Self::found`] and [`Self::found_here`]. Nothing ends the search.
    pub fn find(&self, session: Option<SessionId>, words: String, most: u32) {
        self.ask(Request::Find { session, words, most });
    }

    /// Shows a message of a thread that is open, or opens next.
    pub fn seek(&mut self, sought: Option<Sought>) {
        self.sought.set(sought);
    }

    /// Shows a message of the open thread.
    pub fn seek_here(&mut self, message: MessageId) {
        let session = *self.wanted.peek();
        let sought = session.map(|session| Sought { session, message, chapter: None, keeps_focus: false });
        self.sought.set(sought);
    }

    /// Somebody looks at the end of a thread, or no longer.
    pub fn set_reading(&mut self, session: Option<SessionId>) {
        if *self.reading.peek() == session {
            return;
        }
        self.reading.set(session);
        if session.is_some() && self.home.peek().is_some() {
            self.home.with_mut(|home| home.iter_mut().for_each(|home| forget_news(home, session)));
        }
    }

    /// Writes now what would be written in a moment: the page may be gone soon.
    pub fn settle(&self) {
        let sessions = self.drafts.peek().sessions();
        for session in sessions {
            self.tell_draft(session);
        }
        self.ask(Request::Settle);
    }

    /// Tells the replica what was typed, if it does not know.
    pub(super) fn tell_draft(&self, session: SessionId) {
        let mut drafts = self.drafts;
        let untold = drafts.write().untold(session);
        if let Some(draft) = untold {
            self.ask(Request::KeepDraft { session, draft });
        }
    }

    /// Keeps what the member writes.
    pub fn keep_draft(&mut self, session: SessionId, draft: Draft) {
        self.drafts.write().set(session, draft);
        self.drafts_shown += 1;
        if self.keeping.replace(true) {
            return;
        }
        let replica = *self;
        let mut keeping = self.keeping;
        // Not of the composer's: it may be left meanwhile.
        wasm_bindgen_futures::spawn_local(async move {
            page::sleep(KEEP_MS).await;
            keeping.set(false);
            replica.tell_draft(session);
        });
    }

    /// Chooses the message that the next one will quote, or none.
    pub fn reply_to(&mut self, session: SessionId, reply_to: Option<MessageId>) {
        let draft = Draft { reply_to, ..self.drafts.peek().get(session) };
        self.keep_draft(session, draft);
    }

    pub(super) fn take_own(&mut self, session: SessionId, own: OwnView) {
        if *self.wanted.peek() == Some(session) && *self.pins.peek() != own.pins {
            self.pins.set(own.pins);
        }
        let is_leaving = self.outgoing.peek().iter().any(|out| out.session == session);
        let written = self.drafts.peek().get(session);
        let is_typing = *self.wanted.peek() == Some(session) && !written.is_empty() && page::has_focus_on("#composer");
        if self.drafts.write().take(session, own.draft, is_leaving || is_typing) {
            self.drafts_shown += 1;
        }
    }
}

/// Takes away the count of what somebody is just reading.
pub(super) fn forget_news(home: &mut HomeView, reading: Option<SessionId>) {
    for kin in &mut home.kins {
        if Some(kin.profile.session) == reading {
            kin.unread = 0;
        }
    }
}
