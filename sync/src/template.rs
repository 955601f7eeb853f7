//! Changes built from plain data, without a document in memory.
//!
//! The client makes the same change through Automerge's own transaction; both have the same hash (property-tested in
//! `tests/it/equality.rs`). Cost is that of the change, whatever the size of the document.

use crate::genesis::{self, object};
use automerge::legacy::{Key, ObjectId, Op, OpId, OpType, SortedVec};
use automerge::{ActorId as AmActorId, Change, ExpandedChange, ObjType, ScalarValue};
use shared::{ActorId, Author, ChangeHash, Failure, MemberId, MessageId, MessageState, TurnId, UnixMillis};
use std::num::NonZeroU64;

/// Where a change stands in its document's history; see [`shared::ChangeHeader`] without the hash.
#[derive(Debug, Clone)]
pub struct Place {
    /// Who writes.
    pub actor: ActorId,
    /// The actor's count of changes, this one included.
    pub seq: u64,
    /// Number of the first operation.
    pub start_op: u64,
    /// Heads before the change, ascending.
    pub deps: Vec<ChangeHash>,
    /// When.
    pub time: UnixMillis,
}

/// A name for an operation: counter and actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpName {
    /// Its number.
    pub counter: u64,
    /// Who made it.
    pub actor: ActorId,
}

impl OpName {
    fn id(self) -> OpId {
        OpId(self.counter, AmActorId::from(self.actor.0))
    }
}

/// The scalar fields of a message, in the order both sides write them.
#[derive(Debug, Clone)]
pub struct MessageFields<'a> {
    /// Who wrote it.
    pub author: Author,
    /// Markdown.
    pub text: &'a str,
    /// When, by its writer's clock.
    pub sent_at: UnixMillis,
    /// What it quotes.
    pub reply_to: Option<MessageId>,
    /// What the server adds when it is the writer.
    pub server: Option<ServerFields<'a>>,
}

/// Fields only the server writes.
#[derive(Debug, Clone)]
pub struct ServerFields<'a> {
    /// Number in the session.
    pub seq: u64,
    /// What it answers and in which turn, for a Kin's message.
    pub answer: Option<AnswerFields<'a>>,
}

/// Fields of a Kin's answer.
#[derive(Debug, Clone)]
pub struct AnswerFields<'a> {
    /// The message it answers.
    pub answers: MessageId,
    /// The turn that wrote it.
    pub turn: TurnId,
    /// How the turn ended.
    pub state: MessageState,
    /// Why it failed.
    pub failure: Option<&'a Failure>,
}

impl MessageFields<'_> {
    /// Keys and values in the order they are written.
    pub(crate) fn entries(&self) -> Vec<(&'static str, ScalarValue)> {
        let text = |value: &str| ScalarValue::Str(value.into());
        let mut entries = vec![
            ("author", text(&self.author.to_string())),
            ("text", text(self.text)),
            ("sent_at", ScalarValue::Timestamp(self.sent_at.0)),
        ];
        if let Some(quoted) = self.reply_to {
            entries.push(("reply_to", text(&quoted.to_string())));
        }
        if let Some(server) = &self.server {
            entries.push(("seq", ScalarValue::Uint(server.seq)));
            if let Some(answer) = &server.answer {
                entries.push(("answers", text(&answer.answers.to_string())));
                entries.push(("turn", text(&answer.turn.to_string())));
                entries.push(("state", text(answer.state.as_str())));
                if let Some(failure) = answer.failure {
                    entries.push(("failure", text(failure.kind.as_str())));
                    if !failure.detail.is_empty() {
                        entries.push(("failure_detail", text(&failure.detail)));
                    }
                    if let Some(at) = failure.retry_at {
                        entries.push(("retry_at", ScalarValue::Timestamp(at.0)));
                    }
                }
            }
        }
        entries
    }
}

/// Adds a message to a chapter. The message's object is named `(start_op, actor)`.
pub fn add_message(place: &Place, message: MessageId, fields: &MessageFields<'_>) -> Change {
    let messages = genesis::object_id(object::MESSAGES);
    let object = ObjectId::Id(OpId(place.start_op, AmActorId::from(place.actor.0)));
    let mut operations = vec![op(messages, &message.to_string(), OpType::Make(ObjType::Map), None)];
    for (key, value) in fields.entries() {
        operations.push(op(object.clone(), key, OpType::Put(value), None));
    }
    build(place, operations)
}

/// A message as a chapter written anew holds it.
#[derive(Debug, Clone)]
pub struct Whole<'a> {
    /// The message.
    pub id: MessageId,
    /// Its fields.
    pub fields: MessageFields<'a>,
    /// Its lasting state, when the fields do not say it.
    pub state: Option<MessageState>,
}

/// Adds many messages in one change. Gives for each the name of its object and of the operation that sets its state.
pub fn add_messages(place: &Place, messages: &[Whole<'_>]) -> (Change, Vec<(OpName, Option<OpName>)>) {
    let (mut operations, mut names) = (Vec::new(), Vec::new());
    for message in messages {
        let name =
            |operations: &Vec<Op>| OpName { counter: place.start_op + operations.len() as u64, actor: place.actor };
        let object = name(&operations);
        let map = genesis::object_id(object::MESSAGES);
        operations.push(op(map, &message.id.to_string(), OpType::Make(ObjType::Map), None));
        let state = message.state.map(|state| ("state", ScalarValue::Str(state.as_str().into())));
        let mut state_op = None;
        for (key, value) in message.fields.entries().into_iter().chain(state) {
            if key == "state" {
                state_op = Some(name(&operations));
            }
            operations.push(op(ObjectId::Id(object.id()), key, OpType::Put(value), None));
        }
        names.push((object, state_op));
    }
    (build(place, operations), names)
}

/// Sets reactions that a chapter written anew holds.
pub fn set_reactions(place: &Place, reactions: &[(MessageId, MemberId, String)]) -> Change {
    let set = |(message, member, emoji): &(MessageId, MemberId, String)| {
        let map = genesis::object_id(object::AMEND);
        let value = OpType::Put(ScalarValue::Str(emoji.as_str().into()));
        op(map, &format!("{message}/{member}"), value, None)
    };
    build(place, reactions.iter().map(set).collect())
}

/// Most operations [`add_message`] makes of a member's message.
pub const MEMBER_MESSAGE_OPS: u64 = 5;

/// Gives an admitted message its number.
pub fn set_seq(place: &Place, message: OpName, seq: u64) -> Change {
    build(place, vec![op(ObjectId::Id(message.id()), "seq", OpType::Put(ScalarValue::Uint(seq)), None)])
}

/// Sets a message's lasting state; `before` is the operation that set it last, if any.
pub fn set_state(place: &Place, message: OpName, state: MessageState, before: Option<OpName>) -> Change {
    let value = OpType::Put(ScalarValue::Str(state.as_str().into()));
    build(place, vec![op(ObjectId::Id(message.id()), "state", value, before)])
}

fn op(obj: ObjectId, key: &str, action: OpType, pred: Option<OpName>) -> Op {
    let pred: SortedVec<OpId> = pred.into_iter().map(OpName::id).collect();
    Op { action, obj, key: Key::Map(key.into()), pred, insert: false }
}

fn build(place: &Place, operations: Vec<Op>) -> Change {
    Change::from(ExpandedChange {
        operations,
        actor_id: AmActorId::from(place.actor.0),
        hash: None,
        seq: place.seq,
        // A start of 0 names no operation; such a header hashes to something else than the client claims.
        start_op: NonZeroU64::new(place.start_op).unwrap_or(NonZeroU64::MIN),
        time: place.time.0,
        message: None,
        deps: place.deps.iter().map(|hash| automerge::ChangeHash(hash.0)).collect(),
        extra_bytes: Vec::new(),
        author: None,
    })
}

/// The hash of a change in our own type.
pub fn hash_of(change: &Change) -> ChangeHash {
    ChangeHash(change.hash().0)
}
