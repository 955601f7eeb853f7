//! What becomes of the messages that wait for a Kin that is put away or removed.

use super::KinError;
use super::rows::KinRecord;
use crate::clock::fresh;
use crate::db::RowExt;
use crate::hub::{Answer, HubWrite};
use rusqlite::params;
use shared::{MessageId, MessageState};

/// Ends every waiting message in plain sight: it gets an empty answer that was stopped, and can be tried again once the
/// Kin is back. The turn that runs is ended by the engine, after the commit.
pub(super) fn stop_waiting(w: &mut HubWrite<'_>, kin: &KinRecord) -> Result<(), KinError> {
    let session = params![kin.session.to_string()];
    let waiting: Vec<MessageId> = w
        .tx()
        .prepare_cached("select message_id from queue_entry where session_id = ?1 order by priority, seq")?
        .query_map(session, |row| row.id("message_id"))?
        .collect::<Result<_, _>>()?;
    w.tx().prepare_cached("delete from queue_entry where session_id = ?1")?.execute(session)?;
    for answers in waiting {
        w.append_answer(&Answer {
            message: fresh(),
            session: kin.session,
            kin: kin.id,
            turn: fresh(),
            answers,
            text: String::new(),
            state: MessageState::Stopped,
            failure: None,
            sent_at: w.now(),
        })?;
    }
    Ok(())
}
