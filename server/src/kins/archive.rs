//! Putting a Kin away and bringing it back. Its thread stays readable, its texts can still be edited.

use super::rows::{self, KinRecord};
use super::{KinError, rest};
use crate::engine::Engine;
use crate::hub::Hub;
use serde_json::json;
use shared::{Audience, KinId};

/// Puts a Kin away: out of the lists, and nothing is answered any more. Does nothing when it is.
pub(super) async fn archive(hub: &Hub, engine: &Engine, id: KinId) -> Result<KinRecord, KinError> {
    let kin = set(hub, id, true).await?;
    // No new turn can begin any more; the one that runs ends now.
    engine.abandon(kin.session).await;
    Ok(kin)
}

/// Brings it back. Does nothing when it is there.
pub(super) async fn unarchive(hub: &Hub, id: KinId) -> Result<KinRecord, KinError> {
    set(hub, id, false).await
}

async fn set(hub: &Hub, id: KinId, archived: bool) -> Result<KinRecord, KinError> {
    hub.write(move |w| {
        let mut kin = rows::find(w.tx(), id)?.ok_or(KinError::NotFound(id))?;
        if kin.archived == archived {
            return Ok(kin);
        }
        kin.archived = archived;
        rows::set_archived(w.tx(), id, archived.then(|| w.now()))?;
        if archived {
            rest::stop_waiting(w, &kin)?;
        }
        w.put_kin_profile(&kin.profile())?;
        let name = if archived { "kin.archived" } else { "kin.unarchived" };
        w.event(name, Audience::Household, json!({ "kin_id": id, "name": kin.name }))?;
        tracing::info!(kin.id = %id, archived, "a Kin was put away or brought back");
        Ok(kin)
    })
    .await
}
