//! One member, as an admin cares for them.

use super::invite::link;
use crate::api::ApiError;
use crate::api::household::{self as api, MemberAccount, MemberPatch};
use crate::text;
use crate::ui::dialog::Dialog;
use crate::ui::field::TextField;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::page;
use dioxus::prelude::*;
use shared::Role;
use shared::profile::{MemberProfile, Standing};

/// What the sheet shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Actions,
    HandOver,
    Delete,
}

/// What an admin can do for a member; what cannot be undone asks once more.
#[component]
pub fn MemberSheet(
    member: MemberProfile,
    account: Option<MemberAccount>,
    is_me: bool,
    is_last: bool,
    on_close: EventHandler<()>,
) -> Element {
    let mut step = use_signal(|| Step::Actions);
    let mut problem = use_signal(|| None::<String>);
    let mut busy = use_signal(|| false);
    let mut reset_link = use_signal(|| None::<String>);
    let mut copied = use_signal(|| false);
    let mut typed = use_signal(String::new);
    let mut mistake = use_signal(|| None::<String>);
    let (id, name) = (member.id, member.nickname.clone());
    let is_active = member.standing == Standing::Active;
    // The one who keeps the keys alone can only hand them over.
    let is_held = is_last && member.role == Role::Admin && is_active;
    let done = use_callback(move |result: Result<(), ApiError>| {
        busy.set(false);
        match result {
            Ok(()) => on_close.call(()),
            Err(error) => problem.set(Some(error.words())),
        }
    });
    let change = use_callback(move |patch: MemberPatch| {
        if *busy.peek() {
            return;
        }
        busy.set(true);
        spawn(async move { done.call(api::change_member(id, &patch).await) });
    });
    let title = match step() {
        Step::Actions => name.clone(),
        Step::HandOver => text!("hand-over-title", name: &name),
        Step::Delete => text!("member-delete-title", name: &name),
    };
    let wanted = name.clone();
    rsx! {
        Dialog { title, on_close,
            div { class: "k-stack k-dialog__text",
                match step() {
                    Step::Actions => rsx! {
                        if let Some(account) = account {
                            p { class: "k-soft", "{account.email}" }
                        }
                        if is_held {
                            p { class: "k-small k-muted", {text!("last-admin-lead")} }
                        }
                        if let Some(address) = reset_link() {
                            p { {text!("member-reset-lead", name: &name)} }
                            input { class: "k-input", id: "reset-link", readonly: true, "aria-label": text!("member-reset-link"), value: "{address}" }
                            button {
                                r#type: "button",
                                class: "k-btn k-btn--sm",
                                onclick: move |_| {
                                    let address = address.clone();
                                    async move { copied.set(page::copy(&address).await) }
                                },
                                Icon { name: "link", size: IconSize::Sm }
                                if copied() { {text!("copied")} } else { {text!("invite-copy")} }
                            }
                        }
                        div { class: "k-sheet__actions",
                            if !is_me && is_active && reset_link.read().is_none() {
                                button {
                                    r#type: "button",
                                    class: "k-btn",
                                    onclick: move |_| async move {
                                        match api::reset_member(id).await {
                                            Ok(token) => reset_link.set(Some(link("reset", &token).await)),
                                            Err(error) => problem.set(Some(error.words())),
                                        }
                                    },
                                    Icon { name: "key-round", size: IconSize::Sm }
                                    {text!("member-reset")}
                                }
                            }
                            if member.role == Role::Member && is_active {
                                button { r#type: "button", class: "k-btn", onclick: move |_| change.call(MemberPatch { role: Some(Role::Admin), standing: None }),
                                    Icon { name: "shield", size: IconSize::Sm }
                                    {text!("member-make-admin")}
                                }
                                button { r#type: "button", class: "k-btn", onclick: move |_| step.set(Step::HandOver),
                                    Icon { name: "hand", size: IconSize::Sm }
                                    {text!("hand-over")}
                                }
                            }
                            if member.role == Role::Admin && !is_held {
                                button { r#type: "button", class: "k-btn", onclick: move |_| change.call(MemberPatch { role: Some(Role::Member), standing: None }),
                                    Icon { name: "user", size: IconSize::Sm }
                                    {text!("member-make-member")}
                                }
                            }
                            if !is_me && !is_held {
                                if is_active {
                                    button { r#type: "button", class: "k-btn k-btn--danger-ghost", onclick: move |_| change.call(MemberPatch { role: None, standing: Some(Standing::Disabled) }),
                                        Icon { name: "lock", size: IconSize::Sm }
                                        {text!("member-disable")}
                                    }
                                } else {
                                    button { r#type: "button", class: "k-btn", onclick: move |_| change.call(MemberPatch { role: None, standing: Some(Standing::Active) }),
                                        Icon { name: "check", size: IconSize::Sm }
                                        {text!("member-enable")}
                                    }
                                }
                                button { r#type: "button", class: "k-btn k-btn--danger-ghost", onclick: move |_| step.set(Step::Delete),
                                    Icon { name: "trash-2", size: IconSize::Sm }
                                    {text!("member-delete")}
                                }
                            }
                        }
                    },
                    Step::HandOver => rsx! {
                        p { {text!("hand-over-lead", name: &name)} }
                        div { class: "k-dialog__actions",
                            button { r#type: "button", class: "k-btn", onclick: move |_| step.set(Step::Actions), {text!("cancel")} }
                            button {
                                r#type: "button",
                                class: "k-btn k-btn--primary",
                                "aria-disabled": busy().then_some("true"),
                                onclick: move |_| async move {
                                    busy.set(true);
                                    done.call(api::hand_over(id).await);
                                },
                                {text!("hand-over")}
                            }
                        }
                    },
                    Step::Delete => rsx! {
                        form {
                            class: "k-stack",
                            novalidate: true,
                            onsubmit: move |event| {
                                let wanted = wanted.clone();
                                async move {
                                    event.prevent_default();
                                    if typed.peek().trim() != wanted.trim() {
                                        mistake.set(Some(text!("mistake-name-differs", name: &wanted)));
                                        return;
                                    }
                                    busy.set(true);
                                    done.call(api::delete_member(id).await);
                                }
                            },
                            p { {text!("member-delete-lead", name: &name)} }
                            TextField {
                                id: "member-delete-name",
                                label: text!("member-delete-type", name: &name),
                                value: typed,
                                mistake: mistake(),
                                on_input: move |value| {
                                    mistake.set(None);
                                    typed.set(value);
                                },
                            }
                            div { class: "k-dialog__actions",
                                button { r#type: "button", class: "k-btn", onclick: move |_| step.set(Step::Actions), {text!("keep")} }
                                button { r#type: "submit", class: "k-btn k-btn--danger", "aria-disabled": busy().then_some("true"), {text!("member-delete")} }
                            }
                        }
                    },
                }
                if let Some(problem) = problem() {
                    p { class: "k-field__hint is-bad", role: "alert", "{problem}" }
                }
            }
            if step() == Step::Actions {
                div { class: "k-dialog__actions",
                    button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("close")} }
                }
            }
        }
    }
}
