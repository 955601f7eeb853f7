//! Documents in memory: loading them from the store, taking in the log, building them again.

use super::rows::{
    DocumentRow, chunk_key, chunk_prefix, document_of_prefix, document_row, position_row, session_of_prefix,
};
use super::{Output, Replica, put};
use crate::document::{Document, StoredMessage};
use crate::store::Write;
use crate::view::Connection;
use crate::vocabulary::Vocabulary;
use automerge::Change;
use serde_bytes::ByteBuf;
use shared::frame::ClientFrame;
use shared::{Audience, ChangeHash, DocumentId, DocumentKind, MemberId, MessageId, Operation, SessionId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Chunks of one document past which they are rewritten as one.
const MAX_CHUNKS: usize = 64;

/// A document in memory: confirmed changes and this device's pending ones.
#[derive(Debug)]
pub(super) struct Loaded {
    pub document: Document,
    /// A chapter's messages, read once and then only where something changed.
    pub messages: HashMap<MessageId, StoredMessage>,
    /// Reactions that stand in a chapter, by message and member.
    pub reactions: HashMap<MessageId, BTreeMap<MemberId, String>>,
    /// Messages whose view may have changed since it was last shown; of older chapters when somebody reacted to them.
    pub touched: BTreeSet<MessageId>,
    /// A chapter's words as they are now, once a search has wanted them.
    pub words: Option<Vocabulary>,
}

/// What a snapshot frame says of its part.
#[derive(Debug, Clone, Copy)]
pub(super) struct SnapshotPart {
    pub audience: Audience,
    pub generation: u32,
    pub position: u64,
    pub more: bool,
}

/// A document on its way from the store.
#[derive(Debug, Default)]
pub(super) struct Loading {
    /// Changes that came meanwhile.
    meanwhile: Vec<Vec<u8>>,
    /// Make pending operations again under a new incarnation.
    remake: bool,
}

impl Replica {
    /// Loads what every screen needs: home, me and the newest two chapters of each session.
    pub(super) fn load_start(&mut self) {
        let mut newest: HashMap<SessionId, u32> = HashMap::new();
        for id in self.index.keys() {
            if let DocumentId::Chapter(session, number) = id {
                newest.insert(*session, *number);
            }
        }
        let mut wanted: Vec<DocumentId> = vec![DocumentId::Home];
        wanted.extend(self.member().map(DocumentId::Me));
        for (session, number) in newest {
            wanted.push(DocumentId::Chapter(session, number));
            wanted.extend(number.checked_sub(1).map(|before| DocumentId::Chapter(session, before)));
        }
        // Documents with something unsent are needed to send it.
        wanted.extend(self.outbox.values().map(|row| row.document));
        for id in wanted {
            if self.index.contains_key(&id) {
                self.load(id, false);
            }
        }
    }

    pub(super) fn load(&mut self, id: DocumentId, remake: bool) {
        let new = !self.loading.contains_key(&id);
        let loading = self.loading.entry(id).or_default();
        loading.remake |= remake;
        if new {
            *self.reads.entry(id).or_default() += 1;
            self.out.push(Output::Load { prefix: chunk_prefix(id) });
        }
    }

    pub(super) fn rows_loaded(&mut self, prefix: &str, rows: Vec<(String, Vec<u8>)>) {
        if let Some(session) = session_of_prefix(prefix) {
            return self.words_loaded(session, rows);
        }
        let Some(id) = document_of_prefix(prefix) else { return };
        // Answers come in the order of the questions; one to a question that was given up knows less than it should.
        let outstanding = self.reads.remove(&id).unwrap_or(1);
        if outstanding > 1 {
            self.reads.insert(id, outstanding - 1);
            return;
        }
        let Some(loading) = self.loading.remove(&id) else { return };
        let chunks = rows.iter().map(|(_, value)| value.as_slice());
        let all = chunks.chain(loading.meanwhile.iter().map(Vec::as_slice));
        let Ok(document) = Document::open(id.kind(), all) else { return self.lost(id) };
        if rows.is_empty() && loading.meanwhile.is_empty() {
            return self.lost(id);
        }
        self.loaded.insert(id, Loaded::new(document));
        if rows.len() > MAX_CHUNKS {
            self.rewrite(id, &rows);
        }
        self.install(id, loading.remake);
    }

    /// A stored document that does not open is dropped and fetched again.
    fn lost(&mut self, id: DocumentId) {
        self.forget_rows(id);
        self.fetch(id);
    }

    pub(super) fn fetch(&mut self, id: DocumentId) {
        if self.connected && self.fetching.insert(id) {
            self.out.push(Output::Send(ClientFrame::Fetch { document: id }));
        }
    }

    /// Writes many small confirmed chunks as one. Pending changes are not part of it: it is made from the rows.
    fn rewrite(&mut self, id: DocumentId, rows: &[(String, Vec<u8>)]) {
        let Ok(mut confirmed) = Document::open(id.kind(), rows.iter().map(|(_, value)| value.as_slice())) else {
            return;
        };
        let Some((last, _)) = rows.last() else { return };
        let mut batch: Vec<Write> = rows.iter().map(|(key, _)| Write::Delete { key: key.clone() }).collect();
        batch.push(put(last.clone(), confirmed.save()));
        self.store(batch);
    }

    /// Takes in one frame of the log that follows the position.
    pub(super) fn delta(
        &mut self,
        audience: Audience,
        to: u64,
        id: DocumentId,
        generation: u32,
        changes: Vec<ByteBuf>,
    ) {
        let mut batch = vec![put_pair(position_row(audience, to))];
        self.positions.insert(audience, to);
        // The document's end: nothing of it stays anywhere.
        if changes.iter().all(|bytes| bytes.is_empty()) {
            self.store(batch);
            return self.gone(id);
        }
        let from_the_start = changes.first().is_some_and(|first| **first == *crate::genesis::bytes(id.kind()));
        let known = self.index.get(&id).is_some_and(|row| row.generation == generation);
        // A change to a document this device does not hold comes with the document when that is fetched.
        if !known && !from_the_start {
            self.store(batch);
            return;
        }
        if !known {
            batch.extend(self.forget_words(id));
            let row = DocumentRow { audience, generation, words: 0 };
            batch.push(Write::DeletePrefix { prefix: chunk_prefix(id) });
            batch.push(put_pair(document_row(id, &row)));
            self.index.insert(id, row);
            self.loaded.remove(&id);
            // A read under way brings what is void now.
            self.loading.remove(&id);
            if self.actors.remove(&id).is_some() {
                batch.push(Write::Delete { key: format!("actor|{id}") });
            }
        }
        if known {
            // A closed chapter that changes after all.
            batch.extend(self.forget_words(id));
        }
        batch.push(put(chunk_key(id, to), changes.iter().flat_map(|bytes| bytes.iter().copied()).collect()));
        let hashes = hashes_of(&changes);
        let confirmed: Vec<u64> =
            self.outbox.iter().filter(|(_, row)| hashes.contains(&row.header.hash)).map(|(order, _)| *order).collect();
        for order in &confirmed {
            batch.push(Write::Delete { key: super::rows::outbox_key(*order) });
        }
        self.store(batch);
        let messages: Vec<_> = confirmed.iter().filter_map(|order| self.outbox.remove(order)?.message()).collect();

        if !known {
            let Ok(document) = Document::open(id.kind(), changes.iter().map(|bytes| bytes.as_slice())) else {
                return self.lost(id);
            };
            self.loaded.insert(id, Loaded::new(document));
            self.install(id, false);
            // The chapter before is closed by this one.
            if let DocumentId::Chapter(session, number) = id {
                self.keep_words(DocumentId::Chapter(session, number.saturating_sub(1)));
            }
            return;
        }
        if let Some(loading) = self.loading.get_mut(&id) {
            loading.meanwhile.extend(changes.iter().map(|bytes| bytes.to_vec()));
        }
        if let Some(loaded) = self.loaded.get_mut(&id) {
            if loaded.document.apply(changes.iter().map(|bytes| bytes.as_slice())).is_err() {
                return self.lost(id);
            }
            loaded.refresh();
            loaded.touched.extend(messages);
            self.keep_words(id);
            self.show_changes(id);
        }
    }

    /// One part of a whole document; nothing happens before the last.
    pub(super) fn snapshot_part(&mut self, id: DocumentId, part: SnapshotPart, bytes: &[u8]) {
        let SnapshotPart { audience, generation, position, more } = part;
        let mut all = self.parts.remove(&id).unwrap_or_default();
        all.extend_from_slice(bytes);
        if more {
            self.parts.insert(id, all);
            return;
        }
        self.fetching.remove(&id);
        // Changes to a document that was not here have been passed over meanwhile: this is not all of it any more.
        if self.positions.get(&audience).is_some_and(|at| *at > position) {
            // No further than the last time: the server is behind what is here, as after a restored backup.
            if self.late.insert(id, position) == Some(position) {
                return self.begin_anew(audience);
            }
            return self.fetch(id);
        }
        self.late.remove(&id);
        let Ok(document) = Document::open(id.kind(), [all.as_slice()]) else { return };
        let mut batch = self.forget_words(id);
        let row = DocumentRow { audience, generation, words: 0 };
        batch.extend([
            Write::DeletePrefix { prefix: chunk_prefix(id) },
            put(chunk_key(id, position), all),
            put_pair(document_row(id, &row)),
        ]);
        self.store(batch);
        self.index.insert(id, row);
        self.loading.remove(&id);
        self.loaded.insert(id, Loaded::new(document));
        self.install(id, false);
    }

    /// What is here of an audience is of another history than the server's: it is asked for everything again.
    fn begin_anew(&mut self, audience: Audience) {
        self.positions.remove(&audience);
        self.store(vec![Write::Delete { key: position_row(audience, 0).0 }]);
        self.late.clear();
        self.connection = Connection::Syncing;
        self.hello();
    }

    /// A confirmed document has come into memory: pending operations go on top, then whoever waited goes on.
    fn install(&mut self, id: DocumentId, remake: bool) {
        self.carry_over(Some(id));
        self.replay_outbox(id, remake);
        // What was put on top is shown too.
        if let Some(loaded) = self.loaded.get_mut(&id) {
            loaded.refresh();
        }
        self.keep_words(id);
        self.document_ready(id);
    }

    /// The document is no longer ours to see, or no more. Members' own unsent words stay in the outbox, refused.
    pub(super) fn gone(&mut self, id: DocumentId) {
        self.fetching.remove(&id);
        self.loading.remove(&id);
        self.forget_rows(id);
    }

    /// Drops everything that is kept of a document, in memory and in the store.
    pub(super) fn forget_rows(&mut self, id: DocumentId) {
        let mut batch = self.forget_words(id);
        batch.push(Write::DeletePrefix { prefix: chunk_prefix(id) });
        batch.push(Write::Delete { key: format!("doc|{id}") });
        self.index.remove(&id);
        self.loaded.remove(&id);
        self.store(batch);
    }

    /// Makes this device's pending operations of a document again, on the confirmed document from the store.
    pub(super) fn remake_document(&mut self, id: DocumentId) {
        self.carry_over(None);
        if self.index.contains_key(&id) {
            self.loaded.remove(&id);
            self.load(id, true);
        }
    }

    /// Points unsent messages and reactions of closed chapters at the open one, and reads both again: what is in memory holds them in
    /// the wrong one. `fresh` has just been read and has no pending operations on top yet.
    pub(super) fn carry_over(&mut self, fresh: Option<DocumentId>) {
        let newest: HashMap<SessionId, DocumentId> = self
            .index
            .keys()
            .filter_map(|id| match id {
                // Keys ascend, so the last one of a session stays.
                DocumentId::Chapter(session, _) => Some((*session, *id)),
                DocumentId::Home | DocumentId::Kin(_) | DocumentId::Me(_) => None,
            })
            .collect();
        let mut changed = BTreeSet::new();
        for row in self.outbox.values_mut() {
            if let (DocumentId::Chapter(session, _), Operation::AddMessage { .. } | Operation::React { .. }, None) =
                (row.document, &row.operation, row.refused)
                && let Some(open) = newest.get(&session)
                && *open != row.document
            {
                changed.insert(std::mem::replace(&mut row.document, *open));
                changed.insert(*open);
                row.stale = true;
            }
        }
        for id in changed {
            if fresh != Some(id) && self.loaded.remove(&id).is_some() {
                self.load(id, false);
            }
        }
    }

    /// The highest chapter of a session that this device knows.
    pub(super) fn newest_chapter(&self, session: SessionId) -> Option<DocumentId> {
        let range = DocumentId::Chapter(session, 0)..=DocumentId::Chapter(session, u32::MAX);
        self.index.range(range).next_back().map(|(id, _)| *id)
    }

    /// A document has come into memory: whoever waited for it goes on.
    fn document_ready(&mut self, id: DocumentId) {
        match id {
            DocumentId::Chapter(session, _) => self.chapter_ready(session, id),
            DocumentId::Kin(kin) => self.show_kin(kin),
            DocumentId::Me(_) => {
                self.own_changed = true;
                self.settle_soon();
            }
            DocumentId::Home => {}
        }
        let waiting = std::mem::take(&mut self.waiting);
        for request in waiting {
            self.request(request);
        }
        self.push_outbox();
    }

    pub(super) fn touch_message(&mut self, id: DocumentId, message: Option<MessageId>) {
        if let (Some(loaded), Some(message)) = (self.loaded.get_mut(&id), message) {
            loaded.touched.insert(message);
        }
    }
}

impl Loaded {
    fn new(document: Document) -> Self {
        let (messages, reactions) = (HashMap::new(), HashMap::new());
        let mut loaded = Self { document, messages, reactions, touched: BTreeSet::new(), words: None };
        if loaded.document.kind() == DocumentKind::Chapter {
            for id in loaded.document.message_ids() {
                loaded.read(id);
            }
            loaded.read_reactions();
        }
        loaded.document.forget_touched();
        loaded
    }

    /// Reads again what the last changes touched.
    pub fn refresh(&mut self) {
        let touched = self.document.take_touched();
        for id in &touched {
            self.read(*id);
        }
        if !touched.is_empty() {
            self.words = None;
            self.read_reactions();
        }
        self.touched.extend(touched);
    }

    fn read_reactions(&mut self) {
        self.reactions.clear();
        for (message, member, emoji) in self.document.reactions() {
            self.reactions.entry(message).or_default().insert(member, emoji);
        }
    }

    fn read(&mut self, id: MessageId) {
        if let Some(message) = self.document.message(id) {
            self.messages.insert(id, message);
        }
    }
}

fn put_pair((key, value): (String, Vec<u8>)) -> Write {
    put(key, value)
}

fn hashes_of(changes: &[ByteBuf]) -> Vec<ChangeHash> {
    changes
        .iter()
        .filter_map(|bytes| Change::from_bytes(bytes.to_vec()).ok())
        .map(|change| crate::template::hash_of(&change))
        .collect()
}
