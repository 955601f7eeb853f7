//! Members and devices.

use super::devices::Devices;
use super::house::HouseName;
use super::invite::Invite;
use super::member::MemberSheet;
use crate::api::household::{self as api, Member, MemberAccount};
use crate::i18n::LANGUAGE;
use crate::text;
use crate::ui::avatar::{FaceSize, MemberFace};
use crate::ui::icon::Icon;
use crate::ui::page;
use crate::ui::replica::replica;
use crate::ui::shell::my_profile;
use crate::ui::when;
use dioxus::prelude::*;
use shared::profile::{Language, MemberProfile, Standing};
use shared::{MemberId, Right, Role};

/// Who lives here, who is invited, and where this member is signed in.
#[component]
pub fn MembersScreen() -> Element {
    let replica = replica();
    let home = replica.home();
    let me = home.read().as_ref().map(|home| home.me);
    let manages = my_profile(replica).is_some_and(|me| me.role.may(Right::ManageMembers));
    let mut known = use_signal(Vec::<Member>::new);
    let mut open = use_signal(|| None::<MemberId>);
    use_effect(|| page::set_title(&text!("title-members")));
    // What only the server knows is asked again whenever the directory says that something has changed.
    let members = use_memo(move || home.read().as_ref().map(|home| home.members.clone()).unwrap_or_default());
    use_effect(move || {
        members.read();
        spawn(async move {
            if let Ok(list) = api::members().await {
                known.set(list);
            }
        });
    });
    let account_of =
        move |id| known.read().iter().find(|member| member.id == id).and_then(|member| member.account.clone());
    let list: Vec<MemberProfile> = members().into_iter().filter(|member| member.standing != Standing::Gone).collect();
    let keepers =
        list.iter().filter(|member| member.role == Role::Admin && member.standing == Standing::Active).count();
    rsx! {
        div { class: "k-page",
            div { class: "k-pagehead",
                div {
                    h1 { class: "k-not-phone", {text!("members-title")} }
                    p { {text!("members-lead")} }
                }
            }
            div { class: "k-card k-card--flush",
                ul { class: "k-list k-members", "aria-label": text!("members"),
                    for member in list.clone() {
                        li { key: "{member.id}",
                            MemberRow {
                                account: account_of(member.id),
                                is_me: Some(member.id) == me,
                                on_open: manages.then(|| EventHandler::new(move |id| open.set(Some(id)))),
                                member,
                            }
                        }
                    }
                }
            }
            if manages {
                Invite {}
            }
            if my_profile(replica).is_some_and(|me| me.role.may(Right::ManageServer)) {
                HouseName {}
            }
            Devices {}
        }
        if let Some(member) = open().and_then(|id| list.into_iter().find(|member| member.id == id)) {
            MemberSheet {
                account: account_of(member.id),
                is_me: Some(member.id) == me,
                is_last: keepers == 1,
                member,
                on_close: move |()| open.set(None),
            }
        }
    }
}

#[component]
fn MemberRow(
    member: MemberProfile,
    account: Option<MemberAccount>,
    is_me: bool,
    on_open: Option<EventHandler<MemberId>>,
) -> Element {
    let id = member.id;
    let devices = account.as_ref().map(|account| account.devices);
    let inner = rsx! {
        MemberFace { avatar: member.avatar.clone(), name: member.nickname.clone(), size: FaceSize::Lg }
        span { class: "k-row__main",
            span { class: "k-row__title is-wrap",
                span { "{member.nickname}" }
                if member.role == Role::Admin {
                    span { class: "k-chip k-chip--sm is-accent", {text!("keeps-the-keys")} }
                }
                if member.standing == Standing::Disabled {
                    span { class: "k-chip k-chip--sm", {text!("member-disabled")} }
                }
            }
            span { class: "k-row__sub is-wrap", {about(is_me, account.as_ref())} }
        }
        span { class: "k-row__end",
            if let Some(count) = devices {
                span { class: "k-not-phone", {text!("member-devices", count: count)} }
            }
            if on_open.is_some() { Icon { name: "chevron-right" } }
        }
    };
    rsx! {
        if let Some(on_open) = on_open {
            button { r#type: "button", class: "k-row k-row--button", "aria-haspopup": "dialog", onclick: move |_| on_open.call(id), {inner} }
        } else {
            div { class: "k-row", {inner} }
        }
    }
}

/// `You, in French` · `In English, seen 5 min ago`
fn about(is_me: bool, account: Option<&MemberAccount>) -> String {
    let Some(account) = account else { return if is_me { text!("member-you") } else { String::new() } };
    let language = match (is_me, if is_me { LANGUAGE() } else { account.language }) {
        (true, Language::Fr) => text!("member-you-french"),
        (true, Language::En) => text!("member-you-english"),
        (false, Language::Fr) => text!("member-french"),
        (false, Language::En) => text!("member-english"),
    };
    match account.last_seen_at.filter(|_| !is_me) {
        Some(at) => text!("member-seen", language: language, when: when::brief(at)),
        None => language,
    }
}
