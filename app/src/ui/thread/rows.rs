//! The rows of the log that are near its window, and the room of the others.

use super::log::Scroll;
use super::provider_name;
use super::row::{Before, MessageRow, RunningRow, Separators, Writer};
use super::state::{Row, RowKey, Thread};
use super::status::{MessageAction, OwnStatus};
use crate::text;
use crate::ui::icon::Windows;
use crate::ui::page;
use crate::ui::replica::{Older, Replica, replica};
use crate::ui::when;
use dioxus::prelude::*;
use shared::Author;
use std::ops::Range;
use sync::view::{Connection, KinView, MessageStatus, MessageView};

/// Messages of one writer within this time belong together.
const TOGETHER_MS: i64 = 5 * 60_000;

/// What is drawn of the log.
#[component]
pub fn Rows(
    kin: ReadSignal<KinView>,
    thread: ReadSignal<Option<Thread>>,
    drawn: Range<usize>,
    taken: ReadSignal<u64>,
    scroll: CopyValue<Scroll>,
    on_action: EventHandler<MessageAction>,
    measured: EventHandler<(RowKey, f64)>,
) -> Element {
    let replica = replica();
    let offline = replica.sync().read().connection == Connection::Offline;
    let kin = kin.read();
    let provider = provider_name(&kin);
    let thread = thread.read();
    let Some(thread) = thread.as_ref() else { return rsx! {} };
    // The geometry is no signal; this says when it has another list.
    let _ = taken.read();
    let (above, below, drawn) = {
        let geometry = &scroll.read().geometry;
        // The list may have changed since the window was last looked at.
        let followed = geometry.follow(drawn.clone(), thread.len(), |at| thread.key(at));
        (geometry.above(&drawn), geometry.below(&drawn), followed)
    };
    let rows = drawn.clone().filter_map(|at| Some((at, thread.key(at)?, thread.row(at)?)));
    rsx! {
        if thread.has_older {
            div { class: "k-logstate",
                match replica.older() {
                    Older::Still => rsx! {},
                    Older::Loading => rsx! { Windows {} span { class: "k-vh", {text!("loading")} } },
                    Older::Offline => rsx! { p { class: "k-sysline", {text!("older-offline")} } },
                }
            }
        }
        div { class: "k-logspace", height: "{above}px", "aria-hidden": "true" }
        for (at, key, row) in rows {
            div {
                key: "{key}",
                class: "k-logrow",
                onresize: move |event| {
                    if let Ok(size) = event.get_border_box_size() {
                        measured.call((key, size.height));
                    }
                },
                {draw(replica, &kin, thread, at, row, offline, &provider, on_action)}
            }
        }
        div { class: "k-logspace", height: "{below}px", "aria-hidden": "true" }
    }
}

#[expect(clippy::too_many_arguments, reason = "one call, from the loop above")]
fn draw(
    replica: Replica,
    kin: &KinView,
    thread: &Thread,
    at: usize,
    row: Row<'_>,
    offline: bool,
    provider: &str,
    on_action: EventHandler<MessageAction>,
) -> Element {
    let profile = &kin.profile;
    let message = match row {
        Row::Message(message) => message,
        Row::Running(_) => {
            let retrying = thread.running().and_then(|running| running.retrying.clone());
            return rsx! {
                RunningRow {
                    name: profile.name.clone(),
                    avatar: profile.avatar.clone(),
                    hue: profile.hue.clone(),
                    provider,
                    live: replica.live(),
                    retrying,
                }
            };
        }
    };
    let before = before(thread, at, message);
    let writer = writer(replica, kin, message.author);
    let own = (writer == Writer::Me).then(|| own_status(thread, message, offline));
    let waiting = thread.waiting_place(message.id);
    rsx! {
        Separators { before: before.clone() }
        MessageRow { message: message.clone(), writer, follows: before.follows, own, waiting, provider, on_action }
    }
}

fn before(thread: &Thread, at: usize, message: &MessageView) -> Before {
    let previous = at.checked_sub(1).and_then(|at| thread.row(at)).and_then(|row| match row {
        Row::Message(previous) => Some(previous),
        Row::Running(_) => None,
    });
    let day = page::day_of(message.sent_at);
    let begins_day = match previous {
        Some(previous) => page::day_of(previous.sent_at) != day,
        // Behind the running answer nothing begins; at the very top a day does.
        None => at == 0,
    };
    let unread = thread.divider == Some(message.id);
    let follows = !begins_day
        && !unread
        && previous.is_some_and(|previous| {
            let apart = message.sent_at.since(previous.sent_at);
            previous.author == message.author
                && (0..TOGETHER_MS).contains(&apart)
                && previous.status == MessageStatus::Done
                && message.status == MessageStatus::Done
        });
    Before { day: begins_day.then(|| when::day(message.sent_at)), unread, follows }
}

fn writer(replica: Replica, kin: &KinView, author: Author) -> Writer {
    match author {
        Author::Member(id) if Some(id) == replica.me() => Writer::Me,
        Author::Member(id) => {
            let home = replica.home();
            let home = home.read();
            let member = home.iter().flat_map(|home| &home.members).find(|member| member.id == id);
            match member {
                Some(member) => Writer::Member { name: member.nickname.clone(), avatar: member.avatar.clone() },
                // Someone who has left the household.
                None => Writer::Member { name: text!("member-gone"), avatar: String::new() },
            }
        }
        Author::Kin(_) => Writer::Kin {
            name: kin.profile.name.clone(),
            avatar: kin.profile.avatar.clone(),
            hue: kin.profile.hue.clone(),
        },
    }
}

fn own_status(thread: &Thread, message: &MessageView, offline: bool) -> OwnStatus {
    match message.status {
        MessageStatus::Unsent if offline => OwnStatus::Offline,
        MessageStatus::Unsent => OwnStatus::Leaving,
        MessageStatus::Refused(code) => OwnStatus::Refused(code),
        // A member's own message is neither stopped nor failed.
        MessageStatus::Done | MessageStatus::Stopped | MessageStatus::Failed(_) => {
            match thread.waiting_place(message.id) {
                Some(place) => OwnStatus::Waiting(place),
                None if thread.is_taken_up(message.id) => OwnStatus::TakenUp,
                None => OwnStatus::Sent,
            }
        }
    }
}
