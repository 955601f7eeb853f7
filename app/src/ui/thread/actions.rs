//! What can be done with a message: a small bar beside it, and a sheet with everything.

use super::quote::excerpt;
use super::reactions::{EmojiChoice, Given, MORE, QUICK};
use super::status::MessageAction;
use crate::text;
use crate::ui::dialog::Dialog;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::page;
use crate::ui::replica::replica;
use dioxus::prelude::*;
use shared::{MessageId, SessionId};

/// Beside a message while a pointer is over it, or it has the focus.
#[component]
pub fn ActionBar(message: MessageId, on_action: EventHandler<MessageAction>) -> Element {
    rsx! {
        div { class: "k-acts", role: "group", "aria-label": text!("message-actions"),
            Act { name: "smile-plus", label: text!("react"), on_press: move |()| on_action.call(MessageAction::ChooseReaction(message)) }
            Act { name: "reply", label: text!("reply"), on_press: move |()| on_action.call(MessageAction::Reply(message)) }
            Act { name: "ellipsis", label: text!("message-more"), on_press: move |()| on_action.call(MessageAction::More(message)) }
        }
    }
}

#[component]
fn Act(name: &'static str, label: String, on_press: EventHandler<()>) -> Element {
    rsx! {
        button {
            r#type: "button",
            class: "k-iconbtn k-iconbtn--sm",
            "aria-label": label.clone(),
            title: label,
            onclick: move |_| on_press.call(()),
            Icon { name, size: IconSize::Sm }
        }
    }
}

/// What a sheet is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Of which thread.
    pub session: SessionId,
    /// Which message.
    pub message: MessageId,
    /// All of its text.
    pub text: String,
    /// Who reacted how.
    pub given: Vec<Given>,
    /// Whether the member keeps it at hand.
    pub pinned: bool,
    /// Whether this member may take its words away.
    pub may_redact: bool,
    /// Whether only reactions are asked for.
    pub only_reactions: bool,
}

/// Everything that can be done with a message.
#[component]
pub fn ActionSheet(subject: Subject, on_close: EventHandler<()>) -> Element {
    let mut replica = replica();
    let mut copied = use_signal(|| false);
    let mut redacting = use_signal(|| false);
    let Subject { session, message, text, given, pinned, may_redact, only_reactions } = subject;
    let mine = given.iter().find(|given| given.mine).map(|given| given.emoji.clone()).unwrap_or_default();
    let choose = move |emoji: String| {
        replica.react(message, &emoji);
        on_close.call(());
    };
    let copy_icon = if copied() { "check" } else { "copy" };
    let pin_icon = if pinned { "pin-off" } else { "pin" };
    let title = if only_reactions { text!("react") } else { text!("message-actions") };
    let beginning = excerpt(&text);
    let (to_copy, to_share) = (text.clone(), text);
    if redacting() {
        return rsx! {
            Dialog { title: text!("redact-title"), on_close,
                p { class: "k-sheetquote", "{beginning}" }
                p { {text!("redact-lead")} }
                div { class: "k-dialog__actions",
                    button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("cancel")} }
                    button {
                        r#type: "button", class: "k-btn k-btn--danger",
                        onclick: move |_| {
                            replica.redact(message);
                            on_close.call(());
                        },
                        {text!("redact")}
                    }
                }
            }
        };
    }
    rsx! {
        Dialog { title, on_close,
            p { class: "k-sheetquote", "{beginning}" }
            EmojiChoice { label: text!("react"), emoji: QUICK.to_vec(), chosen: mine.clone(), on_choose: choose }
            if only_reactions {
                EmojiChoice { label: text!("react-more"), emoji: MORE.to_vec(), chosen: mine, on_choose: choose }
            }
            if !given.is_empty() {
                ul { class: "k-given", "aria-label": text!("reactions"),
                    for one in given {
                        li { key: "{one.emoji}", span { "{one.emoji}" } span { {one.names.join(", ")} } }
                    }
                }
            }
            if !only_reactions {
                div { class: "k-sheetitems",
                    button {
                        r#type: "button", class: "k-menu__item",
                        onclick: move |_| {
                            replica.reply_to(session, Some(message));
                            on_close.call(());
                            page::focus_soon("#composer");
                        },
                        Icon { name: "reply" } {text!("reply")}
                    }
                    button {
                        r#type: "button", class: "k-menu__item",
                        onclick: move |_| {
                            let text = to_copy.clone();
                            async move {
                                if page::copy(&text).await {
                                    copied.set(true);
                                    page::sleep(700).await;
                                    on_close.call(());
                                }
                            }
                        },
                        Icon { name: copy_icon }
                        span { role: "status", if copied() { {text!("copied")} } else { {text!("copy")} } }
                    }
                    if page::can_share() {
                        button {
                            r#type: "button", class: "k-menu__item",
                            onclick: move |_| {
                                let text = to_share.clone();
                                async move {
                                    page::share(&text).await;
                                    on_close.call(());
                                }
                            },
                            Icon { name: "share" } {text!("share")}
                        }
                    }
                    button {
                        r#type: "button", class: "k-menu__item",
                        onclick: move |_| {
                            replica.pin(message, (!pinned).then(|| beginning.clone()));
                            on_close.call(());
                        },
                        Icon { name: pin_icon }
                        if pinned { {text!("unpin")} } else { {text!("pin")} }
                    }
                    if may_redact {
                        button {
                            r#type: "button", class: "k-menu__item is-danger",
                            onclick: move |_| redacting.set(true),
                            Icon { name: "trash-2" } {text!("redact")}
                        }
                    }
                }
            }
            div { class: "k-dialog__actions",
                button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("close")} }
            }
        }
    }
}
