//! Having a face drawn, where the household has an image provider (K-2).

use super::KinFields;
use crate::api::kins::{DrawRequest, draw_face, image_choice};
use crate::i18n::Phrase;
use crate::text;
use crate::ui::field::TextArea;
use crate::ui::icon::{Icon, IconSize, Windows};
use crate::ui::providers::providers;
use dioxus::prelude::*;

/// Two buttons: by its own description, or by the member's words. Nothing where nobody draws.
#[component]
pub fn DrawFace(fields: KinFields) -> Element {
    let mut fields = fields;
    let choice = use_resource(image_choice);
    let mut describing = use_signal(|| false);
    let mut wish = use_signal(String::new);
    let mut busy = use_signal(|| false);
    let mut problem = use_signal(|| None::<Phrase>);
    let draw = use_callback(move |prompt: Option<String>| {
        if *busy.peek() {
            return;
        }
        let request = DrawRequest {
            name: fields.name.peek().clone(),
            role: fields.role.peek().clone(),
            character: fields.character.peek().clone(),
            prompt,
        };
        spawn(async move {
            busy.set(true);
            problem.set(None);
            match draw_face(&request).await {
                Ok(id) => {
                    fields.avatar.set(id.to_string());
                    describing.set(false);
                }
                Err(error) => problem.set(Some(error.phrase())),
            }
            busy.set(false);
        });
    });
    let Some(choice) = choice().flatten() else { return rsx! {} };
    let provider = providers().name(choice.provider_id).unwrap_or_else(|| text!("provider-unnamed"));
    rsx! {
        div { class: "k-cluster",
            button {
                r#type: "button",
                class: "k-btn k-btn--sm",
                "aria-disabled": busy().then_some("true"),
                "aria-describedby": "kin-draw-hint",
                onclick: move |_| draw.call(None),
                Icon { name: "sparkles", size: IconSize::Sm }
                {text!("face-draw")}
            }
            button {
                r#type: "button",
                class: "k-btn k-btn--sm",
                "aria-expanded": if describing() { "true" } else { "false" },
                onclick: move |_| describing.toggle(),
                Icon { name: "pencil", size: IconSize::Sm }
                {text!("face-describe")}
            }
        }
        if describing() {
            TextArea {
                id: "kin-wish",
                label: text!("face-wish"),
                placeholder: text!("face-wish-example"),
                value: wish,
                on_input: move |value| wish.set(value),
            }
            div { class: "k-cluster",
                button {
                    r#type: "button",
                    class: "k-btn k-btn--sm",
                    "aria-disabled": (busy() || wish.read().trim().is_empty()).then_some("true"),
                    onclick: move |_| {
                        let words = wish.peek().trim().to_owned();
                        if !words.is_empty() {
                            draw.call(Some(words));
                        }
                    },
                    {text!("face-draw-wish")}
                }
            }
        }
        p { id: "kin-draw-hint", class: "k-field__hint", role: "status",
            if busy() {
                Windows {}
                span { {text!("face-drawing")} }
            } else {
                span { {text!("face-draw-hint", provider: provider, model: choice.model.unwrap_or_default())} }
            }
        }
        if let Some(problem) = problem() {
            p { class: "k-field__hint is-bad", role: "alert",
                Icon { name: "circle-alert", size: IconSize::Sm }
                span { {problem.words()} }
            }
        }
    }
}
