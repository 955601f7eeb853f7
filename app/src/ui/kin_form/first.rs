//! The first Kin, at the end of the first day (O-5).

use super::creation::use_creation;
use super::faces::Face;
use super::model::ModelField;
use super::starts::{Start, StartChips};
use crate::text;
use crate::ui::field::{FormProblem, TextArea, TextField};
use dioxus::prelude::*;
use shared::KinId;
use shared::profile::AVATARS;

/// Form and actions of the wizard's last step, to stand in its panel. Wants the replica and the providers around it.
#[component]
pub fn FirstKin(on_done: Callback<KinId>, on_back: EventHandler<()>) -> Element {
    let creation = use_creation(Start::Cooking, || AVATARS[0]);
    let mut fields = creation.fields;
    let mistakes = creation.mistakes;
    let name = fields.name.read().trim().to_owned();
    rsx! {
        form {
            id: "first-kin",
            class: "k-door__form",
            novalidate: true,
            onsubmit: move |event| async move {
                event.prevent_default();
                if let Some(kin) = creation.submit().await {
                    on_done.call(kin);
                }
            },
            header {
                h1 { id: "first-kin-title", tabindex: "-1", {text!("first-kin-title")} }
                p { {text!("first-kin-lead")} }
            }
            StartChips { start: creation.start }
            Face { fields }
            div { class: "k-fieldgrid",
                TextField {
                    id: "kin-name",
                    label: text!("first-kin-name"),
                    placeholder: text!("kin-name-example"),
                    value: fields.name,
                    mistake: mistakes.read().at("kin-name"),
                    on_input: move |value| fields.name.set(value),
                }
                TextField {
                    id: "kin-role",
                    label: text!("first-kin-role"),
                    placeholder: text!("kin-role-example"),
                    value: fields.role,
                    mistake: mistakes.read().at("kin-role"),
                    on_input: move |value| fields.role.set(value),
                }
            }
            TextArea {
                id: "kin-character",
                label: text!("first-kin-character"),
                placeholder: text!("kin-character-example"),
                hint: text!("first-kin-character-hint"),
                value: fields.character,
                mistake: mistakes.read().at("kin-character"),
                on_input: move |value| fields.character.set(value),
            }
            TextArea {
                id: "kin-expertise",
                label: text!("field-expertise"),
                placeholder: text!("kin-expertise-example"),
                value: fields.expertise,
                mistake: mistakes.read().at("kin-expertise"),
                on_input: move |value| fields.expertise.set(value),
            }
            ModelField { model: fields.model, is_new: true, mistake: mistakes.read().at("kin-model") }
            FormProblem { problem: (creation.problem)() }
        }
        div { class: "k-door__actions",
            button {
                r#type: "button",
                class: "k-btn k-btn--ghost k-btn--lg",
                onclick: move |_| on_back.call(()),
                {text!("back")}
            }
            button {
                r#type: "submit",
                form: "first-kin",
                class: "k-btn k-btn--primary k-btn--lg",
                "aria-disabled": (creation.busy)().then_some("true"),
                if name.is_empty() { {text!("kin-welcome")} } else { {text!("kin-welcome-name", name: &name)} }
            }
        }
    }
}
