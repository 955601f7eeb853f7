//! Removing a Kin, and bringing it back within 30 days.

use super::rows::KinRecord;
use super::{KinError, deleted, rest, rows};
use crate::audit::{self, Deed};
use crate::auth::Caller;
use crate::engine::Engine;
use crate::hub::Hub;
use serde_json::json;
use shared::{Audience, KinId};

pub(super) async fn remove(hub: &Hub, engine: &Engine, caller: Caller, id: KinId) -> Result<(), KinError> {
    let session = hub
        .write(move |w| {
            let (now, by) = (w.now(), caller.viewer.member);
            let kin = rows::find(w.tx(), id)?.ok_or(KinError::NotFound(id))?;
            rest::stop_waiting(w, &kin)?;
            deleted::mark(w.tx(), id, now, by)?;
            w.remove_kin_profile(id)?;
            audit::record(w.tx(), now, Some(by), caller.device, Deed::KinDeleted, &id.to_string())?;
            w.event("kin.deleted", Audience::Household, json!({ "kin_id": id, "name": kin.name }))?;
            Ok::<_, KinError>(kin.session)
        })
        .await?;
    // No new turn can begin any more; the one that runs ends now.
    engine.abandon(session).await;
    tracing::info!(kin.id = %id, "a Kin was removed");
    Ok(())
}

/// Brings a removed Kin back, with its thread, its texts and its place.
pub(super) async fn restore(hub: &Hub, caller: Caller, id: KinId) -> Result<KinRecord, KinError> {
    hub.write(move |w| {
        let (now, by) = (w.now(), caller.viewer.member);
        let kin = deleted::unmark(w.tx(), id)?.ok_or(KinError::NotFound(id))?;
        w.put_kin_profile(&kin.profile())?;
        audit::record(w.tx(), now, Some(by), caller.device, Deed::KinRestored, &id.to_string())?;
        w.event("kin.restored", Audience::Household, json!({ "kin_id": id, "name": kin.name }))?;
        tracing::info!(kin.id = %id, "a Kin was brought back");
        Ok(kin)
    })
    .await
}
