//! Where one's own message stands, in words, and what can be done about it.

use crate::text;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::page;
use dioxus::prelude::*;
use shared::MessageId;
use shared::frame::RefusalCode;

/// Where one's own message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnStatus {
    /// On this device, on its way.
    Leaving,
    /// On this device, until there is a network.
    Offline,
    /// Refused.
    Refused(RefusalCode),
    /// Waits in the queue; 1 is next.
    Waiting(usize),
    /// Admitted.
    Sent,
    /// The Kin has taken it up.
    TakenUp,
}

impl OwnStatus {
    /// Whether the message is drawn as not sent.
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::Leaving | Self::Offline | Self::Refused(_))
    }
}

/// What a member may want of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageAction {
    /// Forget it.
    Discard(MessageId),
    /// Try it again.
    Resend(MessageId),
    /// Take it back.
    Withdraw(MessageId),
    /// Try an answer again.
    Retry(MessageId),
    /// Quote it in the next message.
    Reply(MessageId),
    /// Choose a reaction to it.
    ChooseReaction(MessageId),
    /// See everything that can be done with it.
    More(MessageId),
}

/// Why the server refused a message, in one sentence.
pub fn refusal_words(code: RefusalCode) -> String {
    text!(refusal_key(code))
}

/// Where the words of a refusal are.
pub const fn refusal_key(code: RefusalCode) -> &'static str {
    match code {
        RefusalCode::NotFound => "refused-not-found",
        RefusalCode::Forbidden => "refused-forbidden",
        RefusalCode::Archived => "refused-archived",
        RefusalCode::Closed => "refused-closed",
        RefusalCode::StaleGeneration => "refused-stale-generation",
        RefusalCode::Rebase => "refused-rebase",
        RefusalCode::HashMismatch => "refused-hash-mismatch",
        RefusalCode::DuplicateId => "refused-duplicate-id",
        RefusalCode::Invalid => "refused-invalid",
        RefusalCode::TooLarge => "refused-too-large",
        RefusalCode::Unavailable => "refused-unavailable",
    }
}

/// The line under one's own message.
#[component]
pub fn OwnLine(
    status: OwnStatus,
    message: MessageId,
    text: ReadSignal<String>,
    time: String,
    on_action: EventHandler<MessageAction>,
) -> Element {
    let (class, icon, words) = match status {
        OwnStatus::Leaving => ("k-msg__state is-pending", "clock", text!("own-leaving")),
        OwnStatus::Offline => ("k-msg__state is-pending", "clock", text!("own-offline")),
        OwnStatus::Refused(code) => ("k-msg__state is-bad", "circle-alert", refusal_words(code)),
        OwnStatus::Waiting(place) => ("k-msg__state is-pending", "clock", text!("own-waiting", place: place)),
        OwnStatus::Sent => ("k-msg__state", "check", text!("own-sent", time: time)),
        OwnStatus::TakenUp => ("k-msg__state", "check-check", text!("own-read", time: time)),
    };
    rsx! {
        div { class: "k-ownline",
            span { class, role: status.is_pending().then_some("status"),
                Icon { name: icon, size: IconSize::Xs }
                "{words}"
            }
            match status {
                OwnStatus::Waiting(_) => rsx! {
                    Small { words: text!("withdraw"), on_press: move |()| on_action.call(MessageAction::Withdraw(message)) }
                },
                OwnStatus::Offline => rsx! {
                    Small { words: text!("discard"), on_press: move |()| on_action.call(MessageAction::Discard(message)) }
                },
                OwnStatus::Refused(_) => rsx! {
                    Small { words: text!("resend"), on_press: move |()| on_action.call(MessageAction::Resend(message)) }
                    CopyText { text }
                    Small { words: text!("discard"), on_press: move |()| on_action.call(MessageAction::Discard(message)) }
                },
                OwnStatus::Leaving | OwnStatus::Sent | OwnStatus::TakenUp => rsx! {},
            }
        }
    }
}

#[component]
fn Small(words: String, on_press: EventHandler<()>) -> Element {
    rsx! {
        button { r#type: "button", class: "k-btn k-btn--ghost k-btn--sm", onclick: move |_| on_press.call(()), "{words}" }
    }
}

/// Puts a message's text on the clipboard, and says so.
#[component]
pub fn CopyText(text: ReadSignal<String>) -> Element {
    let mut copied = use_signal(|| false);
    let words = if copied() { text!("copied") } else { text!("copy") };
    rsx! {
        button {
            r#type: "button",
            class: "k-btn k-btn--ghost k-btn--sm",
            onclick: move |_| async move {
                let source = text.peek().clone();
                copied.set(page::copy(&source).await);
            },
            "{words}"
        }
    }
}
