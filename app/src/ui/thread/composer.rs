//! Where the member writes.

use super::quote::Replying;
use super::rows::quoted;
use super::state::Thread;
use crate::api::problem_words;
use crate::text;
use crate::ui::icon::Icon;
use crate::ui::page;
use crate::ui::replica::{Replica, replica};
use dioxus::prelude::*;
use shared::SessionId;
use shared::limits::MAX_MESSAGE_BYTES;
use sync::view::{Draft, KinView, MessageView};

/// Text, send, stop.
#[component]
pub fn Composer(kin: ReadSignal<KinView>) -> Element {
    let mut replica = replica();
    let session = kin.peek().profile.session;
    let mut problem = use_signal(|| None::<String>);
    let thread = replica.thread();
    let running = use_memo(move || thread.read().as_ref().and_then(Thread::running_turn));
    let draft = use_memo(move || replica.draft(session));
    let text = use_memo(move || draft.read().text.clone());
    let quoted = use_memo(move || {
        let thread = thread.read();
        quoted(replica, &kin.read(), thread.as_ref()?, draft.read().reply_to)
    });
    let name = kin.read().profile.name.clone();
    // On a phone Enter belongs to the text.
    let enter_sends = use_hook(|| !page::has_coarse_pointer());

    let mut send = move || {
        let written = text.peek().trim().to_owned();
        if written.is_empty() {
            return;
        }
        if written.len() > MAX_MESSAGE_BYTES {
            let over = written.len() - MAX_MESSAGE_BYTES;
            problem.set(Some(text!("composer-too-long", over: over.div_ceil(1000))));
            return;
        }
        problem.set(None);
        replica.send(session, written);
    };
    let stop = move || {
        if let Some(turn) = *running.peek() {
            replica.stop(session, turn);
        }
    };

    // What did not happen to a message of this composer is said here, next to its text.
    let refused = replica.refusal()().filter(|refusal| refusal.composer == Some(session));
    let shown = problem().or_else(|| refused.map(|refusal| problem_words(&refusal.code, "")));
    let is_empty = text.read().trim().is_empty();
    let is_running = running().is_some();
    rsx! {
        div { role: "alert",
            if let Some(problem) = &shown {
                p { id: "composer-problem", class: "k-banner is-bad",
                    Icon { name: "circle-alert" }
                    span { "{problem}" }
                }
            }
        }
        if let Some(quoted) = quoted() {
            Replying { session, quoted }
        }
        form {
            class: "k-composer k-composer--plain",
            "aria-label": text!("composer-of", name: &name),
            onsubmit: move |event| {
                event.prevent_default();
                send();
                page::focus("#composer");
            },
            textarea {
                id: "composer",
                class: "k-composer__input",
                rows: "1",
                "aria-label": text!("composer-of", name: &name),
                "aria-describedby": shown.is_some().then_some("composer-problem"),
                placeholder: text!("composer-of", name: &name),
                enterkeyhint: if enter_sends { "send" } else { "enter" },
                autocomplete: "off",
                value: "{text}",
                onmounted: move |_| grow(),
                oninput: move |event| {
                    problem.set(None);
                    let reply_to = draft.peek().reply_to;
                    replica.keep_draft(session, Draft { text: event.value(), reply_to });
                    grow();
                },
                onkeydown: move |event| {
                    // Enter and Escape belong to what is being composed.
                    if event.is_composing() {
                        return;
                    }
                    let held = event.modifiers();
                    let sends = if enter_sends { !held.shift() && !held.alt() } else { held.ctrl() || held.meta() };
                    if event.key() == Key::Enter && sends {
                        event.prevent_default();
                        send();
                    } else if event.key() == Key::ArrowUp && text.peek().is_empty() && held.is_empty() {
                        if edit_last(replica, session) {
                            event.prevent_default();
                        }
                    } else if event.key() == Key::Escape && draft.peek().reply_to.is_some() {
                        event.prevent_default();
                        replica.reply_to(session, None);
                    } else if event.key() == Key::Escape {
                        // Taken: the keys of the whole page would stop once more.
                        event.prevent_default();
                        if running.peek().is_some() { stop() } else { page::focus("#log") }
                    }
                },
            }
            div { class: "k-composer__end",
                if is_running {
                    button {
                        r#type: "button",
                        class: "k-send is-stop",
                        "aria-label": text!("stop"),
                        onclick: move |_| stop(),
                        Icon { name: "square" }
                    }
                }
                if !is_running || !is_empty {
                    button { r#type: "submit", class: "k-send", "aria-label": text!("send"), disabled: is_empty, Icon { name: "arrow-up" } }
                }
            }
        }
    }
}

/// Takes the newest message that has not left this device back into the composer. Gives whether there was one.
fn edit_last(mut replica: Replica, session: SessionId) -> bool {
    let thread = replica.thread();
    let last = thread.peek().as_ref().and_then(Thread::last_unsent).cloned();
    let Some(MessageView { id, text, reply_to, .. }) = last else { return false };
    replica.keep_draft(session, Draft { text, reply_to });
    replica.discard(id);
    true
}

fn grow() {
    if let Some(field) = page::element("#composer") {
        page::grow(&field);
    }
}
