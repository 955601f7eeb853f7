//! Generations: a document written anew from what it says now, without what it said before.
//!
//! A CRDT keeps what was overwritten in its history, so taking words away is a rewrite. The log holds the new generation
//! from its genesis on and nothing of the old one; a replica that meets it drops what it has and carries over what it has
//! not sent yet. Positions of the old entries stay unused: frames span the hole.

use super::{Hub, HubError, Outcome};
use crate::document::{Document, DocumentError};
use crate::genesis;
use crate::log::{DocumentState, LogStore, MessageRow};
use crate::template::{self, AnswerFields, MessageFields, ServerFields, Whole};
use shared::limits::{REWRITE_BYTES, REWRITE_CHANGES};
use shared::{ActorId, DocumentId, DocumentKind, MessageId, MessageState};

/// Text in one change of a chapter written anew, in bytes: a change must fit a frame.
const CHANGE_BYTES: usize = 48 * 1024;
/// Messages in one change, at most.
const CHANGE_MESSAGES: usize = 64;

impl<S: LogStore> Hub<'_, S> {
    /// Takes a message's words away for good: out of its row, its chapter with everything that once stood there, and
    /// the pins of every member. Does nothing when that is done already.
    ///
    /// # Errors
    /// [`HubError::Missing`] when there is no such message.
    pub fn redact(&mut self, message: MessageId) -> Outcome<(), S> {
        let found = self.store.message(message).map_err(HubError::Store)?;
        let mut row = found.ok_or_else(|| HubError::Missing(message.to_string()))?;
        if row.state == MessageState::Redacted {
            return Ok(());
        }
        row.text.clear();
        (row.state, row.failure) = (MessageState::Redacted, None);
        self.store.update_message(&row).map_err(HubError::Store)?;
        self.rewrite(DocumentId::Chapter(row.session, row.chapter))?;
        for id in self.store.own_documents().map_err(HubError::Store)? {
            let Some(state) = self.store.document(id).map_err(HubError::Store)? else { continue };
            let mut own = self.open(id, &state)?;
            if own.has_pinned(message) {
                own.unpin(message).map_err(|error| HubError::Document(id, error))?;
                self.rewrite_as(id, state, &own)?;
            }
        }
        Ok(())
    }

    /// Begins a new generation of a document, with what it says now.
    ///
    /// # Errors
    /// [`HubError::Missing`] when there is no such document.
    pub fn rewrite(&mut self, id: DocumentId) -> Outcome<(), S> {
        let found = self.store.document(id).map_err(HubError::Store)?;
        let state = found.ok_or_else(|| HubError::Missing(id.to_string()))?;
        let now = self.open(id, &state)?;
        self.rewrite_as(id, state, &now)
    }

    /// Drops the history of a document that members write directly when there is much of it.
    pub(super) fn rewrite_if_long(&mut self, id: DocumentId, state: &DocumentState) -> Outcome<(), S> {
        let is_large = state.bytes > REWRITE_BYTES;
        if is_large && self.store.count_changes(id, state.generation).map_err(HubError::Store)? > REWRITE_CHANGES {
            self.rewrite(id)?;
        }
        Ok(())
    }

    fn rewrite_as(&mut self, id: DocumentId, state: DocumentState, now: &Document) -> Outcome<(), S> {
        let mut state = self.begin_generation(id, state)?;
        if let DocumentId::Chapter(session, chapter) = id {
            let rows = self.store.messages_of(session, chapter).map_err(HubError::Store)?;
            self.write_messages(id, &mut state, rows)?;
            let reactions = now.reactions();
            if !reactions.is_empty() {
                let change = template::set_reactions(&self.server_place(&mut state), &reactions);
                self.append(id, &mut state, &change, None)?;
            }
            return Ok(());
        }
        let damaged = |error| HubError::Document(id, error);
        let mut new = Document::new(id.kind()).map_err(damaged)?;
        match new.transact(state.server_actor, self.now, |new| new.copy_from(now)) {
            Ok(change) => {
                state.server_seq = change.seq();
                self.append(id, &mut state, &change, None)
            }
            Err(DocumentError::Nothing) => Ok(()),
            Err(error) => Err(damaged(error)),
        }
    }

    fn begin_generation(&mut self, id: DocumentId, state: DocumentState) -> Outcome<DocumentState, S> {
        // A message is known by its id in every generation; other changes only by their hash.
        let remember = id.kind() != DocumentKind::Chapter;
        self.store.retire_changes(id, remember, self.now).map_err(HubError::Store)?;
        let mut next = DocumentState {
            generation: state.generation + 1,
            heads: Vec::new(),
            max_op: 0,
            bytes: 0,
            server_actor: ActorId((self.random)()),
            server_seq: 0,
            ..state
        };
        self.append(id, &mut next, &genesis::change(id.kind()), None)?;
        Ok(next)
    }

    fn write_messages(&mut self, id: DocumentId, state: &mut DocumentState, rows: Vec<MessageRow>) -> Outcome<(), S> {
        let mut rest = rows.as_slice();
        while !rest.is_empty() {
            let mut size = 0;
            let fits = |row: &&MessageRow| {
                size += row.text.len();
                size <= CHANGE_BYTES
            };
            let count = rest.iter().take(CHANGE_MESSAGES).take_while(fits).count().max(1);
            let (these, others) = rest.split_at(count);
            rest = others;
            let whole: Vec<Whole<'_>> = these.iter().map(whole).collect();
            let (change, names) = template::add_messages(&self.server_place(state), &whole);
            self.append(id, state, &change, None)?;
            for (row, (object, state_op)) in these.iter().zip(names) {
                let row = MessageRow { object, state_op, ..row.clone() };
                self.store.update_message(&row).map_err(HubError::Store)?;
            }
        }
        Ok(())
    }
}

/// A row as its chapter holds it.
fn whole(row: &MessageRow) -> Whole<'_> {
    let answer = row.answers.zip(row.turn).map(|(answers, turn)| AnswerFields {
        answers,
        turn,
        state: row.state,
        failure: row.failure.as_ref(),
    });
    let state = (answer.is_none() && row.state != MessageState::Done).then_some(row.state);
    let fields = MessageFields {
        author: row.author,
        text: &row.text,
        sent_at: row.sent_at,
        reply_to: row.reply_to,
        server: Some(ServerFields { seq: row.seq, answer }),
    };
    Whole { id: row.id, fields, state }
}
