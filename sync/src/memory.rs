//! A log store in memory: the reference for the contract suite, and the server of the simulator.

use crate::log::{ActorState, DocumentState, Door, KnownChange, LogEntry, LogStore, MessageRow, SessionState};
use crate::template::OpName;
use shared::{
    ActorId, Audience, ChangeHash, DeviceId, DocumentId, KinId, MemberId, MessageId, MessageState, SessionId,
    TextField, UnixMillis,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::Arc;

/// Everything in maps. A transaction is a clone that replaces the original, or is dropped.
#[derive(Debug, Clone, Default)]
pub struct MemoryLog {
    documents: BTreeMap<DocumentId, DocumentState>,
    entries: BTreeMap<(Audience, u64), Arc<LogEntry>>,
    places: HashMap<(DocumentId, ChangeHash), (Audience, u64)>,
    /// How far each log has come: entries may be forgotten, positions are not used twice.
    ends: BTreeMap<Audience, u64>,
    retired: BTreeSet<(DocumentId, ChangeHash)>,
    actors: HashMap<(DocumentId, ActorId), ActorState>,
    sessions: HashMap<SessionId, SessionState>,
    messages: BTreeMap<MessageId, MessageRow>,
    texts: HashMap<(KinId, TextField), String>,
    reactions: BTreeMap<(MessageId, MemberId), String>,
}

impl MemoryLog {
    /// Adds a session, as creating a Kin does in SQL.
    pub fn add_session(&mut self, id: SessionId, state: SessionState) {
        self.sessions.insert(id, state);
    }

    /// Every message, by id.
    pub fn messages(&self) -> impl Iterator<Item = &MessageRow> {
        self.messages.values()
    }

    /// The projection of all reactions.
    pub fn reactions(&self) -> impl Iterator<Item = (MessageId, MemberId, &str)> {
        self.reactions.iter().map(|((message, member), emoji)| (*message, *member, emoji.as_str()))
    }

    /// The projection of a Kin's text.
    pub fn kin_text(&self, kin: KinId, field: TextField) -> Option<&str> {
        self.texts.get(&(kin, field)).map(String::as_str)
    }
}

impl LogStore for MemoryLog {
    type Error = Infallible;

    fn document(&mut self, id: DocumentId) -> Result<Option<DocumentState>, Infallible> {
        Ok(self.documents.get(&id).cloned())
    }

    fn save_document(&mut self, id: DocumentId, state: &DocumentState) -> Result<(), Infallible> {
        self.documents.insert(id, state.clone());
        Ok(())
    }

    fn retire_changes(&mut self, id: DocumentId, remember: bool, _at: UnixMillis) -> Result<(), Infallible> {
        if remember {
            let pushed = self.entries.values().filter(|entry| entry.document == id && entry.pushed_by.is_some());
            self.retired.extend(pushed.map(|entry| (id, entry.hash)));
        }
        self.entries.retain(|_, entry| entry.document != id);
        self.places.retain(|(document, _), _| *document != id);
        self.actors.retain(|(document, _), _| *document != id);
        Ok(())
    }

    fn is_retired(&mut self, document: DocumentId, hash: ChangeHash) -> Result<bool, Infallible> {
        Ok(self.retired.contains(&(document, hash)))
    }

    fn forget_document(&mut self, id: DocumentId) -> Result<(), Infallible> {
        self.documents.remove(&id);
        self.retired.retain(|(document, _)| *document != id);
        self.retire_changes(id, false, UnixMillis(0))
    }

    fn position(&mut self, audience: Audience) -> Result<u64, Infallible> {
        Ok(self.ends.get(&audience).copied().unwrap_or(0))
    }

    fn append(&mut self, entry: &LogEntry) -> Result<(), Infallible> {
        let place = (entry.audience, entry.position);
        self.ends.insert(entry.audience, entry.position);
        self.places.insert((entry.document, entry.hash), place);
        self.entries.insert(place, Arc::new(entry.clone()));
        Ok(())
    }

    fn change(&mut self, document: DocumentId, hash: ChangeHash) -> Result<Option<KnownChange>, Infallible> {
        let found = self.places.get(&(document, hash)).and_then(|place| self.entries.get(place));
        Ok(found.map(|entry| KnownChange { max_op: entry.max_op, deps: entry.deps.clone() }))
    }

    fn changes(&mut self, document: DocumentId, generation: u32) -> Result<Vec<Vec<u8>>, Infallible> {
        let of = |entry: &&Arc<LogEntry>| entry.document == document && entry.generation == generation;
        Ok(self.entries.values().filter(of).map(|entry| entry.bytes.clone()).collect())
    }

    fn count_changes(&mut self, document: DocumentId, generation: u32) -> Result<u64, Infallible> {
        let of = |entry: &&Arc<LogEntry>| entry.document == document && entry.generation == generation;
        Ok(self.entries.values().filter(of).count() as u64)
    }

    fn entries_after(&mut self, audience: Audience, position: u64, limit: usize) -> Result<Vec<LogEntry>, Infallible> {
        let range = (audience, position + 1)..=(audience, u64::MAX);
        Ok(self.entries.range(range).take(limit).map(|(_, entry)| LogEntry::clone(entry)).collect())
    }

    fn open_documents(&mut self, audience: Audience) -> Result<Vec<(DocumentId, u32)>, Infallible> {
        let open = |(_, state): &(&DocumentId, &DocumentState)| state.audience == audience && state.closed_at.is_none();
        Ok(self.documents.iter().filter(open).map(|(id, state)| (*id, state.generation)).collect())
    }

    fn actor(&mut self, document: DocumentId, actor: ActorId) -> Result<Option<ActorState>, Infallible> {
        Ok(self.actors.get(&(document, actor)).cloned())
    }

    fn actors_of(&mut self, document: DocumentId, device: DeviceId) -> Result<u64, Infallible> {
        let of = |((id, _), state): &(&(DocumentId, ActorId), &ActorState)| *id == document && state.device == device;
        Ok(self.actors.iter().filter(of).count() as u64)
    }

    fn save_actor(&mut self, document: DocumentId, actor: ActorId, state: &ActorState) -> Result<(), Infallible> {
        self.actors.insert((document, actor), state.clone());
        Ok(())
    }

    fn session(&mut self, id: SessionId) -> Result<Option<SessionState>, Infallible> {
        Ok(self.sessions.get(&id).cloned())
    }

    fn door(&mut self, id: SessionId) -> Result<Door, Infallible> {
        Ok(if self.sessions.contains_key(&id) { Door::Open } else { Door::Removed })
    }

    fn save_session(&mut self, id: SessionId, state: &SessionState) -> Result<(), Infallible> {
        self.sessions.insert(id, state.clone());
        Ok(())
    }

    fn sessions(&mut self, audience: Audience) -> Result<Vec<(SessionId, u64)>, Infallible> {
        let of = self.sessions.iter().filter(|(_, state)| state.audience == audience);
        let mut found: Vec<_> = of.map(|(id, state)| (*id, state.next_seq - 1)).collect();
        found.sort_unstable();
        Ok(found)
    }

    fn message(&mut self, id: MessageId) -> Result<Option<MessageRow>, Infallible> {
        Ok(self.messages.get(&id).cloned())
    }

    fn messages_of(&mut self, session: SessionId, chapter: u32) -> Result<Vec<MessageRow>, Infallible> {
        let of = |row: &&MessageRow| row.session == session && row.chapter == chapter;
        let mut rows: Vec<_> = self.messages.values().filter(of).cloned().collect();
        rows.sort_unstable_by_key(|row| row.seq);
        Ok(rows)
    }

    fn own_documents(&mut self) -> Result<Vec<DocumentId>, Infallible> {
        Ok(self.documents.keys().copied().filter(|id| matches!(id, DocumentId::Me(_))).collect())
    }

    fn update_message(&mut self, row: &MessageRow) -> Result<(), Infallible> {
        self.messages.insert(row.id, row.clone());
        Ok(())
    }

    fn insert_message(&mut self, row: &MessageRow) -> Result<(), Infallible> {
        self.messages.insert(row.id, row.clone());
        Ok(())
    }

    fn set_state(&mut self, id: MessageId, state: MessageState, op: OpName) -> Result<(), Infallible> {
        if let Some(row) = self.messages.get_mut(&id) {
            row.state = state;
            row.state_op = Some(op);
        }
        Ok(())
    }

    fn save_reaction(
        &mut self,
        message: MessageId,
        member: MemberId,
        emoji: &str,
        _at: UnixMillis,
    ) -> Result<(), Infallible> {
        if emoji.is_empty() {
            self.reactions.remove(&(message, member));
        } else {
            self.reactions.insert((message, member), emoji.to_owned());
        }
        Ok(())
    }

    fn save_kin_text(&mut self, kin: KinId, field: TextField, text: &str) -> Result<(), Infallible> {
        self.texts.insert((kin, field), text.to_owned());
        Ok(())
    }
}
