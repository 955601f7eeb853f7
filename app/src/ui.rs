//! Every screen of the app. Screens draw what [`replica`] holds and ask it for what the member wants.

mod accept;
mod account;
mod avatar;
mod choice;
mod dialog;
mod door;
mod drafts;
mod field;
mod foyer;
mod home;
mod icon;
mod kin_form;
mod language;
mod login;
pub mod page;
mod palette;
mod picture_input;
mod providers;
mod recovery_code;
mod replica;
mod routes;
mod server;
mod setup;
mod shell;
mod sign_in;
mod stepper;
mod sync_state;
mod theme;
mod thread;
mod update;
mod when;
mod wizard;

use crate::text;
use dioxus::prelude::*;
use login::{Stage, use_login};

#[cfg(test)]
pub use kin_form::starting_keys;
#[cfg(test)]
pub use thread::refusal_key;

/// Starts the screens in the page.
pub fn launch() {
    language::set_from_browser();
    theme::apply_remembered();
    dioxus::launch(App);
}

/// From nobody knows who to a household.
#[component]
fn App() -> Element {
    let login = use_login();
    language::use_page_language();
    let mut way = use_signal(accept::Way::of_address);
    // A link opened by somebody who is signed in may be for somebody else, and is not taken by looking.
    let link = way().filter(|_| matches!(login.stage(), Stage::SignIn | Stage::Unreachable));
    let on_leave = use_callback(move |()| {
        accept::Way::forget();
        way.set(None);
    });
    rsx! {
        icon::Sprite {}
        if let Some(way_in) = link {
            accept::AcceptScreen { way: way_in, on_leave }
        } else {
        match login.stage() {
            Stage::Opening => rsx! { Opening {} },
            Stage::Setup => rsx! { setup::SetupScreen {} },
            Stage::SignIn => rsx! { sign_in::SignInScreen {} },
            Stage::Unreachable => rsx! { sign_in::UnreachableScreen {} },
            Stage::Inside => rsx! { Inside { has_link: way().is_some(), on_leave } },
        }
        }
        update::UpdateNews {}
    }
}

/// Shown while the app finds out who is here.
#[component]
fn Opening() -> Element {
    rsx! {
        main { class: "k-opening", role: "status",
            img { src: "/brand/logo.svg", alt: "", width: "64", height: "64" }
            icon::Windows {}
            span { class: "k-vh", {text!("opening")} }
        }
    }
}

/// The household: replica, providers and routes for every screen within.
#[component]
fn Inside(has_link: bool, on_leave: EventHandler<()>) -> Element {
    let replica = replica::use_replica();
    providers::use_providers(replica);
    theme::use_preferred(replica.home());
    language::use_preferred(replica.home());
    rsx! {
        Router::<routes::Route> {}
        if has_link {
            accept::LinkForOther { on_leave }
        }
    }
}
