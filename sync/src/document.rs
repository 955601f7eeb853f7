//! An Automerge document of ours: opening it from trusted bytes, changing it, reading it.
//!
//! Bytes given to this module come from our own server's log or our own store, never from a client of the server.

mod read;

pub use read::StoredMessage;

use crate::genesis::{self, object};
use crate::template::MessageFields;
use automerge::transaction::{CommitOptions, Transactable};
use automerge::{ActorId as AmActorId, AutoCommit, Change, LoadOptions, ReadDoc, ScalarValue, TextEncoding, Value};
use shared::operation::{PreferenceKey, Splice};
use shared::profile::{KinProfile, MemberProfile};
use shared::{
    ActorId, Author, ChangeHash, ChangeHeader, DocumentKind, KinId, MemberId, MessageId, Operation, SessionId,
    TextField, UnixMillis,
};

/// Why a document could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The library refused.
    #[error("document could not be changed or read")]
    Automerge(#[source] Box<automerge::AutomergeError>),
    /// Stored bytes are no change.
    #[error("stored bytes are no change")]
    Bytes(#[source] Box<automerge::LoadChangeError>),
    /// The library gave up on stored bytes; what was in memory is not to be used any more.
    #[error("stored bytes bring the library down")]
    Broken,
    /// The operation does not belong in this kind of document or does not fit its content.
    #[error("the operation does not fit the document")]
    Unfit,
    /// Nothing would change.
    #[error("the operation changes nothing")]
    Nothing,
}

impl From<automerge::AutomergeError> for DocumentError {
    fn from(error: automerge::AutomergeError) -> Self {
        Self::Automerge(Box::new(error))
    }
}

impl From<automerge::LoadChangeError> for DocumentError {
    fn from(error: automerge::LoadChangeError) -> Self {
        Self::Bytes(Box::new(error))
    }
}

/// Damaged bytes must not take the program with them. Where a panic ends the program (in a browser) it ends the worker,
/// which starts again without what it had in memory.
fn contained<T>(work: impl FnOnce() -> T) -> Result<T, DocumentError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|_| DocumentError::Broken)
}

/// A document in memory.
#[derive(Debug, Clone)]
pub struct Document {
    pub(crate) inner: AutoCommit,
    kind: DocumentKind,
}

impl Document {
    /// A document with its genesis only.
    pub fn new(kind: DocumentKind) -> Result<Self, DocumentError> {
        let mut inner = AutoCommit::new_with_encoding(TextEncoding::UnicodeCodePoint);
        inner.apply_changes([genesis::change(kind)])?;
        Ok(Self { inner, kind })
    }

    /// Opens a document from chunks of our own: changes or saved documents, in any order that respects dependencies.
    pub fn open<'a>(kind: DocumentKind, chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Self, DocumentError> {
        let options = LoadOptions::new().text_encoding(TextEncoding::UnicodeCodePoint);
        let all: Vec<u8> = chunks.into_iter().flatten().copied().collect();
        let inner = contained(|| AutoCommit::load_with_options(&all, options))??;
        Ok(Self { inner, kind })
    }

    /// Applies changes from the log. Changes it already has are ignored. After [`DocumentError::Broken`] the document is not
    /// to be used any more.
    pub fn apply<'a>(&mut self, changes: impl IntoIterator<Item = &'a [u8]>) -> Result<(), DocumentError> {
        let changes =
            changes.into_iter().map(|bytes| Change::from_bytes(bytes.to_vec())).collect::<Result<Vec<_>, _>>()?;
        Ok(contained(|| self.inner.apply_changes(changes))??)
    }

    /// Whether it holds the change.
    pub fn has(&mut self, hash: ChangeHash) -> bool {
        self.inner.get_change_meta_by_hash(&automerge::ChangeHash(hash.0)).is_some()
    }

    /// What kind of document it is.
    pub fn kind(&self) -> DocumentKind {
        self.kind
    }

    /// Messages that changed since the last call, or since [`Document::forget_touched`].
    pub fn take_touched(&mut self) -> Vec<MessageId> {
        let (messages, amend) = (genesis::exid(object::MESSAGES), genesis::exid(object::AMEND));
        let mut touched: Vec<MessageId> = Vec::new();
        for patch in self.inner.diff_incremental() {
            let key = match (patch.path.get(1), &patch.action) {
                // Inside a message: root → messages → the message.
                (Some((_, automerge::Prop::Map(key))), _) => Some(key.clone()),
                (_, automerge::PatchAction::PutMap { key, .. }) if patch.obj == messages => Some(key.clone()),
                // A reaction: `<message>/<member>`.
                (_, automerge::PatchAction::PutMap { key, .. }) if patch.obj == amend => {
                    key.split_once('/').map(|(message, _)| message.to_owned())
                }
                _ => None,
            };
            touched.extend(key.and_then(|key| key.parse::<MessageId>().ok()));
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Counts everything so far as seen.
    pub fn forget_touched(&mut self) {
        self.inner.update_diff_cursor();
    }

    /// Current heads, ascending.
    pub fn heads(&mut self) -> Vec<ChangeHash> {
        let mut heads: Vec<_> = self.inner.get_heads().into_iter().map(|hash| ChangeHash(hash.0)).collect();
        heads.sort_unstable();
        heads
    }

    /// The whole document, compressed.
    pub fn save(&mut self) -> Vec<u8> {
        self.inner.save()
    }

    /// Makes a member's operation through Automerge's own transaction, as `actor`.
    ///
    /// # Errors
    /// [`DocumentError::Unfit`] or [`DocumentError::Nothing`]; the document is as before.
    pub fn perform(
        &mut self,
        me: MemberId,
        operation: &Operation,
        actor: ActorId,
        time: UnixMillis,
    ) -> Result<(Change, ChangeHeader), DocumentError> {
        let change = self.transact(actor, time, |document| document.write(me, operation))?;
        // Not only the heads: the library adds the actor's own last change when that is no head any more.
        let mut deps: Vec<_> = change.deps().iter().map(|dep| ChangeHash(dep.0)).collect();
        deps.sort_unstable();
        let header = ChangeHeader {
            actor,
            seq: change.seq(),
            start_op: change.start_op().get(),
            deps,
            time,
            hash: ChangeHash(change.hash().0),
        };
        Ok((change, header))
    }

    /// Makes the change that `header` describes on a copy as its author saw it: same history, same hash.
    ///
    /// # Errors
    /// When a dependency is missing or the operation does not fit that state.
    pub fn rebuild(
        &mut self,
        me: MemberId,
        operation: &Operation,
        header: &ChangeHeader,
    ) -> Result<Change, DocumentError> {
        let deps: Vec<_> = header.deps.iter().map(|hash| automerge::ChangeHash(hash.0)).collect();
        let inner = self.inner.fork_at(&deps)?;
        let mut copy = Self { inner, kind: self.kind };
        Ok(copy.perform(me, operation, header.actor, header.time)?.0)
    }

    /// Runs `write` as one change of `actor`; nothing stays when it fails.
    pub fn transact(
        &mut self,
        actor: ActorId,
        time: UnixMillis,
        write: impl FnOnce(&mut Self) -> Result<(), DocumentError>,
    ) -> Result<Change, DocumentError> {
        self.inner.commit();
        self.inner.set_actor(AmActorId::from(actor.0));
        if let Err(error) = write(self) {
            self.inner.rollback();
            return Err(error);
        }
        let hash = self.inner.commit_with(CommitOptions::default().with_time(time.0)).ok_or(DocumentError::Nothing)?;
        self.inner.get_change_by_hash(&hash).ok_or(DocumentError::Nothing)
    }

    fn write(&mut self, me: MemberId, operation: &Operation) -> Result<(), DocumentError> {
        match (self.kind, operation) {
            (DocumentKind::Chapter, Operation::AddMessage { message, text, sent_at, reply_to }) => {
                let (author, sent_at, reply_to) = (Author::Member(me), *sent_at, *reply_to);
                let fields = MessageFields { author, text, sent_at, reply_to, server: None };
                let object = self.inner.put_object(
                    genesis::exid(object::MESSAGES),
                    message.to_string(),
                    automerge::ObjType::Map,
                )?;
                for (key, value) in fields.entries() {
                    self.inner.put(&object, key, value)?;
                }
                Ok(())
            }
            (DocumentKind::Chapter, Operation::React { message, emoji }) => {
                self.inner.put(genesis::exid(object::AMEND), format!("{message}/{me}"), emoji.as_str())?;
                Ok(())
            }
            (DocumentKind::Kin, Operation::EditText { field, splices }) => self.splice(*field, splices),
            (DocumentKind::Me, Operation::SetRead { session, seq }) => self.put_read(*session, *seq),
            (DocumentKind::Me, Operation::SetPreference { key, value }) => {
                let preferences = genesis::exid(object::PREFERENCES);
                self.inner.put(preferences, key.as_str(), value.as_str())?;
                Ok(())
            }
            (DocumentKind::Me, Operation::SetDraft { session, text, at, reply_to }) => {
                let value = read::draft_value(text, *at, *reply_to);
                self.inner.put(genesis::exid(object::PREFERENCES), read::draft_key(*session), value)?;
                Ok(())
            }
            (DocumentKind::Me, Operation::SetPin { session, message, excerpt }) => {
                let value = read::pin_value(*session, excerpt.as_deref());
                self.inner.put(genesis::exid(object::PREFERENCES), read::pin_key(*message), value)?;
                Ok(())
            }
            (
                DocumentKind::Home | DocumentKind::Kin | DocumentKind::Chapter | DocumentKind::Me,
                Operation::AddMessage { .. }
                | Operation::React { .. }
                | Operation::EditText { .. }
                | Operation::SetRead { .. }
                | Operation::SetPreference { .. }
                | Operation::SetDraft { .. }
                | Operation::SetPin { .. },
            ) => Err(DocumentError::Unfit),
        }
    }

    /// Sets a read marker in `me`.
    pub fn put_read(&mut self, session: SessionId, seq: u64) -> Result<(), DocumentError> {
        Ok(self.inner.put(genesis::exid(object::READ), session.to_string(), ScalarValue::Uint(seq))?)
    }

    fn splice(&mut self, field: TextField, splices: &[Splice]) -> Result<(), DocumentError> {
        let text = genesis::exid(text_object(field));
        for splice in splices {
            let length = self.inner.length(&text);
            let (at, delete) = (splice.at as usize, splice.delete as usize);
            if at > length || delete > length - at {
                return Err(DocumentError::Unfit);
            }
            let delete = isize::try_from(delete).map_err(|_| DocumentError::Unfit)?;
            self.inner.splice_text(&text, at, delete, &splice.insert)?;
        }
        Ok(())
    }

    /// Replaces a Kin's text by the difference to what it is, as the server.
    pub fn replace_text(&mut self, field: TextField, to: &str) -> Result<(), DocumentError> {
        let from = self.text(field)?;
        match difference(&from, to) {
            Some(splice) => self.splice(field, &[splice]),
            None => Ok(()),
        }
    }

    /// A Kin's text.
    pub fn text(&self, field: TextField) -> Result<String, DocumentError> {
        Ok(self.inner.text(genesis::exid(text_object(field)))?)
    }

    /// Sets a preference in `me`, unless it is that already.
    pub fn set_preference(&mut self, key: PreferenceKey, value: &str) -> Result<(), DocumentError> {
        if self.preference(key).as_deref() != Some(value) {
            self.inner.put(genesis::exid(object::PREFERENCES), key.as_str(), value)?;
        }
        Ok(())
    }

    /// Sets a Kin's entry in `home`, writing only what differs.
    pub fn put_kin(&mut self, kin: &KinProfile) -> Result<(), DocumentError> {
        let (provider, model) = match &kin.model {
            Some(choice) => (choice.provider_id.to_string(), choice.name.clone()),
            None => (String::new(), String::new()),
        };
        let fields: [(&str, ScalarValue); 9] = [
            ("name", kin.name.as_str().into()),
            ("role", kin.role.as_str().into()),
            ("avatar", kin.avatar.as_str().into()),
            ("hue", kin.hue.as_str().into()),
            ("session", kin.session.to_string().into()),
            ("provider", provider.into()),
            ("model", model.into()),
            ("position", ScalarValue::Int(kin.position)),
            ("archived", kin.archived.into()),
        ];
        self.put_entry(object::KINS, &kin.id.to_string(), &fields)
    }

    /// Takes a Kin's entry out of `home`.
    pub fn remove_kin(&mut self, kin: KinId) -> Result<(), DocumentError> {
        Ok(self.inner.delete(genesis::exid(object::KINS), kin.to_string())?)
    }

    /// Sets a member's entry in `home`, writing only what differs.
    pub fn put_member(&mut self, member: &MemberProfile) -> Result<(), DocumentError> {
        let fields: [(&str, ScalarValue); 4] = [
            ("nickname", member.nickname.as_str().into()),
            ("avatar", member.avatar.as_str().into()),
            ("role", member.role.as_str().into()),
            ("standing", member.standing.as_str().into()),
        ];
        self.put_entry(object::MEMBERS, &member.id.to_string(), &fields)
    }

    /// Names the household in `home`.
    pub fn put_household_name(&mut self, name: &str) -> Result<(), DocumentError> {
        if self.household_name() != name {
            self.inner.put(automerge::ROOT, "name", name)?;
        }
        Ok(())
    }

    /// Takes over what another document of this kind says now, and nothing of what it said before. Not for chapters,
    /// which are written anew from their rows.
    ///
    /// # Errors
    /// [`DocumentError::Unfit`] for a chapter.
    pub fn copy_from(&mut self, other: &Self) -> Result<(), DocumentError> {
        match self.kind {
            DocumentKind::Home => {
                self.put_household_name(&other.household_name())?;
                other.members().iter().try_for_each(|member| self.put_member(member))?;
                other.kins().iter().try_for_each(|kin| self.put_kin(kin))
            }
            DocumentKind::Kin => [TextField::Character, TextField::Expertise]
                .into_iter()
                .try_for_each(|field| self.replace_text(field, &other.text(field)?)),
            DocumentKind::Me => self.copy_own(other),
            DocumentKind::Chapter => Err(DocumentError::Unfit),
        }
    }

    fn copy_own(&mut self, other: &Self) -> Result<(), DocumentError> {
        for session in other.read_sessions() {
            self.put_read(session, other.read_up_to(session))?;
        }
        for (key, value) in other.settings() {
            self.inner.put(genesis::exid(object::PREFERENCES), key, value)?;
        }
        Ok(())
    }

    /// Whether a member's own document has, or once had, a pin of a message.
    pub fn has_pinned(&self, message: MessageId) -> bool {
        let pin = self.inner.get(genesis::exid(object::PREFERENCES), read::pin_key(message));
        pin.is_ok_and(|found| found.is_some())
    }

    /// Takes a pin out, as the server.
    pub fn unpin(&mut self, message: MessageId) -> Result<(), DocumentError> {
        Ok(self.inner.put(genesis::exid(object::PREFERENCES), read::pin_key(message), "")?)
    }

    fn put_entry(&mut self, map: u64, id: &str, fields: &[(&str, ScalarValue)]) -> Result<(), DocumentError> {
        let map = genesis::exid(map);
        let entry = match self.inner.get(&map, id)? {
            Some((Value::Object(_), entry)) => entry,
            _ => self.inner.put_object(&map, id, automerge::ObjType::Map)?,
        };
        for (key, value) in fields {
            let same = matches!(self.inner.get(&entry, *key)?, Some((Value::Scalar(old), _)) if *old == *value);
            if !same {
                self.inner.put(&entry, *key, value.clone())?;
            }
        }
        Ok(())
    }
}

const fn text_object(field: TextField) -> u64 {
    match field {
        TextField::Character => object::CHARACTER,
        TextField::Expertise => object::EXPERTISE,
    }
}

/// The one splice that makes `to` of `from`: what lies between their common beginning and end. `None` when equal.
pub fn difference(from: &str, to: &str) -> Option<Splice> {
    if from == to {
        return None;
    }
    let (old, new): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    Some(Splice {
        at: u32::try_from(start).ok()?,
        delete: u32::try_from(old.len() - start - end).ok()?,
        insert: new[start..new.len() - end].iter().collect(),
    })
}
