//! A Kin's thread.

mod code;
mod composer;
pub mod failure;
mod geometry;
mod log;
mod prose;
mod row;
mod rows;
pub mod state;
pub mod status;

#[cfg(test)]
pub use status::refusal_key;

use super::avatar::{KinFace, Ring};
use super::home::MissingKin;
use super::icon::Icon;
use super::page;
use super::providers::providers;
use super::replica::replica;
use super::routes::Route;
use super::sync_state::BarSyncIfAny;
use crate::text;
use composer::Composer;
use dioxus::prelude::*;
use failure::activity_words;
use log::Log;
use sync::view::{Activity, Connection, KinView};

/// The thread of the Kin that the address names.
#[component]
pub fn ThreadRoute(kin: String) -> Element {
    let found = replica().find_kin(&kin);
    rsx! {
        if let Some(kin) = found {
            // A list of one: another Kin is another screen, with nothing left of the one before.
            for kin in [kin] {
                ThreadScreen { key: "{kin.profile.id}", kin }
            }
        } else {
            MissingKin {}
        }
    }
}

/// Bar, log, composer.
#[component]
fn ThreadScreen(kin: ReadSignal<KinView>) -> Element {
    let mut replica = replica();
    let session = kin.peek().profile.session;
    use_hook(|| replica.open(session));
    use_drop(move || replica.close(session));
    use_effect(move || page::set_title(&text!("title-thread", name: &kin.read().profile.name)));
    use_hook(|| {
        if !page::has_coarse_pointer() {
            page::focus_soon("#composer");
        }
    });
    let hue = kin.read().profile.hue.clone();
    rsx! {
        main { class: "k-room k-room--kin", id: "room", tabindex: "-1", "data-hue": "{hue}",
            Bar { kin }
            Log { kin }
            div {
                div { class: "k-dock",
                    Banners {}
                    Composer { kin }
                }
            }
        }
    }
}

#[component]
fn Bar(kin: ReadSignal<KinView>) -> Element {
    let replica = replica();
    let kin = kin.read();
    let profile = &kin.profile;
    let activity = activity_words(&kin.activity);
    let under = match (&kin.activity, kin.waiting) {
        (Activity::Idle, 0) => profile.role.clone(),
        (Activity::Idle, count) => text!("bar-waiting", count: count),
        (Activity::Writing, count) if count > 0 => text!("bar-writing-waiting", count: count),
        (Activity::Writing | Activity::Retrying(_) | Activity::Failed(_), _) => activity.unwrap_or_default(),
    };
    rsx! {
        header { class: "k-bar",
            Link { class: "k-iconbtn k-bar__back", to: Route::Home {}, "aria-label": text!("back"), Icon { name: "chevron-left" } }
            KinFace { avatar: profile.avatar.clone(), hue: profile.hue.clone(), ring: Ring::of(&kin.activity) }
            div { class: "k-bar__title",
                h1 { b { "{profile.name}" } }
                small { "{under}" }
            }
            BarSyncIfAny { sync: replica.sync() }
            Link {
                class: "k-iconbtn",
                to: Route::settings(profile.id),
                "aria-label": text!("kin-settings-of", name: &profile.name),
                Icon { name: "settings" }
            }
        }
    }
}

/// Above the composer: what the member should know before writing.
#[component]
fn Banners() -> Element {
    let sync = replica().sync();
    let offline = sync.read().connection == Connection::Offline;
    rsx! {
        div { role: "status",
            if offline {
                div { class: "k-banner",
                    Icon { name: "cloud-off" }
                    span { b { {text!("offline-title")} } " " {text!("offline-lead")} }
                }
            }
        }
    }
}

/// What the household calls the provider a Kin thinks with, as a sentence may begin with it.
fn provider_name(kin: &KinView) -> String {
    let named = kin.profile.model.as_ref().and_then(|model| providers().name(model.provider_id));
    named.unwrap_or_else(|| text!("provider-unnamed"))
}
