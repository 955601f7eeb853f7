//! The part of a Kin that its settings send to the server, and how edits meet what others changed meanwhile.

use super::KinFields;
use crate::api::KinPatch;
use dioxus::prelude::*;
use serde::{Deserialize, Serialize};
use shared::profile::{KinProfile, ModelChoice};

/// Who a Kin is and what it thinks with, as the form holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    name: String,
    role: String,
    avatar: String,
    hue: String,
    model: Option<ModelChoice>,
}

impl Identity {
    /// As the household knows it.
    pub fn known(profile: &KinProfile) -> Self {
        Self {
            name: profile.name.clone(),
            role: profile.role.clone(),
            avatar: profile.avatar.clone(),
            hue: profile.hue.clone(),
            model: profile.model.clone(),
        }
    }

    /// As it stands in the form now.
    pub fn written(fields: &KinFields) -> Self {
        Self {
            name: fields.name.peek().trim().to_owned(),
            role: fields.role.peek().trim().to_owned(),
            avatar: fields.avatar.peek().clone(),
            hue: fields.hue.peek().clone(),
            model: fields.model.peek().clone(),
        }
    }

    /// Puts all of it into a form.
    pub fn fill(self, fields: &mut KinFields) {
        fields.name.set(self.name);
        fields.role.set(self.role);
        fields.avatar.set(self.avatar);
        fields.hue.set(self.hue);
        fields.model.set(self.model);
    }

    /// Whether it thinks with anything.
    pub fn has_model(&self) -> bool {
        self.model.is_some()
    }

    /// Takes `theirs` wherever this still is what it was in `base`.
    pub fn follow(&mut self, base: &Self, theirs: &Self) {
        follow(&mut self.name, &base.name, &theirs.name);
        follow(&mut self.role, &base.role, &theirs.role);
        follow(&mut self.avatar, &base.avatar, &theirs.avatar);
        follow(&mut self.hue, &base.hue, &theirs.hue);
        follow(&mut self.model, &base.model, &theirs.model);
    }

    /// Puts into the form what differs from `before`, and leaves the rest as it is being typed.
    pub fn show(self, before: &Self, fields: &mut KinFields) {
        if self.name != before.name {
            fields.name.set(self.name);
        }
        if self.role != before.role {
            fields.role.set(self.role);
        }
        if self.avatar != before.avatar {
            fields.avatar.set(self.avatar);
        }
        if self.hue != before.hue {
            fields.hue.set(self.hue);
        }
        if self.model != before.model {
            fields.model.set(self.model);
        }
    }

    /// What a member changed since `base`.
    pub fn patch(&self, base: &Self) -> KinPatch {
        KinPatch {
            name: (self.name != base.name).then(|| self.name.clone()),
            role: (self.role != base.role).then(|| self.role.clone()),
            avatar: (self.avatar != base.avatar).then(|| self.avatar.clone()),
            hue: (self.hue != base.hue).then(|| self.hue.clone()),
            model: self.model.clone().filter(|_| self.model != base.model),
        }
    }
}

fn follow<T: Clone + PartialEq>(mine: &mut T, base: &T, theirs: &T) {
    if mine == base {
        mine.clone_from(theirs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::{ProviderId, UnixMillis};

    fn basile() -> Identity {
        let (avatar, hue) = ("basile".into(), "pear".into());
        Identity { name: "Basile".into(), role: "Meals".into(), avatar, hue, model: None }
    }

    fn model(name: &str) -> Option<ModelChoice> {
        Some(ModelChoice { provider_id: ProviderId::new(UnixMillis(1), [1; 10]), name: name.into() })
    }

    #[test]
    fn saving_what_nobody_touched_sends_nothing() {
        assert_eq!(basile().patch(&basile()), KinPatch::default());
    }

    #[test]
    fn another_members_rename_comes_in_and_is_not_undone() {
        let base = basile();
        let mut mine = Identity { role: "Meals and nutrition".into(), ..basile() };
        let theirs = Identity { name: "Basil".into(), role: "Food".into(), ..basile() };
        mine.follow(&base, &theirs);
        assert_eq!(mine, Identity { name: "Basil".into(), role: "Meals and nutrition".into(), ..basile() });
        let patch = mine.patch(&theirs);
        assert_eq!(patch, KinPatch { role: Some("Meals and nutrition".into()), ..KinPatch::default() });
    }

    #[test]
    fn a_kin_without_a_model_is_renamed_without_one() {
        let mine = Identity { name: "Basil".into(), ..basile() };
        assert_eq!(mine.patch(&basile()), KinPatch { name: Some("Basil".into()), ..KinPatch::default() });
    }

    #[test]
    fn only_another_model_another_face_or_another_colour_are_sent() {
        let base = Identity { model: model("small"), ..basile() };
        assert_eq!(base.patch(&base).model, None);
        let patch = Identity { model: model("large"), avatar: "lumen".into(), ..basile() }.patch(&base);
        assert_eq!(patch.model, model("large"));
        assert_eq!((patch.avatar.as_deref(), patch.hue), (Some("lumen"), None));
        let patch = Identity { hue: "sky".into(), ..base.clone() }.patch(&base);
        assert_eq!(patch, KinPatch { hue: Some("sky".into()), ..KinPatch::default() });
    }
}
