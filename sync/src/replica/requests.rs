//! What screens ask for.

use super::Replica;
use super::rows::outbox_key;
use crate::document::difference;
use crate::port::{Event, Request};
use crate::store::Write;
use shared::frame::{Command, RefusalCode};
use shared::limits::{MAX_KIN_TEXT_BYTES, MAX_MESSAGE_BYTES};
use shared::operation::Splice;
use shared::{DocumentId, KinId, MessageId, Operation, SessionId, TextField};

impl Replica {
    pub(super) fn request(&mut self, request: Request) {
        match request {
            Request::Attach => {
                self.shown_home = None;
                self.shown_sync = None;
            }
            Request::OpenThread { session } => self.open_thread(session),
            Request::CloseThread { session } => self.close_thread(session),
            Request::LoadOlder { session } => self.load_older(session),
            Request::LoadBack { session, chapter } => self.load_back(session, chapter),
            Request::Send { session, message, text, reply_to } => self.send(session, message, text, reply_to),
            Request::React { session, message, emoji } => self.react(session, message, emoji),
            Request::Pin { session, message, excerpt } => self.pin(session, message, excerpt),
            Request::KeepDraft { session, draft } => self.keep_draft(session, draft),
            Request::Settle => self.settle(),
            Request::Find { session, words, most } => self.find(session, words, most),
            Request::Discard { message } => self.discard(message),
            Request::Resend { message } => self.resend(message),
            Request::Withdraw { message } => {
                if self.outbox.values().any(|row| row.message() == Some(message)) {
                    self.discard(message);
                } else {
                    self.command(Command::Withdraw { message }, Some(message));
                }
            }
            Request::Redact { message } => self.command(Command::Redact { message }, Some(message)),
            Request::Stop { session, turn } => self.command(Command::Stop { session, turn }, None),
            Request::Retry { session, answer } => self.command(Command::Retry { session, answer }, Some(answer)),
            Request::MarkRead { session, seq } => self.mark_read(session, seq),
            Request::OpenKin { kin } => self.open_kin(kin),
            Request::EditKinText { kin, field, from, to } => self.edit_kin(kin, field, &from, to),
            Request::SetPreference { key, value } => {
                let Some(me) = self.member() else { return };
                let id = DocumentId::Me(me);
                let request = Request::SetPreference { key, value: value.clone() };
                if self.ready(id, request) {
                    self.enqueue(id, Operation::SetPreference { key, value });
                }
            }
            // The driver's business: by now the store is open.
            Request::Unlock { .. } => {}
            Request::Wipe => self.wipe(Event::Wiped),
        }
    }

    /// Whether a document is in memory; if it is on its way, the request waits for it.
    pub(super) fn ready(&mut self, id: DocumentId, request: Request) -> bool {
        if self.loaded.contains_key(&id) {
            return true;
        }
        if self.index.contains_key(&id) {
            self.load(id, false);
            self.waiting.push(request);
        }
        false
    }

    fn send(&mut self, session: SessionId, message: MessageId, text: String, reply_to: Option<MessageId>) {
        if text.trim().is_empty() {
            return self.problem("message_empty", Some(message));
        }
        if text.len() > MAX_MESSAGE_BYTES {
            return self.problem("message_too_large", Some(message));
        }
        if let Some(row) = self.outbox.values().find(|row| row.message() == Some(message)) {
            // Asked for twice. While the first is on its way to the disk, its answer is the answer to both.
            if row.durable {
                self.event(Event::Queued { message });
            }
            return;
        }
        if self.loaded.values().any(|loaded| loaded.messages.contains_key(&message)) {
            return self.event(Event::Queued { message });
        }
        let request = Request::Send { session, message, text: text.clone(), reply_to };
        let Some(id) = self.newest_chapter(session) else {
            // A replica that has just begun: the thread comes with catch-up. The screen keeps the words until then.
            self.waiting.push(request);
            return;
        };
        if self.ready(id, request) {
            let sent_at = self.now;
            self.enqueue(id, Operation::AddMessage { message, text: text.clone(), sent_at, reply_to });
            self.draft_sent(session, &text);
        }
    }

    fn react(&mut self, session: SessionId, message: MessageId, emoji: String) {
        let Some(id) = self.newest_chapter(session) else { return };
        if self.ready(id, Request::React { session, message, emoji: emoji.clone() }) {
            self.enqueue(id, Operation::React { message, emoji });
        }
    }

    /// Forgets an unsent or refused message. One already on its way may be admitted all the same: then it stays.
    fn discard(&mut self, message: MessageId) {
        let Some((order, row)) = self.outbox.iter().find(|(_, row)| row.message() == Some(message)) else { return };
        let (order, document, refused) = (*order, row.document, row.refused.is_some());
        self.outbox.remove(&order);
        self.store(vec![Write::Delete { key: outbox_key(order) }]);
        if !refused {
            self.remake_document(document);
        }
        if let DocumentId::Chapter(session, _) = document
            && self.threads.contains_key(&session)
        {
            self.event(Event::ThreadChanged { session, upserts: Vec::new(), removed: vec![message] });
        }
    }

    fn resend(&mut self, message: MessageId) {
        let Some(row) = self.outbox.values().find(|row| row.message() == Some(message) && row.refused.is_some()) else {
            return;
        };
        let (Operation::AddMessage { text, reply_to, .. }, DocumentId::Chapter(session, _)) =
            (row.operation.clone(), row.document)
        else {
            return;
        };
        // What it quotes may be what was refused.
        let reply_to = reply_to.filter(|_| row.refused != Some(RefusalCode::Invalid));
        // A fresh id: the old one may be what was refused.
        let random = self.random_10();
        let fresh = MessageId::new(self.now, random);
        self.send(session, fresh, text, reply_to);
        self.discard(message);
    }

    fn open_kin(&mut self, kin: KinId) {
        self.open_kins.insert(kin);
        let id = DocumentId::Kin(kin);
        if self.loaded.contains_key(&id) {
            self.show_kin(kin);
        } else if self.index.contains_key(&id) {
            self.load(id, false);
        } else {
            self.fetch(id);
        }
    }

    fn edit_kin(&mut self, kin: KinId, field: TextField, from: &str, to: String) {
        if to.len() > MAX_KIN_TEXT_BYTES {
            return self.problem("text_too_long", None);
        }
        let id = DocumentId::Kin(kin);
        let request = Request::EditKinText { kin, field, from: from.to_owned(), to: to.clone() };
        if !self.ready(id, request) {
            return;
        }
        let Some(current) = self.loaded.get(&id).and_then(|loaded| loaded.document.text(field).ok()) else { return };
        let Some(edit) = difference(from, &to) else { return };
        let splice = match difference(from, &current) {
            Some(other) => transform(edit, &other),
            None => edit,
        };
        self.enqueue(id, Operation::EditText { field, splices: vec![splice] });
    }
}

/// Moves an edit of a text so that it does the same to the text another edit has made of it.
pub(super) fn transform(edit: Splice, other: &Splice) -> Splice {
    let inserted = u32::try_from(other.insert.chars().count()).unwrap_or(u32::MAX);
    let moved = |at: u32| at - other.delete + inserted;
    let (start, end) = (edit.at, edit.at + edit.delete);
    let (other_start, other_end) = (other.at, other.at + other.delete);
    if end <= other_start && start < other_start || end < other_start {
        return edit;
    }
    if start >= other_end {
        return Splice { at: moved(start), ..edit };
    }
    // They overlap: what the other took out is gone already; what it put in stays.
    let before = other_start.saturating_sub(start);
    let after = end.saturating_sub(other_end);
    if before > 0 {
        // Ours begins first: take out our part before theirs; a tail behind theirs stays in the text.
        Splice { at: start, delete: before, insert: edit.insert }
    } else {
        Splice { at: other_start + inserted, delete: after, insert: edit.insert }
    }
}
