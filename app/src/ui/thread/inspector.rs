//! Beside a thread on a wide screen: the Kin, its queue, who is here, what is pinned.

use super::pinned::Pins;
use super::quote::excerpt;
use super::rows::name_of;
use super::state::Thread;
use crate::text;
use crate::ui::avatar::{FaceSize, KinPicture, MemberFace};
use crate::ui::page;
use crate::ui::replica::replica;
use dioxus::prelude::*;
use shared::profile::{MemberProfile, Standing};
use shared::{Author, MessageId};
use sync::view::KinView;

const KEY: &str = "inspector";

/// Whether the inspector is open, on every thread.
pub static OPEN: GlobalSignal<bool> = Signal::global(|| page::remembered(KEY).is_none_or(|kept| kept != "closed"));

/// Opens or closes it, and remembers that.
pub fn toggle() {
    let open = !*OPEN.peek();
    *OPEN.write() = open;
    page::remember(KEY, (!open).then_some("closed"));
}

/// The column.
#[component]
pub fn Inspector(kin: ReadSignal<KinView>) -> Element {
    let view = kin.read();
    let profile = &view.profile;
    rsx! {
        aside { class: "k-inspect", "aria-label": text!("details"), "data-hue": "{profile.hue}",
            div { class: "k-kincard k-kincard--hero", "data-hue": "{profile.hue}",
                KinPicture { avatar: profile.avatar.clone() }
                b { "{profile.name}" }
                if !profile.role.is_empty() {
                    small { "{profile.role}" }
                }
                if let Some(model) = &profile.model {
                    div { class: "k-cluster k-inspect__chips",
                        span { class: "k-chip k-chip--sm", "{model.name}" }
                    }
                }
            }
            Queue { kin }
            section { class: "k-card k-card--flush", "aria-labelledby": "inspect-pins",
                h2 { class: "k-inspect__title", id: "inspect-pins", {text!("pinned")} }
                Pins { on_jump: |()| {} }
            }
            Here {}
        }
    }
}

/// Messages that wait for the Kin, next one first.
#[component]
fn Queue(kin: ReadSignal<KinView>) -> Element {
    let replica = replica();
    let thread = replica.thread();
    let waiting: Vec<(MessageId, String, String, String, bool)> = {
        let thread = thread.read();
        let of = |id: MessageId| {
            let message = thread.as_ref()?.find(id)?;
            let name = name_of(replica, &kin.read(), message.author);
            let avatar = avatar_of(replica.home().read().as_ref().map_or(&[], |home| &home.members), message.author);
            let mine = Some(message.author) == replica.me().map(Author::Member);
            Some((id, name, avatar, excerpt(&message.text), mine))
        };
        thread.as_ref().map(Thread::waiting).unwrap_or_default().iter().filter_map(|id| of(*id)).collect()
    };
    rsx! {
        if !waiting.is_empty() {
            section { class: "k-card k-card--flush", "aria-labelledby": "inspect-queue",
                h2 { class: "k-inspect__title", id: "inspect-queue", {text!("queue")} }
                ul { class: "k-list k-list--tight",
                    for (at, (id, name, avatar, words, mine)) in waiting.into_iter().enumerate() {
                        li { key: "{id}",
                            div { class: "k-row",
                                MemberFace { avatar, name, size: FaceSize::Sm }
                                span { class: "k-row__main",
                                    span { class: "k-row__title", span { "{words}" } }
                                    span { class: "k-row__sub", if at == 0 { {text!("queue-next")} } else { {text!("queue-later")} } }
                                }
                                if mine {
                                    button {
                                        r#type: "button",
                                        class: "k-btn k-btn--ghost k-btn--sm",
                                        onclick: move |_| replica.withdraw(id),
                                        {text!("withdraw")}
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Everyone who can read along.
#[component]
fn Here() -> Element {
    let home = replica().home();
    let home = home.read();
    let Some(home) = home.as_ref() else { return rsx! {} };
    let members: Vec<&MemberProfile> =
        home.members.iter().filter(|member| member.standing == Standing::Active).collect();
    rsx! {
        section { class: "k-card k-card--flush", "aria-labelledby": "inspect-here",
            h2 { class: "k-inspect__title", id: "inspect-here", {text!("who-is-here")} }
            div { class: "k-inspect__here",
                span { class: "k-avatars",
                    for member in members.iter().take(5) {
                        MemberFace { key: "{member.id}", avatar: member.avatar.clone(), name: member.nickname.clone(), size: FaceSize::Sm }
                    }
                }
                span { class: "k-small k-muted", {text!("here-members", count: members.len())} }
            }
        }
    }
}

fn avatar_of(members: &[MemberProfile], author: Author) -> String {
    let found = members.iter().find(|member| author == Author::Member(member.id));
    found.map(|member| member.avatar.clone()).unwrap_or_default()
}
