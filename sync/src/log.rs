//! What the server side keeps: the contract between the hub and a database.
//!
//! A store is one open transaction: everything the hub does through it happens all or not at all. One contract suite
//! runs on the memory store and on the server's SQLite store.

use crate::template::OpName;
use shared::{
    ActorId, Audience, Author, ChangeHash, DeviceId, DocumentId, Failure, KinId, MemberId, MessageId, MessageState,
    SessionId, TextField, TurnId, UnixMillis,
};

/// The end of a document, all the hot path needs to know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentState {
    /// Who may see it.
    pub audience: Audience,
    /// Raised by a rewrite; changes of an older one are void.
    pub generation: u32,
    /// Heads, ascending.
    pub heads: Vec<ChangeHash>,
    /// Highest operation number.
    pub max_op: u64,
    /// Sum of the sizes of its changes.
    pub bytes: u64,
    /// Messages in it, for a chapter.
    pub messages: u64,
    /// When it was closed, for a chapter.
    pub closed_at: Option<UnixMillis>,
    /// The server's own actor in it.
    pub server_actor: ActorId,
    /// The server's last sequence number in it.
    pub server_seq: u64,
}

/// One accepted change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Whose log.
    pub audience: Audience,
    /// Its place there.
    pub position: u64,
    /// Which document.
    pub document: DocumentId,
    /// Which generation of it.
    pub generation: u32,
    /// Its hash.
    pub hash: ChangeHash,
    /// Who made it.
    pub actor: ActorId,
    /// Which of that actor's changes.
    pub actor_seq: u64,
    /// Its highest operation number.
    pub max_op: u64,
    /// What it depends on.
    pub deps: Vec<ChangeHash>,
    /// Who pushed it; `None` when the server wrote it.
    pub pushed_by: Option<(MemberId, DeviceId)>,
    /// When it was accepted.
    pub at: UnixMillis,
    /// Automerge bytes, built by us.
    pub bytes: Vec<u8>,
}

/// What the gate asks about an earlier change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownChange {
    /// Its highest operation number.
    pub max_op: u64,
    /// What it depends on.
    pub deps: Vec<ChangeHash>,
}

/// A registered writer of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorState {
    /// The one device that may use it.
    pub device: DeviceId,
    /// Its last sequence number.
    pub last_seq: u64,
    /// Its newest change.
    pub last_hash: ChangeHash,
}

/// A session as admission needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionState {
    /// Whose thread.
    pub kin: KinId,
    /// Who may see it.
    pub audience: Audience,
    /// Number of the open chapter.
    pub chapter: u32,
    /// The next message's number.
    pub next_seq: u64,
}

/// A message as the projection holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageRow {
    /// The message.
    pub id: MessageId,
    /// Its session.
    pub session: SessionId,
    /// The chapter that holds it.
    pub chapter: u32,
    /// Its number in the session.
    pub seq: u64,
    /// Who may see it.
    pub audience: Audience,
    /// Who wrote it.
    pub author: Author,
    /// Markdown.
    pub text: String,
    /// When, by its writer's clock.
    pub sent_at: UnixMillis,
    /// When the server admitted it.
    pub admitted_at: UnixMillis,
    /// What it answers.
    pub answers: Option<MessageId>,
    /// The turn that wrote it.
    pub turn: Option<TurnId>,
    /// What it quotes.
    pub reply_to: Option<MessageId>,
    /// Its lasting state.
    pub state: MessageState,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// Its object in the chapter.
    pub object: OpName,
    /// The operation that last set its state, if any.
    pub state_op: Option<OpName>,
}

/// Whether members may write to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// They may.
    Open,
    /// Its Kin has been put away.
    Archived,
    /// Its Kin has been removed, or never was.
    Removed,
}

/// One transaction on the server's truth.
pub trait LogStore {
    /// What can go wrong with the database.
    type Error;

    /// The end of a document.
    fn document(&mut self, id: DocumentId) -> Result<Option<DocumentState>, Self::Error>;
    /// Creates or updates it.
    fn save_document(&mut self, id: DocumentId, state: &DocumentState) -> Result<(), Self::Error>;
    /// Forgets a document's changes and its actors; the log keeps its positions. With `remember`, the hashes of members'
    /// changes are kept, see [`Self::is_retired`].
    fn retire_changes(&mut self, id: DocumentId, remember: bool, at: UnixMillis) -> Result<(), Self::Error>;
    /// Whether a member's change was accepted in an earlier generation of a document.
    fn is_retired(&mut self, document: DocumentId, hash: ChangeHash) -> Result<bool, Self::Error>;
    /// Forgets a document with its changes and its actors. The log keeps its positions.
    fn forget_document(&mut self, id: DocumentId) -> Result<(), Self::Error>;
    /// The last position of an audience's log; 0 when empty.
    fn position(&mut self, audience: Audience) -> Result<u64, Self::Error>;
    /// Appends an entry; its position is one more than the last.
    fn append(&mut self, entry: &LogEntry) -> Result<(), Self::Error>;
    /// An accepted change of a document's current generation.
    fn change(&mut self, document: DocumentId, hash: ChangeHash) -> Result<Option<KnownChange>, Self::Error>;
    /// All changes of a document's current generation, in log order.
    fn changes(&mut self, document: DocumentId, generation: u32) -> Result<Vec<Vec<u8>>, Self::Error>;
    /// How many changes a document's current generation has.
    fn count_changes(&mut self, document: DocumentId, generation: u32) -> Result<u64, Self::Error>;
    /// At most `limit` entries of an audience's log after `position`, in order.
    fn entries_after(&mut self, audience: Audience, position: u64, limit: usize) -> Result<Vec<LogEntry>, Self::Error>;
    /// Documents of an audience that a new replica starts with: all but closed chapters.
    fn open_documents(&mut self, audience: Audience) -> Result<Vec<(DocumentId, u32)>, Self::Error>;
    /// A registered actor.
    fn actor(&mut self, document: DocumentId, actor: ActorId) -> Result<Option<ActorState>, Self::Error>;
    /// How many actors a device has registered in a document.
    fn actors_of(&mut self, document: DocumentId, device: DeviceId) -> Result<u64, Self::Error>;
    /// Registers or updates an actor.
    fn save_actor(&mut self, document: DocumentId, actor: ActorId, state: &ActorState) -> Result<(), Self::Error>;
    /// A session.
    fn session(&mut self, id: SessionId) -> Result<Option<SessionState>, Self::Error>;
    /// Whether members may still write to it.
    fn door(&mut self, id: SessionId) -> Result<Door, Self::Error>;
    /// Updates its chapter and next number.
    fn save_session(&mut self, id: SessionId, state: &SessionState) -> Result<(), Self::Error>;
    /// The sessions of an audience, each with the number of its newest message.
    fn sessions(&mut self, audience: Audience) -> Result<Vec<(SessionId, u64)>, Self::Error>;
    /// A message, whoever may see it: the hub checks the audience.
    fn message(&mut self, id: MessageId) -> Result<Option<MessageRow>, Self::Error>;
    /// The messages of a chapter, in the order of their numbers.
    fn messages_of(&mut self, session: SessionId, chapter: u32) -> Result<Vec<MessageRow>, Self::Error>;
    /// Every member's own document.
    fn own_documents(&mut self) -> Result<Vec<DocumentId>, Self::Error>;
    /// Sets a message's text, state, failure and the names of its operations.
    fn update_message(&mut self, row: &MessageRow) -> Result<(), Self::Error>;
    /// Adds a message.
    fn insert_message(&mut self, row: &MessageRow) -> Result<(), Self::Error>;
    /// Sets a message's state.
    fn set_state(&mut self, id: MessageId, state: MessageState, op: OpName) -> Result<(), Self::Error>;
    /// A member's reaction to a message as it stands now; empty for none.
    fn save_reaction(
        &mut self,
        message: MessageId,
        member: MemberId,
        emoji: &str,
        at: UnixMillis,
    ) -> Result<(), Self::Error>;
    /// A Kin's text has changed: the projection follows.
    fn save_kin_text(&mut self, kin: KinId, field: TextField, text: &str) -> Result<(), Self::Error>;
}
