//! Stop, retry, withdraw, redact: finds what the WebSocket's commands name, then runs the same command.

use super::MessageError;
use crate::clock::fresh;
use crate::db::{Db, RowExt};
use crate::engine::Engine;
use crate::engine::commands::{self, CommandError};
use crate::kins::{self, KinError};
use rusqlite::{OptionalExtension, params};
use shared::frame::Command;
use shared::{KinId, MessageId, SessionId, TurnId, Viewer};

/// Stops the turn that runs in a Kin's household thread.
pub(super) async fn stop(db: &Db, engine: &Engine, viewer: Viewer, kin: KinId) -> Result<(), MessageError> {
    let (session, turn) = db
        .read(move |connection| {
            let session = kins::find(connection, kin)?.ok_or(KinError::NotFound(kin))?.session;
            let turn = connection
                .prepare_cached("select id from turn where session_id = ?1 and ended_at is null")?
                .query_row([session.to_string()], |row| row.id::<TurnId>("id"))
                .optional()?;
            Ok::<_, MessageError>((session, turn))
        })
        .await?;
    let turn = turn.ok_or(CommandError::TurnNotRunning)?;
    Ok(commands::run(engine, viewer, fresh(), Command::Stop { session, turn }).await?)
}

/// Tries a failed or stopped answer again. Naming the message it answers means its newest answer.
pub(super) async fn retry(db: &Db, engine: &Engine, viewer: Viewer, message: MessageId) -> Result<(), MessageError> {
    let found = db
        .read(move |connection| {
            let [household, own] = viewer.audiences();
            let found = connection
                .prepare_cached(
                    "select message.session_id,
                            coalesce((select answer.id from message answer where answer.answers = message.id
                                       order by answer.seq desc limit 1), message.id) as answer
                       from message where message.id = ?1 and message.audience in (?2, ?3)",
                )?
                .query_row(params![message.to_string(), household.to_string(), own.to_string()], |row| {
                    Ok((row.id::<SessionId>("session_id")?, row.id::<MessageId>("answer")?))
                })
                .optional()?;
            Ok::<_, MessageError>(found)
        })
        .await?;
    let (session, answer) = found.ok_or(CommandError::NotFound)?;
    Ok(commands::run(engine, viewer, fresh(), Command::Retry { session, answer }).await?)
}

/// Takes a message's words away for good.
pub(super) async fn redact(engine: &Engine, viewer: Viewer, message: MessageId) -> Result<(), MessageError> {
    Ok(commands::run(engine, viewer, fresh(), Command::Redact { message }).await?)
}

/// Takes back one's own message that still waits.
pub(super) async fn withdraw(engine: &Engine, viewer: Viewer, message: MessageId) -> Result<(), MessageError> {
    Ok(commands::run(engine, viewer, fresh(), Command::Withdraw { message }).await?)
}
