//! The log store in SQLite. A transaction writes, a pooled read connection only reads.

use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Row, params};
use shared::{
    ActorId, Audience, ChangeHash, DeviceId, DocumentId, KinId, MemberId, MessageId, MessageState, SessionId,
    TextField, UnixMillis,
};
use sync::log::{ActorState, DocumentState, Door, KnownChange, LogEntry, LogStore, MessageRow, SessionState};
use sync::template::OpName;

/// The log within one transaction or one read snapshot.
pub struct SqliteLog<'a>(&'a Connection);

type Db<T> = rusqlite::Result<T>;

/// How long the hashes of an earlier generation's changes are kept: a device away for longer asks about nothing so old.
const RETIRED_KEPT_MS: i64 = 365 * 24 * 60 * 60 * 1000;

const MESSAGE: &str =
    "select id, session_id, chapter, seq, audience, author, text, sent_at, admitted_at, answers, turn_id,
                              reply_to, state, failure, obj_op, obj_actor, state_op, state_actor from message";

impl<'a> SqliteLog<'a> {
    /// Over an open transaction or snapshot.
    pub fn new(connection: &'a Connection) -> Self {
        Self(connection)
    }

    /// Who may see a session.
    ///
    /// # Errors
    /// The database's failure, also when there is no such session.
    pub fn audience_of(&self, session: SessionId) -> Db<Audience> {
        let sql = "select audience from session where id = ?1";
        self.0.prepare_cached(sql)?.query_row([session.to_string()], |row| row.id("audience"))
    }
}

fn actor(bytes: &[u8]) -> ActorId {
    ActorId(bytes.try_into().unwrap_or([0; 16]))
}

fn hashes(bytes: &[u8]) -> Vec<ChangeHash> {
    let (hashes, _) = bytes.as_chunks::<32>();
    hashes.iter().map(|hash| ChangeHash(*hash)).collect()
}

fn hash_bytes(hashes: &[ChangeHash]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.0).collect()
}

fn document(row: &Row<'_>) -> Db<DocumentState> {
    Ok(DocumentState {
        audience: row.id("audience")?,
        generation: row.get("generation")?,
        heads: hashes(row.get_ref("heads")?.as_blob()?),
        max_op: row.get("max_op")?,
        bytes: row.get("bytes")?,
        messages: row.get("messages")?,
        closed_at: row.millis_opt("closed_at")?,
        server_actor: actor(row.get_ref("server_actor")?.as_blob()?),
        server_seq: row.get("server_seq")?,
    })
}

fn entry(row: &Row<'_>) -> Db<LogEntry> {
    let member = row.id_opt("member_id")?;
    let device = row.id_opt("device_id")?;
    let hash = hashes(row.get_ref("hash")?.as_blob()?);
    Ok(LogEntry {
        audience: row.id("audience")?,
        position: row.get("position")?,
        document: row.id("document_id")?,
        generation: row.get("generation")?,
        hash: hash.first().copied().unwrap_or(ChangeHash([0; 32])),
        actor: actor(row.get_ref("actor")?.as_blob()?),
        actor_seq: row.get("actor_seq")?,
        max_op: row.get("max_op")?,
        deps: hashes(row.get_ref("deps")?.as_blob()?),
        pushed_by: member.zip(device),
        at: row.millis("at")?,
        bytes: row.get("bytes")?,
    })
}

fn message(row: &Row<'_>) -> Db<MessageRow> {
    let state_op: Option<u64> = row.get("state_op")?;
    let state_actor: Option<Vec<u8>> = row.get("state_actor")?;
    Ok(MessageRow {
        id: row.id("id")?,
        session: row.id("session_id")?,
        chapter: row.get("chapter")?,
        seq: row.get("seq")?,
        audience: row.id("audience")?,
        author: row.id("author")?,
        text: row.get("text")?,
        sent_at: row.millis("sent_at")?,
        admitted_at: row.millis("admitted_at")?,
        answers: row.id_opt("answers")?,
        turn: row.id_opt("turn_id")?,
        reply_to: row.id_opt("reply_to")?,
        state: row.id("state")?,
        failure: row.json_opt("failure")?,
        object: OpName { counter: row.get("obj_op")?, actor: actor(row.get_ref("obj_actor")?.as_blob()?) },
        state_op: state_op.zip(state_actor).map(|(counter, bytes)| OpName { counter, actor: actor(&bytes) }),
    })
}

fn failure_json(row: &MessageRow) -> Db<Option<String>> {
    let failure = row.failure.as_ref().map(serde_json::to_string).transpose();
    failure.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

impl LogStore for SqliteLog<'_> {
    type Error = rusqlite::Error;

    fn document(&mut self, id: DocumentId) -> Db<Option<DocumentState>> {
        let sql = "select audience, generation, heads, max_op, bytes, messages, closed_at, server_actor, server_seq
                     from document where id = ?1";
        self.0.prepare_cached(sql)?.query_row([id.to_string()], document).optional()
    }

    fn save_document(&mut self, id: DocumentId, state: &DocumentState) -> Db<()> {
        let sql = "insert into document
                     (id, audience, generation, heads, max_op, bytes, messages, closed_at, server_actor, server_seq)
                   values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                   on conflict (id) do update set
                     audience = ?2, generation = ?3, heads = ?4, max_op = ?5, bytes = ?6, messages = ?7, closed_at = ?8,
                     server_actor = ?9, server_seq = ?10";
        self.0.prepare_cached(sql)?.execute(params![
            id.to_string(),
            state.audience.to_string(),
            state.generation,
            hash_bytes(&state.heads),
            state.max_op,
            state.bytes,
            state.messages,
            state.closed_at.map(|at| at.0),
            state.server_actor.0,
            state.server_seq
        ])?;
        Ok(())
    }

    fn retire_changes(&mut self, id: DocumentId, remember: bool, at: UnixMillis) -> Db<()> {
        if remember {
            let sql = "insert or ignore into retired_change (document_id, hash, at)
                       select document_id, hash, ?2 from change where document_id = ?1 and member_id is not null";
            self.0.prepare_cached(sql)?.execute(params![id.to_string(), at.0])?;
            let sql = "delete from retired_change where document_id = ?1 and at < ?2";
            self.0.prepare_cached(sql)?.execute(params![id.to_string(), at.0 - RETIRED_KEPT_MS])?;
        }
        for sql in ["delete from change where document_id = ?1", "delete from actor where document_id = ?1"] {
            self.0.prepare_cached(sql)?.execute([id.to_string()])?;
        }
        Ok(())
    }

    fn is_retired(&mut self, document: DocumentId, hash: ChangeHash) -> Db<bool> {
        let sql = "select 1 from retired_change where document_id = ?1 and hash = ?2";
        self.0.prepare_cached(sql)?.exists(params![document.to_string(), hash.0])
    }

    fn forget_document(&mut self, id: DocumentId) -> Db<()> {
        self.retire_changes(id, false, UnixMillis(0))?;
        for sql in ["delete from retired_change where document_id = ?1", "delete from document where id = ?1"] {
            self.0.prepare_cached(sql)?.execute([id.to_string()])?;
        }
        Ok(())
    }

    fn position(&mut self, audience: Audience) -> Db<u64> {
        let sql = "select position from audience_log where audience = ?1";
        let found = self.0.prepare_cached(sql)?.query_row([audience.to_string()], |row| row.get(0)).optional()?;
        Ok(found.unwrap_or(0))
    }

    fn append(&mut self, entry: &LogEntry) -> Db<()> {
        let sql =
            "insert into change (audience, position, document_id, generation, hash, actor, actor_seq, max_op, deps,
                     member_id, device_id, at, bytes)
                   values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        self.0.prepare_cached(sql)?.execute(params![
            entry.audience.to_string(),
            entry.position,
            entry.document.to_string(),
            entry.generation,
            entry.hash.0,
            entry.actor.0,
            entry.actor_seq,
            entry.max_op,
            hash_bytes(&entry.deps),
            entry.pushed_by.map(|(member, _)| member.to_string()),
            entry.pushed_by.map(|(_, device)| device.to_string()),
            entry.at.0,
            entry.bytes
        ])?;
        let sql = "insert into audience_log (audience, position) values (?1, ?2)
                   on conflict (audience) do update set position = ?2";
        self.0.prepare_cached(sql)?.execute(params![entry.audience.to_string(), entry.position])?;
        Ok(())
    }

    fn change(&mut self, document: DocumentId, hash: ChangeHash) -> Db<Option<KnownChange>> {
        let sql = "select max_op, deps from change where document_id = ?1 and hash = ?2";
        self.0
            .prepare_cached(sql)?
            .query_row(params![document.to_string(), hash.0], |row| {
                Ok(KnownChange { max_op: row.get("max_op")?, deps: hashes(row.get_ref("deps")?.as_blob()?) })
            })
            .optional()
    }

    fn changes(&mut self, document: DocumentId, generation: u32) -> Db<Vec<Vec<u8>>> {
        let sql = "select bytes from change where document_id = ?1 and generation = ?2 order by position";
        self.0.prepare_cached(sql)?.query_map(params![document.to_string(), generation], |row| row.get(0))?.collect()
    }

    fn count_changes(&mut self, document: DocumentId, generation: u32) -> Db<u64> {
        let sql = "select count(*) from change where document_id = ?1 and generation = ?2";
        self.0.prepare_cached(sql)?.query_row(params![document.to_string(), generation], |row| row.get(0))
    }

    fn entries_after(&mut self, audience: Audience, position: u64, limit: usize) -> Db<Vec<LogEntry>> {
        let sql = "select audience, position, document_id, generation, hash, actor, actor_seq, max_op, deps, member_id,
                          device_id, at, bytes
                     from change where audience = ?1 and position > ?2 order by position limit ?3";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.0.prepare_cached(sql)?.query_map(params![audience.to_string(), position, limit], entry)?.collect()
    }

    fn open_documents(&mut self, audience: Audience) -> Db<Vec<(DocumentId, u32)>> {
        let sql = "select id, generation from document where audience = ?1 and closed_at is null order by id";
        self.0
            .prepare_cached(sql)?
            .query_map([audience.to_string()], |row| Ok((row.id("id")?, row.get("generation")?)))?
            .collect()
    }

    fn actor(&mut self, document: DocumentId, actor: ActorId) -> Db<Option<ActorState>> {
        let sql = "select device_id, last_seq, last_hash from actor where document_id = ?1 and actor = ?2";
        self.0
            .prepare_cached(sql)?
            .query_row(params![document.to_string(), actor.0], |row| {
                let last = hashes(row.get_ref("last_hash")?.as_blob()?);
                Ok(ActorState {
                    device: row.id("device_id")?,
                    last_seq: row.get("last_seq")?,
                    last_hash: last.first().copied().unwrap_or(ChangeHash([0; 32])),
                })
            })
            .optional()
    }

    fn actors_of(&mut self, document: DocumentId, device: DeviceId) -> Db<u64> {
        let sql = "select count(*) from actor where document_id = ?1 and device_id = ?2";
        self.0.prepare_cached(sql)?.query_row(params![document.to_string(), device.to_string()], |row| row.get(0))
    }

    fn save_actor(&mut self, document: DocumentId, actor: ActorId, state: &ActorState) -> Db<()> {
        let sql = "insert into actor (document_id, actor, device_id, last_seq, last_hash) values (?1, ?2, ?3, ?4, ?5)
                   on conflict (document_id, actor) do update set last_seq = ?4, last_hash = ?5";
        self.0.prepare_cached(sql)?.execute(params![
            document.to_string(),
            actor.0,
            state.device.to_string(),
            state.last_seq,
            state.last_hash.0
        ])?;
        Ok(())
    }

    fn session(&mut self, id: SessionId) -> Db<Option<SessionState>> {
        let sql = "select kin_id, audience, chapter, next_seq from session where id = ?1";
        self.0
            .prepare_cached(sql)?
            .query_row([id.to_string()], |row| {
                Ok(SessionState {
                    kin: row.id("kin_id")?,
                    audience: row.id("audience")?,
                    chapter: row.get("chapter")?,
                    next_seq: row.get("next_seq")?,
                })
            })
            .optional()
    }

    fn door(&mut self, id: SessionId) -> Db<Door> {
        let sql = "select kin.archived_at is not null as archived from session join kin on kin.id = session.kin_id
                    where session.id = ?1 and kin.deleted_at is null";
        let archived = self.0.prepare_cached(sql)?.query_row([id.to_string()], |row| row.get("archived")).optional()?;
        Ok(match archived {
            Some(false) => Door::Open,
            Some(true) => Door::Archived,
            None => Door::Removed,
        })
    }

    fn save_session(&mut self, id: SessionId, state: &SessionState) -> Db<()> {
        let sql = "update session set chapter = ?2, next_seq = ?3 where id = ?1";
        self.0.prepare_cached(sql)?.execute(params![id.to_string(), state.chapter, state.next_seq])?;
        Ok(())
    }

    fn sessions(&mut self, audience: Audience) -> Db<Vec<(SessionId, u64)>> {
        let sql = "select id, next_seq from session where audience = ?1 order by id";
        self.0
            .prepare_cached(sql)?
            .query_map([audience.to_string()], |row| {
                let next: u64 = row.get("next_seq")?;
                Ok((row.id("id")?, next - 1))
            })?
            .collect()
    }

    fn message(&mut self, id: MessageId) -> Db<Option<MessageRow>> {
        self.0.prepare_cached(&format!("{MESSAGE} where id = ?1"))?.query_row([id.to_string()], message).optional()
    }

    fn messages_of(&mut self, session: SessionId, chapter: u32) -> Db<Vec<MessageRow>> {
        // By the index of session and number: a chapter is a run of neighbours.
        let sql = format!("{MESSAGE} where session_id = ?1 and chapter = ?2 order by seq");
        self.0.prepare_cached(&sql)?.query_map(params![session.to_string(), chapter], message)?.collect()
    }

    fn own_documents(&mut self) -> Db<Vec<DocumentId>> {
        let sql = "select id from document where id like 'me/%' order by id";
        self.0.prepare_cached(sql)?.query_map([], |row| row.id("id"))?.collect()
    }

    fn update_message(&mut self, row: &MessageRow) -> Db<()> {
        let sql = "update message set text = ?2, state = ?3, failure = ?4, obj_op = ?5, obj_actor = ?6, state_op = ?7,
                     state_actor = ?8 where id = ?1";
        self.0.prepare_cached(sql)?.execute(params![
            row.id.to_string(),
            row.text,
            row.state.as_str(),
            failure_json(row)?,
            row.object.counter,
            row.object.actor.0,
            row.state_op.map(|op| op.counter),
            row.state_op.map(|op| op.actor.0)
        ])?;
        Ok(())
    }

    fn insert_message(&mut self, row: &MessageRow) -> Db<()> {
        let sql = "insert into message (id, session_id, chapter, seq, audience, author, text, sent_at, admitted_at,
                     answers, turn_id, state, failure, obj_op, obj_actor, state_op, state_actor, reply_to)
                   values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";
        self.0.prepare_cached(sql)?.execute(params![
            row.id.to_string(),
            row.session.to_string(),
            row.chapter,
            row.seq,
            row.audience.to_string(),
            row.author.to_string(),
            row.text,
            row.sent_at.0,
            row.admitted_at.0,
            row.answers.map(|id| id.to_string()),
            row.turn.map(|id| id.to_string()),
            row.state.as_str(),
            failure_json(row)?,
            row.object.counter,
            row.object.actor.0,
            row.state_op.map(|op| op.counter),
            row.state_op.map(|op| op.actor.0),
            row.reply_to.map(|id| id.to_string())
        ])?;
        Ok(())
    }

    fn set_state(&mut self, id: MessageId, state: MessageState, op: OpName) -> Db<()> {
        let sql = "update message set state = ?2, state_op = ?3, state_actor = ?4 where id = ?1";
        self.0.prepare_cached(sql)?.execute(params![id.to_string(), state.as_str(), op.counter, op.actor.0])?;
        Ok(())
    }

    fn save_reaction(&mut self, message: MessageId, member: MemberId, emoji: &str, at: UnixMillis) -> Db<()> {
        if emoji.is_empty() {
            let sql = "delete from reaction where message_id = ?1 and member_id = ?2";
            self.0.prepare_cached(sql)?.execute([message.to_string(), member.to_string()])?;
        } else {
            let sql = "insert into reaction (message_id, member_id, emoji, at) values (?1, ?2, ?3, ?4)
                       on conflict (message_id, member_id) do update set emoji = ?3, at = ?4";
            self.0.prepare_cached(sql)?.execute(params![message.to_string(), member.to_string(), emoji, at.0])?;
        }
        Ok(())
    }

    fn save_kin_text(&mut self, kin: KinId, field: TextField, text: &str) -> Db<()> {
        let sql = match field {
            TextField::Character => "update kin set character = ?2 where id = ?1",
            TextField::Expertise => "update kin set expertise = ?2 where id = ?1",
        };
        self.0.prepare_cached(sql)?.execute(params![kin.to_string(), text])?;
        Ok(())
    }
}
