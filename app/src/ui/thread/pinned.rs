//! The messages a member keeps at hand, and the menu of a thread that leads to them.

use crate::text;
use crate::ui::dialog::Dialog;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::replica::replica;
use dioxus::prelude::*;

/// All of them; pressing one shows it.
#[component]
pub fn Pins(on_jump: EventHandler<()>) -> Element {
    let mut replica = replica();
    let pins = replica.pins();
    rsx! {
        if pins.read().is_empty() {
            p { class: "k-small k-muted k-pins__none", {text!("pinned-none")} }
        } else {
            ul { class: "k-list k-list--tight k-pins",
                for pin in pins().into_iter().rev() {
                    li { key: "{pin.message}", class: "k-pinrow",
                        button {
                            r#type: "button",
                            class: "k-row",
                            onclick: move |_| {
                                on_jump.call(());
                                replica.seek_here(pin.message);
                            },
                            Icon { name: "pin", size: IconSize::Sm }
                            span { class: "k-row__main",
                                span { class: "k-row__title", span { "{pin.excerpt}" } }
                            }
                        }
                        button {
                            r#type: "button",
                            class: "k-iconbtn k-iconbtn--sm",
                            "aria-label": text!("unpin-of", words: &pin.excerpt),
                            onclick: move |_| replica.pin(pin.message, None),
                            Icon { name: "x", size: IconSize::Sm }
                        }
                    }
                }
            }
        }
    }
}

/// The pins as a sheet.
#[component]
pub fn PinnedSheet(on_close: EventHandler<()>) -> Element {
    rsx! {
        Dialog { title: text!("pinned"), on_close,
            Pins { on_jump: on_close }
            div { class: "k-dialog__actions",
                button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("close")} }
            }
        }
    }
}
