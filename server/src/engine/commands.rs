//! What members can ask of the engine. One function for the WebSocket and for REST.

use super::redact;
use super::turn_job::StopAsk;
use super::{Engine, journal};
use crate::db::{DbError, RowExt};
use crate::error::ApiError;
use crate::hub::{HubError, HubWrite, SqliteLog};
use axum::extract::FromRef;
use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use shared::frame::Command;
use shared::{Author, CommandId, MemberId, MessageId, MessageState, SessionId, TurnId, UnixMillis, Viewer};
use sync::log::{Door, LogStore};

/// How long answers to commands are kept: a device that was away repeats what it is not sure of.
const KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// Why a command changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Does not exist, or not for this member: one answer for both.
    #[error("there is no such thing, or it is not yours to see")]
    NotFound,
    /// The turn has ended, or another one runs.
    #[error("this turn is not running any more")]
    TurnNotRunning,
    /// Not an answer that failed or was stopped, or a later try stands for it.
    #[error("only the newest failed or stopped answer to a message can be tried again")]
    NotRetryable,
    /// The Kin has been put away.
    #[error("the Kin has been put away; bring it back first")]
    KinArchived,
    /// A turn has taken the message up.
    #[error("the message is not waiting any more")]
    NotWaiting,
    /// The Kin is answering it.
    #[error("the Kin is still answering this message; stop it first")]
    StillRunning,
    /// Somebody else wrote it.
    #[error("only its author can take a message back")]
    NotYours,
    /// The id has been used by another member.
    #[error("this command id is taken")]
    IdTaken,
    /// It could not be stored now. The same id may be used again.
    #[error("the server could not store this now")]
    Unavailable,
}

impl CommandError {
    const ALL: [Self; 9] = [
        Self::NotFound,
        Self::TurnNotRunning,
        Self::NotRetryable,
        Self::KinArchived,
        Self::NotWaiting,
        Self::StillRunning,
        Self::NotYours,
        Self::IdTaken,
        Self::Unavailable,
    ];

    /// The code on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::TurnNotRunning => "turn_not_running",
            Self::NotRetryable => "not_retryable",
            Self::KinArchived => "kin_archived",
            Self::NotWaiting => "not_waiting",
            Self::StillRunning => "still_running",
            Self::NotYours => "not_yours",
            Self::IdTaken => "command_id_taken",
            Self::Unavailable => "unavailable",
        }
    }

    fn of_code(code: &str) -> Self {
        Self::ALL.into_iter().find(|error| error.code() == code).unwrap_or(Self::Unavailable)
    }
}

impl From<CommandError> for ApiError {
    fn from(error: CommandError) -> Self {
        let status = match error {
            CommandError::NotFound => StatusCode::NOT_FOUND,
            CommandError::TurnNotRunning
            | CommandError::NotRetryable
            | CommandError::KinArchived
            | CommandError::NotWaiting
            | CommandError::StillRunning
            | CommandError::IdTaken => StatusCode::CONFLICT,
            CommandError::NotYours => StatusCode::FORBIDDEN,
            CommandError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.code(), error.to_string())
    }
}

impl From<HubError> for CommandError {
    fn from(error: HubError) -> Self {
        tracing::error!(error = crate::error::chain(&error), "a command could not be stored");
        Self::Unavailable
    }
}

impl From<DbError> for CommandError {
    fn from(error: DbError) -> Self {
        HubError::from(error).into()
    }
}

impl From<rusqlite::Error> for CommandError {
    fn from(error: rusqlite::Error) -> Self {
        DbError::from(error).into()
    }
}

/// Does what a member asks. Repeating an id repeats the answer, not the deed.
///
/// # Errors
/// [`CommandError::Unavailable`] when nothing could be stored; else why the deed is refused, which is remembered.
pub async fn run<S>(state: &S, viewer: Viewer, id: CommandId, command: Command) -> Result<(), CommandError>
where
    Engine: FromRef<S>,
{
    let engine = &Engine::from_ref(state);
    match command {
        Command::Stop { session, turn } => stop(engine, viewer, id, session, turn).await,
        Command::Retry { session, answer } => {
            in_session(engine, viewer, id, session, move |w| retry(w, viewer, session, answer)).await
        }
        Command::Redact { message } => {
            match engine.0.db.read(move |conn| Ok::<_, DbError>(find_session(conn, viewer, message)?)).await? {
                Some(session) => {
                    in_session(engine, viewer, id, session, move |w| redact::redact(w, viewer, session, message))
                        .await?;
                    redact::leave_no_trace(engine).await;
                    Ok(())
                }
                None => refuse(engine, viewer, id, CommandError::NotFound).await,
            }
        }
        Command::Withdraw { message } => {
            match engine.0.db.read(move |conn| Ok::<_, DbError>(find_session(conn, viewer, message)?)).await? {
                Some(session) => in_session(engine, viewer, id, session, move |w| withdraw(w, viewer, message)).await,
                None => refuse(engine, viewer, id, CommandError::NotFound).await,
            }
        }
    }
}

/// The turn's own job ends it: it has the text, and it may be ending by itself this very moment.
async fn stop(
    engine: &Engine,
    viewer: Viewer,
    id: CommandId,
    session: SessionId,
    turn: TurnId,
) -> Result<(), CommandError> {
    let read =
        engine.0.db.read(move |conn| Ok::<_, DbError>((find(conn, viewer, id)?, may_see(conn, viewer, session)?)));
    let (before, visible) = read.await?;
    if let Some(answer) = before {
        return answer;
    }
    if !visible {
        return refuse(engine, viewer, id, CommandError::NotFound).await;
    }
    let Some(asks) = engine.asks_of(session, Some(turn)).await else {
        return refuse(engine, viewer, id, CommandError::TurnNotRunning).await;
    };
    let (ask, answer) = StopAsk::of(turn, id, viewer.member);
    let answer = match asks.send(ask).await {
        Ok(()) => answer.await.unwrap_or(Err(CommandError::TurnNotRunning)),
        Err(_) => Err(CommandError::TurnNotRunning),
    };
    match answer {
        // The turn goes on at the next start: it can be stopped then.
        Err(_) if engine.is_stopping() => Err(CommandError::Unavailable),
        Err(error @ CommandError::TurnNotRunning) => refuse(engine, viewer, id, error).await,
        other => other,
    }
}

/// Does a deed that changes a session's queue, then lets the engine and everyone know.
async fn in_session(
    engine: &Engine,
    viewer: Viewer,
    id: CommandId,
    session: SessionId,
    deed: impl FnOnce(&mut HubWrite<'_>) -> Result<Result<(), CommandError>, HubError> + Send + 'static,
) -> Result<(), CommandError> {
    let slot = engine.slot(session);
    let mut slot = slot.lock().await;
    let now = engine.0.timer.now();
    let write = engine.0.hub.write(move |w| {
        if let Some(answer) = find(w.tx(), viewer, id)? {
            return Ok((answer, false));
        }
        let answer = deed(w)?;
        record(w.tx(), id, viewer.member, answer.err(), now)?;
        Ok::<_, HubError>((answer, true))
    });
    let (answer, changed) = write.await?;
    if answer.is_ok() && changed {
        engine.take_up_in(session, &mut slot).await;
    }
    answer
}

/// Remembers and gives a refusal, or gives the answer that the id got before.
async fn refuse(engine: &Engine, viewer: Viewer, id: CommandId, error: CommandError) -> Result<(), CommandError> {
    let now = engine.0.timer.now();
    let write = engine.0.db.write(move |tx| {
        if let Some(answer) = find(tx, viewer, id)? {
            return Ok(answer);
        }
        record(tx, id, viewer.member, Some(error), now)?;
        Ok::<_, DbError>(Err(error))
    });
    write.await?
}

fn retry(
    w: &mut HubWrite<'_>,
    viewer: Viewer,
    session: SessionId,
    answer: MessageId,
) -> Result<Result<(), CommandError>, HubError> {
    let [household, own] = viewer.audiences();
    let found = w
        .tx()
        .prepare_cached(
            "select answer.state, answer.answers,
                    (select newest.id from message newest where newest.answers = answer.answers
                      order by newest.seq desc limit 1) = answer.id
                    and not exists (select 1 from queue_entry where queue_entry.message_id = answer.answers)
                    and not exists (select 1 from turn where turn.message_id = answer.answers and turn.ended_at is null)
                    as is_newest
               from message answer
              where answer.id = ?1 and answer.session_id = ?2 and answer.audience in (?3, ?4)",
        )?
        .query_row(params![answer.to_string(), session.to_string(), household.to_string(), own.to_string()], |row| {
            Ok((
                row.id::<MessageState>("state")?,
                row.id_opt::<MessageId>("answers")?,
                row.get::<_, Option<bool>>("is_newest")?,
            ))
        })
        .optional()?;
    let Some((state, answered, newest)) = found else { return Ok(Err(CommandError::NotFound)) };
    match SqliteLog::new(w.tx()).door(session)? {
        Door::Open => {}
        Door::Archived => return Ok(Err(CommandError::KinArchived)),
        Door::Removed => return Ok(Err(CommandError::NotFound)),
    }
    match (state, answered, newest) {
        (MessageState::Failed | MessageState::Stopped, Some(message), Some(true))
            if !redact::is_redacted(w.tx(), message)? =>
        {
            w.set_message_state(answer, MessageState::Superseded)?;
            journal::queue_again(w.tx(), message)?;
            Ok(Ok(()))
        }
        _ => Ok(Err(CommandError::NotRetryable)),
    }
}

fn withdraw(w: &mut HubWrite<'_>, viewer: Viewer, message: MessageId) -> Result<Result<(), CommandError>, HubError> {
    let [household, own] = viewer.audiences();
    let author: Option<Author> = w
        .tx()
        .prepare_cached("select author from message where id = ?1 and audience in (?2, ?3)")?
        .query_row([message.to_string(), household.to_string(), own.to_string()], |row| row.id("author"))
        .optional()?;
    match author {
        None => return Ok(Err(CommandError::NotFound)),
        Some(Author::Member(member)) if member == viewer.member => {}
        Some(Author::Member(_) | Author::Kin(_)) => return Ok(Err(CommandError::NotYours)),
    }
    let waited = w.tx().execute("delete from queue_entry where message_id = ?1", [message.to_string()])?;
    if waited == 0 {
        return Ok(Err(CommandError::NotWaiting));
    }
    w.set_message_state(message, MessageState::Withdrawn)?;
    Ok(Ok(()))
}

fn find_session(conn: &Connection, viewer: Viewer, message: MessageId) -> rusqlite::Result<Option<SessionId>> {
    let [household, own] = viewer.audiences();
    conn.prepare_cached("select session_id from message where id = ?1 and audience in (?2, ?3)")?
        .query_row([message.to_string(), household.to_string(), own.to_string()], |row| row.id("session_id"))
        .optional()
}

fn may_see(conn: &Connection, viewer: Viewer, session: SessionId) -> rusqlite::Result<bool> {
    let [household, own] = viewer.audiences();
    conn.prepare_cached("select 1 from session where id = ?1 and audience in (?2, ?3)")?.exists([
        session.to_string(),
        household.to_string(),
        own.to_string(),
    ])
}

/// What a command was answered with before.
fn find(conn: &Connection, viewer: Viewer, id: CommandId) -> rusqlite::Result<Option<Result<(), CommandError>>> {
    let mut query = conn.prepare_cached("select member_id, refusal from command where id = ?1")?;
    let answer = query.query_row([id.to_string()], |row| {
        let (member, refusal): (MemberId, Option<String>) = (row.id("member_id")?, row.get("refusal")?);
        Ok(match refusal {
            _ if member != viewer.member => Err(CommandError::IdTaken),
            Some(code) => Err(CommandError::of_code(&code)),
            None => Ok(()),
        })
    });
    answer.optional()
}

/// Remembers what a command is answered with, in the transaction of its deed.
pub(super) fn record(
    tx: &Transaction<'_>,
    id: CommandId,
    member: MemberId,
    refusal: Option<CommandError>,
    now: UnixMillis,
) -> rusqlite::Result<()> {
    tx.prepare_cached("insert or ignore into command (id, member_id, refusal, at) values (?1, ?2, ?3, ?4)")?
        .execute(params![id.to_string(), member.to_string(), refusal.map(CommandError::code), now.0])?;
    // Ids begin with their moment, so the first are the oldest. Two for each that comes: the table stays bounded.
    tx.prepare_cached("delete from command where id in (select id from command order by id limit 2) and at < ?1")?
        .execute([now.0 - KEPT_MS])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_read_back_from_its_code() {
        for error in CommandError::ALL {
            assert_eq!(CommandError::of_code(error.code()), error);
        }
    }
}
