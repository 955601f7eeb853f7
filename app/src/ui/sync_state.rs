//! Where this device stands with the server, in words (Y-8).

use crate::text;
use dioxus::prelude::*;
use sync::view::{Connection, SyncView};

/// What is shown: the most pressing of several truths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Refused(u32),
    Offline,
    OfflineWaiting(u32),
    Waiting(u32),
    Syncing,
    UpToDate,
}

impl Shown {
    fn of(sync: &SyncView) -> Self {
        if sync.refused > 0 {
            return Self::Refused(sync.refused);
        }
        match (sync.connection, sync.unsent) {
            (Connection::Offline, 0) => Self::Offline,
            (Connection::Offline, unsent) => Self::OfflineWaiting(unsent),
            (Connection::Syncing, 0) => Self::Syncing,
            (Connection::UpToDate, 0) => Self::UpToDate,
            (Connection::Syncing | Connection::UpToDate, unsent) => Self::Waiting(unsent),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Refused(count) => text!("sync-refused", count: count),
            Self::Offline => text!("sync-offline"),
            Self::OfflineWaiting(count) => text!("sync-offline-waiting", count: count),
            Self::Waiting(count) => text!("sync-waiting", count: count),
            Self::Syncing => text!("sync-syncing"),
            Self::UpToDate => text!("sync-up-to-date"),
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Refused(_) => " is-refused",
            Self::Offline | Self::OfflineWaiting(_) => " is-offline",
            Self::Waiting(_) => " is-pending",
            Self::Syncing => " is-syncing",
            Self::UpToDate => "",
        }
    }
}

/// Under the household's name in the sidebar.
#[component]
pub fn SideSync(sync: ReadSignal<SyncView>) -> Element {
    let shown = Shown::of(&sync.read());
    rsx! {
        small { class: "k-side__sync{shown.class()}", role: "status", {shown.words()} }
    }
}

/// On the bars of a phone.
#[component]
pub fn BarSync(sync: ReadSignal<SyncView>) -> Element {
    let shown = Shown::of(&sync.read());
    rsx! {
        span { class: "k-sync{shown.class()}", role: "status", {shown.words()} }
    }
}

/// On the bar of a thread: what waits in it while there is no network, which is said above the composer. On a phone,
/// where there is no sidebar, also what was refused.
#[component]
pub fn BarSyncIfAny(sync: ReadSignal<SyncView>, unsent: u32) -> Element {
    let sync = sync.read();
    let waits = sync.connection != Connection::UpToDate && unsent > 0;
    let shown = if waits { Shown::Waiting(unsent) } else { Shown::of(&sync) };
    let place = if waits { "" } else { "k-only-phone" };
    rsx! {
        if waits || matches!(shown, Shown::Refused(_)) {
            span { class: place,
                // On the narrowest screens the name beside it needs the room: the number stays.
                span { class: "k-sync k-sync--bar{shown.class()}", role: "status",
                    span { {shown.words()} }
                    if waits { b { "aria-hidden": "true", "{unsent}" } }
                }
            }
        }
    }
}
