//! The house around every screen: sidebar, room, and on a phone the bar at the bottom.

use super::account::AccountMenu;
use super::avatar::{FaceSize, KinFace, MemberFace, Ring};
use super::foyer;
use super::icon::Icon;
use super::page;
use super::palette::{self, Overlays, SearchField, use_keys};
use super::replica::{Refusal, Replica, replica};
use super::routes::Route;
use super::sync_state::SideSync;
use super::theme;
use super::thread::failure::activity_words;
use super::thread::inspector;
use crate::api::problem_words;
use crate::text;
use dioxus::prelude::*;
use shared::profile::MemberProfile;
use sync::view::{Activity, Connection, KinView};

/// Sidebar and room.
#[component]
pub fn Shell() -> Element {
    let replica = replica();
    use_keys(replica);
    let inspects = matches!(use_route::<Route>(), Route::Thread { .. }) && (inspector::OPEN)();
    rsx! {
        a { class: "k-skip", href: "#room", onclick: move |event| { event.prevent_default(); page::focus("#room"); }, {text!("skip")} }
        div { class: if inspects { "k-app k-app--inspect" } else { "k-app" },
            Sidebar {}
            if replica.is_broken() {
                Broken {}
            } else if replica.home().read().is_some() {
                Outlet::<Route> {}
            } else {
                main { class: "k-room", id: "room", tabindex: "-1", "aria-busy": "true",
                    p { class: "k-vh", role: "status", {text!("opening")} }
                }
            }
        }
        Overlays {}
        // What a composer's text is about is said there.
        if let Some(refusal) = replica.refusal()().filter(|refusal| refusal.composer.is_none()) {
            Toast { refusal }
        }
    }
}

/// The member of this device.
pub fn my_profile(replica: Replica) -> Option<MemberProfile> {
    let home = replica.home();
    let home = home.read();
    let home = home.as_ref()?;
    home.members.iter().find(|member| member.id == home.me).cloned()
}

/// What the household calls itself, or the app's name.
fn house_name(replica: Replica) -> String {
    let named = replica.home().read().as_ref().map(|home| home.name.clone()).filter(|name| !name.is_empty());
    named.unwrap_or_else(|| "Kinstead".to_owned())
}

#[component]
fn Sidebar() -> Element {
    let replica = replica();
    let home = replica.home();
    let route = use_route::<Route>();
    let kins = home.read().as_ref().map(|home| home.kins.clone()).unwrap_or_default();
    let kins: Vec<KinView> = kins.into_iter().filter(|kin| !kin.profile.archived).collect();
    let open_kin = route.kin().and_then(|named| replica.find_kin(named)).map(|kin| kin.profile.id);
    let house = house_name(replica);
    let me = my_profile(replica);
    let name = me.as_ref().map(|me| me.nickname.clone()).unwrap_or_default();
    let theme_words = if theme::is_dark() { text!("theme-to-light") } else { text!("theme-to-dark") };
    rsx! {
        nav { class: "k-side", "aria-label": "Kinstead",
            Link { class: "k-side__house", to: Route::Home {},
                img { src: "/brand/logo.svg", alt: "" }
                span { b { "{house}" } SideSync { sync: replica.sync() } }
            }
            SearchField {}
            div { class: "k-side__scroll",
                div { class: "k-side__head",
                    span { id: "side-kins", {text!("kins")} }
                    Link { class: "k-iconbtn", to: Route::NewKin {}, "aria-label": text!("kin-new"), Icon { name: "plus" } }
                }
                ul { "aria-labelledby": "side-kins",
                    for kin in kins {
                        li { key: "{kin.profile.id}",
                            SideKin { current: open_kin == Some(kin.profile.id), kin }
                        }
                    }
                }
            }
            div { class: "k-side__foot",
                AccountMenu { class: "k-nav", place: "side", label: text!("account-of", name: &name),
                    if let Some(me) = me {
                        MemberFace { avatar: me.avatar, name: me.nickname.clone(), size: FaceSize::Sm }
                        span { "{me.nickname}" }
                    }
                }
                Link {
                    class: "k-iconbtn",
                    to: Route::Members {},
                    "aria-label": text!("household"),
                    "aria-current": foyer::holds(&route).then_some("page"),
                    Icon { name: "settings" }
                }
                button {
                    r#type: "button",
                    class: "k-iconbtn",
                    "aria-label": theme_words,
                    onclick: move |_| theme::toggle(replica),
                    Icon { name: "moon" }
                }
            }
        }
    }
}

/// One Kin in the sidebar.
#[component]
fn SideKin(kin: KinView, current: bool) -> Element {
    let profile = &kin.profile;
    let offline = replica().sync().read().connection == Connection::Offline;
    let unsent = (kin.unsent > 0 && offline).then(|| text!("side-unsent", count: kin.unsent));
    let state = unsent.clone().or_else(|| activity_words(&kin.activity));
    let class = match kin.activity {
        _ if unsent.is_some() => "is-accent",
        Activity::Idle => "",
        Activity::Writing => "is-kin",
        Activity::Retrying(_) | Activity::Failed(_) => "is-warn",
    };
    rsx! {
        Link {
            class: "k-nav k-nav--kin",
            to: Route::thread(profile.id),
            "data-hue": "{profile.hue}",
            // Its settings count as being there too.
            "aria-current": current.then_some("page"),
            KinFace { avatar: profile.avatar.clone(), hue: profile.hue.clone(), ring: Ring::of(&kin.activity) }
            span {
                b { "{profile.name}" }
                small { class,
                    if let Some(state) = state { "{state}" } else if kin.preview.is_empty() { "{profile.role}" } else { "{kin.preview}" }
                }
            }
            Badges { unread: kin.unread, waiting: kin.waiting }
        }
    }
}

/// How many messages are new, or wait for the Kin.
#[component]
pub fn Badges(unread: u32, waiting: u32) -> Element {
    rsx! {
        if unread > 0 {
            span { class: "k-badge",
                span { "aria-hidden": "true", "{unread}" }
                span { class: "k-vh", {text!("badge-unread", count: unread)} }
            }
        }
        if waiting > 0 {
            span { class: "k-badge k-badge--quiet", title: text!("badge-waiting", count: waiting),
                span { "aria-hidden": "true", "{waiting}" }
                span { class: "k-vh", {text!("badge-waiting", count: waiting)} }
            }
        }
    }
}

/// The bar at the bottom of a phone.
#[component]
pub fn TabBar() -> Element {
    let route = use_route::<Route>();
    let home = matches!(route, Route::Home {});
    let household = foyer::holds(&route);
    rsx! {
        nav { class: "k-tabbar", "aria-label": text!("navigation"),
            Link { to: Route::Home {}, "aria-current": home.then_some("page"),
                i { Icon { name: "house" } }
                {text!("home")}
            }
            button { r#type: "button", onclick: |_| palette::open(),
                i { Icon { name: "search" } }
                {text!("search")}
            }
            Link { to: Route::Household {}, "aria-current": household.then_some("page"),
                i { Icon { name: "settings" } }
                {text!("household")}
            }
        }
    }
}

/// The replica could not be started: this browser lacks something, or a private window forbids it.
#[component]
fn Broken() -> Element {
    rsx! {
        main { class: "k-room", id: "room", tabindex: "-1",
            div { class: "k-scroll",
                div { class: "k-empty",
                    h1 { {text!("broken-title")} }
                    p { {text!("broken-lead")} }
                    button { r#type: "button", class: "k-btn k-btn--primary", onclick: move |_| page::restart(), {text!("try-again")} }
                }
            }
        }
    }
}

/// What did not happen.
#[component]
fn Toast(refusal: Refusal) -> Element {
    let mut replica = replica();
    rsx! {
        div { class: "k-toasts",
            div { class: "k-toast", role: "alert",
                span { {problem_words(&refusal.code, "")} }
                button {
                    r#type: "button",
                    class: "k-btn k-btn--ghost k-btn--sm",
                    onclick: move |_| replica.dismiss_refusal(),
                    {text!("close")}
                }
            }
        }
    }
}
