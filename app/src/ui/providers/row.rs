//! One provider: what it is, what it can do, how it answered, and what can be done about it.

use super::providers;
use crate::api::providers::Hit;
use crate::api::{self, Provider, ProviderKind};
use crate::text;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::replica::replica;
use dioxus::prelude::*;
use shared::ProviderId;

/// Connected, slow, not answering.
#[component]
pub fn StateChip(provider: Provider) -> Element {
    let Some(check) = provider.check else { return rsx! {} };
    let (class, icon, words) = match check.state.as_str() {
        "failing" => ("k-chip is-bad", "circle-alert", text!("provider-failing")),
        "slow" => ("k-chip is-warn", "timer", text!("provider-slow")),
        _ => ("k-chip is-ok", "check", text!("provider-connected")),
    };
    rsx! {
        span { class,
            Icon { name: icon, size: IconSize::Xs }
            "{words}"
        }
    }
}

/// The line under a name: an address, or the end of a key.
pub fn key_words(provider: &Provider) -> Option<String> {
    let hint = provider.key_hint.as_ref().map(|last| format!("•••• {last}"));
    provider.base_url.clone().or(hint)
}

/// Names of the Kins that think with a provider.
fn users_of(id: ProviderId) -> Vec<String> {
    let home = replica().home();
    let home = home.read();
    let kins = home.iter().flat_map(|home| &home.kins);
    kins.filter(|kin| kin.profile.model.as_ref().is_some_and(|model| model.provider_id == id))
        .map(|kin| kin.profile.name.clone())
        .collect()
}

/// A row of the list.
#[component]
pub fn ProviderRow(
    provider: Provider,
    is_admin: bool,
    on_edit: EventHandler<Provider>,
    on_delete: EventHandler<Provider>,
) -> Element {
    let list = providers();
    let id = provider.id;
    let letter = provider.name.chars().next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let users = users_of(id);
    let is_demo = provider.kind == ProviderKind::Demo;
    let name = provider.name.clone();
    let (edited, removed) = (provider.clone(), provider.clone());
    let mut busy = use_signal(|| false);
    let mut hit = use_signal(|| None::<Hit>);
    let mut problem = use_signal(|| None::<String>);
    let latency = provider.check.as_ref().and_then(|check| check.latency_ms);
    let models = provider.check.as_ref().and_then(|check| check.model_count);
    let failure = provider.check.as_ref().and_then(|check| check.failure.clone());
    rsx! {
        div { class: "k-row k-row--tall k-row--provider",
            span { class: "k-tile k-tile--brand", "aria-hidden": "true", "{letter}" }
            span { class: "k-row__main",
                span { class: "k-row__title", span { "{name}" } }
                span { class: "k-row__sub is-wrap",
                    if is_demo { {text!("demo-lead")} } else if let Some(words) = key_words(&provider) { "{words}" }
                }
                if provider.can("llm") {
                    span { class: "k-row__sub is-wrap",
                        if users.is_empty() { {text!("provider-unused")} } else { {text!("provider-used", count: users.len(), names: users.join(", "))} }
                    }
                }
                span { class: "k-chips k-chips--tight",
                    if is_demo {
                        span { class: "k-chip k-chip--sm is-warn", {text!("demo-label")} }
                    }
                    for capability in provider.capabilities.clone() {
                        span { key: "{capability}", class: "k-chip k-chip--sm", {capability_words(&capability)} }
                    }
                    if let Some(count) = models {
                        span { class: "k-chip k-chip--sm", {text!("provider-models", count: count)} }
                    }
                    if let Some(ms) = latency {
                        span { class: "k-chip k-chip--sm", {text!("provider-latency", ms: ms)} }
                    }
                }
                if let Some(failure) = failure {
                    span { class: "k-field__hint is-bad",
                        span {
                            {text!(&format!("problem-provider-{}", failure.kind.replace('_', "-")))}
                            if !failure.detail.is_empty() { " {failure.detail}" }
                        }
                    }
                }
                if let Some(hit) = hit() {
                    Found { hit }
                }
                if let Some(problem) = problem() {
                    span { class: "k-field__hint is-bad", role: "alert", span { "{problem}" } }
                }
                if is_admin {
                    span { class: "k-cluster k-provider__acts",
                        button {
                            r#type: "button",
                            class: "k-btn k-btn--sm",
                            "aria-label": text!("provider-test-of", name: &name),
                            "aria-disabled": busy().then_some("true"),
                            onclick: move |_| async move {
                                if *busy.peek() {
                                    return;
                                }
                                busy.set(true);
                                match api::providers::test_provider(id, &text!("search-trial")).await {
                                    Ok(tested) => {
                                        problem.set(None);
                                        hit.set(tested.hit);
                                    }
                                    Err(error) => problem.set(Some(error.words())),
                                }
                                list.refresh().await;
                                busy.set(false);
                            },
                            Icon { name: "refresh-cw", size: IconSize::Sm }
                            if busy() { {text!("provider-testing")} } else { {text!("provider-test-again")} }
                        }
                        if !is_demo {
                            button {
                                r#type: "button",
                                class: "k-btn k-btn--sm k-btn--ghost",
                                "aria-label": text!("provider-edit-of", name: &name),
                                onclick: move |_| on_edit.call(edited.clone()),
                                {text!("provider-change")}
                            }
                        }
                    }
                }
            }
            span { class: "k-row__end",
                StateChip { provider }
                if is_admin {
                    button {
                        r#type: "button",
                        class: "k-iconbtn",
                        "aria-label": text!("provider-delete-of", name: &name),
                        onclick: move |_| on_delete.call(removed.clone()),
                        Icon { name: "trash-2" }
                    }
                }
            }
        }
    }
}

/// The first page that a trial found.
#[component]
pub fn Found(hit: Hit) -> Element {
    rsx! {
        div { class: "k-card k-card--sunken k-provider__hit",
            span { class: "k-eyebrow", {text!("search-trial-of", query: text!("search-trial"))} }
            p { class: "k-small", b { "{hit.title}" } " {hit.description}" }
        }
    }
}

fn capability_words(capability: &str) -> String {
    match capability {
        "llm" => text!("capability-llm"),
        "embedding" => text!("capability-embedding"),
        "image" => text!("capability-image"),
        "search" => text!("capability-search"),
        other => other.to_owned(),
    }
}
