//! The home view: Kins with what they do, say and wait for.

use super::Replica;
use super::outbox::OutboxRow;
use crate::document::StoredMessage;
use crate::port::Event;
use crate::view::{Activity, HomeView, KinView, Preferences};
use shared::operation::PreferenceKey;
use shared::profile::KinProfile;
use shared::{Author, DocumentId, FailureKind, KinId, MemberId, MessageState, SessionId, TextField};

/// Characters of a preview.
const PREVIEW: usize = 120;

impl Replica {
    /// Sends the home view if it changed.
    pub(super) fn show_home(&mut self) {
        let Some(view) = self.home_view() else { return };
        if self.shown_home.as_ref() != Some(&view) {
            self.shown_home = Some(view.clone());
            self.event(Event::Home(view));
        }
    }

    pub(super) fn home_view(&self) -> Option<HomeView> {
        let me = self.member()?;
        let home = &self.loaded.get(&DocumentId::Home)?.document;
        let mine = self.loaded.get(&DocumentId::Me(me)).map(|loaded| &loaded.document);
        let preference = |key| mine.and_then(|document| document.preference(key));
        Some(HomeView {
            me,
            name: home.household_name(),
            kins: home.kins().into_iter().map(|profile| self.kin_view(me, profile)).collect(),
            members: home.members(),
            preferences: Preferences {
                theme: preference(PreferenceKey::Theme),
                language: preference(PreferenceKey::Language),
            },
        })
    }

    fn kin_view(&self, me: MemberId, profile: KinProfile) -> KinView {
        let session = profile.session;
        let read = self.read_up_to(session);
        let (mut unread, mut newest, mut failed): (u32, Option<&StoredMessage>, Option<&StoredMessage>) =
            (0, None, None);
        for message in self.stored_messages(session) {
            let Some(seq) = message.seq else { continue };
            if !message.state.is_shown() {
                continue;
            }
            unread += u32::from(seq > read && message.author != Author::Member(me));
            if newest.and_then(|other| other.seq).is_none_or(|other| seq > other) {
                newest = Some(message);
            }
            let answer = matches!(message.author, Author::Kin(_));
            if answer && failed.and_then(|other| other.seq).is_none_or(|other| seq > other) {
                failed = Some(message);
            }
        }
        let queue = self.live.queue(session);
        let failed = failed.filter(|message| message.state == MessageState::Failed);
        let activity = match (queue.running, failed) {
            (Some(run), _) => run.retrying.map_or(Activity::Writing, Activity::Retrying),
            (None, Some(message)) => {
                Activity::Failed(message.failure.as_ref().map_or(FailureKind::Internal, |failure| failure.kind))
            }
            (None, None) => Activity::Idle,
        };
        KinView {
            activity,
            waiting: u32::try_from(queue.waiting.len()).unwrap_or(u32::MAX),
            unread,
            unsent: u32::try_from(self.unsent_of(session)).unwrap_or(u32::MAX),
            preview: newest.map(|message| preview(&message.text)).unwrap_or_default(),
            last_at: newest.map(|message| message.sent_at),
            profile,
        }
    }

    fn unsent_of(&self, session: SessionId) -> usize {
        let of = |row: &&OutboxRow| matches!(row.document, DocumentId::Chapter(of, _) if of == session);
        self.outbox.values().filter(of).filter(|row| row.message().is_some() && row.refused.is_none()).count()
    }

    fn stored_messages(&self, session: SessionId) -> impl Iterator<Item = &StoredMessage> {
        self.loaded
            .iter()
            .filter(move |(id, _)| matches!(id, DocumentId::Chapter(of, _) if *of == session))
            .flat_map(|(_, loaded)| loaded.messages.values())
    }

    /// The furthest of what the document says and what this device is about to say.
    pub(super) fn read_up_to(&self, session: SessionId) -> u64 {
        let stored = self
            .member()
            .and_then(|me| self.loaded.get(&DocumentId::Me(me)))
            .map_or(0, |loaded| loaded.document.read_up_to(session));
        stored.max(self.read_marks.get(&session).copied().unwrap_or(0))
    }

    pub(super) fn show_kin(&mut self, kin: KinId) {
        if !self.open_kins.contains(&kin) {
            return;
        }
        let Some(loaded) = self.loaded.get(&DocumentId::Kin(kin)) else { return };
        let (Ok(character), Ok(expertise)) =
            (loaded.document.text(TextField::Character), loaded.document.text(TextField::Expertise))
        else {
            return;
        };
        self.event(Event::KinTexts { kin, character, expertise });
    }
}

/// The first line that says something, without Markdown's marks.
pub(super) fn preview(text: &str) -> String {
    let marks = ['#', '*', '`', '>', '-', '_', ' ', '\t', '|'];
    text.lines()
        .map(|line| line.trim_start_matches(marks).trim())
        .find(|line| !line.is_empty())
        .unwrap_or("")
        .chars()
        .filter(|c| !matches!(c, '*' | '`'))
        .take(PREVIEW)
        .collect()
}
