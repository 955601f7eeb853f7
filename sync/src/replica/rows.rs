//! Keys and values of the replica's store.
//!
//! `meta`, `position|<audience>`, `doc|<document>`, `actor|<document>`, `outbox|<order>`, `draft|<session>`,
//! `mark|<session>`, the vocabulary of a closed chapter under `words|<document>`, and the
//! confirmed chunks of a document under `chunk|<document>|<position>`.

use super::Replica;
use super::outbox::OutboxRow;
use super::own::DraftRow;
use serde::{Deserialize, Serialize};
use shared::frame::{decode, encode};
use shared::{ActorId, Audience, DeviceId, DocumentId, EpochId, MemberId, SessionId};

/// What is known of a stored document without opening it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DocumentRow {
    pub audience: Audience,
    pub generation: u32,
    /// The version of the chapter's stored vocabulary; 0 for none.
    #[serde(default)]
    pub words: u16,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct MetaRow {
    epoch: EpochId,
    member: MemberId,
    device: DeviceId,
}

pub(super) fn meta_row((epoch, member, device): (EpochId, MemberId, DeviceId)) -> (String, Vec<u8>) {
    ("meta".to_owned(), encode(&MetaRow { epoch, member, device }))
}

pub(super) fn position_row(audience: Audience, at: u64) -> (String, Vec<u8>) {
    (format!("position|{audience}"), encode(&at))
}

pub(super) fn document_row(id: DocumentId, row: &DocumentRow) -> (String, Vec<u8>) {
    (format!("doc|{id}"), encode(row))
}

pub(super) fn actor_row(id: DocumentId, actor: ActorId) -> (String, Vec<u8>) {
    (format!("actor|{id}"), actor.0.to_vec())
}

pub(super) fn outbox_key(order: u64) -> String {
    format!("outbox|{order:016x}")
}

pub(super) fn outbox_row(order: u64, row: &OutboxRow) -> (String, Vec<u8>) {
    (outbox_key(order), encode(row))
}

pub(super) fn draft_key(session: SessionId) -> String {
    format!("draft|{session}")
}

pub(super) fn draft_row(session: SessionId, row: &DraftRow) -> (String, Vec<u8>) {
    (draft_key(session), encode(row))
}

pub(super) fn mark_key(session: SessionId) -> String {
    format!("mark|{session}")
}

pub(super) fn mark_row(session: SessionId, seq: u64) -> (String, Vec<u8>) {
    (mark_key(session), encode(&seq))
}

pub(super) fn chunk_prefix(id: DocumentId) -> String {
    format!("chunk|{id}|")
}

pub(super) fn chunk_key(id: DocumentId, position: u64) -> String {
    format!("chunk|{id}|{position:016x}")
}

pub(super) fn words_key(id: DocumentId) -> String {
    format!("words|{id}")
}

/// The vocabularies of a session's chapters.
pub(super) fn words_prefix(session: SessionId) -> String {
    format!("words|session/{session}/")
}

/// The session a prefix of vocabularies belongs to.
pub(super) fn session_of_prefix(prefix: &str) -> Option<SessionId> {
    prefix.strip_prefix("words|session/")?.strip_suffix('/')?.parse().ok()
}

/// The document a chunk prefix belongs to.
pub(super) fn document_of_prefix(prefix: &str) -> Option<DocumentId> {
    prefix.strip_prefix("chunk|")?.strip_suffix('|')?.parse().ok()
}

impl Replica {
    /// Takes in what a start finds. A row that does not read is left out: documents come again from the server, and the
    /// outbox is written whole or not at all.
    pub(super) fn read_rows(&mut self, rows: Vec<(String, Vec<u8>)>) {
        for (key, value) in rows {
            if key == "meta" {
                if let Ok(meta) = decode::<MetaRow>(&value) {
                    self.me = Some((meta.epoch, meta.member, meta.device));
                }
                continue;
            }
            let Some((table, name)) = key.split_once('|') else { continue };
            match table {
                "position" => {
                    if let (Ok(audience), Ok(at)) = (name.parse(), decode(&value)) {
                        self.positions.insert(audience, at);
                    }
                }
                "doc" => {
                    if let (Ok(id), Ok(row)) = (name.parse(), decode(&value)) {
                        self.index.insert(id, row);
                    }
                }
                "actor" => {
                    if let (Ok(id), Ok(actor)) = (name.parse(), value.try_into()) {
                        self.actors.insert(id, ActorId(actor));
                    }
                }
                "draft" => {
                    if let (Ok(session), Ok(row)) = (name.parse(), decode(&value)) {
                        self.drafts.insert(session, row);
                    }
                }
                "mark" => {
                    if let (Ok(session), Ok(seq)) = (name.parse(), decode(&value)) {
                        self.read_marks.insert(session, seq);
                    }
                }
                "outbox" => {
                    if let (Ok(order), Ok(mut row)) = (u64::from_str_radix(name, 16), decode::<OutboxRow>(&value)) {
                        row.durable = true;
                        self.outbox.insert(order, row);
                    }
                }
                _ => {}
            }
        }
        // Positions without the identity they belong to say nothing.
        if self.me.is_none() {
            self.positions.clear();
        }
    }
}
