//! A Kin's face and its colour.

use super::KinFields;
use super::draw::DrawFace;
use crate::text;
use crate::ui::avatar::picture;
use crate::ui::choice::{focus_chosen, step};
use crate::ui::picture_input::{Chosen, PictureInput, PictureShape};
use dioxus::prelude::*;
use shared::profile::AVATARS;

/// Illustrations, a picture of one's own, colours.
#[component]
pub fn Face(fields: KinFields) -> Element {
    let mut fields = fields;
    rsx! {
        div { class: "k-field",
            span { class: "k-field__label", {text!("field-face")}
                span { class: "k-field__opt", {text!("face-or-own")} }
            }
            FacePicker { avatar: fields.avatar, on_choose: move |face| fields.wear(face) }
        }
        PictureInput {
            id: "kin-picture",
            picture: fields.avatar,
            shape: PictureShape::Arch,
            on_choose: move |chosen| {
                if let Chosen::Kept(id) = chosen {
                    fields.avatar.set(id.to_string());
                }
            },
        }
        DrawFace { fields }
        HuePicker { hue: fields.hue, on_choose: move |hue: &'static str| fields.hue.set(hue.to_owned()) }
    }
}

/// The twelve illustrations.
#[component]
fn FacePicker(avatar: ReadSignal<String>, on_choose: EventHandler<(&'static str, &'static str)>) -> Element {
    let chosen = AVATARS.iter().position(|(name, _)| *name == *avatar.read());
    let stop = chosen.unwrap_or(0);
    rsx! {
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

/// The design's twelve hues.
#[component]
fn HuePicker(hue: ReadSignal<String>, on_choose: EventHandler<&'static str>) -> Element {
    let chosen = AVATARS.iter().position(|(_, name)| *name == *hue.read());
    let stop = chosen.unwrap_or(0);
    rsx! {
        div { class: "k-field",
            span { class: "k-field__label", {text!("field-hue")} }
            div {
                id: "kin-hue",
                class: "k-hues",
                role: "radiogroup",
                "aria-label": text!("field-hue"),
                onkeydown: move |event| {
                    if let Some(next) = step(&event.key(), stop, AVATARS.len()) {
                        event.prevent_default();
                        on_choose.call(AVATARS[next].1);
                        focus_chosen("kin-hue");
                    }
                },
                for (index, (_, name)) in AVATARS.into_iter().enumerate() {
                    button {
                        key: "{name}",
                        r#type: "button",
                        role: "radio",
                        "aria-checked": if Some(index) == chosen { "true" } else { "false" },
                        "aria-label": text!(&format!("hue-{name}")),
                        title: text!(&format!("hue-{name}")),
                        "data-hue": name,
                        tabindex: if index == stop { "0" } else { "-1" },
                        onclick: move |_| on_choose.call(name),
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
