//! A new provider, tested live before it is kept.

use super::providers;
use crate::api::{self, ApiError, ProviderKind, ProviderRequest};
use crate::i18n::Phrase;
use crate::ui::choice::{focus_chosen, step};
use crate::ui::field::{FormProblem, Mistakes, PasswordField, TextField};
use crate::ui::page;
use crate::{phrase, text};
use dioxus::prelude::*;
use shared::limits::MAX_NAME_CHARS;

/// What can be added, in the order shown.
const KINDS: [ProviderKind; 4] =
    [ProviderKind::OpenaiCompatible, ProviderKind::Openai, ProviderKind::Anthropic, ProviderKind::Demo];

fn title(kind: ProviderKind) -> String {
    match kind {
        ProviderKind::OpenaiCompatible => text!("provider-kind-compatible"),
        ProviderKind::Openai => "OpenAI".to_owned(),
        ProviderKind::Anthropic => "Anthropic".to_owned(),
        ProviderKind::Demo | ProviderKind::Other => "Demo".to_owned(),
    }
}

fn lead(kind: ProviderKind) -> String {
    match kind {
        ProviderKind::OpenaiCompatible => text!("provider-kind-compatible-lead"),
        ProviderKind::Openai | ProviderKind::Anthropic => text!("provider-kind-key-lead"),
        ProviderKind::Demo | ProviderKind::Other => text!("demo-lead"),
    }
}

const fn has_address(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::OpenaiCompatible)
}

const fn has_key(kind: ProviderKind) -> bool {
    !matches!(kind, ProviderKind::Demo | ProviderKind::Other)
}

const fn needs_key(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::Openai | ProviderKind::Anthropic)
}

/// Kind, name, address, key.
#[component]
pub fn ProviderForm(on_done: EventHandler<()>) -> Element {
    let list = providers();
    let mut kind = use_signal(|| ProviderKind::OpenaiCompatible);
    let mut name = use_signal(String::new);
    let mut address = use_signal(String::new);
    let mut key = use_signal(String::new);
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut busy = use_signal(|| false);
    use_hook(|| page::focus_soon("#provider-kind [aria-checked=true]"));

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
        if needs_key(kind) && key.peek().trim().is_empty() {
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
        let request = ProviderRequest {
            name,
            kind,
            base_url: if has_address(kind) { some(&address) } else { None },
            api_key: if has_key(kind) { some(&key) } else { None },
        };
        match api::add_provider(&request).await {
            Ok(_) => {
                list.refresh().await;
                on_done.call(());
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

    let chosen = KINDS.iter().position(|other| *other == kind()).unwrap_or(0);
    rsx! {
        form { class: "k-card k-stack", novalidate: true, onsubmit: submit,
            h3 { class: "k-card__title", {text!("provider-new")} }
            div {
                id: "provider-kind",
                class: "k-kinds",
                role: "radiogroup",
                "aria-label": text!("provider-kind"),
                onkeydown: move |event| {
                    if let Some(next) = step(&event.key(), chosen, KINDS.len()) {
                        event.prevent_default();
                        kind.set(KINDS[next]);
                        focus_chosen("provider-kind");
                    }
                },
                for (at, option) in KINDS.into_iter().enumerate() {
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
                    placeholder: "http://localhost:11434/v1/",
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
                    hint: text!("field-key-hint"),
                    value: key,
                    mistake: mistakes.read().at("provider-key"),
                    on_input: move |value| key.set(value),
                }
            }
            FormProblem { problem: problem() }
            div { class: "k-cluster k-formend",
                button { r#type: "button", class: "k-btn k-btn--ghost", onclick: move |_| on_done.call(()), {text!("cancel")} }
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
        "key_missing" | "key_invalid" | "provider_unauthorized" => Some("provider-key"),
        "address_missing"
        | "address_invalid"
        | "provider_unreachable"
        | "provider_timed_out"
        | "provider_malformed" => Some("provider-address"),
        "name_invalid" => Some("provider-name"),
        _ => None,
    }
}
