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
mod tests {
    use super::*;
    use crate::operation::ActorId;
    use proptest::prelude::*;

    fn push() -> ClientFrame {
        let now = UnixMillis(1_764_500_000_000);
        ClientFrame::Push {
            document: DocumentId::Chapter(SessionId::new(now, [1; 10]), 1),
            generation: 1,
            operation: Operation::AddMessage {
                message: MessageId::new(now, [2; 10]),
                text: "salut".into(),
                sent_at: now,
            },
            header: ChangeHeader {
                actor: ActorId([3; 16]),
                seq: 1,
                start_op: 9,
                deps: vec![ChangeHash([4; 32])],
                time: now,
                hash: ChangeHash([5; 32]),
            },
        }
    }

    #[test]
    fn a_push_round_trips_and_costs_little_more_than_its_text() {
        let bytes = encode(&push());
        assert_eq!(decode::<ClientFrame>(&bytes), Ok(push()));
        assert!(bytes.len() < 400, "{} bytes", bytes.len());
    }

    #[test]
    fn a_delta_keeps_its_bytes_as_bytes() {
        let frame = ServerFrame::Delta {
            audience: Audience::Household,
            from: 1,
            to: 2,
            document: DocumentId::Home,
            generation: 1,
            changes: vec![ByteBuf::from(vec![200; 1000])],
        };
        let bytes = encode(&frame);
        assert!(bytes.len() < 1100);
        assert_eq!(decode::<ServerFrame>(&bytes), Ok(frame));
    }

    #[test]
    fn bombs_and_leftovers_are_malformed() {
        let mut leftover = encode(&ClientFrame::Ping);
        leftover.push(0);
        assert_eq!(decode::<ClientFrame>(&leftover), Err(FrameError::Malformed));
        // Arrays nested 100,000 deep; an array that claims 2^60 items; a text that claims 4 GB.
        assert_eq!(decode::<ClientFrame>(&[0x81; 100_000]), Err(FrameError::Malformed));
        assert_eq!(decode::<ClientFrame>(&[0x9b, 0x10, 0, 0, 0, 0, 0, 0, 0]), Err(FrameError::Malformed));
        assert_eq!(decode::<ClientFrame>(&[0x7a, 0xff, 0xff, 0xff, 0xff, b'a']), Err(FrameError::Malformed));
        assert_eq!(
            decode::<ClientFrame>(&vec![0; MAX_FRAME_BYTES + 1]),
            Err(FrameError::TooLarge(MAX_FRAME_BYTES + 1))
        );
    }

    fn frames() -> Vec<ServerFrame> {
        let (now, random) = (UnixMillis(1_764_500_000_000), [7; 10]);
        let (session, turn) = (SessionId::new(now, random), TurnId::new(now, random));
        let (message, member) = (MessageId::new(now, random), MemberId::new(now, random));
        let (hash, document) = (ChangeHash([255; 32]), DocumentId::Me(member));
        let id = CommandId::new(now, random);
        let audience = Audience::Member(member);
        let retrying = Failure {
            kind: crate::FailureKind::Overloaded,
            detail: "é".repeat(5000),
            retry_at: Some(UnixMillis(i64::MIN)),
        };
        let running = RunningTurn { turn, answers: message, retrying: Some(retrying) };
        vec![
            ServerFrame::Welcome {
                epoch: EpochId::new(now, random),
                now,
                member,
                device: DeviceId::new(now, random),
                fresh: vec![audience, Audience::Household],
            },
            ServerFrame::Snapshot {
                document,
                generation: u32::MAX,
                audience,
                position: u64::MAX,
                more: true,
                bytes: ByteBuf::from(vec![1; 70_000]),
            },
            ServerFrame::CaughtUp { positions: (0..30).map(|at| Position { audience, at: at * at * at }).collect() },
            ServerFrame::Gone { document: DocumentId::Chapter(session, 24) },
            ServerFrame::Accepted { hash },
            ServerFrame::Refused { hash, code: RefusalCode::HashMismatch, detail: String::new() },
            ServerFrame::Live {
                session,
                turn,
                kin: KinId::new(now, random),
                answers: message,
                attempt: 255,
                offset: 65_536,
                text: "salut".into(),
            },
            ServerFrame::LiveEnd { session, turn },
            ServerFrame::Queue { session, running: Some(running), waiting: vec![message; 3] },
            ServerFrame::Queue { session, running: None, waiting: vec![] },
            ServerFrame::Done { id },
            ServerFrame::CommandRefused { id, code: "gone".into(), detail: "…".into() },
            ServerFrame::Closing { code: CloseCode::GoingAway },
            ServerFrame::Pong,
        ]
    }

    #[test]
    fn every_server_frame_round_trips_and_no_shortened_one_does() {
        for frame in frames() {
            let bytes = encode(&frame);
            assert_eq!(decode::<ServerFrame>(&bytes).as_ref(), Ok(&frame));
            for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
                assert_eq!(decode::<ServerFrame>(&bytes[..cut]), Err(FrameError::Malformed));
            }
        }
    }

    #[test]
    fn fields_of_a_later_version_are_passed_over() {
        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Later {
            Gone { added: (Vec<(u8, Option<bool>)>, String), document: DocumentId, also: Position, minus: i64 },
        }
        let audience = Audience::Household;
        let frame = Later::Gone {
            added: (vec![(1, None), (200, Some(true))], "x".into()),
            document: DocumentId::Home,
            also: Position { audience, at: 1 },
            minus: -70_000,
        };
        assert_eq!(decode::<ServerFrame>(&encode(&frame)), Ok(ServerFrame::Gone { document: DocumentId::Home }));
    }

    #[test]
    fn numbers_of_every_length_and_sign_round_trip() {
        let numbers = [0, 1, 23, 24, 255, 256, 65_535, 65_536, u32::MAX.into(), i64::from(u32::MAX) + 1, i64::MAX];
        for number in numbers.into_iter().flat_map(|number| [number, -1 - number]) {
            assert_eq!(decode::<i64>(&encode(&number)), Ok(number));
        }
        assert_eq!(decode::<u64>(&encode(&u64::MAX)), Ok(u64::MAX));
        assert_eq!(decode::<u8>(&encode(&256)), Err(FrameError::Malformed));
        assert_eq!(decode::<u64>(&encode(&-1)), Err(FrameError::Malformed));
        // -2^64
        assert_eq!(decode::<i64>(&[0x3b, 255, 255, 255, 255, 255, 255, 255, 255]), Err(FrameError::Malformed));
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = decode::<ClientFrame>(&bytes);
        }

        #[test]
        fn damaged_frames_never_panic(at in 0_usize..200, value: u8) {
            let mut bytes = encode(&push());
            let at = at % bytes.len();
            bytes[at] = value;
            let _ = decode::<ClientFrame>(&bytes);
        }
    }
}
