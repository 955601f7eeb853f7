//! Open threads: the messages of the loaded chapters, in order, kept up to date message by message.

use super::{Replica, documents::Loaded};
use crate::document::StoredMessage;
use crate::port::Event;
use crate::view::{MessageStatus, MessageView, OwnView, ReactionView, RefusedView, ThreadView};
use shared::{
    Author, DocumentId, Failure, FailureKind, MemberId, MessageId, MessageState, Operation, SessionId, TurnId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A thread shows at least this many messages when there are as many.
const FIRST_MESSAGES: usize = 40;

/// An open thread.
#[derive(Debug)]
pub(super) struct Thread {
    /// The oldest chapter shown.
    pub oldest: u32,
    /// The chapter that is to be the oldest, once it and those between are in memory.
    wanted: Option<u32>,
    /// Where the unread divider stands.
    read_up_to: u64,
    /// Messages on the screen, to know what a change adds and what it takes away.
    shown: BTreeSet<MessageId>,
    /// What was last said of the member's own part.
    pub own: Option<OwnView>,
}

impl Replica {
    pub(super) fn open_thread(&mut self, session: SessionId) {
        let newest = match self.newest_chapter(session) {
            Some(DocumentId::Chapter(_, number)) => number,
            _ => 1,
        };
        let read_up_to = self.read_up_to(session);
        let new = Thread { oldest: newest, wanted: None, read_up_to, shown: BTreeSet::new(), own: None };
        // Opened once more, by another page: that one knows nothing yet.
        self.threads.entry(session).or_insert(new).own = None;
        self.own_changed = true;
        self.watch();
        self.fill_thread(session);
        self.show_thread(session);
    }

    pub(super) fn close_thread(&mut self, session: SessionId) {
        self.flush_drafts(Some(session));
        self.threads.remove(&session);
        self.forget_answer(session);
        // The newest two chapters stay for the home view; older ones are read again when needed.
        if let Some(DocumentId::Chapter(_, newest)) = self.newest_chapter(session) {
            self.loaded.retain(
                |id, _| !matches!(id, DocumentId::Chapter(of, number) if *of == session && number + 1 < newest),
            );
        }
        self.watch();
    }

    pub(super) fn load_older(&mut self, session: SessionId) {
        let before = self.threads.get(&session).map_or(0, |thread| thread.oldest.saturating_sub(1));
        self.load_back(session, before);
    }

    /// Shows a thread back to a chapter: all at once, however many come between.
    pub(super) fn load_back(&mut self, session: SessionId, chapter: u32) {
        let Some(thread) = self.threads.get_mut(&session) else { return };
        let oldest = thread.oldest;
        if chapter == 0 || chapter >= oldest {
            return self.show_thread(session);
        }
        thread.wanted = Some(thread.wanted.map_or(chapter, |wanted| wanted.min(chapter)));
        for number in (chapter..oldest).rev() {
            let id = DocumentId::Chapter(session, number);
            if self.loaded.contains_key(&id) {
                continue;
            }
            if self.index.contains_key(&id) {
                self.load(id, false);
            } else if self.connected {
                self.fetch(id);
            } else {
                // As far as it goes.
                let reached = Some(number + 1).filter(|reached| *reached < oldest);
                if let Some(thread) = self.threads.get_mut(&session) {
                    thread.wanted = reached;
                }
                self.problem("older_offline", None);
                break;
            }
        }
        if self.reach_back(session) {
            self.show_thread(session);
        }
    }

    /// Whether the thread goes back further now: everything down to the chapter that is wanted has come.
    fn reach_back(&mut self, session: SessionId) -> bool {
        let Some(thread) = self.threads.get_mut(&session) else { return false };
        let Some(wanted) = thread.wanted else { return false };
        let is_here = |number| self.loaded.contains_key(&DocumentId::Chapter(session, number));
        if wanted >= thread.oldest || !(wanted..thread.oldest).all(is_here) {
            return false;
        }
        (thread.oldest, thread.wanted) = (wanted, None);
        true
    }

    /// A chapter has come into memory.
    pub(super) fn chapter_ready(&mut self, session: SessionId, id: DocumentId) {
        let DocumentId::Chapter(_, number) = id else { return };
        self.reach_back(session);
        // One that is older is read by a search, or something that is not shown waits for it.
        if self.threads.get(&session).is_some_and(|thread| number >= thread.oldest) {
            self.fill_thread(session);
            self.show_thread(session);
        }
    }

    /// A thread whose newest chapter has just begun shows the one before, too.
    fn fill_thread(&mut self, session: SessionId) {
        let Some(thread) = self.threads.get(&session) else { return };
        let newest = DocumentId::Chapter(session, thread.oldest);
        let ready = self.loaded.contains_key(&newest);
        if ready && thread.oldest > 1 && self.messages_of(session).len() < FIRST_MESSAGES {
            let number = thread.oldest - 1;
            let before = DocumentId::Chapter(session, number);
            if let Some(thread) = self.threads.get_mut(&session) {
                thread.wanted = Some(thread.wanted.map_or(number, |wanted| wanted.min(number)));
            }
            if self.loaded.contains_key(&before) {
                if self.reach_back(session) {
                    self.fill_thread(session);
                }
            } else if self.index.contains_key(&before) {
                self.load(before, false);
            } else {
                self.fetch(before);
            }
        }
    }

    /// After a reconnect the whole state is told again: running answers may have become messages.
    pub(super) fn refresh_threads(&mut self) {
        let sessions: Vec<SessionId> = self.threads.keys().copied().collect();
        for session in sessions {
            self.fill_thread(session);
            self.show_thread(session);
        }
    }

    pub(super) fn show_thread(&mut self, session: SessionId) {
        let messages = self.messages_of(session);
        let live = self.live.answer(session).cloned();
        let queue = self.live.queue(session);
        let loaded = self.newest_chapter(session).is_some_and(|id| self.loaded.contains_key(&id));
        let Some(thread) = self.threads.get_mut(&session) else { return };
        thread.shown = messages.iter().map(|message| message.id).collect();
        let view = ThreadView {
            session,
            messages,
            has_older: thread.oldest > 1,
            loaded,
            read_up_to: thread.read_up_to,
            live,
            queue,
        };
        self.clear_touched(session);
        self.event(Event::Thread(view));
    }

    /// Tells what changed in a document since it was last shown.
    pub(super) fn show_changes(&mut self, id: DocumentId) {
        if let Some(loaded) = self.loaded.get_mut(&id) {
            loaded.refresh();
        }
        match id {
            DocumentId::Chapter(session, number) => self.show_chapter(session, number, id),
            DocumentId::Kin(kin) => self.show_kin(kin),
            DocumentId::Me(_) => self.own_changed = true,
            DocumentId::Home => {}
        }
    }

    fn show_chapter(&mut self, session: SessionId, number: u32, id: DocumentId) {
        let Some(thread) = self.threads.get(&session).filter(|thread| number >= thread.oldest) else { return };
        let oldest = thread.oldest;
        let Some(loaded) = self.loaded.get(&id) else { return };
        if loaded.touched.is_empty() {
            return;
        }
        let (mut upserts, mut removed, mut ended) = (Vec::new(), Vec::new(), Vec::new());
        for message in &loaded.touched {
            let found = self.find_in_chapter(session, *message).filter(|(number, _)| *number >= oldest);
            match found.and_then(|(_, stored)| self.message_view(session, stored)) {
                Some(view) => {
                    ended.extend(view.turn);
                    upserts.push(view);
                }
                None if thread.shown.contains(message) => removed.push(*message),
                None => {}
            }
        }
        upserts.sort_by_key(|message| (message.order, message.id));
        if let Some(loaded) = self.loaded.get_mut(&id) {
            loaded.touched.clear();
        }
        if let Some(thread) = self.threads.get_mut(&session) {
            thread.shown.extend(upserts.iter().map(|message| message.id));
            thread.shown.retain(|message| !removed.contains(message));
        }
        if !upserts.is_empty() || !removed.is_empty() {
            self.event(Event::ThreadChanged { session, upserts, removed });
        }
        for turn in ended {
            self.drop_answer(session, turn);
        }
    }

    /// Whether an open thread shows a chapter, or is about to.
    pub(super) fn shows_chapter(&self, session: SessionId, number: u32) -> bool {
        let thread = self.threads.get(&session);
        thread.is_some_and(|thread| number >= thread.wanted.map_or(thread.oldest, |wanted| wanted.min(thread.oldest)))
    }

    fn clear_touched(&mut self, session: SessionId) {
        for (id, loaded) in &mut self.loaded {
            if matches!(id, DocumentId::Chapter(of, _) if *of == session) {
                loaded.touched.clear();
            }
        }
    }

    /// Every message shown of a session, in order, refused ones last.
    pub(super) fn messages_of(&self, session: SessionId) -> Vec<MessageView> {
        let oldest = self.threads.get(&session).map_or(1, |thread| thread.oldest);
        let mut messages: Vec<MessageView> = self
            .chapters(session)
            .filter(|(number, _)| *number >= oldest)
            .flat_map(|(_, loaded)| loaded.messages.values())
            .filter_map(|stored| self.message_view(session, stored))
            .collect();
        messages.extend(self.refused_messages(session));
        messages.sort_by_key(|message| (message.order, message.id));
        messages
    }

    fn chapters(&self, session: SessionId) -> impl Iterator<Item = (u32, &Loaded)> {
        self.loaded.iter().filter_map(move |(id, loaded)| match id {
            DocumentId::Chapter(of, number) if *of == session => Some((*number, loaded)),
            DocumentId::Home | DocumentId::Kin(_) | DocumentId::Chapter(..) | DocumentId::Me(_) => None,
        })
    }

    fn find_stored(&self, session: SessionId, id: MessageId) -> Option<&StoredMessage> {
        self.find_in_chapter(session, id).map(|(_, stored)| stored)
    }

    fn find_in_chapter(&self, session: SessionId, id: MessageId) -> Option<(u32, &StoredMessage)> {
        self.chapters(session).find_map(|(number, loaded)| Some((number, loaded.messages.get(&id)?)))
    }

    /// Who reacted how. What a later chapter says of a member stands.
    fn reactions_to(&self, session: SessionId, id: MessageId) -> Vec<ReactionView> {
        let said = |(number, loaded): (u32, &'_ Loaded)| loaded.reactions.get(&id).map(|said| (number, said.clone()));
        let mut chapters: Vec<_> = self.chapters(session).filter_map(said).collect();
        chapters.sort_unstable_by_key(|(number, _)| *number);
        let mut by_member = BTreeMap::new();
        for (_, said) in chapters {
            by_member.extend(said);
        }
        let mut by_emoji: BTreeMap<String, Vec<MemberId>> = BTreeMap::new();
        for (member, emoji) in by_member {
            if !emoji.is_empty() {
                by_emoji.entry(emoji).or_default().push(member);
            }
        }
        by_emoji.into_iter().map(|(emoji, members)| ReactionView { emoji, members }).collect()
    }

    /// Whether the message that a turn wrote is here.
    pub(super) fn has_answer_of(&self, session: SessionId, turn: TurnId) -> bool {
        self.chapters(session).any(|(_, loaded)| loaded.messages.values().any(|stored| stored.turn == Some(turn)))
    }

    pub(super) fn message_view(&self, session: SessionId, stored: &StoredMessage) -> Option<MessageView> {
        if !stored.state.is_shown() {
            return None;
        }
        let pending = self.outbox.values().find(|row| row.message() == Some(stored.id));
        if pending.is_some_and(|row| !row.durable || row.refused.is_some()) {
            return None;
        }
        let own = stored.seq.unwrap_or(u64::MAX);
        let order = match stored.answers {
            Some(answered) => (self.find_stored(session, answered).and_then(|message| message.seq).unwrap_or(own), own),
            None if stored.seq.is_some() => (own, 0),
            None => (u64::MAX, stored.sent_at.as_u64()),
        };
        let status = match stored.state {
            _ if pending.is_some() && stored.seq.is_none() => MessageStatus::Unsent,
            MessageState::Stopped => MessageStatus::Stopped,
            MessageState::Failed => {
                MessageStatus::Failed(stored.failure.clone().unwrap_or_else(|| Failure::of(FailureKind::Internal)))
            }
            MessageState::Redacted => MessageStatus::Redacted,
            MessageState::Done | MessageState::Withdrawn | MessageState::Superseded => MessageStatus::Done,
        };
        Some(MessageView {
            id: stored.id,
            author: stored.author,
            text: stored.text.clone(),
            sent_at: stored.sent_at,
            seq: stored.seq,
            order,
            answers: stored.answers,
            turn: stored.turn,
            reply_to: stored.reply_to,
            reactions: self.reactions_to(session, stored.id),
            status,
        })
    }

    /// Refused messages whose Kin is gone: no thread shows them. None as long as the Kins are not known.
    pub(super) fn stranded(&self) -> Vec<RefusedView> {
        let Some(home) = self.shown_home.as_ref() else { return Vec::new() };
        let lives = |session| home.kins.iter().any(|kin| kin.profile.session == session);
        self.outbox
            .values()
            .filter(|row| matches!(row.document, DocumentId::Chapter(session, _) if !lives(session)))
            .filter_map(|row| match (&row.operation, row.refused) {
                (Operation::AddMessage { message, text, .. }, Some(code)) => {
                    Some(RefusedView { message: *message, text: text.clone(), code })
                }
                _ => None,
            })
            .collect()
    }

    fn refused_messages(&self, session: SessionId) -> Vec<MessageView> {
        let Some(me) = self.member() else { return Vec::new() };
        self.outbox
            .values()
            .filter(|row| matches!(row.document, DocumentId::Chapter(of, _) if of == session))
            .filter_map(|row| match (&row.operation, row.refused) {
                (Operation::AddMessage { message, text, sent_at, reply_to }, Some(code)) => Some(MessageView {
                    id: *message,
                    author: Author::Member(me),
                    text: text.clone(),
                    sent_at: *sent_at,
                    seq: None,
                    order: (u64::MAX, sent_at.as_u64()),
                    answers: None,
                    turn: None,
                    reply_to: *reply_to,
                    reactions: Vec::new(),
                    status: MessageStatus::Refused(code),
                }),
                _ => None,
            })
            .collect()
    }
}
