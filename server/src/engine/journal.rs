//! The tables `turn`, `turn_step` and `queue_entry`: what has to survive a crash at any instant.

use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use shared::turn::{Effect, TurnEvent, TurnOutcome, TurnState};
use shared::{Audience, KinId, MessageId, SessionId, TurnId, UnixMillis};

/// What stays true of a turn all its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TurnFacts {
    pub(super) turn: TurnId,
    pub(super) session: SessionId,
    pub(super) kin: KinId,
    /// The message it answers.
    pub(super) message: MessageId,
    pub(super) audience: Audience,
}

/// A turn that an earlier run of the server did not end.
pub(super) struct Unfinished {
    pub(super) facts: TurnFacts,
    /// `None` when it cannot be read.
    pub(super) state: Option<TurnState>,
    pub(super) partial: String,
}

/// What the end of a turn leaves in its row.
pub(super) struct End {
    pub(super) state: TurnState,
    pub(super) at: UnixMillis,
    /// How the last call ended.
    pub(super) outcome: &'static str,
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
}

fn facts_from_row(row: &Row<'_>) -> rusqlite::Result<TurnFacts> {
    Ok(TurnFacts {
        turn: row.id("turn_id")?,
        session: row.id("session_id")?,
        kin: row.id("kin_id")?,
        message: row.id("message_id")?,
        audience: row.id("audience")?,
    })
}

/// Takes the first message of a session's queue and begins its turn. `None` when there is none or a turn runs.
pub(super) fn take_up(
    tx: &Transaction<'_>,
    session: SessionId,
    turn: TurnId,
    now: UnixMillis,
) -> rusqlite::Result<Option<(TurnFacts, TurnState, Vec<Effect>)>> {
    let first = tx
        .prepare_cached(
            "select ?2 as turn_id, session.id as session_id, session.kin_id, session.audience, queue_entry.message_id
               from session
               join kin on kin.id = session.kin_id and kin.deleted_at is null and kin.archived_at is null
               join queue_entry on queue_entry.session_id = session.id
              where session.id = ?1
                and not exists (select 1 from turn where turn.session_id = session.id and turn.ended_at is null)
              order by queue_entry.priority, queue_entry.seq limit 1",
        )?
        .query_row([session.to_string(), turn.to_string()], facts_from_row)
        .optional()?;
    let Some(facts) = first else { return Ok(None) };
    let (state, effects) = TurnState::Queued
        .step(now, TurnEvent::TakenUp)
        .expect("a queued turn can be taken up: it is what queues are for");
    tx.prepare_cached("delete from queue_entry where message_id = ?1")?.execute([facts.message.to_string()])?;
    tx.prepare_cached(
        "insert into turn (id, session_id, kin_id, message_id, audience, state, created_at) values (?1, ?2, ?3, ?4, ?5, '', ?6)",
    )?
    .execute(params![
        turn.to_string(),
        session.to_string(),
        facts.kin.to_string(),
        facts.message.to_string(),
        facts.audience.to_string(),
        now.0,
    ])?;
    save(tx, turn, &state, "", now)?;
    Ok(Some((facts, state, effects)))
}

/// Writes a state down. `outcome` is how the call before ended, if one was under way.
pub(super) fn save(
    tx: &Transaction<'_>,
    turn: TurnId,
    state: &TurnState,
    outcome: &'static str,
    now: UnixMillis,
) -> rusqlite::Result<()> {
    close_step(tx, turn, outcome)?;
    let attempt = match state {
        TurnState::Calling { attempt, .. } | TurnState::BackingOff { attempt, .. } => *attempt,
        TurnState::Queued | TurnState::Ended { .. } => 0,
    };
    tx.prepare_cached("update turn set state = ?2, attempt = max(attempt, ?3) where id = ?1 and ended_at is null")?
        .execute(params![turn.to_string(), json(state), attempt])?;
    if let TurnState::Calling { attempt, .. } = state {
        tx.prepare_cached(
            "insert into turn_step (turn_id, number, kind, attempt, at)
             values (?1, 1 + (select count(*) from turn_step where turn_id = ?1), 'model_call', ?2, ?3)",
        )?
        .execute(params![turn.to_string(), attempt, now.0])?;
    }
    Ok(())
}

/// Writes the end of a turn down. False when it had ended before.
pub(super) fn end(tx: &Transaction<'_>, turn: TurnId, end: &End) -> rusqlite::Result<bool> {
    close_step(tx, turn, end.outcome)?;
    let tokens = |count: Option<u64>| count.map(|count| i64::try_from(count).unwrap_or(i64::MAX));
    let (input, output) = (tokens(end.input_tokens), tokens(end.output_tokens));
    let changed = tx
        .prepare_cached(
            "update turn set state = ?2, ended_at = ?3, input_tokens = ?4, output_tokens = ?5, partial = ''
              where id = ?1 and ended_at is null",
        )?
        .execute(params![turn.to_string(), json(&end.state), end.at.0, input, output])?;
    Ok(changed > 0)
}

/// Writes down what a running attempt has said so far.
pub(super) fn checkpoint(tx: &Transaction<'_>, turn: TurnId, partial: &str) -> rusqlite::Result<()> {
    tx.prepare_cached("update turn set partial = ?2 where id = ?1 and ended_at is null")?
        .execute([turn.to_string().as_str(), partial])?;
    Ok(())
}

/// The last checkpoint.
pub(super) fn find_partial(conn: &Connection, turn: TurnId) -> rusqlite::Result<Option<String>> {
    let mut query = conn.prepare_cached("select partial from turn where id = ?1")?;
    query.query_row([turn.to_string()], |row| row.get("partial")).optional()
}

fn close_step(tx: &Transaction<'_>, turn: TurnId, outcome: &'static str) -> rusqlite::Result<()> {
    tx.prepare_cached("update turn_step set outcome = ?2 where turn_id = ?1 and outcome is null")?
        .execute([turn.to_string().as_str(), outcome])?;
    Ok(())
}

/// A session's audience and the messages that wait in it, first to be taken up first.
pub(super) fn find_queue(
    conn: &Connection,
    session: SessionId,
) -> rusqlite::Result<Option<(Audience, Vec<MessageId>)>> {
    let mut query = conn.prepare_cached("select audience from session where id = ?1")?;
    let audience = query.query_row([session.to_string()], |row| row.id("audience")).optional()?;
    let Some(audience) = audience else { return Ok(None) };
    let mut query =
        conn.prepare_cached("select message_id from queue_entry where session_id = ?1 order by priority, seq")?;
    let waiting = query.query_map([session.to_string()], |row| row.id("message_id"))?;
    Ok(Some((audience, waiting.collect::<Result<_, _>>()?)))
}

/// Every turn that has not ended, oldest first.
pub(super) fn list_unfinished(conn: &Connection) -> rusqlite::Result<Vec<Unfinished>> {
    let mut query = conn.prepare(
        "select id as turn_id, session_id, kin_id, message_id, audience, state, partial
           from turn where ended_at is null order by created_at, id",
    )?;
    let rows = query.query_map([], |row| {
        let state: String = row.get("state")?;
        let state = serde_json::from_str(&state).ok();
        Ok(Unfinished { facts: facts_from_row(row)?, state, partial: row.get("partial")? })
    })?;
    rows.collect()
}

/// Every session with a turn that has not ended although its Kin has been put away or removed.
pub(super) fn list_resting_sessions(conn: &Connection) -> rusqlite::Result<Vec<SessionId>> {
    let mut query = conn.prepare(
        "select turn.session_id from turn join kin on kin.id = turn.kin_id
          where turn.ended_at is null and (kin.deleted_at is not null or kin.archived_at is not null)",
    )?;
    let rows = query.query_map([], |row| row.id("session_id"))?;
    rows.collect()
}

/// Every session with a message that waits.
pub(super) fn list_waiting_sessions(conn: &Connection) -> rusqlite::Result<Vec<SessionId>> {
    let mut query = conn.prepare("select distinct session_id from queue_entry")?;
    query.query_map([], |row| row.id("session_id"))?.collect()
}

/// Puts a message back into its session's queue, at its place.
pub(super) fn queue_again(tx: &Transaction<'_>, message: MessageId) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "insert into queue_entry (message_id, session_id, priority, seq)
         select id, session_id, 0, seq from message where id = ?1",
    )?
    .execute([message.to_string()])?;
    Ok(())
}

/// How a turn's last call ended, as `turn_step.outcome` has it.
pub(super) fn outcome_name(outcome: &TurnOutcome) -> &'static str {
    match outcome {
        TurnOutcome::Answered => "answered",
        TurnOutcome::Stopped => "stopped",
        TurnOutcome::Failed(failure) => failure.kind.as_str(),
    }
}

fn json(state: &TurnState) -> String {
    serde_json::to_string(state).expect("a turn's state holds only numbers and texts")
}
