//! What a screen and a replica say to each other. In the browser this crosses from the page to a worker.

use crate::view::{Draft, FoundView, HomeView, LiveView, MessageView, OwnView, QueueView, SyncView, ThreadView};
use serde::{Deserialize, Serialize};
use shared::operation::PreferenceKey;
use shared::{KinId, MessageId, SessionId, TextField, TurnId};

/// From a screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// A screen has (re)started: answer with home and sync state.
    Attach,
    /// Show a thread: answered with [`Event::Thread`], kept up to date until closed.
    OpenThread {
        /// Which.
        session: SessionId,
    },
    /// Stop keeping it up to date.
    CloseThread {
        /// Which.
        session: SessionId,
    },
    /// Bring the chapter before the oldest loaded one; answered with [`Event::Thread`].
    LoadOlder {
        /// Of which thread.
        session: SessionId,
    },
    /// Show the thread back to a chapter; answered with one [`Event::Thread`] when all of it is here.
    LoadBack {
        /// Of which thread.
        session: SessionId,
        /// The oldest chapter to show.
        chapter: u32,
    },
    /// Send a message. The id is made by the screen, so that asking twice sends once.
    Send {
        /// Where.
        session: SessionId,
        /// Fresh.
        message: MessageId,
        /// Markdown.
        text: String,
        /// The message it quotes.
        reply_to: Option<MessageId>,
    },
    /// Set or take back one's own reaction to a message.
    React {
        /// Of which session.
        session: SessionId,
        /// Which message.
        message: MessageId,
        /// One emoji; empty for none.
        emoji: String,
    },
    /// Keep a message at hand, or no longer.
    Pin {
        /// Of which session.
        session: SessionId,
        /// Which message.
        message: MessageId,
        /// How it begins; `None` takes the pin out.
        excerpt: Option<String>,
    },
    /// Keep what the member is writing. It is on the device at once, and on the member's other devices when they have
    /// rested or left the thread.
    KeepDraft {
        /// For which session.
        session: SessionId,
        /// All of it.
        draft: Draft,
    },
    /// Look for words in what is on this device: answered with [`Event::Found`], again with each part that was looked
    /// through. Takes the place of what was looked for there before.
    Find {
        /// In one thread only.
        session: Option<SessionId>,
        /// As typed; see [`shared::words::Query::parse`]. Nothing ends the search.
        words: String,
        /// Stop when so many are found. Asked for more of the same, it goes on.
        most: u32,
    },
    /// The page is about to be hidden: write now what would be written in a moment.
    Settle,
    /// Forget a message that is unsent or refused.
    Discard {
        /// Which.
        message: MessageId,
    },
    /// Try a refused message again, as a new one with the same text.
    Resend {
        /// Which.
        message: MessageId,
    },
    /// Take back one's own message that waits in the queue.
    Withdraw {
        /// Which.
        message: MessageId,
    },
    /// Take a message's words away, for everybody and for good.
    Redact {
        /// Which.
        message: MessageId,
    },
    /// Stop the running turn.
    Stop {
        /// Of which session.
        session: SessionId,
        /// Which turn.
        turn: TurnId,
    },
    /// Try a failed or stopped answer again.
    Retry {
        /// Of which session.
        session: SessionId,
        /// The answer.
        answer: MessageId,
    },
    /// The member has seen everything up to `seq`.
    MarkRead {
        /// Of which session.
        session: SessionId,
        /// Newest message seen.
        seq: u64,
    },
    /// Show a Kin's texts: answered with [`Event::KinTexts`].
    OpenKin {
        /// Which.
        kin: KinId,
    },
    /// Replace a Kin's text by an edited one; the difference to what the screen was shown merges with others' edits.
    EditKinText {
        /// Which Kin.
        kin: KinId,
        /// Which text.
        field: TextField,
        /// What the screen was shown.
        from: String,
        /// What the member made of it.
        to: String,
    },
    /// Set a preference.
    SetPreference {
        /// Which.
        key: PreferenceKey,
        /// Its value.
        value: String,
    },
    /// The member's key for what this device keeps: opens a locked store, and lets it be locked again later.
    Unlock {
        /// Their key.
        key: DeviceKey,
    },
    /// Sign out: wipe this device's replica, key and outbox. Answered with [`Event::Wiped`].
    Wipe,
}

/// A member's key for what their devices keep. Never printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceKey(pub [u8; 32]);

impl std::fmt::Debug for DeviceKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeviceKey")
    }
}

/// To every screen of the device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The whole home view; sent whenever it changed.
    Home(HomeView),
    /// A thread as loaded; replaces what was shown of it.
    Thread(ThreadView),
    /// Some messages of an open thread changed, came or went.
    ThreadChanged {
        /// Of which thread.
        session: SessionId,
        /// New or changed.
        upserts: Vec<MessageView>,
        /// No longer shown.
        removed: Vec<MessageId>,
    },
    /// The running answer begins, or begins again with another attempt, or was re-read whole.
    Live {
        /// Of which thread.
        session: SessionId,
        /// `None` when it ended or was voided.
        live: Option<LiveView>,
    },
    /// More text of the running answer; appended to what is shown.
    LiveText {
        /// Of which thread.
        session: SessionId,
        /// The piece.
        text: String,
    },
    /// The queue of an open thread changed.
    Queue {
        /// Of which thread.
        session: SessionId,
        /// Its state.
        queue: QueueView,
    },
    /// The member's own part of an open thread changed.
    Own {
        /// Of which thread.
        session: SessionId,
        /// All of it.
        own: OwnView,
    },
    /// Messages with the words that were looked for, the newest first; of one thread, from its end upwards.
    Found {
        /// As asked.
        session: Option<SessionId>,
        /// As asked.
        words: String,
        /// No more than asked for.
        found: Vec<FoundView>,
        /// How many there are, as far as is known.
        count: u32,
        /// Whether that is all there are.
        is_counted: bool,
        /// Whether it goes on by itself.
        is_searching: bool,
    },
    /// The sync state changed.
    Sync(SyncView),
    /// The message is safe on this device: the composer may forget it.
    Queued {
        /// Which.
        message: MessageId,
    },
    /// Something asked for did not happen; `code` has words in the app's language files.
    Problem {
        /// Why: a code of the API, or `storage_full`, `message_too_large`, `message_empty`.
        code: String,
        /// The message it is about.
        message: Option<MessageId>,
    },
    /// A Kin's texts.
    KinTexts {
        /// Which.
        kin: KinId,
        /// Tone and personality.
        character: String,
        /// Goal and knowledge.
        expertise: String,
    },
    /// The server says this device was signed out: show sign-in. The replica has been wiped.
    SignedOut,
    /// The login has run out, or the store is locked: show sign-in. What is stored stays, and [`Request::Unlock`]
    /// opens it.
    Locked,
    /// A wipe is complete.
    Wiped,
}
