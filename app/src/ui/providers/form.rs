//! A new provider, tested live before it is kept.

use super::providers;
use crate::api::providers::ProviderPatch;
use crate::api::{self, ApiError, Provider, ProviderCreated, ProviderKind, ProviderRequest};
use crate::i18n::Phrase;
use crate::ui::choice::{focus_chosen, step};
use crate::ui::field::{FormProblem, Mistakes, PasswordField, TextField};
use crate::ui::page;
use crate::{phrase, text};
use dioxus::prelude::*;
use shared::limits::MAX_NAME_CHARS;

/// What can be added to think, remember and draw with, in the order shown.
const AI: &[ProviderKind] = &[
    ProviderKind::Anthropic,
    ProviderKind::Openai,
    ProviderKind::Gemini,
    ProviderKind::Voyage,
    ProviderKind::OpenaiCompatible,
    ProviderKind::Demo,
];
/// What can be added to look things up with.
const SEARCH: &[ProviderKind] = &[ProviderKind::Brave, ProviderKind::Searxng, ProviderKind::Tavily];

fn title(kind: ProviderKind) -> String {
    match kind {
        ProviderKind::OpenaiCompatible => text!("provider-kind-compatible"),
        ProviderKind::Openai => "OpenAI".to_owned(),
        ProviderKind::Anthropic => "Anthropic".to_owned(),
        ProviderKind::Gemini => "Google Gemini".to_owned(),
        ProviderKind::Voyage => "Voyage AI".to_owned(),
        ProviderKind::Brave => "Brave Search".to_owned(),
        ProviderKind::Searxng => "SearXNG".to_owned(),
        ProviderKind::Tavily => "Tavily".to_owned(),
        ProviderKind::Demo | ProviderKind::Other => "Demo".to_owned(),
    }
}

fn lead(kind: ProviderKind) -> String {
    match kind {
        ProviderKind::OpenaiCompatible => text!("provider-kind-compatible-lead"),
        ProviderKind::Openai | ProviderKind::Gemini => text!("provider-kind-all-lead"),
        ProviderKind::Voyage => text!("provider-kind-memory-lead"),
        ProviderKind::Anthropic | ProviderKind::Brave | ProviderKind::Tavily => text!("provider-kind-key-lead"),
        ProviderKind::Searxng => text!("provider-kind-searxng-lead"),
        ProviderKind::Demo | ProviderKind::Other => text!("demo-lead"),
    }
}

const fn has_address(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::OpenaiCompatible | ProviderKind::Searxng)
}

const fn has_key(kind: ProviderKind) -> bool {
    !matches!(kind, ProviderKind::Demo | ProviderKind::Other)
}

const fn needs_key(kind: ProviderKind) -> bool {
    has_key(kind) && !has_address(kind)
}

/// Where a form stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stands {
    /// On the providers' own screen.
    #[default]
    OnScreen,
    /// In the wizard, as the only thing to do.
    AloneInWizard,
    /// In the wizard, beside what is connected already.
    InWizard,
}

/// Kind, name, address, key. With `editing` the kind stays, and a key left empty too. `on_done` is given what came of
/// it; nothing when it was called off.
#[component]
pub fn ProviderForm(
    #[props(default)] search: bool,
    #[props(default)] editing: Option<Provider>,
    /// On the first day it stands under the page's title, and cannot be called off where nothing else is.
    #[props(default)]
    stands: Stands,
    on_done: EventHandler<Option<ProviderCreated>>,
) -> Element {
    let list = providers();
    let kinds = if search { SEARCH } else { AI };
    let edited = editing.as_ref().map(|provider| provider.id);
    let mut kind = use_signal(|| editing.as_ref().map_or(kinds[0], |provider| provider.kind));
    let mut name = use_signal(|| editing.as_ref().map(|provider| provider.name.clone()).unwrap_or_default());
    let mut address = use_signal(|| editing.as_ref().and_then(|one| one.base_url.clone()).unwrap_or_default());
    let key_hint = editing.as_ref().and_then(|provider| provider.key_hint.clone());
    let mut key = use_signal(String::new);
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut busy = use_signal(|| false);
    use_hook(|| {
        page::focus_soon(if edited.is_some() { "#provider-name" } else { "#provider-kind [aria-checked=true]" })
    });

    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        if *busy.peek() {
            return;
        }
        let kind = *kind.peek();
        let typed = name.peek().trim().to_owned();
        let name = if typed.is_empty() { title(kind) } else { typed };
        let mut found = Mistakes::default();
        found.check_text("provider-name", &name, MAX_NAME_CHARS);
        if has_address(kind) && !address.peek().trim().starts_with("http") {
            found.add("provider-address", phrase!("mistake-address"));
        }
        if needs_key(kind) && edited.is_none() && key.peek().trim().is_empty() {
            found.add("provider-key", phrase!("mistake-key"));
        }
        mistakes.set(found.clone());
        if !found.is_empty() {
            found.focus_first();
            return;
        }
        busy.set(true);
        problem.set(None);
        let some = |value: &Signal<String>| Some(value.peek().trim().to_owned()).filter(|value| !value.is_empty());
        let base_url = if has_address(kind) { some(&address) } else { None };
        let api_key = if has_key(kind) { some(&key) } else { None };
        let answer = match edited {
            Some(id) => {
                let patch = ProviderPatch { name: Some(name), base_url, api_key };
                api::providers::change_provider(id, &patch).await
            }
            None => {
                let query = search.then(|| text!("search-trial"));
                api::add_provider(&ProviderRequest { name, kind, base_url, api_key, query }).await
            }
        };
        match answer {
            Ok(kept) => {
                list.refresh().await;
                on_done.call(Some(kept));
            }
            Err(error) => match field_of(&error).filter(|field| is_shown(field, kind)) {
                Some(field) => {
                    let found = Mistakes::of(field, error.phrase());
                    mistakes.set(found.clone());
                    found.focus_first();
                }
                None => problem.set(Some(error.phrase())),
            },
        }
        busy.set(false);
    };

    let chosen = kinds.iter().position(|other| *other == kind()).unwrap_or(0);
    rsx! {
        form { class: "k-card k-stack", novalidate: true, onsubmit: submit,
            if stands == Stands::OnScreen {
                h3 { class: "k-card__title", {if edited.is_some() { text!("provider-edit") } else { text!("provider-new") }} }
            } else {
                h2 { class: "k-card__title", {text!("provider-new")} }
            }
            if edited.is_none() {
            div {
                id: "provider-kind",
                class: "k-kinds",
                role: "radiogroup",
                "aria-label": text!("provider-kind"),
                onkeydown: move |event| {
                    if let Some(next) = step(&event.key(), chosen, kinds.len()) {
                        event.prevent_default();
                        kind.set(kinds[next]);
                        focus_chosen("provider-kind");
                    }
                },
                for (at, option) in kinds.iter().copied().enumerate() {
                    button {
                        key: "{at}",
                        r#type: "button",
                        role: "radio",
                        class: "k-kind",
                        "aria-checked": if at == chosen { "true" } else { "false" },
                        tabindex: if at == chosen { "0" } else { "-1" },
                        onclick: move |_| kind.set(option),
                        b { {title(option)} }
                        if option == ProviderKind::Demo {
                            span { class: "k-chip k-chip--sm is-warn", {text!("demo-label")} }
                        }
                        small { {lead(option)} }
                    }
                }
            }
            }
            TextField {
                id: "provider-name",
                label: text!("field-name"),
                value: name,
                placeholder: title(kind()),
                mistake: mistakes.read().at("provider-name"),
                on_input: move |value| name.set(value),
            }
            if has_address(kind()) {
                TextField {
                    id: "provider-address",
                    label: text!("field-address"),
                    kind: "url",
                    placeholder: if search { "http://localhost:8888" } else { "http://localhost:11434/v1/" },
                    hint: text!("field-address-hint"),
                    value: address,
                    mistake: mistakes.read().at("provider-address"),
                    on_input: move |value| address.set(value),
                }
            }
            if has_key(kind()) {
                PasswordField {
                    id: "provider-key",
                    label: if needs_key(kind()) { text!("field-key") } else { text!("field-key-optional") },
                    autocomplete: "off",
                    hint: key_hint.as_ref().map_or_else(|| text!("field-key-hint"), |last| text!("field-key-kept", last: last)),
                    value: key,
                    mistake: mistakes.read().at("provider-key"),
                    on_input: move |value| key.set(value),
                }
            }
            FormProblem { problem: problem() }
            div { class: "k-cluster k-formend",
                if stands != Stands::AloneInWizard {
                    button { r#type: "button", class: "k-btn k-btn--ghost", onclick: move |_| on_done.call(None), {text!("cancel")} }
                }
                if busy() {
                    div { class: "k-progress k-progress--accent k-progress--thin is-indeterminate", role: "progressbar", "aria-label": text!("provider-testing") }
                }
                button {
                    r#type: "submit",
                    class: "k-btn k-btn--primary",
                    "aria-disabled": busy().then_some("true"),
                    if busy() { {text!("provider-testing")} } else { {text!("provider-test")} }
                }
            }
        }
    }
}

/// Whether a field is on the screen for this kind; a refusal must not point to one that is not.
fn is_shown(field: &str, kind: ProviderKind) -> bool {
    match field {
        "provider-address" => has_address(kind),
        "provider-key" => has_key(kind),
        _ => true,
    }
}

fn field_of(error: &ApiError) -> Option<&'static str> {
    match error.code()? {
        "key_missing" | "key_invalid" | "key_needed_again" | "provider_unauthorized" => Some("provider-key"),
        "address_missing"
        | "address_invalid"
        | "address_private"
        | "address_forbidden"
        | "provider_redirects"
        | "provider_unreachable"
        | "provider_timed_out"
        | "provider_malformed" => Some("provider-address"),
        "name_invalid" => Some("provider-name"),
        _ => None,
    }
}
