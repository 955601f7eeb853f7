//! One row of the log: a message, or the answer that is being written.

use super::actions::ActionBar;
use super::failure::{FailureCard, RetryCard};
use super::prose::Prose;
use super::quote::{QuoteLine, Quoted};
use super::reactions::{Given, Reactions};
use super::status::{MessageAction, OwnLine, OwnStatus};
use crate::text;
use crate::ui::avatar::{KinFace, MemberFace, Ring};
use crate::ui::icon::{Icon, IconSize, Windows};
use crate::ui::page;
use crate::ui::when;
use dioxus::prelude::*;
use shared::{Failure, KinId, UnixMillis};
use sync::view::{LiveView, MessageStatus, MessageView};

/// Who wrote a message, as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writer {
    /// The one who looks.
    Me,
    /// Another member.
    Member {
        /// Nickname.
        name: String,
        /// Portrait, or empty.
        avatar: String,
    },
    /// The Kin of this thread.
    Kin {
        /// Name.
        name: String,
        /// Illustration.
        avatar: String,
        /// Its hue.
        hue: String,
    },
}

/// What stands before a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Before {
    /// When the network was lost, if what follows waits for it.
    pub lost: Option<UnixMillis>,
    /// Another day begins.
    pub day: Option<String>,
    /// What follows is new.
    pub unread: bool,
    /// The same writer went on: no face, no name.
    pub follows: bool,
}

/// A day, or the line between old and new.
#[component]
pub fn Separators(before: Before) -> Element {
    rsx! {
        if let Some(day) = before.day {
            span { class: "k-date", "{day}" }
        }
        if before.unread {
            div { class: "k-unread", role: "separator", "aria-label": text!("unread"),
                span { {text!("unread")} }
            }
        }
        if let Some(at) = before.lost {
            LostLine { at }
        }
    }
}

/// Since when there is no network.
#[component]
pub fn LostLine(at: UnixMillis) -> Element {
    rsx! {
        p { class: "k-sysline",
            Icon { name: "wifi-off", size: IconSize::Xs }
            {text!("network-lost", time: when::time(at))}
        }
    }
}

/// A message of anyone; `waiting` is its place in the queue.
#[component]
pub fn MessageRow(
    message: ReadSignal<MessageView>,
    writer: Writer,
    follows: bool,
    own: Option<OwnStatus>,
    waiting: Option<usize>,
    provider: String,
    kin: KinId,
    quoted: Option<Quoted>,
    given: Vec<Given>,
    on_action: EventHandler<MessageAction>,
) -> Element {
    let text = use_memo(move || message.read().text.clone());
    let shown = message.read();
    let id = shown.id;
    let time = when::time(shown.sent_at);
    let machine = when::machine(shown.sent_at);
    let follow = if follows { " is-follow" } else { "" };
    // What the server does not know yet, or what is no text, can be neither quoted nor reacted to.
    let actions = shown.seq.is_some() && !shown.text.trim().is_empty();
    // A long press on a screen that is touched; a mouse keeps the browser's own menu.
    let on_press = move |event: MouseEvent| {
        if actions && page::has_coarse_pointer() {
            event.prevent_default();
            on_action.call(MessageAction::More(id));
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if actions
            && event.key() == Key::Enter
            && page::focused().is_some_and(|element| element.tag_name() == "ARTICLE")
        {
            event.prevent_default();
            on_action.call(MessageAction::More(id));
        }
    };
    match writer {
        Writer::Me => {
            let pending = if own.is_some_and(OwnStatus::is_pending) { " is-pending" } else { "" };
            rsx! {
                article { class: "k-msg k-msg--me{follow}", tabindex: "-1", oncontextmenu: on_press, onkeydown: on_key,
                    div { class: "k-msg__col",
                        span { class: "k-vh", {text!("you-at", time: &time)} }
                        div { class: "k-bubble k-bubble--me k-md{pending}",
                            if let Some(quoted) = quoted { QuoteLine { quoted } }
                            Words { message, text, keeps_lines: true }
                        }
                        Reactions { message: id, given }
                        if let Some(status) = own {
                            OwnLine { status, message: id, text, time, on_action }
                        }
                    }
                    if actions { ActionBar { message: id, on_action } }
                }
            }
        }
        Writer::Member { name, avatar } => rsx! {
            article { class: "k-msg{follow}", tabindex: "-1", oncontextmenu: on_press, onkeydown: on_key,
                if !follows {
                    MemberFace { avatar, name: name.clone() }
                }
                div { class: "k-msg__col k-msg__col--member",
                    Who { name, time, machine, hidden: follows }
                    div { class: "k-bubble k-bubble--member k-md",
                        if let Some(quoted) = quoted { QuoteLine { quoted } }
                        Words { message, text, keeps_lines: true }
                    }
                    Reactions { message: id, given }
                    if let Some(place) = waiting {
                        span { class: "k-msg__state is-pending", role: "status",
                            Icon { name: "clock", size: IconSize::Xs }
                            {text!("own-waiting", place: place)}
                        }
                    }
                }
                if actions { ActionBar { message: id, on_action } }
            }
        },
        Writer::Kin { name, avatar, hue } => {
            let status = shown.status.clone();
            let has_bubble = has_bubble(&status, &shown.text);
            let is_stopped = status == MessageStatus::Stopped;
            rsx! {
                if has_bubble || is_stopped {
                    article { class: "k-msg{follow}", tabindex: "-1", oncontextmenu: on_press, onkeydown: on_key,
                        if !follows {
                            KinFace { avatar, hue }
                        }
                        div { class: "k-msg__col k-msg__col--kin",
                            Who { name, time, machine, hidden: follows }
                            if has_bubble {
                                div { class: "k-bubble k-bubble--kin k-md", Words { message, text, keeps_lines: false } }
                                Reactions { message: id, given }
                            }
                            if is_stopped {
                                Stopped { on_retry: move |()| on_action.call(MessageAction::Retry(id)) }
                            }
                        }
                        if actions { ActionBar { message: id, on_action } }
                    }
                }
                if let MessageStatus::Failed(failure) = status {
                    FailureCard {
                        failure,
                        provider,
                        kin,
                        at: shown.sent_at,
                        on_retry: move |()| on_action.call(MessageAction::Retry(id)),
                    }
                }
            }
        }
    }
}

/// What a message says, or that its words were taken away.
#[component]
fn Words(message: ReadSignal<MessageView>, text: ReadSignal<String>, keeps_lines: bool) -> Element {
    let is_redacted = use_memo(move || message.read().status == MessageStatus::Redacted);
    if is_redacted() {
        return rsx! {
            p { class: "k-redacted",
                Icon { name: "trash-2", size: IconSize::Xs }
                {text!("message-redacted")}
            }
        };
    }
    rsx! { Prose { source: text, keeps_lines } }
}

/// An answer that ended before it had begun is only its failure, or the mark that it was stopped.
fn has_bubble(status: &MessageStatus, text: &str) -> bool {
    !matches!(status, MessageStatus::Failed(_) | MessageStatus::Stopped) || !text.trim().is_empty()
}

/// The mark of an answer that a member stopped.
#[component]
fn Stopped(on_retry: EventHandler<()>) -> Element {
    rsx! {
        div { class: "k-ownline",
            span { class: "k-msg__state",
                Icon { name: "square", size: IconSize::Xs }
                {text!("answer-stopped")}
            }
            button {
                r#type: "button",
                class: "k-btn k-btn--ghost k-btn--sm",
                onclick: move |_| on_retry.call(()),
                {text!("retry")}
            }
        }
    }
}

#[component]
fn Who(name: String, time: String, machine: String, hidden: bool) -> Element {
    rsx! {
        if hidden {
            span { class: "k-vh", "{name} {time}" }
        } else {
            div { class: "k-msg__who",
                b { "{name}" }
                time { datetime: machine, "{time}" }
            }
        }
    }
}

/// The answer that is being written, or waits to be tried again.
#[component]
pub fn RunningRow(
    name: String,
    avatar: String,
    hue: String,
    provider: String,
    live: ReadSignal<Option<LiveView>>,
    retrying: Option<Failure>,
) -> Element {
    let text = use_memo(move || live.read().as_ref().map(|live| live.text.clone()).unwrap_or_default());
    let is_empty = text.read().is_empty();
    if let Some(failure) = retrying {
        return rsx! { RetryCard { failure, provider, kin: name } };
    }
    rsx! {
        article { class: "k-msg", "aria-busy": "true", tabindex: "-1",
            KinFace { avatar, hue, ring: Ring::Thinking }
            div { class: "k-msg__col k-msg__col--kin",
                div { class: "k-msg__who", b { "{name}" } }
                if is_empty {
                    span { class: "k-thinking", Windows {} {text!("thinking")} }
                } else {
                    div { class: "k-bubble k-bubble--kin k-md", Prose { source: text, caret: true } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_stopped_before_its_first_word_has_no_bubble() {
        assert!(!has_bubble(&MessageStatus::Stopped, " \n"));
        assert!(has_bubble(&MessageStatus::Stopped, "Half an"));
        assert!(has_bubble(&MessageStatus::Done, "An answer."));
    }
}
