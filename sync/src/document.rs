//! An Automerge document of ours: opening it from trusted bytes, changing it, reading it.
//!
//! Bytes given to this module come from our own server's log or our own store, never from a client of the server.

use crate::genesis::{self, object};
use crate::template::MessageFields;
use automerge::transaction::{CommitOptions, Transactable};
use automerge::{ActorId as AmActorId, AutoCommit, Change, LoadOptions, ReadDoc, ScalarValue, TextEncoding, Value};
use shared::operation::{PreferenceKey, Splice};
use shared::profile::{KinProfile, MemberProfile, ModelChoice};
use shared::{
    ActorId, Author, ChangeHash, ChangeHeader, DocumentKind, Failure, KinId, MemberId, MessageId, MessageState,
    Operation, SessionId, TextField, TurnId, UnixMillis,
};

/// Why a document could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The library refused.
    #[error("document could not be changed or read")]
    Automerge(#[from] automerge::AutomergeError),
    /// Stored bytes are no change.
    #[error("stored bytes are no change")]
    Bytes(#[from] automerge::LoadChangeError),
    /// The operation does not belong in this kind of document or does not fit its content.
    #[error("the operation does not fit the document")]
    Unfit,
    /// Nothing would change.
    #[error("the operation changes nothing")]
    Nothing,
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
        let inner = AutoCommit::load_with_options(&all, options)?;
        Ok(Self { inner, kind })
    }

    /// Applies changes from the log. Changes it already has are ignored.
    pub fn apply<'a>(&mut self, changes: impl IntoIterator<Item = &'a [u8]>) -> Result<(), DocumentError> {
        let changes =
            changes.into_iter().map(|bytes| Change::from_bytes(bytes.to_vec())).collect::<Result<Vec<_>, _>>()?;
        Ok(self.inner.apply_changes(changes)?)
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
        let messages = genesis::exid(object::MESSAGES);
        let mut touched: Vec<MessageId> = Vec::new();
        for patch in self.inner.diff_incremental() {
            let key = match (patch.path.get(1), &patch.action) {
                // Inside a message: root → messages → the message.
                (Some((_, automerge::Prop::Map(key))), _) => Some(key.clone()),
                (_, automerge::PatchAction::PutMap { key, .. }) if patch.obj == messages => Some(key.clone()),
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
            (DocumentKind::Chapter, Operation::AddMessage { message, text, sent_at }) => {
                let fields = MessageFields { author: Author::Member(me), text, sent_at: *sent_at, server: None };
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
            (DocumentKind::Kin, Operation::EditText { field, splices }) => self.splice(*field, splices),
            (DocumentKind::Me, Operation::SetRead { session, seq }) => {
                let read = genesis::exid(object::READ);
                self.inner.put(read, session.to_string(), ScalarValue::Uint(*seq))?;
                Ok(())
            }
            (DocumentKind::Me, Operation::SetPreference { key, value }) => {
                let preferences = genesis::exid(object::PREFERENCES);
                self.inner.put(preferences, key.as_str(), value.as_str())?;
                Ok(())
            }
            (
                DocumentKind::Home | DocumentKind::Kin | DocumentKind::Chapter | DocumentKind::Me,
                Operation::AddMessage { .. }
                | Operation::EditText { .. }
                | Operation::SetRead { .. }
                | Operation::SetPreference { .. },
            ) => Err(DocumentError::Unfit),
        }
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

    /// Sets a Kin's entry in `home`, writing only what differs.
    pub fn put_kin(&mut self, kin: &KinProfile) -> Result<(), DocumentError> {
        let (provider, model) = match &kin.model {
            Some(choice) => (choice.provider_id.to_string(), choice.name.clone()),
            None => (String::new(), String::new()),
        };
        let fields: [(&str, ScalarValue); 8] = [
            ("name", kin.name.as_str().into()),
            ("role", kin.role.as_str().into()),
            ("avatar", kin.avatar.as_str().into()),
            ("hue", kin.hue.as_str().into()),
            ("session", kin.session.to_string().into()),
            ("provider", provider.into()),
            ("model", model.into()),
            ("position", ScalarValue::Int(kin.position)),
        ];
        self.put_entry(object::KINS, &kin.id.to_string(), &fields)
    }

    /// Takes a Kin's entry out of `home`.
    pub fn remove_kin(&mut self, kin: KinId) -> Result<(), DocumentError> {
        Ok(self.inner.delete(genesis::exid(object::KINS), kin.to_string())?)
    }

    /// Sets a member's entry in `home`, writing only what differs.
    pub fn put_member(&mut self, member: &MemberProfile) -> Result<(), DocumentError> {
        let fields: [(&str, ScalarValue); 3] = [
            ("nickname", member.nickname.as_str().into()),
            ("avatar", member.avatar.as_str().into()),
            ("role", member.role.as_str().into()),
        ];
        self.put_entry(object::MEMBERS, &member.id.to_string(), &fields)
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

    /// Kins of a `home` document, in list order. Entries that do not read are left out.
    pub fn kins(&self) -> Vec<KinProfile> {
        let map = genesis::exid(object::KINS);
        let mut kins: Vec<_> = self.inner.keys(&map).filter_map(|id| self.kin(&map, &id)).collect();
        kins.sort_by_key(|kin| (kin.position, kin.id));
        kins
    }

    fn kin(&self, map: &automerge::ObjId, id: &str) -> Option<KinProfile> {
        let entry = Entry::of(&self.inner, map, id)?;
        let model = match (entry.text("provider"), entry.text("model")) {
            (Some(provider), Some(name)) if !name.is_empty() => {
                provider.parse().ok().map(|provider_id| ModelChoice { provider_id, name })
            }
            _ => None,
        };
        Some(KinProfile {
            id: id.parse().ok()?,
            name: entry.text("name")?,
            role: entry.text("role")?,
            avatar: entry.text("avatar")?,
            hue: entry.text("hue")?,
            session: entry.text("session")?.parse().ok()?,
            model,
            position: entry.int("position")?,
        })
    }

    /// Members of a `home` document, by nickname. Entries that do not read are left out.
    pub fn members(&self) -> Vec<MemberProfile> {
        let map = genesis::exid(object::MEMBERS);
        let mut members: Vec<_> = self
            .inner
            .keys(&map)
            .filter_map(|id| {
                let entry = Entry::of(&self.inner, &map, &id)?;
                Some(MemberProfile {
                    id: id.parse().ok()?,
                    nickname: entry.text("nickname")?,
                    avatar: entry.text("avatar")?,
                    role: entry.text("role")?.parse().ok()?,
                })
            })
            .collect();
        members.sort_by(|a, b| (&a.nickname, a.id).cmp(&(&b.nickname, b.id)));
        members
    }

    /// A preference of a `me` document.
    pub fn preference(&self, key: PreferenceKey) -> Option<String> {
        match self.inner.get(genesis::exid(object::PREFERENCES), key.as_str()).ok()?? {
            (Value::Scalar(value), _) => value.as_str().map(str::to_owned),
            (Value::Object(_), _) => None,
        }
    }

    /// How far the member has read a session. Of several devices' marks the furthest wins.
    pub fn read_up_to(&self, session: SessionId) -> u64 {
        let marks = self.inner.get_all(genesis::exid(object::READ), session.to_string()).unwrap_or_default();
        marks.iter().filter_map(|(value, _)| value.as_u64()).max().unwrap_or(0)
    }

    /// Ids of a chapter's messages, in no order.
    pub fn message_ids(&self) -> Vec<MessageId> {
        self.inner.keys(genesis::exid(object::MESSAGES)).filter_map(|id| id.parse().ok()).collect()
    }

    /// One message of a chapter.
    pub fn message(&self, id: MessageId) -> Option<StoredMessage> {
        let entry = Entry::of(&self.inner, &genesis::exid(object::MESSAGES), &id.to_string())?;
        let failure = entry.text("failure").and_then(|kind| kind.parse().ok()).map(|kind| Failure {
            kind,
            detail: entry.text("failure_detail").unwrap_or_default(),
            retry_at: entry.int("retry_at").map(UnixMillis),
        });
        Some(StoredMessage {
            id,
            author: entry.text("author")?.parse().ok()?,
            text: entry.text("text")?,
            sent_at: UnixMillis(entry.int("sent_at")?),
            seq: entry.value("seq").and_then(|value| value.as_u64()),
            answers: entry.text("answers").and_then(|id| id.parse().ok()),
            turn: entry.text("turn").and_then(|id| id.parse().ok()),
            state: entry.text("state").and_then(|state| state.parse().ok()).unwrap_or(MessageState::Done),
            failure,
        })
    }
}

/// A message as a chapter holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMessage {
    /// The message.
    pub id: MessageId,
    /// Who wrote it.
    pub author: Author,
    /// Markdown.
    pub text: String,
    /// When, by its writer's clock.
    pub sent_at: UnixMillis,
    /// Its number; `None` until admitted.
    pub seq: Option<u64>,
    /// What it answers.
    pub answers: Option<MessageId>,
    /// The turn that wrote it.
    pub turn: Option<TurnId>,
    /// Its lasting state.
    pub state: MessageState,
    /// Why it failed.
    pub failure: Option<Failure>,
}

/// One entry of a map of maps.
struct Entry<'a> {
    document: &'a AutoCommit,
    id: automerge::ObjId,
}

impl<'a> Entry<'a> {
    fn of(document: &'a AutoCommit, map: &automerge::ObjId, key: &str) -> Option<Self> {
        match document.get(map, key).ok()?? {
            (Value::Object(_), id) => Some(Self { document, id }),
            (Value::Scalar(_), _) => None,
        }
    }

    fn value(&self, key: &str) -> Option<Value<'a>> {
        self.document.get(&self.id, key).ok()?.map(|(value, _)| value)
    }

    fn text(&self, key: &str) -> Option<String> {
        self.value(key)?.as_str().map(str::to_owned)
    }

    fn int(&self, key: &str) -> Option<i64> {
        match self.value(key)? {
            Value::Scalar(value) => match value.as_ref() {
                ScalarValue::Int(number) | ScalarValue::Timestamp(number) => Some(*number),
                ScalarValue::Uint(number) => i64::try_from(*number).ok(),
                _ => None,
            },
            Value::Object(_) => None,
        }
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
