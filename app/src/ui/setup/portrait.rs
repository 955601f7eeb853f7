//! The portrait: one of four to begin with.

use super::super::avatar::{FaceSize, MemberFace};
use super::super::choice::{focus_chosen, step};
use crate::text;
use dioxus::prelude::*;
use shared::profile::PORTRAITS;

/// The chosen portrait, and all of them to choose from.
#[component]
pub fn PortraitPick(chosen: Signal<&'static str>) -> Element {
    let mut chosen = chosen;
    let at = PORTRAITS.iter().position(|name| *name == chosen()).unwrap_or(0);
    rsx! {
        div { class: "k-portrait",
            MemberFace { avatar: chosen(), name: String::new(), size: FaceSize::Xl }
            div { class: "k-stack k-portrait__choice",
                span { class: "k-small k-strong", {text!("setup-portrait")} }
                div {
                    id: "portrait",
                    class: "k-pick k-pick--round",
                    role: "radiogroup",
                    "aria-label": text!("setup-portrait"),
                    onkeydown: move |event| {
                        if let Some(next) = step(&event.key(), at, PORTRAITS.len()) {
                            event.prevent_default();
                            chosen.set(PORTRAITS[next]);
                            focus_chosen("portrait");
                        }
                    },
                    for (place, name) in PORTRAITS.into_iter().enumerate() {
                        button {
                            key: "{name}",
                            r#type: "button",
                            role: "radio",
                            "aria-checked": if place == at { "true" } else { "false" },
                            tabindex: if place == at { "0" } else { "-1" },
                            "aria-label": text!("setup-portrait-of", number: place + 1),
                            onclick: move |_| chosen.set(name),
                            img { src: "/avatars/people/{name}.svg", alt: "" }
                        }
                    }
                }
            }
        }
    }
}
