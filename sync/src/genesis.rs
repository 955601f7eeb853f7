//! Where every document begins: one frozen change per kind, the same on every server.
//!
//! Because all documents of a kind share it, their root objects have known ids, and a change to them can be built from
//! plain data without a document in memory. The bytes never change once released: see `genesis/*.bin`.

use automerge::legacy::{ObjectId, OpId};
use automerge::{ActorId, Change};
use shared::DocumentKind;

/// The actor of every genesis change.
pub const GENESIS_ACTOR: [u8; 16] = *b"kinstead-genesis";

const HOME: &[u8] = include_bytes!("../genesis/home.bin");
const KIN: &[u8] = include_bytes!("../genesis/kin.bin");
const CHAPTER: &[u8] = include_bytes!("../genesis/chapter.bin");
const ME: &[u8] = include_bytes!("../genesis/me.bin");

/// The frozen first change of a kind of document, as Automerge bytes.
pub fn bytes(kind: DocumentKind) -> &'static [u8] {
    match kind {
        DocumentKind::Home => HOME,
        DocumentKind::Kin => KIN,
        DocumentKind::Chapter => CHAPTER,
        DocumentKind::Me => ME,
    }
}

/// The first change of a kind of document.
pub fn change(kind: DocumentKind) -> Change {
    Change::from_bytes(bytes(kind).to_vec()).expect("the frozen bytes are valid, a test reads them all")
}

/// Operation counters of the root objects, fixed by the frozen bytes.
pub mod object {
    /// `home`: map of Kins by id.
    pub const KINS: u64 = 1;
    /// `home`: map of members by id.
    pub const MEMBERS: u64 = 2;
    /// `kin`: text.
    pub const CHARACTER: u64 = 1;
    /// `kin`: text.
    pub const EXPERTISE: u64 = 2;
    /// `chapter`: map of messages by id.
    pub const MESSAGES: u64 = 1;
    /// `chapter`: map of reactions, to messages of this chapter and of older ones.
    pub const AMEND: u64 = 2;
    /// `me`: map from session to the newest message read.
    pub const READ: u64 = 1;
    /// `me`: map of preferences, drafts and pins.
    pub const PREFERENCES: u64 = 2;
}

/// The id of a root object in a change built from plain data.
pub(crate) fn object_id(counter: u64) -> ObjectId {
    ObjectId::Id(OpId(counter, ActorId::from(GENESIS_ACTOR)))
}

/// The id of a root object in a document.
pub(crate) fn exid(counter: u64) -> automerge::ObjId {
    automerge::ObjId::Id(counter, ActorId::from(GENESIS_ACTOR), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use automerge::transaction::{CommitOptions, Transactable};
    use automerge::{AutoCommit, ObjType, ROOT, TextEncoding};

    fn build(objects: &[(&str, ObjType)]) -> Vec<u8> {
        let mut document = AutoCommit::new_with_encoding(TextEncoding::UnicodeCodePoint);
        document.set_actor(ActorId::from(GENESIS_ACTOR));
        for (key, kind) in objects {
            document.put_object(ROOT, *key, *kind).expect("an empty document takes an object");
        }
        document.put(ROOT, "schema", 1_u64).expect("an empty document takes a number");
        document.commit_with(CommitOptions::default().with_time(0)).expect("something was written");
        document.get_last_local_change().expect("one change").raw_bytes().to_vec()
    }

    /// Golden bytes: if the library encodes differently one day, old and new replicas would part here.
    #[test]
    fn frozen_bytes_are_what_the_library_still_builds() {
        let map = ObjType::Map;
        let text = ObjType::Text;
        let built = [
            ("home", build(&[("kins", map), ("members", map)]), HOME),
            ("kin", build(&[("character", text), ("expertise", text)]), KIN),
            ("chapter", build(&[("messages", map), ("amend", map)]), CHAPTER),
            ("me", build(&[("read", map), ("preferences", map)]), ME),
        ];
        for (name, bytes, frozen) in built {
            if std::env::var_os("KINSTEAD_FREEZE_GENESIS").is_some() {
                std::fs::write(format!("genesis/{name}.bin"), &bytes).expect("the folder is there");
            } else {
                assert_eq!(hex::encode(bytes), hex::encode(frozen), "{name}");
            }
        }
    }

    #[test]
    fn every_kind_reads_back() {
        for kind in [DocumentKind::Home, DocumentKind::Kin, DocumentKind::Chapter, DocumentKind::Me] {
            assert_eq!(change(kind).max_op(), 3);
        }
    }
}
