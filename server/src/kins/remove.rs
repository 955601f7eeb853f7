//! Removing a Kin. What was said stays in the database until a later choice about it.

use super::{KinError, rows};
use crate::audit::{self, Deed};
use crate::auth::Caller;
use crate::engine::Engine;
use crate::hub::Hub;
use serde_json::json;
use shared::{Audience, KinId};

pub(super) async fn remove(hub: &Hub, engine: &Engine, caller: Caller, id: KinId) -> Result<(), KinError> {
    let session = hub
        .write(move |w| {
            let kin = rows::find(w.tx(), id)?.ok_or(KinError::NotFound(id))?;
            rows::mark_deleted(w.tx(), &kin, w.now())?;
            w.remove_kin_profile(id)?;
            audit::record(
                w.tx(),
                w.now(),
                Some(caller.viewer.member),
                caller.device,
                Deed::KinDeleted,
                &id.to_string(),
            )?;
            w.event("kin.deleted", Audience::Household, json!({ "kin_id": id, "name": kin.name }))?;
            Ok::<_, KinError>(kin.session)
        })
        .await?;
    // No new turn can begin any more; the one that runs ends now.
    engine.abandon(session).await;
    tracing::info!(kin.id = %id, "a Kin was removed");
    Ok(())
}
