//! Members and devices.

use super::super::avatar::{FaceSize, MemberFace};
use super::super::page;
use super::super::replica::replica;
use crate::text;
use dioxus::prelude::*;
use shared::Role;
use shared::profile::{MemberProfile, Standing};

/// Who lives here.
#[component]
pub fn MembersScreen() -> Element {
    let home = replica().home();
    let me = home.read().as_ref().map(|home| home.me);
    let members: Vec<MemberProfile> = home.read().as_ref().map(|home| home.members.clone()).unwrap_or_default();
    use_effect(|| page::set_title(&text!("title-members")));
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
                    for member in members.into_iter().filter(|member| member.standing != Standing::Gone) {
                        li { key: "{member.id}", MemberRow { is_me: Some(member.id) == me, member } }
                    }
                }
            }
        }
    }
}

#[component]
fn MemberRow(member: MemberProfile, is_me: bool) -> Element {
    rsx! {
        div { class: "k-row",
            MemberFace { avatar: member.avatar.clone(), name: member.nickname.clone(), size: FaceSize::Lg }
            span { class: "k-row__main",
                span { class: "k-row__title",
                    span { "{member.nickname}" }
                    if member.role == Role::Admin {
                        span { class: "k-chip k-chip--sm is-accent", {text!("keeps-the-keys")} }
                    }
                }
                if is_me {
                    span { class: "k-row__sub is-wrap", {text!("member-you")} }
                }
            }
        }
    }
}
