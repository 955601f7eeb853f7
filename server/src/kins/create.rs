//! Making a Kin.

use super::rows::{self, KinRecord};
use super::{KinError, check, slug};
use crate::clock::fresh;
use crate::hub::Hub;
use crate::providers::Providers;
use serde_json::json;
use shared::profile::{AVATARS, ModelChoice};
use shared::{Audience, TextField, Viewer};

/// What a form says about a Kin to make.
pub(super) struct NewKin {
    pub name: String,
    pub role: String,
    pub character: String,
    pub expertise: String,
    pub model: Option<ModelChoice>,
    /// `None` takes the next illustration in turn.
    pub avatar: Option<String>,
    /// `None` takes the illustration's own.
    pub hue: Option<String>,
}

pub(super) async fn create(
    hub: &Hub,
    providers: &Providers,
    viewer: Viewer,
    new: NewKin,
) -> Result<KinRecord, KinError> {
    let (name, role) = (check::name(&new.name)?, check::role(&new.role)?);
    check::text(&new.character, TextField::Character)?;
    check::text(&new.expertise, TextField::Expertise)?;
    new.hue.as_deref().map_or(Ok(()), check::hue)?;
    if let Some(model) = &new.model {
        check::model(providers, viewer, model).await?;
    }
    let kin = hub.write(move |w| {
        // The provider may have gone since it was asked.
        if let Some(model) = &new.model
            && !rows::provider_exists(w.tx(), model.provider_id)?
        {
            return Err(KinError::ProviderNotFound(model.provider_id));
        }
        new.avatar.as_deref().map_or(Ok(()), |avatar| check::avatar(w.tx(), avatar))?;
        let (made_before, position) = rows::next_place(w.tx())?;
        let avatar = new.avatar.unwrap_or_else(|| AVATARS[made_before % AVATARS.len()].0.to_owned());
        // A picture has none of its own: it takes the one whose turn it is.
        let in_turn = AVATARS[made_before % AVATARS.len()].1;
        let own_hue = AVATARS.iter().find(|(name, _)| *name == avatar).map_or(in_turn, |(_, hue)| hue);
        let kin = KinRecord {
            id: fresh(),
            slug: slug::free(w.tx(), &name)?,
            name,
            role,
            hue: new.hue.unwrap_or_else(|| own_hue.to_owned()),
            avatar,
            character: new.character,
            expertise: new.expertise,
            model: new.model,
            position,
            archived: false,
            session: fresh(),
            created_by: viewer.member,
            created_at: w.now(),
        };
        rows::insert(w.tx(), &kin)?;
        w.create_kin_documents(kin.id, kin.session, &kin.character, &kin.expertise)?;
        w.put_kin_profile(&kin.profile())?;
        let data = json!({ "kin_id": kin.id, "name": kin.name, "session_id": kin.session });
        w.event("kin.created", Audience::Household, data)?;
        Ok(kin)
    });
    let kin = kin.await?;
    tracing::info!(kin.id = %kin.id, "a Kin was made");
    Ok(kin)
}
