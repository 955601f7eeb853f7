//! Reading a Kin's thread, newest first.

use crate::db::RowExt;
use rusqlite::{Connection, Row, params};
use shared::{Author, Failure, MemberId, MessageId, MessageState, SessionId, TurnId, UnixMillis, Viewer};

/// A message as REST shows it.
pub(super) struct Listed {
    pub id: MessageId,
    pub seq: i64,
    pub author: Author,
    pub author_name: String,
    pub text: String,
    pub state: &'static str,
    pub sent_at: UnixMillis,
    pub answers: Option<MessageId>,
    pub turn: Option<TurnId>,
    pub reply_to: Option<MessageId>,
    pub reactions: Vec<(MemberId, String)>,
    pub failure: Option<Failure>,
}

/// Messages of a session with a number below `before`, newest first; what the viewer may not see is not read.
///
/// An answer that a retry has replaced is left out.
pub(super) fn list(
    connection: &Connection,
    viewer: Viewer,
    session: SessionId,
    before: i64,
    limit: usize,
) -> rusqlite::Result<Vec<Listed>> {
    let [household, own] = viewer.audiences();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    connection
        .prepare_cached(
            "select message.id, message.seq, message.author, message.text, message.state, message.sent_at,
                    message.answers, message.turn_id, message.reply_to, message.failure,
                    (select json_group_array(json_array(member_id, emoji)) from reaction
                      where reaction.message_id = message.id) as reactions,
                    coalesce(member.nickname, kin.name, '') as author_name,
                    exists (select 1 from queue_entry where queue_entry.message_id = message.id) as waiting,
                    exists (select 1 from turn where turn.session_id = message.session_id and turn.ended_at is null
                               and turn.message_id = message.id) as running
               from message
               left join member on member.id = message.author
               left join kin on kin.id = message.author
              where message.session_id = ?1 and message.seq < ?2 and message.audience in (?3, ?4)
                and message.state <> 'superseded'
              order by message.seq desc limit ?5",
        )?
        .query_map(params![session.to_string(), before, household.to_string(), own.to_string(), limit], |row| {
            from_row(row, viewer)
        })?
        .collect()
}

/// Whether a session has a message that the viewer may see.
pub(super) fn is_in(
    connection: &Connection,
    viewer: Viewer,
    session: SessionId,
    message: MessageId,
) -> rusqlite::Result<bool> {
    let [household, own] = viewer.audiences();
    connection
        .prepare_cached("select 1 from message where id = ?1 and session_id = ?2 and audience in (?3, ?4)")?
        .exists([message.to_string(), session.to_string(), household.to_string(), own.to_string()])
}

fn from_row(row: &Row<'_>, viewer: Viewer) -> rusqlite::Result<Listed> {
    let (author, state): (Author, MessageState) = (row.id("author")?, row.id("state")?);
    let (waiting, running): (bool, bool) = (row.get("waiting")?, row.get("running")?);
    // What was taken back is for nobody but its author to read again.
    let readable = state != MessageState::Withdrawn || author == Author::Member(viewer.member);
    Ok(Listed {
        id: row.id("id")?,
        seq: row.get("seq")?,
        author,
        author_name: row.get("author_name")?,
        text: if readable { row.get("text")? } else { String::new() },
        state: match (running, waiting) {
            (true, _) => "running",
            (false, true) => "waiting",
            (false, false) => state.as_str(),
        },
        sent_at: row.millis("sent_at")?,
        answers: row.id_opt("answers")?,
        turn: row.id_opt("turn_id")?,
        reply_to: row.id_opt("reply_to")?,
        reactions: row.json_opt("reactions")?.unwrap_or_default(),
        failure: row.json_opt("failure")?,
    })
}
