//! The member's own part of a thread: drafts, pins, and read markers on their way.
//!
//! What is typed is on the device's disk at once, in a row of its own, and goes into the `me` document only when the
//! member has rested, left, or sent: every change of a document is kept for ever. A row is there as long as the document
//! does not say the same.

use super::rows::{draft_key, draft_row, mark_key, mark_row};
use super::{Replica, put};
use crate::port::{Event, Request};
use crate::store::Write;
use crate::view::{Connection, Draft, OwnView};
use serde::{Deserialize, Serialize};
use shared::limits::{MAX_DRAFT_BYTES, MAX_EXCERPT_BYTES};
use shared::{DocumentId, MessageId, Operation, SessionId, UnixMillis};

/// Read markers are written at most this often.
const READ_MARK_MS: i64 = 2_000;
/// A draft goes to the other devices when nothing was typed for so long.
const REST_MS: i64 = 2_000;

/// A draft of this device that the `me` document does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DraftRow {
    pub draft: Draft,
    /// When it was written.
    pub at: UnixMillis,
    /// The server has refused it, or it is too long: it stays here until it changes.
    pub held: bool,
}

impl Replica {
    pub(super) fn mark_read(&mut self, session: SessionId, seq: u64) {
        if seq <= self.read_up_to(session) {
            return;
        }
        self.read_marks.insert(session, seq);
        let (key, value) = mark_row(session, seq);
        self.store(vec![put(key, value)]);
        self.flush_at.get_or_insert(self.now.plus_ms(READ_MARK_MS));
    }

    /// Moves read markers into the `me` document.
    pub(super) fn flush_read_marks(&mut self) {
        let Some(id) = self.loaded_me() else { return };
        for (session, seq) in std::mem::take(&mut self.read_marks) {
            if seq > self.read_up_to(session) {
                self.enqueue(id, Operation::SetRead { session, seq });
            }
            self.store(vec![Write::Delete { key: mark_key(session) }]);
        }
    }

    /// What a start, a new document or a connection finds waiting.
    pub(super) fn settle_soon(&mut self) {
        if !self.read_marks.is_empty() {
            self.flush_at.get_or_insert(self.now.plus_ms(READ_MARK_MS));
        }
        if !self.drafts.is_empty() {
            self.draft_at.get_or_insert(self.now.plus_ms(REST_MS));
        }
    }

    /// Writes at once what would be written in a moment.
    pub(super) fn settle(&mut self) {
        (self.flush_at, self.draft_at) = (None, None);
        self.flush_read_marks();
        self.flush_drafts(None);
    }

    fn loaded_me(&self) -> Option<DocumentId> {
        let id = DocumentId::Me(self.member()?);
        self.loaded.contains_key(&id).then_some(id)
    }

    /// What the member has written for a session, here or on another device.
    pub(super) fn draft(&self, session: SessionId) -> Draft {
        match self.drafts.get(&session) {
            Some(row) => row.draft.clone(),
            None => self.known_draft(session),
        }
    }

    fn known_draft(&self, session: SessionId) -> Draft {
        let me = self.member().and_then(|me| self.loaded.get(&DocumentId::Me(me)));
        me.map(|loaded| loaded.document.draft(session)).unwrap_or_default()
    }

    pub(super) fn keep_draft(&mut self, session: SessionId, draft: Draft) {
        if self.draft(session) == draft {
            return;
        }
        if self.loaded_me().is_some() && self.known_draft(session) == draft {
            self.drop_draft_row(session);
        } else {
            let held = draft.text.len() > MAX_DRAFT_BYTES;
            self.put_draft_row(session, DraftRow { draft, at: self.now, held });
            self.draft_at = Some(self.now.plus_ms(REST_MS));
        }
        self.own_changed = true;
    }

    /// A draft that could not be stored in the `me` document stays on this device.
    pub(super) fn hold_draft(&mut self, operation: &Operation) {
        let Operation::SetDraft { session, text, at, reply_to } = operation else { return };
        if !self.drafts.contains_key(session) {
            let draft = Draft { text: text.clone(), reply_to: *reply_to };
            self.put_draft_row(*session, DraftRow { draft, at: *at, held: true });
            self.own_changed = true;
        }
    }

    fn put_draft_row(&mut self, session: SessionId, row: DraftRow) {
        let (key, value) = draft_row(session, &row);
        self.store(vec![put(key, value)]);
        self.drafts.insert(session, row);
    }

    fn drop_draft_row(&mut self, session: SessionId) {
        if self.drafts.remove(&session).is_some() {
            self.store(vec![Write::Delete { key: draft_key(session) }]);
        }
    }

    /// A message is on its way: what is left of the draft is what was written behind it.
    pub(super) fn draft_sent(&mut self, session: SessionId, sent: &str) {
        let draft = self.draft(session);
        if let Some(rest) = draft.text.trim_start().strip_prefix(sent.trim()) {
            self.keep_draft(session, Draft { text: rest.trim_start().to_owned(), reply_to: None });
            self.flush_drafts(Some(session));
        }
    }

    /// Moves drafts into the `me` document, of all sessions or one. Without a connection they wait: each change
    /// would be kept for ever, and only the last one is of use.
    pub(super) fn flush_drafts(&mut self, only: Option<SessionId>) {
        let Some(id) = self.loaded_me() else { return };
        if self.connection != Connection::UpToDate {
            return;
        }
        let due: Vec<(SessionId, DraftRow)> = self
            .drafts
            .iter()
            .filter(|(session, row)| !row.held && only.is_none_or(|only| only == **session))
            .map(|(session, row)| (*session, row.clone()))
            .collect();
        for (session, DraftRow { draft, at, .. }) in due {
            let known = self.loaded.get(&id).and_then(|loaded| loaded.document.dated_draft(session));
            // Without a connection this one may have grown older than another device's.
            let is_newest = known.as_ref().is_none_or(|(known_at, _)| *known_at <= at);
            if is_newest && known.map(|(_, known)| known).unwrap_or_default() != draft {
                let Draft { text, reply_to } = draft;
                self.enqueue(id, Operation::SetDraft { session, text, at, reply_to });
            }
            self.drop_draft_row(session);
            self.own_changed = true;
        }
    }

    pub(super) fn pin(&mut self, session: SessionId, message: MessageId, excerpt: Option<String>) {
        let Some(me) = self.member() else { return };
        let excerpt = excerpt.map(|text| cut(&text, MAX_EXCERPT_BYTES).to_owned());
        let id = DocumentId::Me(me);
        if self.ready(id, Request::Pin { session, message, excerpt: excerpt.clone() }) {
            self.enqueue(id, Operation::SetPin { session, message, excerpt });
        }
    }

    /// Tells the screens of open threads what of them is the member's own, where it changed.
    pub(super) fn show_own(&mut self) {
        if !std::mem::take(&mut self.own_changed) {
            return;
        }
        let sessions: Vec<SessionId> = self.threads.keys().copied().collect();
        for session in sessions {
            let me = self.member().and_then(|me| self.loaded.get(&DocumentId::Me(me)));
            let pins = me.map(|loaded| loaded.document.pins(session)).unwrap_or_default();
            let own = OwnView { draft: self.draft(session), pins };
            let Some(thread) = self.threads.get_mut(&session) else { continue };
            if thread.own.as_ref() != Some(&own) {
                thread.own = Some(own.clone());
                self.event(Event::Own { session, own });
            }
        }
    }
}

/// The beginning of a text that has at most so many bytes.
fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
