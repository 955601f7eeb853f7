//! What the Kins think with: the list every screen may read, and the screen where an admin keeps it.

use super::dialog::Dialog;
use super::icon::{Icon, IconSize, Windows};
use super::page;
use super::replica::{Replica, replica};
use super::shell::my_profile;
use crate::api::{self, ApiError, Provider, ProviderKind, ProviderRequest};
use crate::text;
use dioxus::prelude::*;
use shared::{ProviderId, Role};
use sync::view::Connection;

mod form;

use form::ProviderForm;

/// The providers as last heard from the server. Copies are the same list.
#[derive(Clone, Copy, PartialEq)]
pub struct Providers {
    list: Signal<Option<Result<Vec<Provider>, ApiError>>>,
}

/// Reads the list, once and again whenever there was none and the server is back; offers it to the screens below.
pub fn use_providers(replica: Replica) {
    let providers = use_context_provider(|| Providers { list: Signal::new(None) });
    let sync = replica.sync();
    let is_connected = use_memo(move || sync.read().connection != Connection::Offline);
    use_effect(move || {
        let is_missing = providers.list.peek().as_ref().is_none_or(Result::is_err);
        if is_missing || is_connected() {
            spawn(providers.refresh());
        }
    });
}

/// The providers of the screens around.
pub fn providers() -> Providers {
    use_context()
}

impl Providers {
    /// Asks the server again. What was there before stays while it is asked.
    pub async fn refresh(mut self) {
        let list = api::providers().await;
        self.list.set(Some(list));
    }

    /// Whether nothing has been heard yet.
    pub fn is_loading(&self) -> bool {
        self.list.read().is_none()
    }

    /// The list, if it could be read.
    pub fn list(&self) -> Option<Vec<Provider>> {
        self.list.read().as_ref()?.as_ref().ok().cloned()
    }

    /// Why it could not be read.
    pub fn problem(&self) -> Option<String> {
        self.list.read().as_ref()?.as_ref().err().map(ApiError::words)
    }

    /// What the household calls a provider.
    pub fn name(&self, id: ProviderId) -> Option<String> {
        self.list()?.into_iter().find(|provider| provider.id == id).map(|provider| provider.name)
    }
}

/// Adds Demo with one tap.
#[component]
pub fn DemoButton(class: &'static str) -> Element {
    let providers = providers();
    let mut busy = use_signal(|| false);
    let mut problem = use_signal(|| None::<String>);
    rsx! {
        button {
            r#type: "button",
            class,
            "aria-disabled": busy().then_some("true"),
            onclick: move |_| async move {
                if *busy.peek() {
                    return;
                }
                busy.set(true);
                let request = ProviderRequest { name: "Demo".into(), kind: ProviderKind::Demo, base_url: None, api_key: None };
                match api::add_provider(&request).await {
                    Ok(_) => {
                        problem.set(None);
                        providers.refresh().await;
                    }
                    Err(error) => problem.set(Some(error.words())),
                }
                busy.set(false);
            },
            Icon { name: "play", size: IconSize::Sm }
            {text!("demo-add")}
        }
        if let Some(problem) = problem() {
            p { class: "k-field__hint is-bad", role: "alert", "{problem}" }
        }
    }
}

/// The list, and for an admin the form that adds to it.
#[component]
pub fn ProvidersScreen() -> Element {
    let replica = replica();
    let providers = providers();
    let is_admin = my_profile(replica).is_some_and(|me| me.role == Role::Admin);
    let mut adding = use_signal(|| false);
    let mut deleting = use_signal(|| None::<Provider>);
    use_effect(|| page::set_title(&text!("title-providers")));
    // The list may be from the last visit, on another day.
    use_future(move || providers.refresh());
    rsx! {
        div { class: "k-page",
            div { class: "k-pagehead",
                div {
                    h1 { class: "k-not-phone", {text!("providers")} }
                    p { {text!("providers-lead")} }
                }
            }
            section { class: "k-section",
                div { class: "k-section__head",
                    div { h2 { class: "k-section__title", {text!("providers-ai")} } }
                    if is_admin && !adding() {
                        button {
                            r#type: "button",
                            id: "provider-add",
                            class: "k-btn k-btn--ghost k-btn--sm",
                            onclick: move |_| adding.set(true),
                            Icon { name: "plus", size: IconSize::Sm }
                            {text!("provider-add")}
                        }
                    }
                }
                if adding() {
                    ProviderForm {
                        on_done: move |()| {
                            adding.set(false);
                            page::focus_soon("#provider-add");
                        },
                    }
                }
                List { is_admin, on_delete: move |provider| deleting.set(Some(provider)) }
                if !is_admin {
                    p { class: "k-small k-muted", {text!("providers-admin-only")} }
                }
            }
        }
        if let Some(provider) = deleting() {
            DeleteProvider { provider, on_close: move |()| deleting.set(None) }
        }
    }
}

#[component]
fn List(is_admin: bool, on_delete: EventHandler<Provider>) -> Element {
    let providers = providers();
    let list = providers.list().unwrap_or_default();
    rsx! {
        div { class: "k-card k-card--flush",
            if providers.is_loading() {
                div { class: "k-empty", Windows {} span { class: "k-vh", role: "status", {text!("loading")} } }
            } else if let Some(problem) = providers.problem() {
                div { class: "k-empty", role: "alert",
                    p { "{problem}" }
                    button { r#type: "button", class: "k-btn", onclick: move |_| providers.refresh(), {text!("try-again")} }
                }
            } else if list.is_empty() {
                div { class: "k-empty",
                    img { src: "/avatars/cutout/lumen.svg", alt: "", width: "96", height: "96" }
                    h3 { {text!("providers-empty-title")} }
                    p { {text!("providers-empty-lead")} }
                    if is_admin {
                        DemoButton { class: "k-btn" }
                        p { class: "k-small", {text!("demo-lead")} }
                    }
                }
            } else {
                ul { class: "k-list",
                    for provider in list {
                        li { key: "{provider.id}",
                            ProviderRow { provider, is_admin, on_delete }
                        }
                    }
                }
            }
        }
    }
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

#[component]
fn ProviderRow(provider: Provider, is_admin: bool, on_delete: EventHandler<Provider>) -> Element {
    let letter = provider.name.chars().next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let users = users_of(provider.id);
    let is_demo = provider.kind == ProviderKind::Demo;
    let name = provider.name.clone();
    let shown = provider.clone();
    rsx! {
        div { class: "k-row k-row--tall",
            span { class: "k-tile k-tile--brand", "aria-hidden": "true", "{letter}" }
            span { class: "k-row__main",
                span { class: "k-row__title",
                    span { "{name}" }
                }
                span { class: "k-row__sub is-wrap",
                    if is_demo { {text!("demo-lead")} } else if let Some(address) = &shown.base_url { "{address}" }
                }
                span { class: "k-row__sub is-wrap",
                    if users.is_empty() { {text!("provider-unused")} } else { {text!("provider-used", count: users.len(), names: users.join(", "))} }
                }
                span { class: "k-chips k-chips--tight",
                    if is_demo {
                        span { class: "k-chip k-chip--sm is-warn", {text!("demo-label")} }
                    }
                    for capability in shown.capabilities {
                        span { key: "{capability}", class: "k-chip k-chip--sm", {capability_words(&capability)} }
                    }
                    if !shown.models.is_empty() {
                        span { class: "k-chip k-chip--sm", {text!("provider-models", count: shown.models.len())} }
                    }
                }
            }
            if is_admin {
                span { class: "k-row__end",
                    button {
                        r#type: "button",
                        class: "k-iconbtn",
                        "aria-label": text!("provider-delete-of", name: &name),
                        onclick: move |_| on_delete.call(provider.clone()),
                        Icon { name: "trash-2" }
                    }
                }
            }
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

/// Says which Kins lose their model before anything is deleted.
#[component]
fn DeleteProvider(provider: Provider, on_close: EventHandler<()>) -> Element {
    let providers = providers();
    let users = users_of(provider.id);
    let id = provider.id;
    let mut busy = use_signal(|| false);
    let mut problem = use_signal(|| None::<String>);
    rsx! {
        Dialog { title: text!("provider-delete-title", name: &provider.name), on_close,
            p { class: "k-dialog__text",
                if users.is_empty() {
                    {text!("provider-delete-unused")}
                } else {
                    {text!("provider-delete-used", count: users.len(), names: users.join(", "))}
                }
            }
            if let Some(problem) = problem() {
                p { class: "k-field__hint is-bad", role: "alert", "{problem}" }
            }
            div { class: "k-dialog__actions",
                button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("keep")} }
                button {
                    r#type: "button",
                    class: "k-btn k-btn--danger",
                    "aria-disabled": busy().then_some("true"),
                    onclick: move |_| async move {
                        if *busy.peek() {
                            return;
                        }
                        busy.set(true);
                        match api::delete_provider(id).await {
                            Ok(()) => {
                                providers.refresh().await;
                                on_close.call(());
                            }
                            Err(error) => {
                                problem.set(Some(error.words()));
                                busy.set(false);
                            }
                        }
                    },
                    {text!("provider-delete")}
                }
            }
        }
    }
}
