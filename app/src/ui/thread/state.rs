//! A thread as the screen holds it: messages in order, where the running answer stands, where the unread divider is.
//!
//! Plain data, changed by the replica's events. The text of the running answer is kept apart by the store, since it
//! changes with every piece and nothing here depends on it.

use shared::frame::RunningTurn;
use shared::{Author, MemberId, MessageId, SessionId, TurnId};
use std::collections::HashSet;
use sync::view::{LiveView, MessageStatus, MessageView, QueueView, ThreadView};

/// What stays the same about a row while its content changes. An answer keeps its key when it becomes a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKey {
    /// A message of a member, or an answer of an unknown turn.
    Message(MessageId),
    /// An answer, running or done.
    Turn(TurnId),
}

impl RowKey {
    /// The key of a message's row.
    pub fn of(message: &MessageView) -> Self {
        message.turn.map_or(Self::Message(message.id), Self::Turn)
    }
}

impl std::fmt::Display for RowKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Message(id) => id.fmt(f),
            Self::Turn(id) => id.fmt(f),
        }
    }
}

/// One row of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row<'a> {
    /// A message.
    Message(&'a MessageView),
    /// The answer that is being written, or waits to be tried again.
    Running(TurnId),
}

/// An open thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Which.
    pub session: SessionId,
    /// Whether there are older messages to load.
    pub has_older: bool,
    /// Whether the replica holds anything of it yet.
    pub loaded: bool,
    /// The first message the member had not read when they came in.
    pub divider: Option<MessageId>,
    /// Who looks at it.
    me: MemberId,
    messages: Vec<MessageView>,
    queue: QueueView,
    /// Turn of the running answer's text, and what it answers.
    live: Option<(TurnId, MessageId)>,
    /// Messages that have an answer.
    answered: HashSet<MessageId>,
    /// Row of the running answer.
    running_row: Option<usize>,
}

impl Thread {
    /// A thread as the replica first shows it.
    pub fn new(view: ThreadView, me: MemberId) -> Self {
        let mut thread = Self {
            session: view.session,
            has_older: view.has_older,
            loaded: view.loaded,
            divider: None,
            me,
            messages: Vec::new(),
            queue: QueueView::default(),
            live: None,
            answered: HashSet::new(),
            running_row: None,
        };
        let read_up_to = view.read_up_to;
        thread.replace(view);
        thread.divider = thread.first_unread(read_up_to);
        thread
    }

    /// The same thread, loaded anew or further back. The divider stays where it was.
    pub fn replace(&mut self, view: ThreadView) {
        if !self.loaded && view.loaded {
            // What was shown until now was nothing, so this is the moment of coming in.
            self.loaded = true;
            let read_up_to = view.read_up_to;
            self.replace(view);
            self.divider = self.first_unread(read_up_to);
            return;
        }
        self.has_older = view.has_older;
        self.loaded = view.loaded;
        // They come in order.
        self.messages = view.messages;
        self.queue = view.queue;
        self.live = view.live.as_ref().map(|live| (live.turn, live.answers));
        self.settle();
    }

    /// Some messages changed, came or went.
    pub fn change(&mut self, upserts: Vec<MessageView>, removed: &[MessageId]) {
        let gone: HashSet<MessageId> =
            removed.iter().copied().chain(upserts.iter().map(|message| message.id)).collect();
        self.messages.retain(|message| !gone.contains(&message.id));
        for message in upserts {
            let at = self.messages.partition_point(|other| place(other) <= place(&message));
            self.messages.insert(at, message);
        }
        self.settle();
    }

    /// The running answer began or ended.
    pub fn set_live(&mut self, live: Option<&LiveView>) {
        self.live = live.map(|live| (live.turn, live.answers));
        self.settle();
    }

    /// The queue changed.
    pub fn set_queue(&mut self, queue: QueueView) {
        self.queue = queue;
        self.settle();
    }

    /// A loaded message.
    pub fn find(&self, id: MessageId) -> Option<&MessageView> {
        self.messages.iter().find(|message| message.id == id)
    }

    /// Messages that wait in the queue, next one first.
    pub fn waiting(&self) -> Vec<MessageId> {
        self.queue.waiting.clone()
    }

    /// The newest of the member's own messages that has not left the device.
    pub fn last_unsent(&self) -> Option<&MessageView> {
        let is_here =
            |message: &&MessageView| matches!(message.status, MessageStatus::Unsent | MessageStatus::Refused(_));
        self.messages.iter().rev().find(is_here)
    }

    /// The first message that has not left the device.
    pub fn first_unsent(&self) -> Option<MessageId> {
        self.messages.iter().find(|message| message.status == MessageStatus::Unsent).map(|message| message.id)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.messages.len() + usize::from(self.running_row.is_some())
    }

    /// A row, oldest first.
    pub fn row(&self, at: usize) -> Option<Row<'_>> {
        match self.running_row {
            Some(running) if at == running => self.running_turn().map(Row::Running),
            Some(running) if at > running => self.messages.get(at - 1).map(Row::Message),
            Some(_) | None => self.messages.get(at).map(Row::Message),
        }
    }

    /// A row's key.
    pub fn key(&self, at: usize) -> Option<RowKey> {
        self.row(at).map(|row| match row {
            Row::Message(message) => RowKey::of(message),
            Row::Running(turn) => RowKey::Turn(turn),
        })
    }

    /// The turn that runs, as the queue tells it.
    pub fn running(&self) -> Option<&RunningTurn> {
        self.queue.running.as_ref()
    }

    /// The turn that can be stopped.
    pub fn running_turn(&self) -> Option<TurnId> {
        self.queue.running.as_ref().map(|running| running.turn).or(self.live.map(|(turn, _)| turn))
    }

    /// Place in the queue, 1 for the next one.
    pub fn waiting_place(&self, message: MessageId) -> Option<usize> {
        self.queue.waiting.iter().position(|waiting| *waiting == message).map(|at| at + 1)
    }

    /// Whether the Kin has taken a message up.
    pub fn is_taken_up(&self, message: MessageId) -> bool {
        self.answered.contains(&message)
            || self.queue.running.as_ref().is_some_and(|running| running.answers == message)
    }

    /// The newest admitted message.
    pub fn newest_seq(&self) -> Option<u64> {
        self.messages.iter().rev().find_map(|message| message.seq)
    }

    /// Whether the newest message has just been written here, so that the log should show it.
    pub fn ends_with_unsent(&self) -> bool {
        self.messages.last().is_some_and(|message| message.status == MessageStatus::Unsent)
    }

    fn first_unread(&self, read_up_to: u64) -> Option<MessageId> {
        let unread = |message: &MessageView| {
            message.seq.is_some_and(|seq| seq > read_up_to) && message.author != Author::Member(self.me)
        };
        let at = self.messages.iter().position(unread)?;
        // Above the very first message a divider would divide nothing.
        (at > 0 && read_up_to > 0).then(|| self.messages[at].id)
    }

    /// Works out what depends on messages, queue and running answer together.
    fn settle(&mut self) {
        self.answered = self.messages.iter().filter_map(|message| message.answers).collect();
        let running = self.queue.running.as_ref().map(|running| (running.turn, running.answers)).or(self.live);
        self.running_row = running.and_then(|(turn, answers)| {
            if self.messages.iter().any(|message| message.turn == Some(turn)) {
                return None;
            }
            let asked = self.messages.iter().find(|message| message.id == answers).and_then(|message| message.seq);
            Some(match asked {
                Some(seq) => self.messages.partition_point(|message| message.order <= (seq, 1)),
                // What it answers is not loaded: behind everything admitted.
                None => self.messages.partition_point(|message| message.seq.is_some()),
            })
        });
    }
}

fn place(message: &MessageView) -> ((u64, u64), shared::UnixMillis, MessageId) {
    (message.order, message.sent_at, message.id)
}

#[cfg(test)]
mod tests;
