//! What a screen shows: plain data that the replica keeps up to date. No document types leave this crate.

use serde::{Deserialize, Serialize};
use shared::frame::{RefusalCode, RunningTurn};
use shared::profile::{KinProfile, MemberProfile};
use shared::{Author, Failure, FailureKind, KinId, MemberId, MessageId, SessionId, TurnId, UnixMillis};

/// The household in short: sidebar and home screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomeView {
    /// Whose replica this is.
    pub me: MemberId,
    /// The household's name; empty until it has one.
    pub name: String,
    /// Kins in list order, archived ones included.
    pub kins: Vec<KinView>,
    /// Members, by nickname; those who do not live here any more included.
    pub members: Vec<MemberProfile>,
    /// The member's own settings.
    pub preferences: Preferences,
}

/// A Kin in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KinView {
    /// Name, role, avatar, hue, session, model.
    pub profile: KinProfile,
    /// What it is doing.
    pub activity: Activity,
    /// Messages of members waiting in its queue.
    pub waiting: u32,
    /// Messages of others past my read marker, counted in the newest chapter.
    pub unread: u32,
    /// Messages for it that are on this device only.
    pub unsent: u32,
    /// First line of the newest message, at most 120 characters, Markdown marks removed; empty when there is none.
    pub preview: String,
    /// When the newest message was sent.
    pub last_at: Option<UnixMillis>,
}

/// What a Kin is doing right now, or why it is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Nothing runs.
    Idle,
    /// A turn runs.
    Writing,
    /// A call failed and will be tried again.
    Retrying(Failure),
    /// The newest answer failed and nobody has retried it.
    Failed(FailureKind),
}

/// Settings that follow the member.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preferences {
    /// `light`, `dark` or `system`; `None` when never set.
    pub theme: Option<String>,
    /// `en` or `fr`; `None` when never set.
    pub language: Option<String>,
}

/// One message of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageView {
    /// The message.
    pub id: MessageId,
    /// Who wrote it.
    pub author: Author,
    /// Markdown.
    pub text: String,
    /// When, by its writer's clock.
    pub sent_at: UnixMillis,
    /// Its number in the session; `None` until the server has admitted it.
    pub seq: Option<u64>,
    /// Its place in the thread: sort by this. Answers stand behind what they answer; unsent messages stand last.
    pub order: (u64, u64),
    /// What it answers, when it is a Kin's.
    pub answers: Option<MessageId>,
    /// The turn that wrote it, when it is a Kin's. Replaces the running answer of that turn.
    pub turn: Option<TurnId>,
    /// What it quotes.
    pub reply_to: Option<MessageId>,
    /// In the order of the emoji.
    pub reactions: Vec<ReactionView>,
    /// Where it stands.
    pub status: MessageStatus,
}

/// Where a message stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// On this device only; leaves as soon as the server can be reached.
    Unsent,
    /// The server refused it; the text is kept here until the member discards or copies it.
    Refused(RefusalCode),
    /// Admitted. Whether it waits in the queue is in [`QueueView`].
    Done,
    /// Its words were taken away for good.
    Redacted,
    /// An answer a member stopped.
    Stopped,
    /// An answer that failed; its text may be empty.
    Failed(Failure),
}

/// The loaded part of a thread, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadView {
    /// The session.
    pub session: SessionId,
    /// Oldest first.
    pub messages: Vec<MessageView>,
    /// Whether [`Request::LoadOlder`](crate::port::Request::LoadOlder) can bring more.
    pub has_older: bool,
    /// Whether the replica holds anything of this thread yet; `false` shows loading, never "empty".
    pub loaded: bool,
    /// The member's read marker when the thread was opened: where the unread divider stands.
    pub read_up_to: u64,
    /// The running answer so far.
    pub live: Option<LiveView>,
    /// The queue.
    pub queue: QueueView,
}

/// What a member has written for a session and not sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// As written.
    pub text: String,
    /// The message it will quote.
    pub reply_to: Option<MessageId>,
}

impl Draft {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reply_to.is_none()
    }
}

/// A message the member keeps at hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// Which.
    pub message: MessageId,
    /// How it begins.
    pub excerpt: String,
}

/// What of a thread is the member's own and nobody else's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnView {
    /// What they have written and not sent.
    pub draft: Draft,
    /// What they keep at hand, oldest first.
    pub pins: Vec<Pin>,
}

/// A message that was found by its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundView {
    /// Of which session.
    pub session: SessionId,
    /// Which.
    pub message: MessageId,
    /// Who wrote it.
    pub author: Author,
    /// When.
    pub sent_at: UnixMillis,
    /// Its chapter.
    pub chapter: u32,
    /// The words around, on one line.
    pub excerpt: String,
    /// Where in the excerpt what was looked for stands, in bytes.
    pub marks: Vec<(u32, u32)>,
}

/// A reaction and who gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionView {
    /// One emoji.
    pub emoji: String,
    /// By id.
    pub members: Vec<MemberId>,
}

/// A running answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveView {
    /// The turn.
    pub turn: TurnId,
    /// Who writes.
    pub kin: KinId,
    /// What it answers.
    pub answers: MessageId,
    /// The attempt.
    pub attempt: u32,
    /// Everything so far.
    pub text: String,
}

/// A session's queue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueView {
    /// The turn that runs.
    pub running: Option<RunningTurn>,
    /// Messages that wait, first first.
    pub waiting: Vec<MessageId>,
}

/// The state of the replica, always visible (Y-8).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncView {
    /// Where the connection stands.
    pub connection: Connection,
    /// When it was lost, or when this replica began without one; `None` while there is one.
    pub lost_at: Option<UnixMillis>,
    /// Messages and edits on this device that the server has not accepted yet. Not read markers and preferences.
    pub unsent: u32,
    /// Messages and edits the server refused and the member has not dealt with.
    pub refused: u32,
    /// Those of the refused messages that no thread shows, because their Kin is gone. Oldest first.
    pub stranded: Vec<RefusedView>,
}

/// A refused message outside its thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedView {
    /// The message.
    pub message: MessageId,
    /// Markdown.
    pub text: String,
    /// Why it was refused.
    pub code: RefusalCode,
}

/// Where the connection stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Connection {
    /// No connection; reading and writing go on.
    #[default]
    Offline,
    /// Connected, catching up.
    Syncing,
    /// Everything the server has is here.
    UpToDate,
}
