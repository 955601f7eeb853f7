//! Which model a Kin thinks with.

use crate::api::{self, Model};
use crate::text;
use crate::ui::field::Hint;
use crate::ui::icon::{Icon, IconSize, Windows};
use crate::ui::providers::{DemoButton, providers};
use crate::ui::replica::replica;
use crate::ui::routes::Route;
use crate::ui::shell::my_profile;
use dioxus::prelude::*;
use shared::profile::ModelChoice;
use shared::{ProviderId, Role};

/// Provider, then one of its models. With no provider: the way to one.
///
/// A new Kin begins with the first model there is; one that exists gets another only when someone chooses it.
#[component]
pub fn ModelField(model: Signal<Option<ModelChoice>>, is_new: bool, mistake: Option<String>) -> Element {
    let providers = providers();
    // Another device may have added one since.
    use_future(move || providers.refresh());
    let is_admin = my_profile(replica()).is_some_and(|me| me.role == Role::Admin);
    let list = providers.list_for("llm");
    rsx! {
        if providers.is_loading() {
            div { Windows {} span { class: "k-vh", role: "status", {text!("loading")} } }
        } else if let Some(problem) = providers.problem() {
            p { class: "k-field__hint is-bad", role: "alert", "{problem}" }
            button { r#type: "button", class: "k-btn", onclick: move |_| providers.refresh(), {text!("try-again")} }
        } else if list.as_ref().is_some_and(Vec::is_empty) {
            if is_admin {
                p { class: "k-soft", {text!("kin-model-none")} }
                Link { class: "k-btn", to: Route::Providers {}, {text!("start-provider")} }
                DemoButton { class: "k-btn k-btn--ghost" }
                p { class: "k-small k-muted", {text!("demo-lead")} }
            } else {
                p { class: "k-soft", {text!("start-provider-admin")} }
            }
            Hint { id: "kin-model", mistake, hint: None::<String> }
        } else {
            Selects { model, is_new, mistake }
        }
    }
}

#[component]
fn Selects(model: Signal<Option<ModelChoice>>, is_new: bool, mistake: Option<String>) -> Element {
    let list = providers().list_for("llm").unwrap_or_default();
    let mut model = model;
    let mut provider = use_signal(|| model.peek().as_ref().map(|model| model.provider_id));
    // Another member may have chosen a model meanwhile.
    use_effect(move || {
        if let Some(id) = model().map(|model| model.provider_id) {
            provider.set(Some(id));
        }
    });
    // A new Kin begins with what the household answers with by default.
    let preset = use_resource(move || async move {
        if !is_new {
            return None;
        }
        api::providers::defaults().await.ok().and_then(|mut defaults| defaults.remove("chat").flatten())
    });
    let is_asking = is_new && preset().is_none();
    let preset = preset().flatten();
    // The provider a Kin had may be gone; the first one is as good a start as any.
    let chosen = provider().filter(|id| list.iter().any(|provider| provider.id == *id));
    let preset_id = preset.as_ref().map(|preset| preset.provider_id);
    let chosen = chosen.or_else(|| preset_id.filter(|id| list.iter().any(|provider| provider.id == *id)));
    let chosen = chosen.or_else(|| list.first().filter(|_| !is_asking).map(|provider| provider.id));
    // What the list said may be old: the provider itself knows what it has now.
    let fresh = use_resource(use_reactive!(|chosen| async move { (chosen, fresh_models(chosen).await) }));
    let fresh = fresh().filter(|(asked, _)| *asked == chosen).and_then(|(_, models)| models);
    let known = list.iter().find(|provider| Some(provider.id) == chosen).map(|provider| provider.models.clone());
    let models = fresh.or(known).unwrap_or_default();
    let names: Vec<(String, String)> = models
        .iter()
        .filter(|model| model.does("llm"))
        .map(|model| (model.name().to_owned(), model.label().to_owned()))
        .collect();

    // For a new Kin something is always chosen, so that what the member sees is what is saved.
    let preset = preset.filter(|preset| Some(preset.provider_id) == chosen).and_then(|preset| preset.model);
    let preset = preset.filter(|preset| names.iter().any(|(name, _)| name == preset));
    let first = preset.or_else(|| names.first().map(|(name, _)| name.clone()));
    // Only what a person chose is kept when the provider turns out not to offer it.
    let mut is_own_choice = use_signal(|| model.peek().is_some());
    let mut wants_first = use_signal(|| false);
    let offered = names.clone();
    use_effect(use_reactive!(|(chosen, first, offered)| {
        let wants = is_new || wants_first();
        let Some(id) = chosen.filter(|_| wants) else { return };
        if !is_new && first.is_none() {
            return;
        }
        wants_first.set(false);
        let is_kept = model.peek().as_ref().is_some_and(|model| {
            model.provider_id == id && (is_own_choice() || offered.iter().any(|(name, _)| *name == model.name))
        });
        if !is_kept {
            is_own_choice.set(false);
            model.set(first.map(|name| ModelChoice { provider_id: id, name }));
        }
    }));

    let selected =
        model().filter(|model| Some(model.provider_id) == chosen).map(|model| model.name).unwrap_or_default();
    let invalid = mistake.is_some().then_some("true");
    let described = mistake.is_some().then_some("kin-model-hint");
    rsx! {
        div { class: "k-field",
            label { class: "k-field__label", r#for: "kin-provider", {text!("field-provider")} }
            span { class: "k-selectwrap",
                select {
                    id: "kin-provider",
                    class: "k-select",
                    onchange: move |event| {
                        provider.set(event.value().parse::<ProviderId>().ok());
                        if !is_new {
                            model.set(None);
                            // What the member sees is what is saved: another provider begins with a model of its own.
                            wants_first.set(true);
                        }
                    },
                    for option in list {
                        option { key: "{option.id}", value: "{option.id}", selected: Some(option.id) == chosen, "{option.name}" }
                    }
                }
                Icon { name: "chevron-down", size: IconSize::Sm }
            }
        }
        div { class: "k-field",
            label { class: "k-field__label", r#for: "kin-model", {text!("field-model")} }
            span { class: "k-selectwrap",
                select {
                    id: "kin-model",
                    class: "k-select",
                    "aria-invalid": invalid,
                    "aria-describedby": described,
                    onchange: move |event| {
                        if let Some(provider_id) = chosen {
                            is_own_choice.set(true);
                            model.set(Some(ModelChoice { provider_id, name: event.value() }));
                        }
                    },
                    if !is_new && selected.is_empty() {
                        option { value: "", disabled: true, selected: true, {text!("model-choose")} }
                    }
                    // A model its provider no longer lists is still the Kin's until someone chooses another.
                    if !selected.is_empty() && !names.iter().any(|(name, _)| *name == selected) {
                        option { value: "{selected}", selected: true, "{selected}" }
                    }
                    for (name, label) in names {
                        option { key: "{name}", value: "{name}", selected: name == selected, "{label}" }
                    }
                }
                Icon { name: "chevron-down", size: IconSize::Sm }
            }
            Hint { id: "kin-model", mistake, hint: None::<String> }
        }
    }
}

async fn fresh_models(provider: Option<ProviderId>) -> Option<Vec<Model>> {
    api::models(provider?).await.ok().filter(|models| !models.is_empty())
}
