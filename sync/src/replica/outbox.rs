//! The outbox: operations of this device that the server has not confirmed.
//!
//! A row is kept as meaning (the operation) with the header of the change that was made of it. The header lets a resend
//! be the very same change; when the server's history has moved on in a way that voids it, the operation is made again.

use super::rows::{actor_row, outbox_key, outbox_row};
use super::{AfterStore, Output, Replica, put};
use crate::port::Event;
use crate::store::Write;
use crate::view::Connection;
use serde::{Deserialize, Serialize};
use shared::frame::{ClientFrame, RefusalCode};
use shared::{ActorId, ChangeHash, ChangeHeader, DocumentId, MessageId, Operation};

/// Times an operation is made again before it counts as refused.
const MAX_REMAKES: u32 = 8;
/// Pause before a push that the server could not store is sent again.
const RETRY_MS: i64 = 5_000;

/// One operation on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OutboxRow {
    pub document: DocumentId,
    pub generation: u32,
    pub operation: Operation,
    pub header: ChangeHeader,
    /// Set when the server will never take it as it stands.
    pub refused: Option<RefusalCode>,
    /// How often it was made again.
    pub remakes: u32,
    /// On disk as it stands here.
    #[serde(skip)]
    pub durable: bool,
    /// Sent on this connection.
    #[serde(skip)]
    pub sent: bool,
    /// Must be made again before it can be sent.
    #[serde(skip)]
    pub stale: bool,
    /// The server has said that it is not part of an earlier generation.
    #[serde(skip)]
    pub unknown: bool,
}

impl OutboxRow {
    pub fn message(&self) -> Option<MessageId> {
        match &self.operation {
            Operation::AddMessage { message, .. } => Some(*message),
            Operation::React { .. }
            | Operation::EditText { .. }
            | Operation::SetRead { .. }
            | Operation::SetPreference { .. }
            | Operation::SetDraft { .. }
            | Operation::SetPin { .. } => None,
        }
    }
}

impl Replica {
    /// Makes an operation in a loaded document and puts it into the outbox. Nothing is shown or sent before it is durable.
    pub(super) fn enqueue(&mut self, document: DocumentId, operation: Operation) {
        let Some(me) = self.member() else { return };
        let generation = self.index.get(&document).map_or(1, |row| row.generation);
        let (actor, fresh) = self.actor_for(document);
        let Some(loaded) = self.loaded.get_mut(&document) else { return };
        let Ok((_, header)) = loaded.document.perform(me, &operation, actor, self.now) else { return };
        let order = self.outbox.keys().next_back().map_or(1, |last| last + 1);
        let row = OutboxRow {
            document,
            generation,
            operation,
            header,
            refused: None,
            remakes: 0,
            durable: false,
            sent: false,
            stale: false,
            unknown: false,
        };
        let (key, value) = outbox_row(order, &row);
        let mut batch = vec![put(key, value)];
        if fresh {
            let (key, value) = actor_row(document, actor);
            batch.push(put(key, value));
        }
        self.outbox.insert(order, row);
        self.own_changed |= matches!(document, DocumentId::Me(_));
        let token = self.store(batch);
        self.after.insert(token, AfterStore::Queued(vec![order]));
    }

    /// This device's actor in a document, and whether it is new.
    fn actor_for(&mut self, document: DocumentId) -> (ActorId, bool) {
        if let Some(actor) = self.actors.get(&document) {
            return (*actor, false);
        }
        let mut bytes = [0; 16];
        (self.random)(&mut bytes);
        self.actors.insert(document, ActorId(bytes));
        (ActorId(bytes), true)
    }

    pub(super) fn rows_durable(&mut self, orders: &[u64]) {
        let mut documents = Vec::new();
        for order in orders {
            let Some(row) = self.outbox.get_mut(order) else { continue };
            row.durable = true;
            let (document, message) = (row.document, row.message());
            documents.push(document);
            // The thread may have been shown since it was made, without it.
            self.touch_message(document, message);
            if let Some(message) = message {
                self.event(Event::Queued { message });
            }
        }
        documents.sort_unstable();
        documents.dedup();
        for document in documents {
            self.show_changes(document);
        }
        self.push_outbox();
    }

    /// The disk did not take them: undo what was made in memory and say so. The words are still in the composer.
    pub(super) fn rows_lost(&mut self, orders: &[u64], full: bool) {
        let code = if full { "storage_full" } else { "request_failed" };
        for order in orders {
            let Some(row) = self.outbox.get(order) else { continue };
            let (message, document, on_disk) = (row.message(), row.document, row.durable || row.remakes > 0);
            if on_disk {
                // An older form of it is still on disk and is sent after a restart.
                continue;
            }
            if let Some(row) = self.outbox.remove(order) {
                self.hold_draft(&row.operation);
            }
            self.remake_document(document);
            self.problem(code, message);
        }
    }

    /// Sends what is durable and not sent yet, in order.
    pub(super) fn push_outbox(&mut self) {
        if self.connection != Connection::UpToDate {
            return;
        }
        for row in self.outbox.values_mut() {
            if !row.durable || row.sent || row.stale || row.refused.is_some() {
                continue;
            }
            row.sent = true;
            self.out.push(Output::Send(ClientFrame::Push {
                document: row.document,
                generation: row.generation,
                operation: row.operation.clone(),
                header: row.header.clone(),
            }));
        }
    }

    fn order_of(&self, hash: ChangeHash) -> Option<u64> {
        self.outbox.iter().find(|(_, row)| row.header.hash == hash && row.refused.is_none()).map(|(order, _)| *order)
    }

    /// The server has it for good. It stays in the document in memory; the log brings it to the disk.
    pub(super) fn accepted(&mut self, hash: ChangeHash) {
        if let Some(order) = self.order_of(hash) {
            self.forget_row(order);
        }
    }

    /// Drops a row that is confirmed or given up.
    pub(super) fn forget_row(&mut self, order: u64) {
        if let Some(row) = self.outbox.remove(&order) {
            self.store(vec![Write::Delete { key: outbox_key(order) }]);
            self.touch_message(row.document, row.message());
            self.show_changes(row.document);
        }
    }

    pub(super) fn refused(&mut self, hash: ChangeHash, code: RefusalCode) {
        let Some(order) = self.order_of(hash) else { return };
        let Some(row) = self.outbox.get_mut(&order) else { return };
        let document = row.document;
        match code {
            // It is in the log under another change; that one comes by delta.
            RefusalCode::DuplicateId | RefusalCode::HashMismatch => {
                self.forget_row(order);
                self.remake_document(document);
            }
            RefusalCode::Closed | RefusalCode::StaleGeneration | RefusalCode::Rebase if row.remakes < MAX_REMAKES => {
                row.unknown = true;
                self.remake_document(document);
            }
            RefusalCode::Unavailable => {
                row.sent = false;
                self.retry_at = Some(self.now.plus_ms(RETRY_MS));
            }
            RefusalCode::NotFound
            | RefusalCode::Forbidden
            | RefusalCode::Archived
            | RefusalCode::Invalid
            | RefusalCode::TooLarge
            | RefusalCode::Closed
            | RefusalCode::StaleGeneration
            | RefusalCode::Rebase => self.give_up(order, code),
        }
    }

    /// Keeps a person's words with the reason; anything else is dropped with a notice.
    fn give_up(&mut self, order: u64, code: RefusalCode) {
        let Some(row) = self.outbox.get_mut(&order) else { return };
        let document = row.document;
        if row.message().is_some() {
            row.refused = Some(code);
            let (key, value) = outbox_row(order, row);
            self.store(vec![put(key, value)]);
        } else {
            let operation = row.operation.clone();
            let text = matches!(operation, Operation::EditText { .. });
            self.hold_draft(&operation);
            self.forget_row(order);
            if text {
                self.problem("edit_refused", None);
            }
        }
        self.remake_document(document);
    }

    /// Puts this device's pending operations on top of a document that is confirmed and nothing more: the same changes when their history still
    /// holds, else made again by a new incarnation. Rows that changed are stored before they are sent.
    pub(super) fn replay_outbox(&mut self, document: DocumentId, remake: bool) {
        let Some(me) = self.member() else { return };
        self.drop_confirmed(document);
        let orders: Vec<u64> = self
            .outbox
            .iter()
            .filter(|(_, row)| row.document == document && row.refused.is_none())
            .map(|(order, _)| *order)
            .collect();
        let generation = self.index.get(&document).map(|row| row.generation);
        let mut remade = Vec::new();
        let mut batch = Vec::new();
        let mut remake = remake;
        for order in orders {
            let Some(row) = self.outbox.get(&order) else { continue };
            // It may have been accepted before the document was written anew, and only the server knows: it is asked with
            // the change as it was. A message is known by its id instead.
            if generation.is_some_and(|now| now != row.generation) && row.message().is_none() && !row.unknown {
                continue;
            }
            if !remake && !row.stale {
                let Some(loaded) = self.loaded.get_mut(&document) else { return };
                let same = loaded.document.rebuild(me, &row.operation, &row.header);
                if let Ok(change) = same
                    && crate::template::hash_of(&change) == row.header.hash
                    && loaded.document.apply([change.raw_bytes()]).is_ok()
                {
                    continue;
                }
            }
            // From here on the rest is made again too: it may depend on what changed.
            if !std::mem::replace(&mut remake, true) || remade.is_empty() {
                self.actors.remove(&document);
            }
            let (actor, fresh) = self.actor_for(document);
            if fresh {
                let (key, value) = actor_row(document, actor);
                batch.push(put(key, value));
            }
            let Some(row) = self.outbox.get_mut(&order) else { continue };
            let Some(loaded) = self.loaded.get_mut(&document) else { return };
            let operation = rebased(&loaded.document, &row.operation);
            match loaded.document.perform(me, &operation, actor, self.now) {
                Ok((_, header)) => {
                    row.operation = operation;
                    row.header = header;
                    row.generation = generation.unwrap_or(1);
                    row.remakes += 1;
                    (row.durable, row.sent, row.stale, row.unknown) = (false, false, false, false);
                    let (key, value) = outbox_row(order, row);
                    batch.push(put(key, value));
                    remade.push(order);
                }
                // It no longer says anything, e.g. a preference that already has this value.
                Err(_) => {
                    self.outbox.remove(&order);
                    batch.push(Write::Delete { key: outbox_key(order) });
                }
            }
        }
        if !batch.is_empty() {
            let token = self.store(batch);
            self.after.insert(token, AfterStore::Queued(remade));
        }
    }

    /// Drops rows that the confirmed document already holds, under the same hash or the same message id.
    fn drop_confirmed(&mut self, document: DocumentId) {
        let Some(loaded) = self.loaded.get_mut(&document) else { return };
        let confirmed: Vec<u64> = self
            .outbox
            .iter()
            .filter(|(_, row)| row.document == document && row.refused.is_none())
            .filter(|(_, row)| {
                loaded.document.has(row.header.hash)
                    || row.message().is_some_and(|id| loaded.document.message(id).is_some())
            })
            .map(|(order, _)| *order)
            .collect();
        if !confirmed.is_empty() {
            let batch = confirmed.iter().map(|order| Write::Delete { key: outbox_key(*order) }).collect();
            self.outbox.retain(|order, _| !confirmed.contains(order));
            self.store(batch);
        }
    }
}

/// An edit made again on another text keeps to its bounds.
fn rebased(document: &crate::document::Document, operation: &Operation) -> Operation {
    let Operation::EditText { field, splices } = operation else { return operation.clone() };
    let mut length = document.text(*field).map_or(0, |text| text.chars().count());
    let clamp = |value: u32, most: usize| value.min(u32::try_from(most).unwrap_or(u32::MAX));
    let splices = splices
        .iter()
        .map(|splice| {
            let at = clamp(splice.at, length);
            let delete = clamp(splice.delete, length - at as usize);
            length = length - delete as usize + splice.insert.chars().count();
            shared::operation::Splice { at, delete, insert: splice.insert.clone() }
        })
        .collect();
    Operation::EditText { field: *field, splices }
}
