//! What is used where nobody chose otherwise.

use super::providers;
use crate::api::providers::{DefaultChoice, Defaults};
use crate::api::{self, ApiError, Model};
use crate::text;
use crate::ui::icon::{Icon, IconSize};
use dioxus::prelude::*;
use shared::ProviderId;

/// The uses, and the capability each needs.
const USES: [(&str, &str); 5] =
    [("chat", "llm"), ("small", "llm"), ("embedding", "embedding"), ("image", "image"), ("search", "search")];

/// What people call a use.
pub fn use_words(wanted: &str) -> String {
    match wanted {
        "chat" => text!("default-chat"),
        "small" => text!("default-small"),
        "embedding" => text!("default-embedding"),
        "image" => text!("default-image"),
        "search" => text!("default-search"),
        other => other.to_owned(),
    }
}

/// One line per use that some provider can serve.
#[component]
pub fn DefaultsSection(is_admin: bool) -> Element {
    let providers = providers();
    let mut defaults = use_signal(|| None::<Result<Defaults, ApiError>>);
    let list = providers.list();
    // Adding and removing providers changes them too.
    use_effect(use_reactive!(|list| {
        if list.is_some() {
            spawn(async move { defaults.set(Some(api::providers::defaults().await)) });
        }
    }));
    let list = providers.list().unwrap_or_default();
    let shown: Vec<_> = USES.into_iter().filter(|(_, needs)| list.iter().any(|one| one.can(needs))).collect();
    let known = match defaults() {
        Some(Ok(known)) => known,
        Some(Err(error)) => return rsx! { p { class: "k-field__hint is-bad", role: "alert", {error.words()} } },
        None => return rsx! {},
    };
    rsx! {
        if !shown.is_empty() {
            section { class: "k-section",
                div { class: "k-section__head",
                    div {
                        h2 { class: "k-section__title", {text!("defaults")} }
                        p { class: "k-section__lead", {text!("defaults-lead")} }
                    }
                }
                div { class: "k-card k-stack",
                    for (wanted, needs) in shown {
                        DefaultRow {
                            key: "{wanted}",
                            wanted,
                            needs,
                            choice: known.get(wanted).cloned().flatten(),
                            is_admin,
                            on_change: move |changed| defaults.set(Some(Ok(changed))),
                        }
                    }
                }
            }
        }
    }
}

#[component]
fn DefaultRow(
    wanted: &'static str,
    needs: &'static str,
    choice: Option<DefaultChoice>,
    is_admin: bool,
    on_change: EventHandler<Defaults>,
) -> Element {
    let list = providers().list_for(needs).unwrap_or_default();
    let mut problem = use_signal(|| None::<String>);
    let has_model = wanted != "search";
    let chosen = choice.as_ref().map(|choice| choice.provider_id);
    let model = choice.as_ref().and_then(|choice| choice.model.clone()).unwrap_or_default();
    let models = use_resource(use_reactive!(|chosen| async move {
        let Some(id) = chosen.filter(|_| has_model) else { return Vec::new() };
        api::models(id).await.unwrap_or_default()
    }));
    let models: Vec<Model> = models().unwrap_or_default().into_iter().filter(|model| model.does(needs)).collect();
    let put = move |provider_id: ProviderId, model: Option<String>| async move {
        match api::providers::set_default(wanted, &DefaultChoice { provider_id, model }).await {
            Ok(changed) => {
                problem.set(None);
                on_change.call(changed);
            }
            Err(error) => problem.set(Some(error.words())),
        }
    };
    rsx! {
        div { class: "k-field",
            label { class: "k-field__label", r#for: "default-{wanted}", {use_words(wanted)} }
            div { class: "k-fieldgrid",
                span { class: "k-selectwrap",
                    select {
                        id: "default-{wanted}",
                        class: "k-select",
                        disabled: !is_admin,
                        onchange: move |event| async move {
                            let Ok(id) = event.value().parse::<ProviderId>() else { return };
                            let first = if has_model {
                                let models = api::models(id).await.unwrap_or_default();
                                models.into_iter().find(|model| model.does(needs)).map(|model| model.name().to_owned())
                            } else {
                                None
                            };
                            put(id, first).await;
                        },
                        if chosen.is_none() {
                            option { value: "", selected: true, disabled: true, {text!("default-none")} }
                        }
                        for provider in list {
                            option { key: "{provider.id}", value: "{provider.id}", selected: Some(provider.id) == chosen, "{provider.name}" }
                        }
                    }
                    Icon { name: "chevron-down", size: IconSize::Sm }
                }
                if has_model && chosen.is_some() {
                    span { class: "k-selectwrap",
                        select {
                            class: "k-select",
                            "aria-label": text!("default-model-of", purpose: use_words(wanted)),
                            disabled: !is_admin,
                            onchange: move |event| async move {
                                if let Some(id) = chosen {
                                    put(id, Some(event.value())).await;
                                }
                            },
                            if !models.iter().any(|one| one.name() == model) {
                                option { value: "{model}", selected: true, "{model}" }
                            }
                            for one in models {
                                option { key: "{one.name()}", value: "{one.name()}", selected: one.name() == model, {model_words(&one)} }
                            }
                        }
                        Icon { name: "chevron-down", size: IconSize::Sm }
                    }
                }
            }
            if let Some(problem) = problem() {
                span { class: "k-field__hint is-bad", role: "alert", span { "{problem}" } }
            }
        }
    }
}

/// A model with what is known of it: "Claude Haiku 4.5 · 200k · $1 / $5".
pub fn model_words(model: &Model) -> String {
    let mut words = model.label().to_owned();
    if let Model::Labelled { context_tokens, input_price, output_price, .. } = model {
        if let Some(tokens) = context_tokens {
            words.push_str(&format!(" · {}k", tokens / 1000));
        }
        match (input_price, output_price) {
            (Some(input), Some(output)) => words.push_str(&format!(" · ${input} / ${output}")),
            (Some(input), None) => words.push_str(&format!(" · ${input}")),
            (None, _) => {}
        }
    }
    words
}
