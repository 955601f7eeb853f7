//! Welcoming a Kin, and changing one.

use super::avatar::{KinFace, KinPicture, picture};
use super::choice::{focus_chosen, step};
use super::field::{Mistakes, TextArea, TextField};
use super::picture_input::{PictureInput, PictureShape};
use crate::api::ApiError;
use crate::{phrase, text};
use dioxus::prelude::*;
use shared::PictureId;
use shared::limits::{MAX_KIN_TEXT_BYTES, MAX_NAME_CHARS, MAX_ROLE_CHARS};
use shared::profile::{AVATARS, ModelChoice};

mod delete;
mod edit;
mod identity;
mod model;
mod new;

pub use edit::KinSettingsScreen;
pub use new::NewKinScreen;

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
pub fn KinCards(fields: KinFields, mistakes: ReadSignal<Mistakes>, is_new: bool, texts_ready: bool) -> Element {
    let mut fields = fields;
    let (avatar, hue) = ((fields.avatar)(), (fields.hue)());
    let shown_name =
        if fields.name.read().trim().is_empty() { text!("kin-unnamed") } else { fields.name.read().clone() };
    rsx! {
        section { class: "k-split",
            div { class: "k-stack",
                div { class: "k-card k-stack",
                    h2 { class: "k-card__title", {text!("kin-identity")} }
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
                    FacePicker { avatar: fields.avatar, on_choose: move |face| fields.wear(face) }
                    PictureInput {
                        id: "kin-picture",
                        picture: fields.avatar,
                        shape: PictureShape::Arch,
                        on_choose: move |id: PictureId| fields.avatar.set(id.to_string()),
                    }
                }
                div { class: "k-card k-stack", "aria-busy": (!texts_ready).then_some("true"),
                    h2 { class: "k-card__title", {text!("kin-texts")} }
                    TextArea {
                        id: "kin-character",
                        label: text!("field-character"),
                        placeholder: text!("kin-character-example"),
                        disabled: !texts_ready,
                        value: fields.character,
                        mistake: mistakes.read().at("kin-character"),
                        on_input: move |value| fields.character.set(value),
                    }
                    TextArea {
                        id: "kin-expertise",
                        label: text!("field-expertise"),
                        placeholder: text!("kin-expertise-example"),
                        disabled: !texts_ready,
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
                }
                div { class: "k-card k-stack",
                    h2 { class: "k-card__title", {text!("kin-model")} }
                    ModelField { model: fields.model, is_new, mistake: mistakes.read().at("kin-model") }
                }
            }
        }
    }
}

/// The twelve illustrations.
#[component]
fn FacePicker(avatar: ReadSignal<String>, on_choose: EventHandler<(&'static str, &'static str)>) -> Element {
    let chosen = AVATARS.iter().position(|(name, _)| *name == *avatar.read());
    let stop = chosen.unwrap_or(0);
    rsx! {
        div { class: "k-field",
            span { class: "k-field__label", {text!("field-face")} }
            div {
                id: "kin-face",
                class: "k-pick k-pick--faces",
                role: "radiogroup",
                "aria-label": text!("field-face"),
                onkeydown: move |event| {
                    if let Some(next) = step(&event.key(), stop, AVATARS.len()) {
                        event.prevent_default();
                        on_choose.call(AVATARS[next]);
                        focus_chosen("kin-face");
                    }
                },
                for (index, (name, hue)) in AVATARS.into_iter().enumerate() {
                    button {
                        key: "{name}",
                        r#type: "button",
                        role: "radio",
                        "aria-checked": if Some(index) == chosen { "true" } else { "false" },
                        "aria-label": text!("face-of", name: face_name(name)),
                        "data-hue": hue,
                        tabindex: if index == stop { "0" } else { "-1" },
                        onclick: move |_| on_choose.call((name, hue)),
                        img { src: picture(name), alt: "" }
                    }
                }
            }
        }
    }
}

/// `zephyr` as people write it.
fn face_name(name: &str) -> String {
    if name == "zephyr" {
        return "Zéphyr".to_owned();
    }
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The field a refusal of the server belongs to.
fn field_of(error: &ApiError) -> Option<&'static str> {
    match error.code()? {
        "name_empty" | "name_too_long" => Some("kin-name"),
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
