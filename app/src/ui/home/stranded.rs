//! Refused messages whose Kin is gone: the home screen is the only place left that can give them back.

use crate::text;
use crate::ui::replica::replica;
use crate::ui::thread::status::{CopyText, refusal_words};
use dioxus::prelude::*;
use sync::view::RefusedView;

/// All of them, when there are any.
#[component]
pub fn Stranded() -> Element {
    let sync = replica().sync();
    let stranded = use_memo(move || sync.read().stranded.clone());
    rsx! {
        if !stranded.read().is_empty() {
            section { class: "k-section", "aria-labelledby": "stranded",
                div { class: "k-section__head",
                    div {
                        h2 { class: "k-section__title", id: "stranded", {text!("stranded-title")} }
                        p { class: "k-section__lead", {text!("stranded-lead")} }
                    }
                }
                div { class: "k-card k-card--flush",
                    ul { class: "k-list k-list--plain",
                        for refused in stranded() {
                            StrandedRow { key: "{refused.message}", refused }
                        }
                    }
                }
            }
        }
    }
}

#[component]
fn StrandedRow(refused: ReadSignal<RefusedView>) -> Element {
    let replica = replica();
    let text = use_memo(move || refused.read().text.clone());
    let RefusedView { message, code, .. } = refused();
    rsx! {
        li { class: "k-stranded",
            p { class: "k-stranded__text", "{text}" }
            p { class: "k-row__sub is-wrap is-bad", {refusal_words(code)} }
            div { class: "k-stranded__end",
                CopyText { text }
                button {
                    r#type: "button",
                    class: "k-btn k-btn--ghost k-btn--sm",
                    onclick: move |_| replica.discard(message),
                    {text!("discard")}
                }
            }
        }
    }
}
