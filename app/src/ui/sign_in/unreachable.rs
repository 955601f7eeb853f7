//! Nobody answers.

use super::super::door::{Door, House};
use super::super::login::login;
use super::super::page;
use crate::text;
use dioxus::prelude::*;

/// Nobody has been here before, and the server does not answer.
#[component]
pub fn UnreachableScreen() -> Element {
    let login = login();
    use_effect(|| page::set_title(&text!("title-unreachable")));
    rsx! {
        Door { house: House::First,
            main { class: "k-door__panel",
                // The design's panel has three rows; a form in the middle leaves the outer ones empty.
                span {}
                div { class: "k-door__form k-door__form--mid",
                    div { class: "k-door__sign-in",
                        header {
                            img { class: "k-door__logo", src: "/brand/logo.svg", alt: "Kinstead", width: "52", height: "52" }
                            h1 { {text!("unreachable-title")} }
                            p { {text!("unreachable-lead")} }
                        }
                        button {
                            r#type: "button",
                            class: "k-btn k-btn--primary k-btn--lg k-btn--block",
                            onclick: move |_| login.find_out(),
                            {text!("try-again")}
                        }
                    }
                }
            }
        }
    }
}
