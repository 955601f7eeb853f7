//! The portrait: one of four to begin with, or a picture of one's own.

use super::super::avatar::{FaceSize, MemberFace};
use super::super::choice::{focus_chosen, step};
use super::super::page::ObjectUrl;
use super::super::picture_input::{Chosen, PictureInput, PictureShape};
use crate::api::household::{AccountPatch, change_account};
use crate::api::pictures::add_picture;
use crate::i18n::Phrase;
use crate::text;
use dioxus::prelude::*;
use shared::profile::PORTRAITS;
use std::rc::Rc;
use web_sys::Blob;

/// What was chosen, before there is an account to keep it.
#[derive(Clone, Copy, PartialEq)]
pub struct Portrait {
    built_in: Signal<&'static str>,
    own: Signal<Option<Own>>,
}

/// A picture of one's own, and where this page shows it from.
#[derive(Clone, PartialEq)]
struct Own {
    file: Blob,
    address: Rc<ObjectUrl>,
}

/// The first one, until another is chosen.
pub fn use_portrait() -> Portrait {
    Portrait { built_in: use_signal(|| PORTRAITS[0]), own: use_signal(|| None) }
}

impl Portrait {
    /// What the account begins with.
    pub fn built_in(self) -> String {
        (*self.built_in.peek()).to_owned()
    }

    /// Sends a picture of one's own, now that somebody is signed in. Gives why it could not be kept; the built-in one
    /// stands for it then.
    pub async fn send(self) -> Option<Phrase> {
        let own = self.own.peek().clone()?;
        let sent = async {
            let id = add_picture(&own.file).await?;
            change_account(&AccountPatch { avatar: Some(id.to_string()), ..AccountPatch::default() }).await
        };
        sent.await.err().map(|error| error.phrase())
    }
}

/// The chosen portrait, and all of them to choose from.
#[component]
pub fn PortraitPick(portrait: Portrait) -> Element {
    let Portrait { built_in: mut chosen, mut own } = portrait;
    let mut choose = move |name| {
        chosen.set(name);
        own.set(None);
    };
    let at = PORTRAITS.iter().position(|name| *name == chosen()).unwrap_or(0);
    let address = own.read().as_ref().map(|own| own.address.as_str().to_owned());
    let is_own = address.is_some();
    rsx! {
        div { class: "k-portrait",
            if let Some(address) = address {
                span { class: "k-avatar k-avatar--xl", img { src: address, alt: text!("picture-own") } }
            } else {
                MemberFace { avatar: chosen(), name: String::new(), size: FaceSize::Xl }
            }
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
                            choose(PORTRAITS[next]);
                            focus_chosen("portrait");
                        }
                    },
                    for (place, name) in PORTRAITS.into_iter().enumerate() {
                        button {
                            key: "{name}",
                            r#type: "button",
                            role: "radio",
                            "aria-checked": if place == at && !is_own { "true" } else { "false" },
                            tabindex: if place == at { "0" } else { "-1" },
                            "aria-label": text!("setup-portrait-of", number: place + 1),
                            onclick: move |_| choose(name),
                            img { src: "/avatars/people/{name}.svg", alt: "" }
                        }
                    }
                }
            }
        }
        PictureInput {
            id: "portrait-own",
            picture: String::new(),
            shape: PictureShape::Circle,
            hold: true,
            on_choose: move |chosen| {
                if let Chosen::Held(file) = chosen {
                    own.set(ObjectUrl::of(&file).map(|address| Own { file, address: Rc::new(address) }));
                }
            },
        }
    }
}
