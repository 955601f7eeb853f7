//! Inviting somebody: a link, as a picture too, that works once.

use super::qr::Qr;
use crate::api::ApiError;
use crate::api::household::{self as api, Invitation};
use crate::i18n::LANGUAGE;
use crate::text;
use crate::ui::choice::{Choice, Segment};
use crate::ui::icon::{Icon, IconSize};
use crate::ui::page;
use crate::ui::replica::replica;
use crate::ui::when;
use dioxus::prelude::*;
use shared::{InvitationId, Role};

/// Where links of this household lead: its public address if it has one, else where this page came from.
pub async fn link(kind: &str, token: &str) -> String {
    let public = api::household().await.ok().and_then(|household| household.public_url);
    format!("{}/#{kind}={token}", public.unwrap_or_else(page::origin))
}

/// The card, and the invitations nobody has used yet.
#[component]
pub fn Invite() -> Element {
    let mut role = use_signal(|| Role::Member);
    let mut address = use_signal(String::new);
    let mut copied = use_signal(|| false);
    let mut busy = use_signal(|| false);
    let mut problem = use_signal(|| None::<String>);
    let mut open = use_signal(Vec::<Invitation>::new);
    let mut shown = use_signal(|| None::<InvitationId>);
    let refresh = use_callback(move |()| {
        spawn(async move {
            if let Ok(list) = api::invitations().await {
                // A link that somebody has used is not offered any longer.
                if shown.peek().is_some_and(|id| list.iter().all(|invitation| invitation.id != id)) {
                    shown.set(None);
                    address.set(String::new());
                }
                open.set(list);
            }
        });
    });
    // Whoever comes in has used one.
    let home = replica().home();
    let count = use_memo(move || home.read().as_ref().map(|home| home.members.len()));
    use_effect(move || {
        count.read();
        refresh.call(());
    });
    let write = use_callback(move |()| {
        if *busy.peek() {
            return;
        }
        busy.set(true);
        spawn(async move {
            let (chosen, language) = (*role.peek(), *LANGUAGE.peek());
            match api::invite(chosen, language).await {
                Ok(invitation) => {
                    let made = link("invite", &invitation.token).await;
                    address.set(made);
                    shown.set(Some(invitation.id));
                    copied.set(false);
                    problem.set(None);
                }
                Err(error) => problem.set(Some(error.words())),
            }
            refresh.call(());
            busy.set(false);
        });
    });
    let roles = [(Role::Member, text!("role-member")), (Role::Admin, text!("role-admin"))];
    let roles: Vec<_> = roles.map(|(value, label)| Choice { value, label }).to_vec();
    let has_link = !address.read().is_empty();
    let icon = if has_link { "refresh-cw" } else { "user-plus" };
    let class = if has_link { "k-btn k-btn--sm k-btn--ghost" } else { "k-btn k-btn--sm k-btn--primary" };
    rsx! {
        section { class: "k-card k-stack k-invite", "aria-labelledby": "invite-title",
            div { class: "k-invite__head",
                if has_link { Qr { text: address, label: text!("invite-code") } }
                div { class: "k-grow",
                    h2 { id: "invite-title", class: "k-card__title", {text!("invite-title")} }
                    p { class: "k-soft k-small", {text!("invite-lead")} }
                }
            }
            if !has_link {
                Segment { id: "invite-role", label: text!("invite-role"), options: roles, chosen: role(), on_choose: move |chosen| role.set(chosen) }
                if role() == Role::Admin { p { class: "k-small k-muted", {text!("role-admin-lead")} } }
            } else {
                input { class: "k-input k-invite__link", id: "invite-link", readonly: true, "aria-label": text!("invite-link"), value: "{address}" }
            }
            div { class: "k-cluster",
                if has_link {
                    button {
                        r#type: "button",
                        class: "k-btn k-btn--sm",
                        onclick: move |_| async move {
                            let link = address.peek().clone();
                            copied.set(page::copy(&link).await);
                        },
                        Icon { name: "link", size: IconSize::Sm }
                        if copied() { {text!("copied")} } else { {text!("invite-copy")} }
                    }
                }
                button {
                    r#type: "button",
                    class,
                    "aria-disabled": busy().then_some("true"),
                    onclick: move |_| if has_link { address.set(String::new()) } else { write.call(()) },
                    Icon { name: icon, size: IconSize::Sm }
                    if has_link { {text!("invite-again")} } else { {text!("invite-write")} }
                }
            }
            if let Some(problem) = problem() {
                p { class: "k-field__hint is-bad", role: "alert", "{problem}" }
            }
        }
        if !open.read().is_empty() {
            section { class: "k-section",
                div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("invitations-open")} } } }
                div { class: "k-card k-card--flush",
                    ul { class: "k-list", "aria-label": text!("invitations-open"),
                        for invitation in open() {
                            li { key: "{invitation.id}",
                                OpenInvitation {
                                    invitation,
                                    on_done: move |error: Option<ApiError>| {
                                        problem.set(error.map(|error| error.words()));
                                        address.set(String::new());
                                        refresh.call(());
                                    },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[component]
fn OpenInvitation(invitation: Invitation, on_done: EventHandler<Option<ApiError>>) -> Element {
    let role = if invitation.role == Role::Admin { text!("role-admin") } else { text!("role-member") };
    let id = invitation.id;
    let until = format!("{} {}", when::day(invitation.expires_at), when::time(invitation.expires_at));
    rsx! {
        div { class: "k-row",
            span { class: "k-tile", Icon { name: "mail" } }
            span { class: "k-row__main",
                span { class: "k-row__title", span { "{role}" } }
                span { class: "k-row__sub is-wrap", {text!("invitation-until", when: until)} }
            }
            span { class: "k-row__end",
                button {
                    r#type: "button",
                    class: "k-btn k-btn--sm k-btn--danger-ghost",
                    onclick: move |_| async move { on_done.call(api::withdraw_invitation(id).await.err()) },
                    {text!("invitation-withdraw")}
                }
            }
        }
    }
}
