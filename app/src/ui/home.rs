//! The first screen: the Kins and what they are doing, or the next step towards the first one.

mod away;
mod stranded;

use super::account::AccountMenu;
use super::avatar::{FaceSize, KinFace, KinPicture, MemberFace, Ring, WarningDot};
use super::icon::{Icon, IconSize, Windows};
use super::kin_form::OrderKins;
use super::page;
use super::providers::{DemoButton, providers};
use super::replica::replica;
use super::routes::Route;
use super::shell::{Badges, TabBar, my_profile};
use super::sync_state::BarSync;
use super::thread::failure::activity_words;
use super::when;
use crate::text;
use away::Away;
use dioxus::prelude::*;
use shared::Role;
use stranded::Stranded;
use sync::view::{Activity, KinView};

/// Greeting and Kins.
#[component]
pub fn HomeScreen() -> Element {
    let replica = replica();
    let home = replica.home();
    let me = my_profile(replica);
    let name = me.as_ref().map(|me| me.nickname.clone()).unwrap_or_default();
    let kins = home.read().as_ref().map(|home| home.kins.clone()).unwrap_or_default();
    let kins: Vec<KinView> = kins.into_iter().filter(|kin| !kin.profile.archived).collect();
    let unread: u32 = kins.iter().map(|kin| kin.unread).sum();
    use_effect(|| page::set_title(&text!("title-home")));
    rsx! {
        main { class: "k-room", id: "room", tabindex: "-1",
            header { class: "k-bar k-only-phone",
                img { class: "k-bar__logo", src: "/brand/logo.svg", alt: "", width: "34", height: "34" }
                div { class: "k-bar__title", BarSync { sync: replica.sync() } }
                Link { class: "k-iconbtn", to: Route::NewKin {}, "aria-label": text!("kin-new"), Icon { name: "plus" } }
                AccountMenu { class: "k-iconbtn", place: "bar", label: text!("account-of", name: &name),
                    if let Some(me) = me.clone() {
                        MemberFace { avatar: me.avatar, name: me.nickname, size: FaceSize::Sm }
                    }
                }
            }
            div { class: "k-scroll",
                div { class: "k-page",
                    div { class: "k-pagehead",
                        div {
                            h1 { {when::greeting(&name)} }
                            p { {text!("home-lead", today: when::today(), unread: unread)} }
                        }
                    }
                    Stranded {}
                    if kins.is_empty() {
                        Start { is_admin: me.is_some_and(|me| me.role == Role::Admin) }
                    } else {
                        KinRows { kins: kins.clone() }
                        KinCards { kins: kins.clone() }
                        if kins.len() > 1 {
                            OrderButton {}
                        }
                    }
                    Away {}
                }
            }
            div { TabBar {} }
        }
    }
}

/// The way to another order.
#[component]
fn OrderButton() -> Element {
    let mut open = use_signal(|| false);
    rsx! {
        div { class: "k-cluster",
            button { r#type: "button", class: "k-btn k-btn--ghost k-btn--sm", onclick: move |_| open.set(true),
                Icon { name: "sliders-horizontal", size: IconSize::Sm }
                {text!("kins-order")}
            }
        }
        if open() {
            OrderKins { on_close: move |()| open.set(false) }
        }
    }
}

/// On a phone: a list.
#[component]
fn KinRows(kins: Vec<KinView>) -> Element {
    rsx! {
        section { class: "k-section k-only-phone", "aria-label": text!("kins"),
            div { class: "k-card k-card--flush k-kinlist",
                ul { class: "k-list",
                    for kin in kins {
                        li { key: "{kin.profile.id}", KinRow { kin } }
                    }
                }
            }
        }
    }
}

#[component]
fn KinRow(kin: KinView) -> Element {
    let profile = &kin.profile;
    let state = activity_words(&kin.activity);
    let class = match kin.activity {
        Activity::Writing => "k-row__sub is-kin",
        Activity::Retrying(_) | Activity::Failed(_) => "k-row__sub is-warn",
        Activity::Idle if kin.unread > 0 => "k-row__sub is-strong",
        Activity::Idle => "k-row__sub",
    };
    rsx! {
        Link { class: "k-row", to: Route::thread(profile.id), "data-hue": "{profile.hue}",
            KinFace { avatar: profile.avatar.clone(), hue: profile.hue.clone(), ring: Ring::of(&kin.activity), size: FaceSize::Lg }
            span { class: "k-row__main",
                span { class: "k-row__title", span { "{profile.name}" } }
                span { class,
                    if let Some(state) = state { "{state} " } else if kin.preview.is_empty() { "{profile.role}" } else { "{kin.preview}" }
                    if kin.activity == Activity::Writing { Windows {} }
                }
            }
            span { class: "k-row__stack",
                if let Some(at) = kin.last_at {
                    time { datetime: when::machine(at), {when::brief(at)} }
                }
                Badges { unread: kin.unread, waiting: kin.waiting }
            }
        }
    }
}

/// On larger screens: cards.
#[component]
fn KinCards(kins: Vec<KinView>) -> Element {
    rsx! {
        section { class: "k-section k-not-phone",
            div { class: "k-section__head",
                div { h2 { class: "k-section__title", {text!("home-kins")} } }
                Link { class: "k-btn k-btn--ghost k-btn--sm", to: Route::NewKin {},
                    Icon { name: "plus", size: IconSize::Sm }
                    {text!("kin-new")}
                }
            }
            div { class: "k-kins k-kins--4",
                for kin in kins {
                    KinCard { key: "{kin.profile.id}", kin }
                }
            }
        }
    }
}

#[component]
fn KinCard(kin: KinView) -> Element {
    let profile = &kin.profile;
    let ring = Ring::of(&kin.activity);
    let state = activity_words(&kin.activity);
    rsx! {
        Link { class: "k-kincard{ring.class()}", to: Route::thread(profile.id), "data-hue": "{profile.hue}",
            KinPicture { avatar: profile.avatar.clone() }
            b { "{profile.name}" }
            small {
                if let Some(state) = state { "{state}" } else if kin.preview.is_empty() { "{profile.role}" } else { "{kin.preview}" }
            }
            if ring == Ring::Warning { WarningDot {} }
            span { class: "k-kincard__badges", Badges { unread: kin.unread, waiting: kin.waiting } }
        }
    }
}

/// Nobody lives here yet: first something to think with, then someone who thinks.
#[component]
fn Start(is_admin: bool) -> Element {
    let providers = providers();
    let has_provider = providers.list_for("llm").is_some_and(|list| !list.is_empty());
    rsx! {
        div { class: "k-card k-start", "data-hue": "lamp",
            if providers.is_loading() {
                div { class: "k-empty", Windows {} span { class: "k-vh", {text!("loading")} } }
            } else if has_provider {
                div { class: "k-empty",
                    img { src: "/avatars/cutout/basile.svg", alt: "", width: "120", height: "120" }
                    h2 { {text!("start-kin-title")} }
                    p { {text!("start-kin-lead")} }
                    Link { class: "k-btn k-btn--primary k-btn--lg", to: Route::NewKin {}, {text!("start-kin")} }
                }
            } else {
                div { class: "k-empty",
                    img { src: "/avatars/cutout/lumen.svg", alt: "", width: "120", height: "120" }
                    h2 { {text!("start-provider-title")} }
                    if is_admin {
                        p { {text!("start-provider-lead")} }
                        Link { class: "k-btn k-btn--primary k-btn--lg", to: Route::Providers {}, {text!("start-provider")} }
                        DemoButton { class: "k-btn k-btn--ghost" }
                        p { class: "k-small", {text!("demo-lead")} }
                    } else {
                        p { {text!("start-provider-admin")} }
                    }
                }
            }
        }
    }
}

/// How long a Kin that the server has just made may take to reach this device.
const ARRIVAL_MS: i32 = 4000;

/// Whether the Kin an address names has been here since the screen opened.
pub fn use_was_here(named: &str, is_here: bool) -> bool {
    let mut seen = use_hook(|| CopyValue::new(None::<String>));
    if is_here {
        seen.set(Some(named.to_owned()));
    }
    seen.read().as_deref() == Some(named)
}

/// A Kin that is not here: no more, or perhaps not yet.
#[component]
pub fn MissingKin(was_here: bool) -> Element {
    if was_here {
        return rsx! { RemovedKin {} };
    }
    rsx! { ArrivingKin {} }
}

/// Somebody has removed it while its screen was open.
#[component]
fn RemovedKin() -> Element {
    use_effect(|| page::set_title(&text!("title-not-found")));
    use_hook(|| page::focus_soon("#room"));
    rsx! {
        main { class: "k-room", id: "room", tabindex: "-1",
            div { class: "k-scroll",
                div { class: "k-empty", role: "status",
                    img { src: "/avatars/cutout/marlow.svg", alt: "", width: "120", height: "120" }
                    h1 { {text!("kin-removed-title")} }
                    p { {text!("kin-removed-lead")} }
                    Link { class: "k-btn k-btn--primary", to: Route::Home {}, {text!("not-found-home")} }
                }
            }
        }
    }
}

#[component]
fn ArrivingKin() -> Element {
    let mut waited = use_signal(|| false);
    use_future(move || async move {
        page::sleep(ARRIVAL_MS).await;
        waited.set(true);
    });
    rsx! {
        if waited() {
            NotFoundScreen { path: Vec::new() }
        } else {
            main { class: "k-room", id: "room", tabindex: "-1", "aria-busy": "true",
                div { class: "k-scroll",
                    div { class: "k-empty", Windows {} span { class: "k-vh", role: "status", {text!("loading")} } }
                }
            }
        }
    }
}

/// An address where nothing is.
#[component]
pub fn NotFoundScreen(path: Vec<String>) -> Element {
    use_effect(|| page::set_title(&text!("title-not-found")));
    // Nothing of the address is shown: it may be anyone's text.
    drop(path);
    rsx! {
        main { class: "k-room", id: "room", tabindex: "-1",
            div { class: "k-scroll",
                div { class: "k-empty",
                    img { src: "/avatars/cutout/marlow.svg", alt: "", width: "120", height: "120" }
                    h1 { {text!("not-found-title")} }
                    p { {text!("not-found-lead")} }
                    Link { class: "k-btn k-btn--primary", to: Route::Home {}, {text!("not-found-home")} }
                }
            }
        }
    }
}
