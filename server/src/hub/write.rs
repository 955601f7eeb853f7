//! One write of the hub: documents, messages and events in one transaction.

use super::{Ending, HubError, SqliteLog};
use crate::audit::{self, Deed};
use crate::{clock, members};
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::{Value, json};
use shared::frame::RefusalCode;
use shared::operation::PreferenceKey;
use shared::profile::{KinProfile, Language, MemberProfile};
use shared::{
    Audience, ChangeHeader, DeviceId, DocumentId, EpochId, EventId, KinId, MemberId, MessageId, MessageState,
    Operation, SessionId, TextField, UnixMillis, Viewer,
};
use sync::hub::{Admitted, Answer, Delta, Hub, NewMessage, Pushed};

/// Queue priority of members' messages.
const MEMBER_PRIORITY: i64 = 0;

/// Events are kept this long: who resumes later is told that there is a gap.
const EVENTS_KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// Every so many events, those of long ago are forgotten, twice as many at most.
const PRUNE_EVERY: i64 = 64;

/// What a write tells once it is durable.
#[derive(Default)]
pub(super) struct Told {
    pub deltas: Vec<Delta>,
    /// Row ids and audiences of stored events.
    pub events: Vec<(i64, Audience)>,
    pub admitted: Vec<SessionId>,
    pub endings: Vec<Ending>,
}

/// A write under way.
pub struct HubWrite<'a> {
    tx: &'a Transaction<'a>,
    now: UnixMillis,
    told: Told,
}

impl<'a> HubWrite<'a> {
    pub(super) fn new(tx: &'a Transaction<'a>, now: UnixMillis) -> Self {
        Self { tx, now, told: Told::default() }
    }

    pub(super) fn into_told(self) -> Told {
        self.told
    }

    /// The transaction, for plain SQL.
    pub fn tx(&self) -> &Transaction<'a> {
        self.tx
    }

    /// The moment this write counts as.
    pub fn now(&self) -> UnixMillis {
        self.now
    }

    /// Ends, once this is durable, every connection of somebody who is let in no longer.
    pub fn end(&mut self, ending: Ending) {
        self.told.endings.push(ending);
    }

    /// Stores an event; it is delivered after the commit, at least once.
    ///
    /// # Errors
    /// The database's failure.
    pub fn event(&mut self, name: &str, audience: Audience, data: Value) -> Result<(), HubError> {
        let sql = "insert into event (event_id, name, audience, at, data) values (?1, ?2, ?3, ?4, ?5)";
        let id = clock::fresh::<EventId>().to_string();
        self.tx.prepare_cached(sql)?.execute(params![id, name, audience.to_string(), self.now.0, data.to_string()])?;
        let row = self.tx.last_insert_rowid();
        if row % PRUNE_EVERY == 0 {
            self.prune_events()?;
        }
        self.told.events.push((row, audience));
        Ok(())
    }

    /// Forgets events of long ago, a few at a time: a write that has to go on never waits for many.
    fn prune_events(&self) -> Result<(), HubError> {
        self.tx
            .prepare_cached("delete from event where id in (select id from event order by id limit ?1) and at < ?2")?
            .execute([2 * PRUNE_EVERY, self.now.0 - EVENTS_KEPT_MS])?;
        Ok(())
    }

    fn hub<T>(
        &mut self,
        work: impl FnOnce(&mut Hub<'_, SqliteLog<'_>>) -> Result<T, sync::hub::HubError<rusqlite::Error>>,
    ) -> Result<T, HubError> {
        let mut log = SqliteLog::new(self.tx);
        let mut random = clock::random::<16>;
        let mut hub = Hub::new(&mut log, self.now, &mut random);
        let result = work(&mut hub)?;
        let (deltas, admitted) = hub.into_deltas();
        self.told.deltas.extend(deltas);
        for message in admitted {
            self.admitted(&message)?;
        }
        Ok(result)
    }

    /// What admission means besides the document: a place in the queue and an event.
    fn admitted(&mut self, message: &Admitted) -> Result<(), HubError> {
        let sql = "insert into queue_entry (message_id, session_id, priority, seq) values (?1, ?2, ?3, ?4)";
        self.tx.prepare_cached(sql)?.execute(params![
            message.message.to_string(),
            message.session.to_string(),
            MEMBER_PRIORITY,
            message.seq
        ])?;
        let audience = SqliteLog::new(self.tx).audience_of(message.session)?;
        let data = json!({
            "kin_id": message.kin, "session_id": message.session, "message_id": message.message, "seq": message.seq,
            "author": { "kind": "member", "id": message.viewer.member },
        });
        self.event("kin.message.received", audience, data)?;
        self.told.admitted.push(message.session);
        Ok(())
    }

    /// Admits or refuses a change pushed by a replica.
    ///
    /// # Errors
    /// The database's failure; a refusal is no error.
    pub fn push(
        &mut self,
        viewer: Viewer,
        device: DeviceId,
        document: DocumentId,
        generation: u32,
        operation: &Operation,
        header: &ChangeHeader,
    ) -> Result<Pushed, HubError> {
        let pushed = self.hub(|hub| hub.push(viewer, device, document, generation, operation, header))?;
        // Routine refusals are how replicas find their way; the rest is a fault or an attack and is written down.
        if let Pushed::Refused(code, detail) = &pushed
            && matches!(code, RefusalCode::Forbidden | RefusalCode::HashMismatch | RefusalCode::NotFound)
        {
            let detail = format!("{code:?}: {detail}");
            audit::record(self.tx, self.now, Some(viewer.member), Some(device), Deed::ChangeRefused, &detail)?;
        }
        if let (Pushed::Accepted, Operation::SetPreference { key: PreferenceKey::Language, .. }) = (&pushed, operation)
        {
            let language = self.hub(|hub| hub.preference(viewer.member, PreferenceKey::Language))?;
            if let Some(language) = language.and_then(|tag| Language::from_tag(&tag)) {
                members::save_language(self.tx, viewer.member, language)?;
            }
        }
        Ok(pushed)
    }

    /// A member's message that comes by REST: message, queue entry and event. Idempotent by id; gives its number.
    ///
    /// # Errors
    /// [`HubError::Missing`] when the viewer may not see the session, or what is quoted is not in it.
    pub fn admit_member_message(
        &mut self,
        viewer: Viewer,
        session: SessionId,
        message: &NewMessage<'_>,
    ) -> Result<u64, HubError> {
        self.hub(|hub| hub.member_message(viewer, session, message))
    }

    /// A Kin's answer at the end of a turn; gives its number.
    ///
    /// # Errors
    /// The database's failure, also when the turn already has an answer.
    pub fn append_answer(&mut self, answer: &Answer) -> Result<u64, HubError> {
        let seq = self.hub(|hub| hub.append_answer(answer))?;
        let audience = SqliteLog::new(self.tx).audience_of(answer.session)?;
        let data = json!({
            "kin_id": answer.kin, "session_id": answer.session, "message_id": answer.message, "seq": seq,
            "turn_id": answer.turn, "answers": answer.answers, "state": answer.state,
            "failure": answer.failure.as_ref().map(|failure| failure.kind),
        });
        self.event("kin.message.sent", audience, data)?;
        Ok(seq)
    }

    /// Sets a message's lasting state.
    ///
    /// # Errors
    /// [`HubError::Missing`] when there is no such message.
    pub fn set_message_state(&mut self, message: MessageId, state: MessageState) -> Result<(), HubError> {
        self.hub(|hub| hub.set_state(message, state))
    }

    /// Takes a message's words away, out of everything this server keeps.
    ///
    /// # Errors
    /// [`HubError::Missing`] when there is no such message.
    pub fn redact(&mut self, viewer: Viewer, message: MessageId, session: SessionId) -> Result<(), HubError> {
        self.hub(|hub| hub.redact(message))?;
        let audience = SqliteLog::new(self.tx).audience_of(session)?;
        let by = viewer.member;
        self.event(
            "kin.message.redacted",
            audience,
            json!({ "session_id": session, "message_id": message, "by": by }),
        )?;
        audit::record(self.tx, self.now, Some(by), None, Deed::MessageRedacted, &message.to_string())?;
        Ok(())
    }

    /// Sets a Kin's entry in the household's directory.
    ///
    /// # Errors
    /// The database's failure.
    pub fn put_kin_profile(&mut self, kin: &KinProfile) -> Result<(), HubError> {
        self.hub(|hub| hub.put_kin(kin))
    }

    /// Names the household, in its directory.
    ///
    /// # Errors
    /// The database's failure.
    pub fn put_household_name(&mut self, name: &str) -> Result<(), HubError> {
        self.hub(|hub| hub.put_household_name(name))
    }

    /// Takes a Kin out of the household's directory.
    ///
    /// # Errors
    /// The database's failure.
    pub fn remove_kin_profile(&mut self, kin: KinId) -> Result<(), HubError> {
        self.hub(|hub| hub.remove_kin(kin))
    }

    /// Sets a member's language where all of their devices find it, and in their row, which follows it.
    ///
    /// # Errors
    /// The database's failure.
    pub fn set_language(&mut self, member: MemberId, language: Language) -> Result<(), HubError> {
        self.hub(|hub| hub.set_preference(member, PreferenceKey::Language, language.as_str()))?;
        members::save_language(self.tx, member, language)?;
        Ok(())
    }

    /// Sets a member's entry in the household's directory and makes their own document.
    ///
    /// # Errors
    /// The database's failure.
    pub fn put_member_profile(&mut self, member: &MemberProfile) -> Result<(), HubError> {
        self.hub(|hub| hub.put_member(member))
    }

    /// Makes a new Kin's documents. The rows of `kin` and `session` are the caller's.
    ///
    /// # Errors
    /// The database's failure.
    pub fn create_kin_documents(
        &mut self,
        kin: KinId,
        session: SessionId,
        character: &str,
        expertise: &str,
    ) -> Result<(), HubError> {
        self.hub(|hub| hub.create_kin(kin, session, character, expertise))
    }

    /// Forgets a document for good, here and on every device.
    ///
    /// # Errors
    /// The database's failure.
    pub fn forget_document(&mut self, id: DocumentId) -> Result<(), HubError> {
        self.hub(|hub| hub.forget_document(id))
    }

    /// Replaces a Kin's text, in its document and its row; others' edits merge with the difference.
    ///
    /// # Errors
    /// The database's failure.
    pub fn set_kin_text(&mut self, kin: KinId, field: TextField, text: &str) -> Result<(), HubError> {
        self.hub(|hub| hub.set_kin_text(kin, field, text))
    }
}

/// Reads the household's epoch, or writes `fresh` as it.
pub(super) fn epoch(tx: &Transaction<'_>, fresh: EpochId) -> Result<EpochId, HubError> {
    tx.execute("insert or ignore into meta (key, value) values ('epoch', ?1)", [fresh.to_string()])?;
    let text: Option<String> =
        tx.query_row("select value from meta where key = 'epoch'", [], |row| row.get(0)).optional()?;
    Ok(text.and_then(|text| text.parse().ok()).unwrap_or(fresh))
}
