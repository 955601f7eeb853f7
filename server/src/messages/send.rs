//! Sending a message.

use super::MessageError;
use super::idempotency::Key;
use super::list;
use crate::clock::fresh;
use crate::hub::Hub;
use crate::kins::{self, KinError};
use shared::limits::MAX_MESSAGE_BYTES;
use shared::{KinId, MessageId, Viewer};
use sync::hub::NewMessage;

/// Status a sent message is answered with, remembered for repeats.
const ACCEPTED: u16 = 202;

/// Admits a message: its change, its row, its place in the queue and the key are one transaction.
pub(super) async fn send(
    hub: &Hub,
    viewer: Viewer,
    kin: KinId,
    text: String,
    reply_to: Option<MessageId>,
    key: Option<Key>,
) -> Result<MessageId, MessageError> {
    if text.trim().is_empty() {
        return Err(MessageError::Empty);
    }
    if text.len() > MAX_MESSAGE_BYTES {
        return Err(MessageError::TooLarge { bytes: text.len() });
    }
    let id = fresh::<MessageId>();
    hub.write(move |w| {
        if let Some(key) = &key
            && let Some(before) = key.find(w.tx(), viewer.member)?
            && let Ok(before) = before.parse()
        {
            return Ok(before);
        }
        let kin = kins::find(w.tx(), kin)?.ok_or(KinError::NotFound(kin))?;
        if kin.archived {
            return Err(KinError::Archived.into());
        }
        if let Some(quoted) = reply_to
            && !list::is_in(w.tx(), viewer, kin.session, quoted)?
        {
            return Err(MessageError::ReplyUnknown);
        }
        w.admit_member_message(viewer, kin.session, &NewMessage { id, text: &text, sent_at: w.now(), reply_to })?;
        if let Some(key) = &key {
            key.save(w.tx(), viewer.member, ACCEPTED, &id.to_string(), w.now())?;
        }
        Ok(id)
    })
    .await
}
