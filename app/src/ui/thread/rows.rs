//! The rows of the log that are near its window, and the room of the others.

use super::log::Scroll;
use super::provider_name;
use super::quote::{Quoted, excerpt};
use super::reactions::Given;
use super::row::{Before, LostLine, MessageRow, RunningRow, Separators, Writer};
use super::state::{Row, RowKey, Thread};
use super::status::{MessageAction, OwnStatus};
use crate::text;
use crate::ui::icon::Windows;
use crate::ui::page;
use crate::ui::replica::{Older, Replica, replica};
use crate::ui::when;
use dioxus::prelude::*;
use shared::{Author, MessageId, UnixMillis};
use std::ops::Range;
use sync::view::{Connection, KinView, MessageStatus, MessageView, ReactionView};

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
    let sync = replica.sync();
    let offline = sync.read().connection == Connection::Offline;
    let lost = sync.read().lost_at.filter(|_| offline);
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
                id: "row-{key}",
                class: "k-logrow",
                onresize: move |event| {
                    if let Ok(size) = event.get_border_box_size() {
                        measured.call((key, size.height));
                    }
                },
                {draw(replica, &kin, thread, at, row, lost, &provider, on_action)}
            }
        }
        div { class: "k-logspace", height: "{below}px", "aria-hidden": "true" }
        // Nothing waits: the line stands at the end.
        if let Some(at) = lost.filter(|_| thread.first_unsent().is_none()) {
            div { class: "k-logrow", LostLine { at } }
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one call, from the loop above")]
fn draw(
    replica: Replica,
    kin: &KinView,
    thread: &Thread,
    at: usize,
    row: Row<'_>,
    lost: Option<UnixMillis>,
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
    let before = before(thread, at, message, lost);
    let offline = lost.is_some();
    let writer = writer(replica, kin, message.author);
    let own = (writer == Writer::Me).then(|| own_status(thread, message, offline));
    let waiting = thread.waiting_place(message.id);
    rsx! {
        Separators { before: before.clone() }
        MessageRow {
            message: message.clone(),
            writer,
            follows: before.follows,
            own,
            waiting,
            provider,
            kin: profile.id,
            quoted: quoted(replica, kin, thread, message.reply_to),
            given: given(replica, kin, message),
            on_action,
        }
    }
}

/// What a message quotes, as it is drawn.
pub fn quoted(replica: Replica, kin: &KinView, thread: &Thread, message: Option<MessageId>) -> Option<Quoted> {
    let message = message?;
    let found = thread.find(message);
    Some(Quoted {
        message,
        by: found.map(|found| name_of(replica, kin, found.author)),
        excerpt: found.map(words_of).unwrap_or_default(),
    })
}

/// Who reacted how, by name.
pub fn given(replica: Replica, kin: &KinView, message: &MessageView) -> Vec<Given> {
    let me = replica.me();
    let of = |reaction: &ReactionView| Given {
        emoji: reaction.emoji.clone(),
        names: reaction.members.iter().map(|id| name_of(replica, kin, Author::Member(*id))).collect(),
        mine: reaction.members.iter().any(|id| Some(*id) == me),
    };
    message.reactions.iter().map(of).collect()
}

/// How an author is called.
pub fn name_of(replica: Replica, kin: &KinView, author: Author) -> String {
    match writer(replica, kin, author) {
        Writer::Kin { name, .. } | Writer::Member { name, .. } => name,
        Writer::Me => text!("you"),
    }
}

fn before(thread: &Thread, at: usize, message: &MessageView, lost: Option<UnixMillis>) -> Before {
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
    let lost = lost.filter(|_| thread.first_unsent() == Some(message.id));
    let follows = !begins_day
        && !unread
        && lost.is_none()
        && previous.is_some_and(|previous| {
            let apart = message.sent_at.since(previous.sent_at);
            previous.author == message.author
                && (0..TOGETHER_MS).contains(&apart)
                && previous.status == MessageStatus::Done
                && message.status == MessageStatus::Done
        });
    Before { day: begins_day.then(|| when::day(message.sent_at)), unread, follows, lost }
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

fn words_of(message: &MessageView) -> String {
    match message.status {
        MessageStatus::Redacted => text!("message-redacted"),
        MessageStatus::Unsent
        | MessageStatus::Refused(_)
        | MessageStatus::Done
        | MessageStatus::Stopped
        | MessageStatus::Failed(_) => excerpt(&message.text),
    }
}

fn own_status(thread: &Thread, message: &MessageView, offline: bool) -> OwnStatus {
    match message.status {
        MessageStatus::Unsent if offline => OwnStatus::Offline,
        MessageStatus::Unsent => OwnStatus::Leaving,
        MessageStatus::Refused(code) => OwnStatus::Refused(code),
        // A member's own message is neither stopped nor failed.
        MessageStatus::Done | MessageStatus::Redacted | MessageStatus::Stopped | MessageStatus::Failed(_) => {
            match thread.waiting_place(message.id) {
                Some(place) => OwnStatus::Waiting(place),
                None if thread.is_taken_up(message.id) => OwnStatus::TakenUp,
                None => OwnStatus::Sent,
            }
        }
    }
}
