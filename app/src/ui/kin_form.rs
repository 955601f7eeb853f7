//! Welcoming a Kin, and changing one.

use super::avatar::{KinFace, KinPicture};
use super::field::{Mistakes, TextArea, TextField};
use super::when;
use crate::api::ApiError;
use crate::api::kins::KinSummary;
use crate::{phrase, text};
use dioxus::prelude::*;
use shared::limits::{MAX_KIN_TEXT_BYTES, MAX_NAME_CHARS, MAX_ROLE_CHARS};
use shared::profile::{AVATARS, ModelChoice};

mod archived;
mod creation;
mod delete;
mod draw;
mod edit;
mod faces;
mod first;
mod identity;
mod kept;
mod model;
mod new;
mod order;
mod starts;
mod texts;

pub use archived::{ArchivedLine, Away, BringBack};
pub use edit::KinSettingsScreen;
pub use first::FirstKin;
pub use new::NewKinScreen;
pub use order::OrderKins;
#[cfg(test)]
pub use starts::starting_keys;

use faces::Face;
use model::ModelField;

/// What a form about a Kin holds. Copies are the same form.
#[derive(Clone, Copy, PartialEq)]
pub struct KinFields {
    /// Display name.
    pub name: Signal<String>,
    /// One line.
    pub role: Signal<String>,
    /// An illustration's name or a picture's id.
    pub avatar: Signal<String>,
    /// Its colour.
    pub hue: Signal<String>,
    /// Tone and personality.
    pub character: Signal<String>,
    /// Goal and knowledge.
    pub expertise: Signal<String>,
    /// What it thinks with.
    pub model: Signal<Option<ModelChoice>>,
}

impl KinFields {
    /// Takes an illustration, and its colour unless another one was chosen by hand.
    pub fn wear(&mut self, (avatar, hue): (&str, &str)) {
        let is_own = own_hue(&self.avatar.peek()).is_none_or(|own| own == *self.hue.peek());
        if is_own {
            self.hue.set(hue.to_owned());
        }
        self.avatar.set(avatar.to_owned());
    }

    /// Has whatever asks run again when anything in the form changes.
    pub fn subscribe(&self) {
        for text in [self.name, self.role, self.avatar, self.hue, self.character, self.expertise] {
            let _ = text.read();
        }
        let _ = self.model.read();
    }

    /// What is wrong with it.
    pub fn mistakes(&self) -> Mistakes {
        let mut mistakes = Mistakes::default();
        mistakes.check_text("kin-name", &self.name.peek(), MAX_NAME_CHARS);
        mistakes.check_text("kin-role", &self.role.peek(), MAX_ROLE_CHARS);
        for (field, text) in [("kin-character", self.character), ("kin-expertise", self.expertise)] {
            if text.peek().len() > MAX_KIN_TEXT_BYTES {
                mistakes.add(field, phrase!("mistake-text-too-long"));
            }
        }
        if self.model.peek().is_none() {
            mistakes.add("kin-model", phrase!("mistake-model"));
        }
        mistakes
    }
}

/// The hue an illustration is drawn for; a picture of one's own has none.
fn own_hue(avatar: &str) -> Option<&'static str> {
    AVATARS.into_iter().find(|(name, _)| *name == avatar).map(|(_, hue)| hue)
}

/// The cards of the form. `texts_ready` is false while an existing Kin's texts are on their way.
#[component]
pub fn KinCards(
    fields: KinFields,
    mistakes: ReadSignal<Mistakes>,
    is_new: bool,
    texts_ready: bool,
    /// The texts have just been kept.
    #[props(default)]
    texts_kept: bool,
    #[props(default)] summary: Option<KinSummary>,
) -> Element {
    let mut fields = fields;
    let (avatar, hue) = ((fields.avatar)(), (fields.hue)());
    let shown_name =
        if fields.name.read().trim().is_empty() { text!("kin-unnamed") } else { fields.name.read().clone() };
    rsx! {
        section { class: "k-split",
            div { class: "k-stack",
                div { class: "k-card k-stack",
                    h2 { id: "kin-identity", class: "k-card__title", tabindex: "-1", {text!("kin-identity")} }
                    div { class: "k-fieldgrid",
                        TextField {
                            id: "kin-name",
                            label: text!("field-name"),
                            placeholder: text!("kin-name-example"),
                            value: fields.name,
                            mistake: mistakes.read().at("kin-name"),
                            on_input: move |value| fields.name.set(value),
                        }
                        TextField {
                            id: "kin-role",
                            label: text!("field-role"),
                            placeholder: text!("kin-role-example"),
                            value: fields.role,
                            mistake: mistakes.read().at("kin-role"),
                            on_input: move |value| fields.role.set(value),
                        }
                    }
                    Face { fields }
                }
                div { class: "k-card k-stack", "aria-busy": (!texts_ready).then_some("true"),
                    div { class: "k-card__line",
                        h2 { id: "kin-texts", class: "k-card__title", tabindex: "-1", {text!("kin-texts")} }
                        span { class: "k-small k-soft", role: "status", if texts_kept { {text!("saved")} } }
                    }
                    TextArea {
                        id: "kin-character",
                        label: text!("field-character"),
                        placeholder: text!("kin-character-example"),
                        disabled: !texts_ready,
                        note: texts_ready.then(|| count_words(&fields.character.read())),
                        value: fields.character,
                        mistake: mistakes.read().at("kin-character"),
                        on_input: move |value| fields.character.set(value),
                    }
                    TextArea {
                        id: "kin-expertise",
                        label: text!("field-expertise"),
                        placeholder: text!("kin-expertise-example"),
                        disabled: !texts_ready,
                        note: texts_ready.then(|| count_words(&fields.expertise.read())),
                        value: fields.expertise,
                        mistake: mistakes.read().at("kin-expertise"),
                        on_input: move |value| fields.expertise.set(value),
                    }
                }
            }
            div { class: "k-stack",
                div { class: "k-kincard k-kincard--hero k-not-phone", "data-hue": hue,
                    KinPicture { avatar }
                    b { "{shown_name}" }
                    small { "{fields.role}" }
                    if let Some(summary) = summary {
                        div { class: "k-cluster k-kincard__chips",
                            span { class: "k-chip k-chip--sm", {text!("kin-since", month: when::month(summary.created_at))} }
                            span { class: "k-chip k-chip--sm",
                                {text!("kin-messages", count: summary.messages, shown: when::number(summary.messages))}
                            }
                        }
                    }
                }
                div { class: "k-card k-stack",
                    h2 { id: "kin-thinking", class: "k-card__title", tabindex: "-1", {text!("kin-model")} }
                    ModelField { model: fields.model, is_new, mistake: mistakes.read().at("kin-model") }
                }
            }
        }
    }
}

/// How long a text is, beside its label.
fn count_words(text: &str) -> String {
    text!("text-length", count: text.chars().count())
}

/// The field a refusal of the server belongs to.
fn field_of(error: &ApiError) -> Option<&'static str> {
    match error.code()? {
        "name_empty" | "name_too_long" => Some("kin-name"),
        "avatar_unknown" => Some("kin-picture"),
        "role_too_long" => Some("kin-role"),
        "provider_not_found" | "model_unknown" => Some("kin-model"),
        _ => None,
    }
}

/// The face on a form's bar.
#[component]
pub fn BarFace(fields: KinFields) -> Element {
    rsx! { KinFace { avatar: (fields.avatar)(), hue: (fields.hue)() } }
}
