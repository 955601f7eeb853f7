//! Frames of the sync protocol: CBOR in binary WebSocket messages, subprotocol [`SUBPROTOCOL`]. Of CBOR they use
//! definite lengths only, and neither tags nor floats.
//!
//! A client opens with [`ClientFrame::Hello`]; anything else first closes the connection. Positions count a client's
//! own view: each audience has a log of its own, so what a member may not see leaves no gap in what they see.

mod cbor;

use crate::audience::Audience;
use crate::document::DocumentId;
use crate::failure::Failure;
use crate::ids::{CommandId, DeviceId, EpochId, KinId, MemberId, MessageId, SessionId, TurnId};
use crate::limits::{MAX_FRAME_BYTES, MAX_FRAME_DEPTH};
use crate::operation::{ChangeHash, ChangeHeader, Operation};
use crate::time::UnixMillis;
use cbor::Decoder;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

/// Name and version of the protocol, offered and chosen when the WebSocket opens.
pub const SUBPROTOCOL: &str = "kinstead.sync.1";

/// How far one audience's log is known; 0 is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Whose log.
    pub audience: Audience,
    /// Entries known, counted from 1 without gaps.
    pub at: u64,
}

/// What a client sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientFrame {
    /// First frame of a connection: what this replica holds.
    Hello {
        /// The epoch its positions belong to; `None` for an empty replica.
        epoch: Option<EpochId>,
        /// One per audience it has entries of.
        positions: Vec<Position>,
    },
    /// A change the client made.
    Push {
        /// Where.
        document: DocumentId,
        /// Generation it was made on.
        generation: u32,
        /// What.
        operation: Operation,
        /// Its place in the history.
        header: ChangeHeader,
    },
    /// Which running answers to stream, replacing the list before. Sessions not named cost nothing.
    Watch {
        /// At most [`MAX_WATCHED`].
        sessions: Vec<WatchFrom>,
    },
    /// Asks for a whole document, e.g. an older chapter.
    Fetch {
        /// Which.
        document: DocumentId,
    },
    /// Asks for something that is no document change. Repeating an id repeats the answer, not the deed.
    Command {
        /// Made by the client.
        id: CommandId,
        /// What to do.
        command: Command,
    },
    /// Keeps the connection open; answered by [`ServerFrame::Pong`].
    Ping,
}

/// Sessions one connection may watch at once.
pub const MAX_WATCHED: usize = 16;

/// From where a client wants a session's running answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchFrom {
    /// The session.
    pub session: SessionId,
    /// What it has of which turn: `(turn, attempt, bytes)`; `None` for nothing.
    pub have: Option<(TurnId, u32, u64)>,
}

/// Deeds on the server; the same as REST offers, by the same handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Stops the running turn of a session; what came so far is kept (S-3).
    Stop {
        /// The session.
        session: SessionId,
        /// The turn meant, so that a late tap stops no other.
        turn: TurnId,
    },
    /// Tries a failed or stopped answer again (S-8).
    Retry {
        /// The session.
        session: SessionId,
        /// The failed or stopped answer.
        answer: MessageId,
    },
    /// Takes a message's words away, for everybody and for good (V-5). Its author may, and an admin; of an answer the
    /// member it was given to.
    Redact {
        /// The message.
        message: MessageId,
    },
    /// Takes back one's own message that is still waiting.
    Withdraw {
        /// The message.
        message: MessageId,
    },
}

/// What a server sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerFrame {
    /// Answer to a hello. Catch-up follows, and ends with `caught_up`.
    Welcome {
        /// The server's epoch. Another than the client's: drop the replica (never the outbox), snapshots follow.
        epoch: EpochId,
        /// The server's clock.
        now: UnixMillis,
        /// Who the connection belongs to.
        member: MemberId,
        /// The device it belongs to.
        device: DeviceId,
        /// Audiences that begin anew: snapshots of their documents follow. The others follow by deltas.
        fresh: Vec<Audience>,
    },
    /// New entries of one audience's log, all of one document.
    Delta {
        /// Whose log.
        audience: Audience,
        /// Applied only if this is not past the client's position there; else a frame was lost and the client says
        /// hello again.
        from: u64,
        /// Position after it.
        to: u64,
        /// The document.
        document: DocumentId,
        /// Its generation.
        generation: u32,
        /// Automerge changes, in order.
        changes: Vec<ByteBuf>,
    },
    /// A whole document: catch-up of a new replica, or the answer to a fetch.
    Snapshot {
        /// The document.
        document: DocumentId,
        /// Its generation.
        generation: u32,
        /// Its audience.
        audience: Audience,
        /// The audience's position it was read at. A replica that has come further meanwhile asks again.
        position: u64,
        /// More parts follow; nothing is applied before the last.
        more: bool,
        /// Concatenated Automerge chunks; parts join in order.
        bytes: ByteBuf,
    },
    /// Everything up to these positions has been sent; the replica is up to date.
    CaughtUp {
        /// One per audience of the viewer.
        positions: Vec<Position>,
    },
    /// The document is no more, or no longer this member's to see.
    Gone {
        /// Which.
        document: DocumentId,
    },
    /// A push is durable. A repeat gets the same answer.
    Accepted {
        /// Hash of the change that was pushed.
        hash: ChangeHash,
    },
    /// A push changed nothing and never will as it stands.
    Refused {
        /// Hash of the change that was pushed.
        hash: ChangeHash,
        /// Why.
        code: RefusalCode,
        /// For people and logs; may be empty.
        detail: String,
    },
    /// A piece of a running answer. Never part of a document.
    Live {
        /// The session.
        session: SessionId,
        /// The turn.
        turn: TurnId,
        /// The Kin that writes.
        kin: KinId,
        /// The member's message it answers.
        answers: MessageId,
        /// Attempt; a higher one makes the text of the lower void.
        attempt: u32,
        /// Where the piece begins, in bytes of UTF-8.
        offset: u64,
        /// The piece.
        text: String,
    },
    /// A running answer has ended; the message with this turn's id stands for it from now on.
    LiveEnd {
        /// The session.
        session: SessionId,
        /// The turn.
        turn: TurnId,
    },
    /// The whole state of a session's queue. Ephemeral: sent on every change and after a hello.
    Queue {
        /// The session.
        session: SessionId,
        /// What runs now.
        running: Option<RunningTurn>,
        /// Messages that wait, first to be taken up first.
        waiting: Vec<MessageId>,
    },
    /// Answer to a command.
    Done {
        /// The command.
        id: CommandId,
    },
    /// A command changed nothing.
    CommandRefused {
        /// The command.
        id: CommandId,
        /// Why, a code of the API's errors.
        code: String,
        /// For people; may be empty.
        detail: String,
    },
    /// The client is too fast, too slow or not understood; the connection closes after it.
    Closing {
        /// Why.
        code: CloseCode,
    },
    /// Answer to a ping.
    Pong,
}

/// A turn as the queue shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningTurn {
    /// The turn.
    pub turn: TurnId,
    /// The message it answers.
    pub answers: MessageId,
    /// Why the last attempt failed and when the next begins, while it waits to try again.
    pub retrying: Option<Failure>,
}

/// Why a push was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// The document does not exist, or not for this member: one answer for both.
    NotFound,
    /// The document does not take this operation from this member.
    Forbidden,
    /// The Kin has been put away: what is written to it waits until somebody brings it back.
    Archived,
    /// The chapter has closed: carry the message to the open one.
    Closed,
    /// The generation has changed: carry the operation over.
    StaleGeneration,
    /// The header does not follow from what the server has: make the change again on the current document.
    Rebase,
    /// The rebuilt change hashes to something else.
    HashMismatch,
    /// The message id is already taken by another message.
    DuplicateId,
    /// Empty, out of range or malformed.
    Invalid,
    /// Over a size or rate limit.
    TooLarge,
    /// The server could not store it now; the client keeps it and tries again later.
    Unavailable,
}

/// Why the server closes a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseCode {
    /// A frame could not be decoded or came out of order.
    Protocol,
    /// A frame is too large. The client must not send it again.
    TooLarge,
    /// Signed out or revoked.
    SignedOut,
    /// The server stops or restarts.
    GoingAway,
}

/// Why bytes are no frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Checked before anything is allocated.
    #[error("frame of {0} bytes is over the limit of {MAX_FRAME_BYTES}")]
    TooLarge(usize),
    /// Not CBOR, too deep, of no known shape, or followed by more bytes.
    #[error("frame could not be decoded")]
    Malformed,
}

/// Encodes a frame of either side.
pub fn encode<T: Serialize>(frame: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(frame, &mut bytes)
        .expect("frames hold only types CBOR can express, and a Vec takes every write");
    bytes
}

/// Decodes one frame from a peer.
///
/// # Errors
/// [`FrameError::TooLarge`] over [`MAX_FRAME_BYTES`], else [`FrameError::Malformed`].
pub fn decode<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, FrameError> {
    if bytes.len() > MAX_FRAME_BYTES {
        return Err(FrameError::TooLarge(bytes.len()));
    }
    let mut decoder = Decoder::new(bytes, MAX_FRAME_DEPTH);
    let frame = T::deserialize(&mut decoder).map_err(|_| FrameError::Malformed)?;
    if decoder.is_done() { Ok(frame) } else { Err(FrameError::Malformed) }
}

#[cfg(test)]
mod tests;
