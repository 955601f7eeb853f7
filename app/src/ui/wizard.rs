//! The first day, after the admin's own account: something to think with, something to look things up with, and the
//! first Kin. Where it is, the server knows: a reload, a crash or another tab goes on where it was.

use super::door::{Door, House};
use super::icon::{Icon, IconSize};
use super::kin_form::FirstKin;
use super::page;
use super::providers::{Coverage, DemoButton, Found, ProviderForm, Stands, StateChip, key_words, providers};
use super::replica::replica;
use super::routes::Route;
use super::stepper::Stepper;
use crate::api::providers::{FoundServer, Hit, WizardStep};
use crate::api::{self, ApiError, Provider, ProviderKind, ProviderRequest};
use crate::text;
use dioxus::prelude::*;
use shared::policy::Right;
use sync::view::Connection;

/// What is known of the first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// The server has not been asked yet.
    Unknown,
    /// It could not be reached; it is asked again when it can.
    Unreachable,
    /// It says so.
    Step(WizardStep),
}

/// The wizard as long as the first day lasts, for whoever keeps the providers; else the household.
#[component]
pub fn FirstDay() -> Element {
    let replica = replica();
    let home = replica.home();
    let mut reached = use_signal(|| Reached::Unknown);
    let is_offline = use_memo(move || replica.sync().read().connection == Connection::Offline);
    // Nothing to ask where a Kin lives, or by who does not keep the providers.
    let is_first_day = use_memo(move || {
        home.read().as_ref().map(|home| {
            let mine = home.members.iter().find(|member| member.id == home.me);
            home.kins.is_empty() && mine.is_some_and(|member| member.role.may(Right::ManageProviders))
        })
    });
    use_effect(move || {
        // Once at the start, and again whenever the server comes back before it has said anything.
        let offline = is_offline();
        let Some(is_first_day) = is_first_day() else { return };
        if matches!(*reached.peek(), Reached::Step(_)) || (offline && *reached.peek() != Reached::Unknown) {
            return;
        }
        if !is_first_day {
            reached.set(Reached::Step(WizardStep::Done));
            return;
        }
        spawn(async move {
            reached.set(match api::providers::wizard_step().await {
                Ok(step) => Reached::Step(step),
                Err(ApiError::Problem(problem)) if problem.status == 403 => Reached::Step(WizardStep::Done),
                // The household is shown meanwhile: its empty states lead the same way.
                Err(ApiError::Problem(_) | ApiError::Offline | ApiError::Unreadable) => Reached::Unreachable,
            });
        });
    });
    match reached() {
        Reached::Step(WizardStep::Done) | Reached::Unreachable => rsx! { Outlet::<Route> {} },
        Reached::Unknown if is_first_day() == Some(false) => rsx! { Outlet::<Route> {} },
        Reached::Step(step) => {
            rsx! { Wizard { start: step, on_done: move |()| reached.set(Reached::Step(WizardStep::Done)) } }
        }
        Reached::Unknown => rsx! {
            main { class: "k-opening", role: "status", span { class: "k-vh", {text!("opening")} } }
        },
    }
}

#[component]
fn Wizard(start: WizardStep, on_done: EventHandler<()>) -> Element {
    let mut step = use_signal(|| start);
    let navigator = use_navigator();
    let mut problem = use_signal(|| None::<String>);
    let go_on = use_callback(move |next: WizardStep| {
        spawn(async move {
            match api::providers::go_on(next).await {
                // Another tab may be further: the end is the end, but a step that somebody sees is not pulled away.
                Ok(WizardStep::Done) => on_done.call(()),
                Ok(_) => {
                    problem.set(None);
                    step.set(next);
                    page::focus_soon("#wizard-title");
                }
                Err(error) => problem.set(Some(error.words())),
            }
        });
    });
    use_effect(|| page::set_title(&text!("title-setup")));
    let (at, caption) = match step() {
        WizardStep::Providers => (1, text!("wizard-providers-step")),
        WizardStep::Search => (2, text!("wizard-search-step")),
        WizardStep::Kin | WizardStep::Done => (3, text!("wizard-kin-step")),
    };
    rsx! {
        Door { house: House::Waking(at),
            main { class: "k-door__panel", id: "room", tabindex: "-1",
                Stepper { current: at, of: 4, caption }
                if let Some(problem) = problem() {
                    p { class: "k-banner is-bad", role: "alert", "{problem}" }
                }
                match step() {
                    WizardStep::Providers => rsx! { ProvidersStep { on_next: move |()| go_on(WizardStep::Search) } },
                    WizardStep::Search => rsx! {
                        SearchStep { on_back: move |()| step.set(WizardStep::Providers), on_next: move |()| go_on(WizardStep::Kin) }
                    },
                    WizardStep::Kin | WizardStep::Done => rsx! {
                        FirstKin {
                            on_back: move |()| step.set(WizardStep::Search),
                            // A household with a Kin has no need of the wizard: the server knows without being told.
                            on_done: move |kin| {
                                navigator.replace(Route::thread(kin));
                                on_done.call(());
                            },
                        }
                    },
                }
            }
        }
    }
}

/// Something to think and to remember with.
#[component]
fn ProvidersStep(on_next: EventHandler<()>) -> Element {
    let providers = providers();
    let list: Vec<Provider> =
        providers.list().unwrap_or_default().into_iter().filter(|one| !one.kind.is_search()).collect();
    let mut adding = use_signal(|| false);
    let mut words_only = use_signal(|| false);
    let can = |capability: &str| list.iter().any(|one| one.can(capability));
    let (thinks, remembers, draws) = (can("llm"), can("embedding"), can("image"));
    let is_form_open = adding() || list.is_empty();
    rsx! {
        div { class: "k-door__form",
            header {
                h1 { id: "wizard-title", tabindex: "-1", {text!("wizard-providers-title")} }
                p { {text!("wizard-providers-lead")} }
            }
            Coverage { search: false }
            Cards { list: list.clone(), hit: None }
            FoundServers {}
            if is_form_open {
                ProviderForm { stands: stands(list.is_empty()), on_done: move |_| adding.set(false) }
            } else {
                button {
                    r#type: "button",
                    id: "provider-add",
                    class: "k-btn k-btn--ghost k-wizard__add",
                    onclick: move |_| adding.set(true),
                    Icon { name: "plus", size: IconSize::Sm }
                    {text!("wizard-add-another")}
                }
            }
            if !thinks {
                div { class: "k-cluster", DemoButton { class: "k-btn" } }
                p { class: "k-small k-muted", {text!("demo-lead")} }
            }
            if thinks && !draws {
                p { class: "k-field__hint", span { {text!("wizard-no-image")} } }
            }
            div { role: "status",
                if thinks && !remembers && words_only() {
                    p { class: "k-banner is-warn", {text!("wizard-words-only-lead")} }
                }
            }
        }
        div { class: "k-door__actions",
            button {
                r#type: "button",
                class: "k-btn k-btn--primary k-btn--lg",
                "aria-disabled": (!thinks).then_some("true"),
                onclick: move |_| {
                    if thinks && (remembers || *words_only.peek()) {
                        on_next.call(());
                    } else if thinks {
                        words_only.set(true);
                    }
                },
                if words_only() && !remembers { {text!("wizard-words-only")} } else { {text!("continue")} }
            }
        }
    }
}

/// Something to look things up with; it can wait.
#[component]
fn SearchStep(on_back: EventHandler<()>, on_next: EventHandler<()>) -> Element {
    let list: Vec<Provider> =
        providers().list().unwrap_or_default().into_iter().filter(|one| one.kind.is_search()).collect();
    let mut adding = use_signal(|| false);
    let mut hit = use_signal(|| None::<Hit>);
    let is_empty = list.is_empty();
    rsx! {
        div { class: "k-door__form",
            header {
                h1 { id: "wizard-title", tabindex: "-1", {text!("wizard-search-title")} }
                p { {text!("wizard-search-lead")} }
            }
            Cards { list, hit: hit() }
            if adding() || is_empty {
                ProviderForm {
                    search: true,
                    stands: stands(is_empty),
                    on_done: move |kept: Option<api::ProviderCreated>| {
                        adding.set(false);
                        if let Some(kept) = kept {
                            hit.set(kept.hit);
                        }
                    },
                }
            } else {
                button {
                    r#type: "button",
                    id: "search-add",
                    class: "k-btn k-btn--ghost k-wizard__add",
                    onclick: move |_| adding.set(true),
                    Icon { name: "plus", size: IconSize::Sm }
                    {text!("wizard-add-another")}
                }
            }
            p { class: "k-field__hint",
                Icon { name: "shield", size: IconSize::Sm }
                span { {text!("wizard-search-privacy")} }
            }
        }
        div { class: "k-door__actions",
            button { r#type: "button", class: "k-btn k-btn--ghost k-btn--lg", onclick: move |_| on_back.call(()), {text!("back")} }
            button {
                r#type: "button",
                class: if is_empty { "k-btn k-btn--lg" } else { "k-btn k-btn--primary k-btn--lg" },
                onclick: move |_| on_next.call(()),
                if is_empty { {text!("wizard-skip")} } else { {text!("continue")} }
            }
        }
    }
}

const fn stands(is_alone: bool) -> Stands {
    if is_alone { Stands::AloneInWizard } else { Stands::InWizard }
}

/// What has been connected so far.
#[component]
fn Cards(list: Vec<Provider>, hit: Option<Hit>) -> Element {
    let last = list.last().map(|provider| provider.id);
    rsx! {
        if !list.is_empty() {
            ul { class: "k-stack",
                for provider in list {
                    li { key: "{provider.id}", class: "k-card k-wizard__card",
                        div { class: "k-row k-row--bare",
                            span { class: "k-tile k-tile--brand", "aria-hidden": "true",
                                {provider.name.chars().next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default()}
                            }
                            span { class: "k-row__main",
                                span { class: "k-row__title", span { "{provider.name}" } }
                                span { class: "k-row__sub",
                                    if provider.kind == ProviderKind::Demo { {text!("demo-label")} } else if let Some(words) = key_words(&provider) { "{words}" }
                                }
                            }
                            StateChip { provider: provider.clone() }
                        }
                        if Some(provider.id) == last {
                            if let Some(hit) = hit.clone() {
                                Found { hit }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Model servers on the server's own machine, one tap away.
#[component]
fn FoundServers() -> Element {
    let providers = providers();
    let mut found = use_resource(|| async { api::providers::found_servers().await.unwrap_or_default() });
    let mut busy = use_signal(|| false);
    let mut problem = use_signal(|| None::<String>);
    let servers: Vec<FoundServer> = found().unwrap_or_default();
    rsx! {
        for server in servers {
            div { key: "{server.base_url}", class: "k-card k-wizard__card",
                div { class: "k-row k-row--bare",
                    span { class: "k-row__main",
                        span { class: "k-row__title", span { {text!("wizard-found", name: &server.name)} } }
                        span { class: "k-row__sub", {text!("provider-models", count: server.models)} " · {server.base_url}" }
                    }
                    button {
                        r#type: "button",
                        class: "k-btn k-btn--sm",
                        "aria-label": text!("wizard-found-use", name: &server.name),
                        "aria-disabled": busy().then_some("true"),
                        onclick: move |_| {
                            let request = ProviderRequest {
                                name: server.name.clone(),
                                kind: ProviderKind::OpenaiCompatible,
                                base_url: Some(server.base_url.clone()),
                                api_key: None,
                                query: None,
                            };
                            async move {
                                if *busy.peek() {
                                    return;
                                }
                                busy.set(true);
                                match api::add_provider(&request).await {
                                    Ok(_) => {
                                        problem.set(None);
                                        providers.refresh().await;
                                        found.restart();
                                    }
                                    Err(error) => problem.set(Some(error.words())),
                                }
                                busy.set(false);
                            }
                        },
                        {text!("provider-add")}
                    }
                }
            }
        }
        if let Some(problem) = problem() {
            p { class: "k-field__hint is-bad", role: "alert", "{problem}" }
        }
    }
}
