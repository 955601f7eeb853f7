//! The household behind the Kins: a list of screens beside the one that is open, on a phone one after the other.
//!
//! A screen here draws only its `k-page`; bar, list and tabs are drawn around it. A new one is a line in [`ENTRIES`].

mod account;
mod devices;
mod house;
mod invite;
mod member;
mod members;
mod profile;
mod qr;
mod tokens;

pub use account::AccountScreen;
pub use members::MembersScreen;

use super::icon::Icon;
use super::page;
use super::replica::{Replica, replica};
use super::routes::Route;
use super::shell::{TabBar, my_profile};
use crate::text;
use dioxus::prelude::*;
use shared::Right;

/// A screen of the household.
struct Entry {
    route: Route,
    icon: &'static str,
    /// Its name in the list.
    name: fn() -> String,
    /// Its title.
    title: fn() -> String,
    /// The line under its title, in the list of a phone.
    lead: fn() -> String,
    /// Shown to those who have it.
    right: Right,
}

/// Every screen, in the order of the list.
#[rustfmt::skip]
static ENTRIES: [Entry; 4] = [
    Entry { route: Route::Providers {}, icon: "plug", name: || text!("providers"), title: || text!("providers"), lead: || text!("providers-entry"), right: Right::ReadProviders },
    Entry { route: Route::Members {}, icon: "users", name: || text!("members"), title: || text!("members-title"), lead: || text!("members-entry"), right: Right::ReadHousehold },
    Entry { route: Route::Server {}, icon: "server", name: || text!("server"), title: || text!("server"), lead: || text!("server-entry"), right: Right::ManageServer },
    Entry { route: Route::Account {}, icon: "user", name: || text!("my-account"), title: || text!("my-account"), lead: || text!("my-account-entry"), right: Right::OwnAccount },
];

/// Whether an address belongs to the household.
pub fn holds(route: &Route) -> bool {
    *route == Route::Household {} || ENTRIES.iter().any(|entry| entry.route == *route)
}

/// The entries this member may open.
fn entries(replica: Replica) -> Vec<&'static Entry> {
    let role = my_profile(replica).map(|me| me.role);
    ENTRIES.iter().filter(|entry| role.is_some_and(|role| role.may(entry.right))).collect()
}

/// The screens this member may open: icon, name, address.
pub fn destinations(replica: Replica) -> Vec<(&'static str, String, Route)> {
    entries(replica).into_iter().map(|entry| (entry.icon, (entry.title)(), entry.route.clone())).collect()
}

/// What stands around every screen of the household.
#[component]
pub fn Foyer() -> Element {
    let route = use_route::<Route>();
    let entries = entries(replica());
    let open = ENTRIES.iter().find(|entry| entry.route == route);
    let title = open.map_or_else(|| text!("household"), |entry| (entry.title)());
    let mut seen = use_signal(|| route.clone());
    if *seen.peek() != route {
        seen.set(route.clone());
    }
    use_effect(move || {
        // Another screen begins at its top; on a phone what led here is gone, and the focus with it.
        seen.read();
        if let Some(scroller) = page::element("#room > .k-scroll") {
            scroller.set_scroll_top(0);
        }
        if page::has_lost_focus() {
            page::focus("#room");
        }
    });
    rsx! {
        main { class: "k-room", id: "room", tabindex: "-1",
            header { class: "k-bar k-only-phone",
                if open.is_some() {
                    Link { class: "k-iconbtn k-bar__back", to: Route::Household {}, "aria-label": text!("back"), Icon { name: "chevron-left" } }
                }
                div { class: "k-bar__title", h1 { b { "{title}" } } }
            }
            div { class: "k-scroll",
                div { class: "k-settings",
                    div { class: "k-settings__side k-not-phone",
                        nav { class: "k-tabs k-settings__nav", "aria-label": text!("household"),
                            for entry in entries {
                                Link {
                                    key: "{entry.route}",
                                    to: entry.route.clone(),
                                    "aria-current": (entry.route == route).then_some("page"),
                                    Icon { name: entry.icon }
                                    {(entry.name)()}
                                }
                            }
                        }
                    }
                    Outlet::<Route> {}
                }
            }
            div { TabBar {} }
        }
    }
}

/// The list itself, which a phone shows first.
#[component]
pub fn HouseholdScreen() -> Element {
    let replica = replica();
    let navigator = use_navigator();
    use_effect(move || {
        page::set_title(&text!("title-household"));
        // Where the list stands beside every screen, the first of them is open.
        if !page::is_phone() {
            navigator.replace(Route::Members {});
        }
    });
    rsx! {
        div { class: "k-page",
            div { class: "k-pagehead k-not-phone", div { h1 { {text!("household")} } } }
            div { class: "k-card k-card--flush",
                ul { class: "k-list",
                    for entry in entries(replica) {
                        li { key: "{entry.route}",
                            Link { class: "k-row", to: entry.route.clone(),
                                span { class: "k-tile", Icon { name: entry.icon } }
                                span { class: "k-row__main",
                                    span { class: "k-row__title", span { {(entry.title)()} } }
                                    span { class: "k-row__sub is-wrap", {(entry.lead)()} }
                                }
                                span { class: "k-row__end", Icon { name: "chevron-right" } }
                            }
                        }
                    }
                }
            }
        }
    }
}
