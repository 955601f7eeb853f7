//! The household's order of its Kins.

use super::KinError;
use super::rows::{self, KinRecord};
use crate::hub::Hub;
use shared::KinId;
use std::collections::HashSet;

/// Puts the named Kins first, in this order; the others follow as they stood. Gives all of them.
pub(super) async fn order(hub: &Hub, ids: Vec<KinId>) -> Result<Vec<KinRecord>, KinError> {
    hub.write(move |w| {
        let before = rows::list(w.tx())?;
        let mut after = Vec::with_capacity(before.len());
        let mut named = HashSet::new();
        for id in ids {
            if !named.insert(id) {
                return Err(KinError::OrderRepeats);
            }
            after.push(before.iter().find(|kin| kin.id == id).cloned().ok_or(KinError::NotFound(id))?);
        }
        after.extend(before.into_iter().filter(|kin| !named.contains(&kin.id)));
        for (position, kin) in (1..).zip(&mut after) {
            if kin.position != position {
                kin.position = position;
                rows::set_position(w.tx(), kin.id, position)?;
                w.put_kin_profile(&kin.profile())?;
            }
        }
        Ok(after)
    })
    .await
}
