//! Forms that survive leaving the screen: what was changed and not saved is kept in this browser, like a message that
//! was written and not sent.

use super::KinFields;
use super::identity::Identity;
use super::starts::Start;
use crate::ui::page;
use dioxus::prelude::*;
use serde::{Deserialize, Serialize};
use shared::KinId;

const NEW: &str = "kin-form.new";

fn key(kin: KinId) -> String {
    format!("kin-form.{kin}")
}

fn read<T: for<'a> Deserialize<'a>>(key: &str) -> Option<T> {
    serde_json::from_str(&page::remembered(key)?).ok()
}

fn keep<T: Serialize>(key: &str, form: &T) {
    if let Ok(text) = serde_json::to_string(form) {
        page::remember(key, Some(&text));
    }
}

/// A Kin to be, as far as it has been written.
#[derive(Serialize, Deserialize)]
pub struct NewForm {
    /// Where it began.
    pub start: Start,
    /// Who it is.
    pub identity: Identity,
    /// Tone and personality.
    pub character: String,
    /// Goal and knowledge.
    pub expertise: String,
}

impl NewForm {
    /// The one that was left.
    pub fn kept() -> Option<Self> {
        read(NEW)
    }

    /// Keeps it.
    pub fn keep(start: Start, fields: &KinFields) {
        let identity = Identity::written(fields);
        let (character, expertise) = (fields.character.peek().clone(), fields.expertise.peek().clone());
        keep(NEW, &Self { start, identity, character, expertise });
    }

    /// The Kin has moved in.
    pub fn forget() {
        page::remember(NEW, None);
    }
}

/// A Kin's identity as a member has changed it, and what they changed it from.
#[derive(Serialize, Deserialize)]
pub struct Changed {
    /// As it was known then.
    pub base: Identity,
    /// As it stands in the form.
    pub written: Identity,
}

impl Changed {
    /// What was left unsaved of a Kin.
    pub fn kept(kin: KinId) -> Option<Self> {
        read(&key(kin))
    }

    /// Keeps it, if anything is changed.
    pub fn keep(kin: KinId, base: &Identity, written: &Identity) {
        if base == written {
            page::remember(&key(kin), None);
        } else {
            keep(&key(kin), &Self { base: base.clone(), written: written.clone() });
        }
    }
}
