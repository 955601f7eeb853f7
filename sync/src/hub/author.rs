//! What the server itself writes: answers, states of messages, the household's directory, Kins' texts.

use super::{Delta, Hub, HubError, Outcome};
use crate::document::{Document, DocumentError};
use crate::log::{DocumentState, LogEntry, LogStore, MessageRow};
use crate::template::{self, AnswerFields, MessageFields, OpName, ServerFields};
use shared::operation::PreferenceKey;
use shared::profile::{KinProfile, MemberProfile};
use shared::{
    ActorId, Audience, Author, ChangeHash, DocumentId, Failure, KinId, MemberId, MessageId, MessageState, SessionId,
    TextField, TurnId, UnixMillis,
};

/// A Kin's answer at the end of a turn.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Fresh.
    pub message: MessageId,
    /// Where.
    pub session: SessionId,
    /// Who answers.
    pub kin: KinId,
    /// The turn that wrote it; one answer a turn.
    pub turn: TurnId,
    /// What it answers.
    pub answers: MessageId,
    /// Markdown.
    pub text: String,
    /// Done, stopped or failed.
    pub state: MessageState,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// When.
    pub sent_at: UnixMillis,
}

impl<S: LogStore> Hub<'_, S> {
    /// Appends an answer to its session's open chapter and gives its number.
    pub fn append_answer(&mut self, answer: &Answer) -> Outcome<u64, S> {
        let mut session = self.open_session(answer.session)?;
        let id = DocumentId::Chapter(answer.session, session.chapter);
        let mut state = self.create(id, session.audience)?;
        let place = self.server_place(&mut state);
        let fields = MessageFields {
            author: Author::Kin(answer.kin),
            text: &answer.text,
            sent_at: answer.sent_at,
            reply_to: None,
            server: Some(ServerFields {
                seq: session.next_seq,
                answer: Some(AnswerFields {
                    answers: answer.answers,
                    turn: answer.turn,
                    state: answer.state,
                    failure: answer.failure.as_ref(),
                }),
            }),
        };
        let change = template::add_message(&place, answer.message, &fields);
        let object = OpName { counter: place.start_op, actor: place.actor };
        // author, text, sent_at, seq, answers, turn come first; the state is the eighth operation.
        let state_op = OpName { counter: place.start_op + 7, actor: place.actor };
        self.append(id, &mut state, &change, None)?;
        let seq = session.next_seq;
        let row = MessageRow {
            id: answer.message,
            session: answer.session,
            chapter: session.chapter,
            seq,
            audience: session.audience,
            author: Author::Kin(answer.kin),
            text: answer.text.clone(),
            sent_at: answer.sent_at,
            admitted_at: self.now,
            answers: Some(answer.answers),
            turn: Some(answer.turn),
            reply_to: None,
            state: answer.state,
            failure: answer.failure.clone(),
            object,
            state_op: Some(state_op),
        };
        self.store.insert_message(&row).map_err(HubError::Store)?;
        self.message_written(answer.session, &mut session, &mut state)?;
        Ok(seq)
    }

    /// Sets a message's lasting state, in whichever chapter it stands.
    ///
    /// # Errors
    /// [`HubError::Missing`] when there is no such message.
    pub fn set_state(&mut self, message: MessageId, state: MessageState) -> Outcome<(), S> {
        let missing = || HubError::Missing(message.to_string());
        let row = self.store.message(message).map_err(HubError::Store)?.ok_or_else(missing)?;
        if row.state == state {
            return Ok(());
        }
        let id = DocumentId::Chapter(row.session, row.chapter);
        let mut document = self.store.document(id).map_err(HubError::Store)?.ok_or_else(missing)?;
        let place = self.server_place(&mut document);
        let op = OpName { counter: place.start_op, actor: place.actor };
        let change = template::set_state(&place, row.object, state, row.state_op);
        self.append(id, &mut document, &change, None)?;
        self.store.set_state(message, state, op).map_err(HubError::Store)
    }

    /// Sets a Kin's entry in the household's directory.
    pub fn put_kin(&mut self, kin: &KinProfile) -> Outcome<(), S> {
        self.edit(DocumentId::Home, Audience::Household, |home| home.put_kin(kin))
    }

    /// Names the household.
    pub fn put_household_name(&mut self, name: &str) -> Outcome<(), S> {
        self.edit(DocumentId::Home, Audience::Household, |home| home.put_household_name(name))
    }

    /// Takes a Kin out of the household's directory.
    pub fn remove_kin(&mut self, kin: KinId) -> Outcome<(), S> {
        self.edit(DocumentId::Home, Audience::Household, |home| home.remove_kin(kin))
    }

    /// Sets a member's entry in the household's directory and makes their own document.
    pub fn put_member(&mut self, member: &MemberProfile) -> Outcome<(), S> {
        self.create_me(member.id)?;
        self.edit(DocumentId::Home, Audience::Household, |home| home.put_member(member))
    }

    /// Sets a preference in a member's own document.
    pub fn set_preference(&mut self, member: MemberId, key: PreferenceKey, value: &str) -> Outcome<(), S> {
        self.edit(DocumentId::Me(member), Audience::Member(member), |me| me.set_preference(key, value))
    }

    /// A preference as a member's own document has it, of several made at once the one that wins.
    pub fn preference(&mut self, member: MemberId, key: PreferenceKey) -> Outcome<Option<String>, S> {
        let id = DocumentId::Me(member);
        let Some(state) = self.store.document(id).map_err(HubError::Store)? else { return Ok(None) };
        Ok(self.open(id, &state)?.preference(key))
    }

    /// A member's own document. What was said before they came is no news to them.
    fn create_me(&mut self, member: MemberId) -> Outcome<(), S> {
        let (id, audience) = (DocumentId::Me(member), Audience::Member(member));
        if self.store.document(id).map_err(HubError::Store)?.is_some() {
            return Ok(());
        }
        let said = self.store.sessions(Audience::Household).map_err(HubError::Store)?;
        self.edit(id, audience, |me| {
            said.iter().filter(|(_, seq)| *seq > 0).try_for_each(|(session, seq)| me.put_read(*session, *seq))
        })
    }

    /// Makes a new Kin's documents: its texts, and the first chapter of its household session.
    pub fn create_kin(&mut self, kin: KinId, session: SessionId, character: &str, expertise: &str) -> Outcome<(), S> {
        self.create(DocumentId::Chapter(session, 1), Audience::Household)?;
        self.edit(DocumentId::Kin(kin), Audience::Household, |texts| {
            texts.replace_text(TextField::Character, character)?;
            texts.replace_text(TextField::Expertise, expertise)
        })
    }

    /// Forgets a document for good. The log says so in one last entry without content, which tells every replica that
    /// comes by to forget it too, and keeps positions ascending where entries are missing from now on.
    pub fn forget_document(&mut self, id: DocumentId) -> Outcome<(), S> {
        let Some(state) = self.store.document(id).map_err(HubError::Store)? else { return Ok(()) };
        let DocumentState { audience, generation, .. } = state;
        let position = self.store.position(audience).map_err(HubError::Store)? + 1;
        self.store.forget_document(id).map_err(HubError::Store)?;
        let end = LogEntry {
            audience,
            position,
            document: id,
            generation,
            hash: ChangeHash([0; 32]),
            actor: ActorId([0; 16]),
            actor_seq: 0,
            max_op: 0,
            deps: Vec::new(),
            pushed_by: None,
            at: self.now,
            bytes: Vec::new(),
        };
        self.store.append(&end).map_err(HubError::Store)?;
        self.deltas.push(Delta { audience, position, document: id, generation, bytes: Vec::new() });
        Ok(())
    }

    /// Replaces a Kin's text; others' edits made meanwhile merge with the difference.
    pub fn set_kin_text(&mut self, kin: KinId, field: TextField, text: &str) -> Outcome<(), S> {
        self.edit(DocumentId::Kin(kin), Audience::Household, |texts| texts.replace_text(field, text))?;
        self.store.save_kin_text(kin, field, text).map_err(HubError::Store)
    }

    /// One change of the server's to a document small enough to open. Writes nothing when nothing differs.
    fn edit(
        &mut self,
        id: DocumentId,
        audience: Audience,
        write: impl FnOnce(&mut Document) -> Result<(), DocumentError>,
    ) -> Outcome<(), S> {
        let mut state = self.create(id, audience)?;
        let mut document = self.open(id, &state)?;
        match document.transact(state.server_actor, self.now, write) {
            Ok(change) => {
                state.server_seq = change.seq();
                self.append(id, &mut state, &change, None)
            }
            Err(DocumentError::Nothing) => Ok(()),
            Err(error) => Err(HubError::Document(id, error)),
        }
    }
}
