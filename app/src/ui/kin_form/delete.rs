//! Deleting a Kin asks for its name and says what goes with it (K-6).

use crate::api;
use crate::api::kins::KinSummary;
use crate::text;
use crate::ui::dialog::Dialog;
use crate::ui::field::TextField;
use crate::ui::routes::Route;
use crate::ui::when;
use dioxus::prelude::*;
use shared::KinId;

/// The question. `removing` is true while the answer is yes.
#[component]
pub fn DeleteKin(
    kin: KinId,
    name: String,
    removing: Signal<bool>,
    summary: Option<KinSummary>,
    on_close: EventHandler<()>,
) -> Element {
    let navigator = use_navigator();
    let mut typed = use_signal(String::new);
    let mut mistake = use_signal(|| None::<String>);
    let mut removing = removing;
    let wanted = name.clone();
    rsx! {
        Dialog { title: text!("kin-delete-title", name: &name), on_close,
            form {
                class: "k-stack k-dialog__text",
                novalidate: true,
                onsubmit: move |event| {
                    let wanted = wanted.clone();
                    async move {
                        event.prevent_default();
                        if typed.peek().trim() != wanted.trim() {
                            mistake.set(Some(text!("mistake-name-differs", name: &wanted)));
                            return;
                        }
                        if *removing.peek() {
                            return;
                        }
                        removing.set(true);
                        match api::delete_kin(kin).await {
                            Ok(()) => {
                                on_close.call(());
                                navigator.replace(Route::Home {});
                            }
                            Err(error) => {
                                mistake.set(Some(error.words()));
                                removing.set(false);
                            }
                        }
                    }
                },
                p { {text!("kin-delete-lead", name: &name)} }
                if let Some(summary) = summary.filter(|summary| summary.messages > 0) {
                    p { b {
                        {text!(
                            "kin-delete-what",
                            count: summary.messages,
                            shown: when::number(summary.messages),
                            month: when::month(summary.created_at),
                        )}
                    } }
                }
                p { {text!("kin-delete-undo", name: &name)} }
                TextField {
                    id: "kin-delete-name",
                    label: text!("kin-delete-type", name: &name),
                    value: typed,
                    mistake: mistake(),
                    on_input: move |value| {
                        mistake.set(None);
                        typed.set(value);
                    },
                }
                div { class: "k-dialog__actions",
                    button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("keep")} }
                    button {
                        r#type: "submit",
                        class: "k-btn k-btn--danger",
                        "aria-disabled": removing().then_some("true"),
                        {text!("kin-delete")}
                    }
                }
            }
        }
    }
}
