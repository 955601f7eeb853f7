//! Admission of what clients push, and of members' messages that come by another way.

use super::{Hub, HubError, Outcome};
use crate::gate::{self, Refusal};
use crate::log::{ActorState, DocumentState, Door, LogStore, MessageRow, SessionState};
use crate::template::{self, MEMBER_MESSAGE_OPS, MessageFields, OpName, Place, ServerFields};
use shared::frame::RefusalCode;
use shared::limits::{
    CHAPTER_BYTES, CHAPTER_MESSAGES, MAX_DRAFTS_DOCUMENT_BYTES, MAX_KIN_TEXT_BYTES, MAX_MEMBER_DOCUMENT_BYTES,
};
use shared::{
    Author, ChangeHeader, DeviceId, DocumentId, DocumentKind, KinId, MessageId, MessageState, Operation, SessionId,
    UnixMillis, Viewer,
};

/// Actors one device may register in one document: one an incarnation, so more than this is a fault.
const MAX_ACTORS: u64 = 64;

/// A member's message that was admitted in this transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    /// The message.
    pub message: MessageId,
    /// Its session.
    pub session: SessionId,
    /// The Kin it is for.
    pub kin: KinId,
    /// Its number.
    pub seq: u64,
    /// Its author.
    pub viewer: Viewer,
}

/// What a push comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    /// Durable once the transaction is.
    Accepted,
    /// Refused; nothing was changed unless the code is [`RefusalCode::HashMismatch`] of a message.
    Refused(RefusalCode, &'static str),
}

impl From<Refusal> for Pushed {
    fn from((code, detail): Refusal) -> Self {
        Self::Refused(code, detail)
    }
}

impl<S: LogStore> Hub<'_, S> {
    /// Admits or refuses one pushed change.
    pub fn push(
        &mut self,
        viewer: Viewer,
        device: DeviceId,
        id: DocumentId,
        generation: u32,
        operation: &Operation,
        header: &ChangeHeader,
    ) -> Outcome<Pushed, S> {
        let state = self.store.document(id).map_err(HubError::Store)?;
        // Absent and forbidden look the same, so ids cannot be probed.
        let Some(mut state) = state.filter(|state| viewer.may_see(state.audience)) else {
            return Ok(Pushed::Refused(RefusalCode::NotFound, "no such document"));
        };
        if self.store.change(id, header.hash).map_err(HubError::Store)?.is_some() {
            return Ok(Pushed::Accepted);
        }
        // Accepted before the document was written anew: done, and not to be done again.
        if generation < state.generation && self.store.is_retired(id, header.hash).map_err(HubError::Store)? {
            return Ok(Pushed::Accepted);
        }
        if let Err(refusal) = gate::check(viewer, id, operation, header) {
            return Ok(refusal.into());
        }
        if let Operation::AddMessage { message, text, .. } = operation
            && let Some(row) = self.store.message(*message).map_err(HubError::Store)?
        {
            let same = row.author == Author::Member(viewer.member) && row.text == *text;
            let code = if same { RefusalCode::DuplicateId } else { RefusalCode::Invalid };
            return Ok(Pushed::Refused(code, "the message id is taken"));
        }
        // How a message begins, kept on a device that was away when its words were taken away.
        if let Operation::SetPin { message, excerpt: Some(_), .. } = operation
            && self
                .store
                .message(*message)
                .map_err(HubError::Store)?
                .is_some_and(|row| row.state == MessageState::Redacted)
        {
            return Ok(Pushed::Refused(RefusalCode::Invalid, "the message has been redacted"));
        }
        if let DocumentId::Chapter(session, _) = id {
            match self.store.door(session).map_err(HubError::Store)? {
                Door::Open => {}
                Door::Archived => return Ok(Pushed::Refused(RefusalCode::Archived, "the Kin has been put away")),
                Door::Removed => return Ok(Pushed::Refused(RefusalCode::NotFound, "the Kin has been removed")),
            }
            if let Some(addressed) = addressed(operation)
                && !self.is_in(session, addressed)?
            {
                return Ok(Pushed::Refused(RefusalCode::Invalid, "no such message in this session"));
            }
        }
        if state.closed_at.is_some() {
            return Ok(Pushed::Refused(RefusalCode::Closed, "the chapter is closed"));
        }
        if state.generation != generation {
            return Ok(Pushed::Refused(RefusalCode::StaleGeneration, "the document has a newer generation"));
        }
        let most = if matches!(operation, Operation::SetDraft { text, .. } if !text.is_empty()) {
            MAX_DRAFTS_DOCUMENT_BYTES
        } else {
            MAX_MEMBER_DOCUMENT_BYTES
        };
        if id.kind() != DocumentKind::Chapter && state.bytes > most {
            return Ok(Pushed::Refused(RefusalCode::TooLarge, "the document is full"));
        }
        if let Some(refusal) = self.history_fault(id, device, header)? {
            return Ok(refusal.into());
        }
        match (id, operation) {
            (DocumentId::Chapter(session, chapter), Operation::AddMessage { message, text, sent_at, reply_to }) => {
                let new = NewMessage { id: *message, text, sent_at: *sent_at, reply_to: *reply_to };
                self.push_message(viewer, device, (session, chapter), &mut state, &new, header)
            }
            _ => self.push_edit(viewer, device, id, &mut state, operation, header),
        }
    }

    fn push_message(
        &mut self,
        viewer: Viewer,
        device: DeviceId,
        (session_id, chapter): (SessionId, u32),
        state: &mut DocumentState,
        new: &NewMessage<'_>,
        header: &ChangeHeader,
    ) -> Outcome<Pushed, S> {
        let mut session = self.open_session(session_id)?;
        let place = Place {
            actor: header.actor,
            seq: header.seq,
            start_op: header.start_op,
            deps: header.deps.clone(),
            time: header.time,
        };
        let fields = MessageFields {
            author: Author::Member(viewer.member),
            text: new.text,
            sent_at: new.sent_at,
            reply_to: new.reply_to,
            server: None,
        };
        let change = template::add_message(&place, new.id, &fields);
        if template::hash_of(&change) != header.hash {
            // Version skew: the words are good, only the encoding differs. The server writes them itself.
            self.write_member_message(viewer, session_id, new)?;
            return Ok(Pushed::Refused(RefusalCode::HashMismatch, "rebuilt change has another hash"));
        }
        let id = DocumentId::Chapter(session_id, chapter);
        self.append(id, state, &change, Some((viewer.member, device)))?;
        self.save_pusher(id, device, header)?;
        let object = OpName { counter: header.start_op, actor: header.actor };
        let seq = session.next_seq;
        let numbered = template::set_seq(&self.server_place(state), object, seq);
        self.append(id, state, &numbered, None)?;
        self.admit(viewer, session_id, &mut session, state, new, object)?;
        Ok(Pushed::Accepted)
    }

    /// Admits a member's message that came by another way than a push; the server writes the change.
    ///
    /// Idempotent by id: a repeat changes nothing and gives the number it already has.
    ///
    /// # Errors
    /// [`HubError::Missing`] when the viewer may not see the session, or what is quoted is not in it.
    pub fn member_message(&mut self, viewer: Viewer, session: SessionId, new: &NewMessage<'_>) -> Outcome<u64, S> {
        let state = self.open_session(session)?;
        if !viewer.may_see(state.audience) {
            return Err(HubError::Missing(session.to_string()));
        }
        if let Some(row) = self.store.message(new.id).map_err(HubError::Store)? {
            return Ok(row.seq);
        }
        if let Some(quoted) = new.reply_to
            && !self.is_in(session, quoted)?
        {
            return Err(HubError::Missing(quoted.to_string()));
        }
        self.write_member_message(viewer, session, new)
    }

    fn write_member_message(&mut self, viewer: Viewer, session_id: SessionId, new: &NewMessage<'_>) -> Outcome<u64, S> {
        let mut session = self.open_session(session_id)?;
        let id = DocumentId::Chapter(session_id, session.chapter);
        let mut state = self.create(id, session.audience)?;
        let seq = session.next_seq;
        let place = self.server_place(&mut state);
        let fields = MessageFields {
            author: Author::Member(viewer.member),
            text: new.text,
            sent_at: new.sent_at,
            reply_to: new.reply_to,
            server: Some(ServerFields { seq, answer: None }),
        };
        let object = OpName { counter: place.start_op, actor: place.actor };
        let change = template::add_message(&place, new.id, &fields);
        self.append(id, &mut state, &change, None)?;
        self.admit(viewer, session_id, &mut session, &mut state, new, object)?;
        Ok(seq)
    }

    /// Writes the row of a member's message, moves the session on and closes a full chapter.
    fn admit(
        &mut self,
        viewer: Viewer,
        session_id: SessionId,
        session: &mut SessionState,
        state: &mut DocumentState,
        new: &NewMessage<'_>,
        object: OpName,
    ) -> Outcome<(), S> {
        let row = MessageRow {
            id: new.id,
            session: session_id,
            chapter: session.chapter,
            seq: session.next_seq,
            audience: session.audience,
            author: Author::Member(viewer.member),
            text: new.text.to_owned(),
            sent_at: new.sent_at,
            admitted_at: self.now,
            answers: None,
            turn: None,
            reply_to: new.reply_to,
            state: MessageState::Done,
            failure: None,
            object,
            state_op: None,
        };
        self.store.insert_message(&row).map_err(HubError::Store)?;
        self.admitted.push(Admitted {
            message: new.id,
            session: session_id,
            kin: session.kin,
            seq: session.next_seq,
            viewer,
        });
        self.message_written(session_id, session, state)
    }

    /// Counts a message into its chapter and opens the next chapter when this one is full.
    pub(super) fn message_written(
        &mut self,
        session_id: SessionId,
        session: &mut SessionState,
        state: &mut DocumentState,
    ) -> Outcome<(), S> {
        session.next_seq += 1;
        state.messages += 1;
        self.close_if_full(session_id, session, state)
    }

    fn close_if_full(
        &mut self,
        session_id: SessionId,
        session: &mut SessionState,
        state: &mut DocumentState,
    ) -> Outcome<(), S> {
        let full = state.messages >= CHAPTER_MESSAGES || state.bytes >= CHAPTER_BYTES;
        if full {
            state.closed_at = Some(self.now);
        }
        let id = DocumentId::Chapter(session_id, session.chapter);
        self.store.save_document(id, state).map_err(HubError::Store)?;
        if full {
            session.chapter += 1;
            self.create(DocumentId::Chapter(session_id, session.chapter), session.audience)?;
        }
        self.store.save_session(session_id, session).map_err(HubError::Store)
    }

    pub(super) fn open_session(&mut self, id: SessionId) -> Outcome<SessionState, S> {
        self.store.session(id).map_err(HubError::Store)?.ok_or_else(|| HubError::Missing(id.to_string()))
    }

    /// An operation on a document that the server opens: `kin`, `me`, and reactions.
    fn push_edit(
        &mut self,
        viewer: Viewer,
        device: DeviceId,
        id: DocumentId,
        state: &mut DocumentState,
        operation: &Operation,
        header: &ChangeHeader,
    ) -> Outcome<Pushed, S> {
        let mut document = self.open(id, state)?;
        let Ok(change) = document.rebuild(viewer.member, operation, header) else {
            return Ok(Pushed::Refused(RefusalCode::Invalid, "the operation does not fit the document"));
        };
        if template::hash_of(&change) != header.hash {
            return Ok(Pushed::Refused(RefusalCode::Rebase, "rebuilt change has another hash"));
        }
        if let (DocumentId::Kin(kin), Operation::EditText { field, .. }) = (id, operation) {
            document.apply([change.raw_bytes()]).map_err(|error| HubError::Document(id, error))?;
            let text = document.text(*field).map_err(|error| HubError::Document(id, error))?;
            if text.len() > MAX_KIN_TEXT_BYTES {
                return Ok(Pushed::Refused(RefusalCode::TooLarge, "text is over 32 KiB"));
            }
            self.store.save_kin_text(kin, *field, &text).map_err(HubError::Store)?;
        }
        if let Operation::React { message, .. } = operation {
            document.apply([change.raw_bytes()]).map_err(|error| HubError::Document(id, error))?;
            // Of two devices' reactions at once the document says which one stands.
            let emoji = document.reaction(*message, viewer.member).unwrap_or_default();
            self.store.save_reaction(*message, viewer.member, &emoji, self.now).map_err(HubError::Store)?;
        }
        self.append(id, state, &change, Some((viewer.member, device)))?;
        self.save_pusher(id, device, header)?;
        if id.kind() != DocumentKind::Chapter {
            self.rewrite_if_long(id, state)?;
        }
        if let DocumentId::Chapter(session_id, _) = id {
            // Reactions fill a chapter, too.
            let mut session = self.open_session(session_id)?;
            self.close_if_full(session_id, &mut session, state)?;
        }
        Ok(Pushed::Accepted)
    }

    /// Whether a session has this message, in whichever chapter.
    fn is_in(&mut self, session: SessionId, message: MessageId) -> Outcome<bool, S> {
        let found = self.store.message(message).map_err(HubError::Store)?;
        Ok(found.is_some_and(|row| row.session == session))
    }

    fn save_pusher(&mut self, id: DocumentId, device: DeviceId, header: &ChangeHeader) -> Outcome<(), S> {
        let actor = ActorState { device, last_seq: header.seq, last_hash: header.hash };
        self.store.save_actor(id, header.actor, &actor).map_err(HubError::Store)
    }

    /// Whether the header follows from the log: known dependencies, exact operation number, the actor's own next change.
    fn history_fault(
        &mut self,
        id: DocumentId,
        device: DeviceId,
        header: &ChangeHeader,
    ) -> Outcome<Option<Refusal>, S> {
        let rebase = |detail| Ok(Some((RefusalCode::Rebase, detail)));
        let mut max_op = 0;
        for dep in &header.deps {
            match self.store.change(id, *dep).map_err(HubError::Store)? {
                Some(known) => max_op = max_op.max(known.max_op),
                None => return rebase("unknown dependency"),
            }
        }
        if header.start_op != max_op + 1 || header.start_op > u64::from(u32::MAX) - MEMBER_MESSAGE_OPS {
            return rebase("operation number does not follow from the dependencies");
        }
        match self.store.actor(id, header.actor).map_err(HubError::Store)? {
            Some(actor) if actor.device != device => Ok(Some((RefusalCode::Forbidden, "actor of another device"))),
            Some(actor) if actor.last_seq + 1 != header.seq => rebase("sequence number is not the actor's next"),
            // The library always names an actor's own last change; without it histories could fork.
            Some(actor) if !header.deps.contains(&actor.last_hash) => {
                rebase("the change does not follow the actor's last")
            }
            Some(_) => Ok(None),
            None if header.seq != 1 => rebase("unknown actor"),
            None if self.is_server_actor(id, header)? => Ok(Some((RefusalCode::Forbidden, "actor of the server"))),
            None if self.store.actors_of(id, device).map_err(HubError::Store)? >= MAX_ACTORS => {
                Ok(Some((RefusalCode::TooLarge, "too many actors of one device")))
            }
            None => Ok(None),
        }
    }

    fn is_server_actor(&mut self, id: DocumentId, header: &ChangeHeader) -> Outcome<bool, S> {
        let state = self.store.document(id).map_err(HubError::Store)?;
        Ok(header.actor.0 == crate::genesis::GENESIS_ACTOR
            || state.is_some_and(|state| state.server_actor == header.actor))
    }
}

/// The other message of the same session that an operation is about.
fn addressed(operation: &Operation) -> Option<MessageId> {
    match operation {
        Operation::AddMessage { reply_to, .. } => *reply_to,
        Operation::React { message, .. } => Some(*message),
        Operation::EditText { .. }
        | Operation::SetRead { .. }
        | Operation::SetPreference { .. }
        | Operation::SetDraft { .. }
        | Operation::SetPin { .. } => None,
    }
}

/// What a member wrote.
#[derive(Debug, Clone, Copy)]
pub struct NewMessage<'a> {
    /// Made by whoever asks; a repeat is one message.
    pub id: MessageId,
    /// Markdown.
    pub text: &'a str,
    /// When, by the writer's clock.
    pub sent_at: UnixMillis,
    /// What it quotes.
    pub reply_to: Option<MessageId>,
}
