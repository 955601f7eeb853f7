//! Reading documents of ours. Entries that do not read are left out: a newer server may write what this one does not know.

use super::Document;
use crate::genesis::{self, object};
use crate::view::{Draft, Pin};
use automerge::{AutoCommit, ReadDoc, ScalarValue, Value};
use shared::operation::PreferenceKey;
use shared::profile::{KinProfile, MemberProfile, ModelChoice, Standing};
use shared::{Author, Failure, MemberId, MessageId, MessageState, SessionId, TurnId, UnixMillis};

impl Document {
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
            archived: entry.flag("archived"),
        })
    }

    /// The household's name in a `home` document; empty until it has one.
    pub fn household_name(&self) -> String {
        match self.inner.get(automerge::ROOT, "name") {
            Ok(Some((Value::Scalar(name), _))) => name.as_str().unwrap_or_default().to_owned(),
            Ok(Some((Value::Object(_), _)) | None) | Err(_) => String::new(),
        }
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
                    standing: entry.text("standing").map(|text| Standing::from_text(&text)).unwrap_or_default(),
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

    /// What the member has written for a session and not sent; empty when nothing.
    pub fn draft(&self, session: SessionId) -> Draft {
        self.dated_draft(session).map(|(_, draft)| draft).unwrap_or_default()
    }

    /// The draft and when it was written. Of several devices' drafts the newest stands.
    pub fn dated_draft(&self, session: SessionId) -> Option<(UnixMillis, Draft)> {
        let values = self.inner.get_all(genesis::exid(object::PREFERENCES), draft_key(session)).unwrap_or_default();
        let drafts = values.iter().filter_map(|(value, _)| draft_of(value.as_str()?));
        drafts.max_by(|(at, draft), (other_at, other)| (at, &draft.text).cmp(&(other_at, &other.text)))
    }

    /// The member's pins in a session, oldest message first.
    pub fn pins(&self, session: SessionId) -> Vec<Pin> {
        let preferences = genesis::exid(object::PREFERENCES);
        // Keys come in order, and a message's id begins with its moment.
        self.inner
            .keys(&preferences)
            .filter_map(|key| {
                let message = key.strip_prefix(PIN)?.parse().ok()?;
                let value = self.setting(&key)?;
                let (of, excerpt) = value.split_once('\n')?;
                (of.parse() == Ok(session)).then(|| Pin { message, excerpt: excerpt.to_owned() })
            })
            .collect()
    }

    /// Whether any text of it, now or in its history, holds some words: what a redaction is proved by.
    pub fn has_held(&self, words: &str) -> bool {
        let mut copy = self.inner.clone();
        let changes = copy.get_changes(&[]);
        let mut operations = changes.iter().flat_map(|change| change.decode().operations);
        operations
            .any(|op| op.primitive_value().is_some_and(|value| value.as_str().is_some_and(|text| text.contains(words))))
    }

    /// The sessions with a read marker.
    pub(super) fn read_sessions(&self) -> Vec<SessionId> {
        self.inner.keys(genesis::exid(object::READ)).filter_map(|key| key.parse().ok()).collect()
    }

    /// Preferences, drafts and pins that say something, as they are kept; of several devices' drafts the newest.
    pub(super) fn settings(&self) -> Vec<(String, String)> {
        let keys = self.inner.keys(genesis::exid(object::PREFERENCES));
        let value = |key: &str| match key.strip_prefix(DRAFT).and_then(|session| session.parse().ok()) {
            Some(session) => {
                let (at, draft) = self.dated_draft(session)?;
                // An empty one stays, with its moment: an older one of another device must not come back.
                Some(draft_value(&draft.text, at, draft.reply_to))
            }
            None => self.setting(key).filter(|value| !value.is_empty()),
        };
        keys.filter_map(|key| value(&key).map(|value| (key, value))).collect()
    }

    fn setting(&self, key: &str) -> Option<String> {
        match self.inner.get(genesis::exid(object::PREFERENCES), key).ok()?? {
            (Value::Scalar(value), _) => value.as_str().map(str::to_owned),
            (Value::Object(_), _) => None,
        }
    }

    /// Reactions that stand in this chapter: message, member, emoji. An empty one takes back that of an older chapter.
    pub fn reactions(&self) -> Vec<(MessageId, MemberId, String)> {
        let amend = genesis::exid(object::AMEND);
        self.inner.keys(&amend).filter_map(|key| self.reaction_at(&amend, &key)).collect()
    }

    /// One member's reaction as it stands in this chapter, if it does.
    pub fn reaction(&self, message: MessageId, member: MemberId) -> Option<String> {
        let amend = genesis::exid(object::AMEND);
        self.reaction_at(&amend, &format!("{message}/{member}")).map(|(_, _, emoji)| emoji)
    }

    fn reaction_at(&self, amend: &automerge::ObjId, key: &str) -> Option<(MessageId, MemberId, String)> {
        let (message, member) = key.split_once('/')?;
        let emoji = match self.inner.get(amend, key).ok()?? {
            (Value::Scalar(value), _) => value.as_str()?.to_owned(),
            (Value::Object(_), _) => return None,
        };
        Some((message.parse().ok()?, member.parse().ok()?, emoji))
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
            reply_to: entry.text("reply_to").and_then(|id| id.parse().ok()),
            state: entry.text("state").and_then(|state| state.parse().ok()).unwrap_or(MessageState::Done),
            failure,
        })
    }
}

const PIN: &str = "pin:";
const DRAFT: &str = "draft:";

pub(super) fn draft_key(session: SessionId) -> String {
    format!("{DRAFT}{session}")
}

/// When it was written, what is quoted, and the text, with line ends between.
pub(super) fn draft_value(text: &str, at: UnixMillis, reply_to: Option<MessageId>) -> String {
    let quoted = reply_to.map(|id| id.to_string()).unwrap_or_default();
    format!("{}\n{quoted}\n{text}", at.0)
}

fn draft_of(value: &str) -> Option<(UnixMillis, Draft)> {
    let mut parts = value.splitn(3, '\n');
    let at = UnixMillis(parts.next()?.parse().ok()?);
    let reply_to = parts.next()?.parse().ok();
    Some((at, Draft { text: parts.next()?.to_owned(), reply_to }))
}

pub(super) fn pin_key(message: MessageId) -> String {
    format!("{PIN}{message}")
}

/// The session, a line end, how the message begins; empty for no pin.
pub(super) fn pin_value(session: SessionId, excerpt: Option<&str>) -> String {
    excerpt.map(|excerpt| format!("{session}\n{excerpt}")).unwrap_or_default()
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
    /// What it quotes.
    pub reply_to: Option<MessageId>,
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

    fn flag(&self, key: &str) -> bool {
        self.value(key).is_some_and(|value| value.as_bool() == Some(true))
    }

    fn int(&self, key: &str) -> Option<i64> {
        match self.value(key)? {
            Value::Scalar(value) => match value.as_ref() {
                ScalarValue::Int(number) | ScalarValue::Timestamp(number) => Some(*number),
                ScalarValue::Uint(number) => i64::try_from(*number).ok(),
                ScalarValue::Bytes(_)
                | ScalarValue::Str(_)
                | ScalarValue::F64(_)
                | ScalarValue::Counter(_)
                | ScalarValue::Boolean(_)
                | ScalarValue::Unknown { .. }
                | ScalarValue::Null => None,
            },
            Value::Object(_) => None,
        }
    }
}
