//! Changing a Kin.

use super::rows::{self, KinRecord};
use super::{KinError, check};
use crate::hub::Hub;
use crate::providers::Providers;
use shared::profile::ModelChoice;
use shared::{KinId, TextField, Viewer};

/// What a form changes; `None` leaves things as they are.
#[derive(Default)]
pub(super) struct KinChange {
    pub name: Option<String>,
    pub role: Option<String>,
    pub character: Option<String>,
    pub expertise: Option<String>,
    /// `Some(None)` takes the model away.
    pub model: Option<Option<ModelChoice>>,
    pub avatar: Option<String>,
    pub hue: Option<String>,
    pub position: Option<i64>,
}

/// Changes a Kin if `unchanged` still holds of it.
pub(super) async fn change(
    hub: &Hub,
    providers: &Providers,
    viewer: Viewer,
    id: KinId,
    change: KinChange,
    unchanged: impl FnOnce(&KinRecord) -> bool + Send + 'static,
) -> Result<KinRecord, KinError> {
    let name = change.name.as_deref().map(check::name).transpose()?;
    let role = change.role.as_deref().map(check::role).transpose()?;
    for (text, field) in [(&change.character, TextField::Character), (&change.expertise, TextField::Expertise)] {
        text.as_deref().map_or(Ok(()), |text| check::text(text, field))?;
    }
    change.hue.as_deref().map_or(Ok(()), check::hue)?;
    if let Some(Some(model)) = &change.model {
        check::model(providers, viewer, model).await?;
    }
    hub.write(move |w| {
        let mut kin = rows::find(w.tx(), id)?.ok_or(KinError::NotFound(id))?;
        if !unchanged(&kin) {
            return Err(KinError::ChangedMeanwhile);
        }
        if let Some(Some(model)) = &change.model
            && !rows::provider_exists(w.tx(), model.provider_id)?
        {
            return Err(KinError::ProviderNotFound(model.provider_id));
        }
        change.avatar.as_deref().map_or(Ok(()), |avatar| check::avatar(w.tx(), avatar))?;
        let before = kin.profile();
        kin.name = name.unwrap_or(kin.name);
        kin.role = role.unwrap_or(kin.role);
        kin.avatar = change.avatar.unwrap_or(kin.avatar);
        kin.hue = change.hue.unwrap_or(kin.hue);
        kin.model = change.model.unwrap_or(kin.model);
        kin.position = change.position.unwrap_or(kin.position);
        if kin.profile() != before {
            rows::update(w.tx(), &kin)?;
            w.put_kin_profile(&kin.profile())?;
        }
        if let Some(text) = change.character.filter(|text| *text != kin.character) {
            w.set_kin_text(id, TextField::Character, &text)?;
            kin.character = text;
        }
        if let Some(text) = change.expertise.filter(|text| *text != kin.expertise) {
            w.set_kin_text(id, TextField::Expertise, &text)?;
            kin.expertise = text;
        }
        Ok(kin)
    })
    .await
}
