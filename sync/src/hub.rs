//! The server side of sync: admits members' changes, writes the server's own, closes chapters, catches replicas up.
//!
//! A [`Hub`] lives as long as one transaction of its [`LogStore`]. What it says happened ([`Hub::into_deltas`]) is
//! published after the commit, never before.

use crate::document::{Document, DocumentError};
use crate::genesis;
use crate::log::{DocumentState, LogEntry, LogStore};
use crate::template;
use shared::{ActorId, Audience, ChangeHash, DeviceId, DocumentId, MemberId, UnixMillis};

mod admit;
mod author;
mod catch_up;
mod rewrite;

pub use admit::{Admitted, NewMessage, Pushed};
pub use author::Answer;
pub use catch_up::{CatchUp, Known, catch_up, snapshot};

/// Why the hub could not do its work. Nothing was changed if the transaction is rolled back.
#[derive(Debug, thiserror::Error)]
pub enum HubError<E> {
    /// The database failed.
    #[error("the store failed")]
    Store(E),
    /// One of our own documents does not open or change.
    #[error("document {0} is damaged")]
    Document(DocumentId, #[source] DocumentError),
    /// Something asked for does not exist.
    #[error("{0} does not exist")]
    Missing(String),
}

/// One entry of a log, to be sent to whoever belongs to its audience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    /// Whose log.
    pub audience: Audience,
    /// Its place there.
    pub position: u64,
    /// The document.
    pub document: DocumentId,
    /// Its generation.
    pub generation: u32,
    /// The change.
    pub bytes: Vec<u8>,
}

/// The server side of sync within one transaction.
pub struct Hub<'a, S: LogStore> {
    store: &'a mut S,
    now: UnixMillis,
    random: &'a mut dyn FnMut() -> [u8; 16],
    deltas: Vec<Delta>,
    admitted: Vec<Admitted>,
}

type Outcome<T, S> = Result<T, HubError<<S as LogStore>::Error>>;

impl<'a, S: LogStore> Hub<'a, S> {
    /// Works in the transaction `store`; `random` gives fresh random bytes for actors.
    pub fn new(store: &'a mut S, now: UnixMillis, random: &'a mut dyn FnMut() -> [u8; 16]) -> Self {
        Self { store, now, random, deltas: Vec::new(), admitted: Vec::new() }
    }

    /// The transaction.
    pub fn store(&mut self) -> &mut S {
        self.store
    }

    /// The moment this transaction counts as.
    pub fn now(&self) -> UnixMillis {
        self.now
    }

    /// What was appended and which members' messages were admitted, to be published after the commit.
    pub fn into_deltas(self) -> (Vec<Delta>, Vec<Admitted>) {
        (self.deltas, self.admitted)
    }

    /// Creates a document from its genesis; does nothing when it exists.
    pub fn create(&mut self, id: DocumentId, audience: Audience) -> Outcome<DocumentState, S> {
        if let Some(state) = self.store.document(id).map_err(HubError::Store)? {
            return Ok(state);
        }
        let genesis = genesis::change(id.kind());
        let mut state = DocumentState {
            audience,
            generation: 1,
            heads: Vec::new(),
            max_op: 0,
            bytes: 0,
            messages: 0,
            closed_at: None,
            server_actor: ActorId((self.random)()),
            server_seq: 0,
        };
        self.append(id, &mut state, &genesis, None)?;
        Ok(state)
    }

    /// Opens the server's own copy of a document.
    fn open(&mut self, id: DocumentId, state: &DocumentState) -> Outcome<Document, S> {
        let changes = self.store.changes(id, state.generation).map_err(HubError::Store)?;
        Document::open(id.kind(), changes.iter().map(Vec::as_slice)).map_err(|error| HubError::Document(id, error))
    }

    /// Logs a change and moves the document's end; the caller has checked that it belongs there.
    fn append(
        &mut self,
        id: DocumentId,
        state: &mut DocumentState,
        change: &automerge::Change,
        pushed_by: Option<(MemberId, DeviceId)>,
    ) -> Outcome<(), S> {
        let hash = template::hash_of(change);
        let deps: Vec<ChangeHash> = change.deps().iter().map(|dep| ChangeHash(dep.0)).collect();
        let position = self.store.position(state.audience).map_err(HubError::Store)? + 1;
        let bytes = change.raw_bytes().to_vec();
        let mut actor = [0; 16];
        let id_bytes = change.actor_id().to_bytes();
        let len = id_bytes.len().min(16);
        actor[..len].copy_from_slice(&id_bytes[..len]);
        let entry = LogEntry {
            audience: state.audience,
            position,
            document: id,
            generation: state.generation,
            hash,
            actor: ActorId(actor),
            actor_seq: change.seq(),
            max_op: change.max_op(),
            deps: deps.clone(),
            pushed_by,
            at: self.now,
            bytes: bytes.clone(),
        };
        self.store.append(&entry).map_err(HubError::Store)?;
        state.heads.retain(|head| !deps.contains(head));
        state.heads.push(hash);
        state.heads.sort_unstable();
        state.max_op = state.max_op.max(change.max_op());
        state.bytes += bytes.len() as u64;
        self.store.save_document(id, state).map_err(HubError::Store)?;
        self.deltas.push(Delta {
            audience: state.audience,
            position,
            document: id,
            generation: state.generation,
            bytes,
        });
        Ok(())
    }

    /// The place of the server's next change in a document.
    fn server_place(&self, state: &mut DocumentState) -> template::Place {
        state.server_seq += 1;
        template::Place {
            actor: state.server_actor,
            seq: state.server_seq,
            start_op: state.max_op + 1,
            deps: state.heads.clone(),
            time: self.now,
        }
    }
}
