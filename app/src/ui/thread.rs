//! A Kin's thread.

mod actions;
mod code;
mod composer;
pub mod failure;
mod geometry;
pub mod inspector;
mod log;
mod pinned;
mod prose;
mod quote;
mod reactions;
mod row;
mod rows;
pub mod search;
pub mod state;
pub mod status;

#[cfg(test)]
pub use status::refusal_key;

use super::avatar::{KinFace, Ring};
use super::home::{MissingKin, use_was_here};
use super::icon::Icon;
use super::kin_form::ArchivedLine;
use super::page;
use super::providers::{Providers, providers};
use super::replica::{Replica, replica};
use super::routes::Route;
use super::sync_state::BarSyncIfAny;
use crate::text;
use composer::Composer;
use dioxus::prelude::*;
use failure::activity_words;
use inspector::Inspector;
use log::Log;
use pinned::PinnedSheet;
use search::{ThreadSearch, use_search_keys};
use shared::FailureKind;
use sync::view::{Activity, Connection, KinView};

/// The thread of the Kin that the address names.
#[component]
pub fn ThreadRoute(kin: String) -> Element {
    let found = replica().find_kin(&kin);
    let was_here = use_was_here(&kin, found.is_some());
    rsx! {
        if let Some(kin) = found {
            // A list of one: another Kin is another screen, with nothing left of the one before.
            for kin in [kin] {
                ThreadScreen { key: "{kin.profile.id}", kin }
            }
        } else {
            MissingKin { was_here }
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
    let mut searches = use_signal(|| false);
    use_search_keys(searches);
    rsx! {
        main { class: "k-room k-room--kin", id: "room", tabindex: "-1", "data-hue": "{hue}",
            if searches() {
                ThreadSearch {
                    session,
                    name: kin.read().profile.name.clone(),
                    on_close: move |()| searches.set(false),
                }
            } else {
                Bar { kin, on_search: move |()| searches.set(true) }
            }
            Log { kin }
            div {
                div { class: "k-dock",
                    Banners { kin }
                    if kin.read().profile.archived {
                        ArchivedLine { profile: kin.read().profile.clone() }
                    } else {
                        Composer { kin }
                    }
                }
            }
        }
        if (inspector::OPEN)() {
            Inspector { kin }
        }
    }
}

#[component]
fn Bar(kin: ReadSignal<KinView>, on_search: EventHandler<()>) -> Element {
    let replica = replica();
    let kin = kin.read();
    let profile = &kin.profile;
    let mut shows_pins = use_signal(|| false);
    let is_offline = replica.sync().read().connection == Connection::Offline;
    let ring = if is_offline { Ring::Offline } else { Ring::of(&kin.activity) };
    let pins = replica.pins().read().len();
    let inspects = (inspector::OPEN)();
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
            KinFace { avatar: profile.avatar.clone(), hue: profile.hue.clone(), ring }
            div { class: "k-bar__title",
                h1 { b { "{profile.name}" } }
                small { "{under}" }
            }
            BarSyncIfAny { sync: replica.sync(), unsent: kin.unsent }
            if pins > 0 {
                button {
                    r#type: "button",
                    class: "k-iconbtn",
                    "aria-label": text!("pinned-count", count: pins),
                    title: text!("pinned"),
                    onclick: move |_| shows_pins.set(true),
                    Icon { name: "pin" }
                }
            }
            button {
                r#type: "button",
                id: "thread-search",
                class: "k-iconbtn",
                "aria-label": text!("find-in", name: &profile.name),
                title: text!("find"),
                "aria-keyshortcuts": "Control+F Meta+F",
                onclick: move |_| on_search.call(()),
                Icon { name: "search" }
            }
            button {
                r#type: "button",
                class: "k-iconbtn k-inspect-toggle k-only-desktop",
                "aria-label": text!("details"),
                "aria-pressed": if inspects { "true" } else { "false" },
                onclick: move |_| inspector::toggle(),
                Icon { name: "panel-right" }
            }
            Link {
                class: "k-iconbtn",
                to: Route::settings(profile.id),
                "aria-label": text!("kin-settings-of", name: &profile.name),
                Icon { name: "settings" }
            }
        }
        if shows_pins() {
            PinnedSheet { on_close: move |()| shows_pins.set(false) }
        }
    }
}

/// Above the composer: what the member should know before writing.
#[component]
fn Banners(kin: ReadSignal<KinView>) -> Element {
    let replica = replica();
    let sync = replica.sync();
    let providers = providers();
    let down = use_memo(move || down(replica, providers, &kin.read()));
    let offline = sync.read().connection == Connection::Offline;
    rsx! {
        div { role: "status",
            if offline {
                div { class: "k-banner",
                    Icon { name: "cloud-off" }
                    span { b { {text!("offline-title")} } " " {text!("offline-lead")} }
                    button {
                        r#type: "button",
                        class: "k-btn k-btn--ghost k-btn--sm",
                        onclick: move |_| replica.wake(),
                        {text!("try-again")}
                    }
                }
            } else if let Some(Down { names, count, provider, others }) = down() {
                div { class: "k-banner is-warn",
                    Icon { name: "triangle-alert" }
                    span {
                        b { {text!("provider-down", count: count, names: &names, provider: &provider)} }
                        if others {
                            " " {text!("provider-down-others")}
                        }
                    }
                }
            }
        }
    }
}

/// A provider that cannot be reached, and who thinks with it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Down {
    names: String,
    count: usize,
    provider: String,
    /// Whether there are Kins that do not need it.
    others: bool,
}

/// Whether this Kin's provider is down, by what happened to this Kin last.
fn down(replica: Replica, providers: Providers, kin: &KinView) -> Option<Down> {
    let kind = match &kin.activity {
        Activity::Retrying(failure) => failure.kind,
        Activity::Failed(kind) => *kind,
        Activity::Idle | Activity::Writing => return None,
    };
    if !matches!(kind, FailureKind::Unreachable | FailureKind::Overloaded | FailureKind::TimedOut) {
        return None;
    }
    let provider = kin.profile.model.as_ref()?.provider_id;
    let home = replica.home();
    let home = home.read();
    let kins = home.as_ref()?.kins.iter().filter(|kin| !kin.profile.archived);
    let (with, without): (Vec<&KinView>, Vec<&KinView>) =
        kins.partition(|kin| kin.profile.model.as_ref().is_some_and(|model| model.provider_id == provider));
    let names: Vec<&str> = with.iter().map(|kin| kin.profile.name.as_str()).collect();
    Some(Down {
        names: listed(&names),
        count: names.len(),
        provider: providers.name(provider).unwrap_or_else(|| text!("provider-unnamed")),
        others: without.iter().any(|kin| kin.profile.model.is_some()),
    })
}

/// `Octave`, `Octave and Fable`, `Octave, Fable and Plume`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => text!("names-and", before: before.join(", "), last: *last),
    }
}

/// What the household calls the provider a Kin thinks with, as a sentence may begin with it.
fn provider_name(kin: &KinView) -> String {
    let named = kin.profile.model.as_ref().and_then(|model| providers().name(model.provider_id));
    named.unwrap_or_else(|| text!("provider-unnamed"))
}
