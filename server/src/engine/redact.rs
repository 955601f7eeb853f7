//! Taking a message's words away for good (V-5): out of rows, documents, journals and the files beneath.

use super::Engine;
use super::commands::CommandError;
use crate::db::RowExt;
use crate::hub::{HubError, HubWrite};
use rusqlite::{Connection, OptionalExtension, params};
use shared::policy::Right;
use shared::turn::{TurnOutcome, TurnState};
use shared::{Author, MessageId, MessageState, SessionId, Viewer};
use std::time::Duration;

/// Between two tries to empty the database's log while readers look at older states.
const AGAIN: Duration = Duration::from_secs(2);
/// Tries; after that the next redaction or start does it.
const TRIES: u32 = 30;

/// Takes the words away and everything that was kept of them on the way. Once more changes nothing.
pub(super) fn redact(
    w: &mut HubWrite<'_>,
    viewer: Viewer,
    session: SessionId,
    message: MessageId,
) -> Result<Result<(), CommandError>, HubError> {
    let [household, own] = viewer.audiences();
    let found = w
        .tx()
        .prepare_cached(
            "select message.author, message.state, asked.author as asked_by,
                    exists (select 1 from turn where turn.message_id = message.id and turn.ended_at is null) as running
               from message left join message asked on asked.id = message.answers
              where message.id = ?1 and message.audience in (?2, ?3)",
        )?
        .query_row([message.to_string(), household.to_string(), own.to_string()], |row| {
            Ok((
                row.id::<Author>("author")?,
                row.id::<MessageState>("state")?,
                row.id_opt::<Author>("asked_by")?,
                row.get::<_, bool>("running")?,
            ))
        })
        .optional()?;
    let Some((author, state, asked_by, running)) = found else { return Ok(Err(CommandError::NotFound)) };
    let me = Author::Member(viewer.member);
    // An answer is as much the member's who asked as anybody's.
    let mine = author == me || (matches!(author, Author::Kin(_)) && asked_by == Some(me));
    if !mine && !viewer.role.may(Right::ManageMembers) {
        return Ok(Err(CommandError::NotYours));
    }
    if state == MessageState::Redacted {
        return Ok(Ok(()));
    }
    if running {
        return Ok(Err(CommandError::StillRunning));
    }
    w.tx().execute("delete from queue_entry where message_id = ?1", [message.to_string()])?;
    for one in earlier_tries(w, message)?.into_iter().chain([message]) {
        forget_turns(w, one)?;
        w.redact(viewer, one, session)?;
    }
    Ok(Ok(()))
}

/// Answers that a retry has replaced by this one: nobody sees them, and they may say the same.
fn earlier_tries(w: &HubWrite<'_>, answer: MessageId) -> rusqlite::Result<Vec<MessageId>> {
    let mut query = w.tx().prepare_cached(
        "select other.id from message answer join message other on other.answers = answer.answers
          where answer.id = ?1 and other.state = 'superseded' order by other.seq",
    )?;
    query.query_map([answer.to_string()], |row| row.id("id"))?.collect()
}

/// What providers said of turns may quote the message.
fn forget_turns(w: &HubWrite<'_>, message: MessageId) -> Result<(), HubError> {
    let mut query = w.tx().prepare_cached(
        "select id, state from turn
          where message_id = ?1 or id = (select turn_id from message where message.id = ?1)",
    )?;
    let turns: Vec<(String, TurnState)> = query
        .query_map([message.to_string()], |row| Ok((row.get("id")?, row.json_opt("state")?)))?
        .collect::<rusqlite::Result<Vec<(String, Option<TurnState>)>>>()?
        .into_iter()
        .filter_map(|(id, state)| Some((id, state?)))
        .collect();
    for (id, state) in turns {
        let TurnState::Ended { at, outcome: TurnOutcome::Failed(mut failure) } = state else { continue };
        failure.detail.clear();
        let state = TurnState::Ended { at, outcome: TurnOutcome::Failed(failure) };
        let json =
            serde_json::to_string(&state).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        w.tx().execute("update turn set state = ?2, partial = '' where id = ?1", params![id, json])?;
    }
    Ok(())
}

/// Whether a message has lost its words.
pub(super) fn is_redacted(conn: &Connection, message: MessageId) -> rusqlite::Result<bool> {
    conn.prepare_cached("select 1 from message where id = ?1 and state = 'redacted'")?.exists([message.to_string()])
}

/// Empties the database's log, where older pages lie; while somebody reads an older state, again a little later.
pub(super) async fn leave_no_trace(engine: &Engine) {
    if engine.0.db.empty_log().await {
        return;
    }
    let db = engine.0.db.clone();
    tokio::spawn(async move {
        for _ in 0..TRIES {
            tokio::time::sleep(AGAIN).await;
            if db.empty_log().await {
                return;
            }
        }
        tracing::warn!("the database's log still holds older pages; a restart empties it");
    });
}
