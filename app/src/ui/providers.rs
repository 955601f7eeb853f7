//! What the Kins think, remember and look things up with: the list every screen may read, and the screen where an admin
//! keeps it.

use super::dialog::Dialog;
use super::icon::{Icon, IconSize, Windows};
use super::page;
use super::replica::{Replica, replica};
use super::shell::my_profile;
use crate::api::{self, ApiError, Provider, ProviderKind, ProviderRequest};
use crate::text;
use dioxus::prelude::*;
use shared::{ProviderId, Right};
use sync::view::Connection;

mod coverage;
mod defaults;
mod form;
mod row;

pub use coverage::Coverage;
pub use form::{ProviderForm, Stands};
pub use row::{Found, StateChip, key_words};

use defaults::DefaultsSection;
use row::ProviderRow;

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

    /// Those that can do something.
    pub fn list_for(&self, capability: &str) -> Option<Vec<Provider>> {
        Some(self.list()?.into_iter().filter(|provider| provider.can(capability)).collect())
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
                let request = ProviderRequest { name: "Demo".into(), kind: ProviderKind::Demo, base_url: None, api_key: None, query: None };
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

/// What is covered, the providers, and for an admin what adds to them.
#[component]
pub fn ProvidersScreen() -> Element {
    let replica = replica();
    let providers = providers();
    let is_admin = my_profile(replica).is_some_and(|me| me.role.may(Right::ManageProviders));
    let mut deleting = use_signal(|| None::<Provider>);
    let mut editing = use_signal(|| None::<Provider>);
    use_effect(|| page::set_title(&text!("title-providers")));
    // The list may be from the last visit, on another day.
    use_future(move || providers.refresh());
    let list = providers.list().unwrap_or_default();
    let (search, ai): (Vec<Provider>, Vec<Provider>) = list.into_iter().partition(|one| one.kind.is_search());
    rsx! {
        div { class: "k-page",
            div { class: "k-pagehead",
                div {
                    h1 { class: "k-not-phone", {text!("providers")} }
                    p { {text!("providers-lead")} }
                }
            }
            Coverage { search: true }
            if !is_admin {
                p { class: "k-small k-muted", {text!("providers-admin-only")} }
            }
            Section {
                title: text!("providers-ai"),
                id: "provider-add",
                is_search: false,
                list: ai,
                is_admin,
                on_edit: move |provider| editing.set(Some(provider)),
                on_delete: move |provider| deleting.set(Some(provider)),
            }
            Section {
                title: text!("providers-search"),
                id: "search-add",
                is_search: true,
                list: search,
                is_admin,
                on_edit: move |provider| editing.set(Some(provider)),
                on_delete: move |provider| deleting.set(Some(provider)),
            }
            DefaultsSection { is_admin }
        }
        if let Some(provider) = deleting() {
            DeleteProvider { provider, on_close: move |()| deleting.set(None) }
        }
        if let Some(provider) = editing() {
            Dialog { title: text!("provider-edit"), on_close: move |()| editing.set(None),
                ProviderForm {
                    search: provider.kind.is_search(),
                    editing: provider,
                    on_done: move |_| editing.set(None),
                }
            }
        }
    }
}

/// Providers of one sort.
#[component]
fn Section(
    title: String,
    id: &'static str,
    is_search: bool,
    list: Vec<Provider>,
    is_admin: bool,
    on_edit: EventHandler<Provider>,
    on_delete: EventHandler<Provider>,
) -> Element {
    let providers = providers();
    let mut adding = use_signal(|| false);
    rsx! {
        section { class: "k-section",
            div { class: "k-section__head",
                div { h2 { class: "k-section__title", "{title}" } }
                if is_admin && !adding() {
                    button {
                        r#type: "button",
                        id,
                        class: "k-btn k-btn--ghost k-btn--sm",
                        "aria-label": if is_search { text!("search-add") } else { text!("provider-add") },
                        onclick: move |_| adding.set(true),
                        Icon { name: "plus", size: IconSize::Sm }
                        {text!("provider-add")}
                    }
                }
            }
            if adding() {
                ProviderForm {
                    search: is_search,
                    on_done: move |_| {
                        adding.set(false);
                        page::focus_soon(if is_search { "#search-add" } else { "#provider-add" });
                    },
                }
            }
            div { class: "k-card k-card--flush",
                if providers.is_loading() {
                    div { class: "k-empty", Windows {} span { class: "k-vh", role: "status", {text!("loading")} } }
                } else if let Some(problem) = providers.problem() {
                    div { class: "k-empty", role: "alert",
                        p { "{problem}" }
                        button { r#type: "button", class: "k-btn", onclick: move |_| providers.refresh(), {text!("try-again")} }
                    }
                } else if list.is_empty() && is_search {
                    div { class: "k-empty",
                        h3 { {text!("search-empty-title")} }
                        p { {text!("search-empty-lead")} }
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
                                ProviderRow { provider, is_admin, on_edit, on_delete }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Says what stops before anything is deleted.
#[component]
fn DeleteProvider(provider: Provider, on_close: EventHandler<()>) -> Element {
    let providers = providers();
    let id = provider.id;
    let stops = use_resource(move || api::providers::dependants(id));
    let mut busy = use_signal(|| false);
    let mut problem = use_signal(|| None::<String>);
    let known = stops.read().as_ref().and_then(|stops| stops.as_ref().ok().cloned());
    rsx! {
        Dialog { title: text!("provider-delete-title", name: &provider.name), on_close,
            if let Some(stops) = known.clone() {
                p { class: "k-dialog__text",
                    if stops.kins.is_empty() {
                        {text!("provider-delete-unused")}
                    } else {
                        {text!("provider-delete-used", count: stops.kins.len(), names: names(&stops))}
                    }
                }
                if !stops.defaults.is_empty() {
                    p { class: "k-dialog__text",
                        {text!("provider-delete-defaults", uses: stops.defaults.iter().map(|one| defaults::use_words(one)).collect::<Vec<_>>().join(", "))}
                    }
                }
            } else if let Some(Err(error)) = stops.read().as_ref() {
                p { class: "k-field__hint is-bad", role: "alert", {error.words()} }
            } else {
                Windows {}
            }
            if let Some(problem) = problem() {
                p { class: "k-field__hint is-bad", role: "alert", "{problem}" }
            }
            div { class: "k-dialog__actions",
                button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("keep")} }
                button {
                    r#type: "button",
                    class: "k-btn k-btn--danger",
                    "aria-disabled": (busy() || known.is_none()).then_some("true"),
                    onclick: move |_| {
                        // Nothing is removed before it is known what stops with it.
                        let is_known = matches!(stops.peek().as_ref(), Some(Ok(_)));
                        async move {
                            if *busy.peek() || !is_known {
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
                        }
                    },
                    {text!("provider-delete")}
                }
            }
        }
    }
}

fn names(stops: &api::providers::Dependants) -> String {
    stops.kins.iter().map(|kin| kin.name.clone()).collect::<Vec<_>>().join(", ")
}
