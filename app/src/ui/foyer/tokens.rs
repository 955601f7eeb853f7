//! Personal access tokens: for scripts that speak for this member.

use crate::api::ApiError;
use crate::api::household::{self as api, Token};
use crate::text;
use crate::ui::field::TextField;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::page;
use crate::ui::when;
use dioxus::prelude::*;

/// The list, and a form that adds to it.
#[component]
pub fn Tokens() -> Element {
    let mut tokens = use_signal(Vec::<Token>::new);
    let mut name = use_signal(String::new);
    let mut talk = use_signal(|| true);
    let mut manage = use_signal(|| false);
    let mut made = use_signal(|| None::<Token>);
    let mut copied = use_signal(|| false);
    let mut problem = use_signal(|| None::<String>);
    let refresh = use_callback(move |()| {
        spawn(async move {
            if let Ok(list) = api::tokens().await {
                tokens.set(list);
            }
        });
    });
    use_hook(|| refresh.call(()));
    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        let chosen: Vec<&str> = [("read", true), ("talk", *talk.peek()), ("manage", *manage.peek())]
            .iter()
            .filter(|(_, on)| *on)
            .map(|(scope, _)| *scope)
            .collect();
        let named = name.peek().trim().to_owned();
        match api::add_token(&named, &chosen).await {
            Ok(token) => {
                made.set(Some(token));
                copied.set(false);
                name.set(String::new());
                problem.set(None);
            }
            Err(error) => problem.set(Some(error.words())),
        }
        refresh.call(());
    };
    rsx! {
        section { class: "k-section",
            div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("tokens-title")} } } }
            div { class: "k-card k-stack",
                p { class: "k-small k-soft", {text!("tokens-lead")} }
                if let Some(token) = made() {
                    p { class: "k-banner", role: "status", span { {text!("token-made")} } }
                    input { class: "k-input", readonly: true, "aria-label": text!("token-secret"), value: "{token.secret}" }
                    div { class: "k-cluster",
                        button {
                            r#type: "button",
                            class: "k-btn k-btn--sm",
                            onclick: move |_| {
                                let secret = token.secret.clone();
                                async move { copied.set(page::copy(&secret).await) }
                            },
                            Icon { name: "copy", size: IconSize::Sm }
                            if copied() { {text!("copied")} } else { {text!("copy")} }
                        }
                    }
                }
                form { class: "k-stack", novalidate: true, onsubmit: submit,
                    TextField { id: "token-name", label: text!("token-name"), value: name, mistake: problem(), on_input: move |value| { problem.set(None); name.set(value); } }
                    label { class: "k-checkline", input { class: "k-check", r#type: "checkbox", checked: talk(), onchange: move |event| talk.set(event.checked()) } span { {text!("scope-talk")} } }
                    label { class: "k-checkline", input { class: "k-check", r#type: "checkbox", checked: manage(), onchange: move |event| manage.set(event.checked()) } span { {text!("scope-manage")} } }
                    div { class: "k-cluster", button { r#type: "submit", class: "k-btn k-btn--sm", {text!("token-add")} } }
                }
            }
            if !tokens.read().is_empty() {
                div { class: "k-card k-card--flush",
                    ul { class: "k-list", "aria-label": text!("tokens-title"),
                        for token in tokens() {
                            li { key: "{token.id}",
                                TokenRow {
                                    token,
                                    on_done: move |error: Option<ApiError>| {
                                        problem.set(error.map(|error| error.words()));
                                        made.set(None);
                                        refresh.call(());
                                    },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[component]
fn TokenRow(token: Token, on_done: EventHandler<Option<ApiError>>) -> Element {
    let id = token.id;
    let scopes: Vec<String> = token
        .scopes
        .iter()
        .map(|scope| match scope.as_str() {
            "read" => text!("scope-read"),
            "talk" => text!("scope-talk"),
            "manage" => text!("scope-manage"),
            other => other.to_owned(),
        })
        .collect();
    let what = scopes.join(" · ");
    rsx! {
        div { class: "k-row",
            span { class: "k-tile", Icon { name: "terminal" } }
            span { class: "k-row__main",
                span { class: "k-row__title", span { "{token.name}" } }
                span { class: "k-row__sub is-wrap", "{what} · {when::brief(token.created_at)}" }
            }
            span { class: "k-row__end",
                button {
                    r#type: "button",
                    class: "k-btn k-btn--sm k-btn--danger-ghost",
                    "aria-label": text!("token-revoke-of", name: &token.name),
                    onclick: move |_| async move { on_done.call(api::revoke_token(id).await.err()) },
                    {text!("token-revoke")}
                }
            }
        }
    }
}
