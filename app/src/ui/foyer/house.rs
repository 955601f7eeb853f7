//! What the household is called.

use crate::api::household as api;
use crate::i18n::Phrase;
use crate::text;
use crate::ui::field::{FormProblem, Mistakes, TextField};
use crate::ui::replica::replica;
use dioxus::prelude::*;
use shared::limits::MAX_NAME_CHARS;

/// Names the household, for an admin. Everybody's sidebar follows.
#[component]
pub fn HouseName() -> Element {
    let home = replica().home();
    let current = use_memo(move || home.read().as_ref().map(|home| home.name.clone()).unwrap_or_default());
    // What is being typed; until then the field shows what the household is called.
    let mut typed = use_signal(|| None::<String>);
    let value = use_memo(move || typed().unwrap_or_else(|| current.cloned()));
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut saved = use_signal(|| false);
    let mut busy = use_signal(|| false);
    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        let mut found = Mistakes::default();
        found.check_text("house-name", &value.peek(), MAX_NAME_CHARS);
        mistakes.set(found.clone());
        if !found.is_empty() {
            found.focus_first();
            return;
        }
        if *busy.peek() {
            return;
        }
        busy.set(true);
        let name = value.peek().trim().to_owned();
        match api::name_household(&name).await {
            Ok(()) => {
                problem.set(None);
                saved.set(true);
            }
            Err(error) => problem.set(Some(error.phrase())),
        }
        busy.set(false);
    };
    rsx! {
        form { class: "k-card k-stack", novalidate: true, onsubmit: submit,
            TextField {
                id: "house-name",
                label: text!("house-name"),
                hint: text!("house-name-hint"),
                value,
                mistake: mistakes.read().at("house-name"),
                on_input: move |text| {
                    saved.set(false);
                    typed.set(Some(text));
                },
            }
            FormProblem { problem: problem() }
            div { class: "k-cluster",
                button { r#type: "submit", class: "k-btn k-btn--sm", "aria-disabled": busy().then_some("true"), {text!("save")} }
                span { class: "k-small k-soft", role: "status", if saved() { {text!("saved")} } }
            }
        }
    }
}
