//! Kins that are not here: put away, or deleted and still to be brought back.

use crate::api::kins::{DeletedKin, deleted_kins};
use crate::i18n::Phrase;
use crate::text;
use crate::ui::avatar::{FaceSize, KinFace};
use crate::ui::field::FormProblem;
use crate::ui::icon::Icon;
use crate::ui::kin_form::{Away as From, BringBack};
use crate::ui::replica::replica;
use crate::ui::routes::Route;
use crate::ui::when;
use dioxus::prelude::*;
use sync::view::{Connection, KinView};

/// Deleted so little ago that somebody may think better of it.
const JUST_MS: i64 = 10 * 60 * 1000;

/// All of them, when there are any.
#[component]
pub fn Away() -> Element {
    let replica = replica();
    let archived = replica.archived();
    let mut problem = use_signal(|| None::<Phrase>);
    let known = use_memo(move || replica.home().read().as_ref().map(|home| home.kins.len()));
    let online = use_memo(move || replica.sync().read().connection != Connection::Offline);
    // Asked again when a Kin comes or goes. Without a network only what this device holds is shown.
    let deleted = use_resource(move || async move {
        let _ = (known(), archived.read().len());
        if online() { deleted_kins().await.unwrap_or_default() } else { Vec::new() }
    });
    let gone = deleted().unwrap_or_default();
    let now = crate::browser::now();
    let open = gone.iter().any(|kin| now.since(kin.deleted_at) < JUST_MS);
    let count = archived.read().len() + gone.len();
    rsx! {
        if count > 0 {
            details { class: "k-details k-away", open,
                summary {
                    Icon { name: "chevron-right" }
                    {text!("kins-away", count: count)}
                }
                FormProblem { problem: problem() }
                div { class: "k-card k-card--flush",
                    ul { class: "k-list k-list--plain",
                        for kin in archived() {
                            li { key: "{kin.profile.id}", ArchivedRow { kin, on_problem: move |words| problem.set(words) } }
                        }
                        for kin in gone {
                            li { key: "{kin.id}", DeletedRow { kin, on_problem: move |words| problem.set(words) } }
                        }
                    }
                }
            }
        }
    }
}

#[component]
fn ArchivedRow(kin: KinView, on_problem: EventHandler<Option<Phrase>>) -> Element {
    let profile = kin.profile;
    rsx! {
        div { class: "k-row", "data-hue": "{profile.hue}",
            KinFace { avatar: profile.avatar.clone(), hue: profile.hue.clone(), size: FaceSize::Inherit }
            span { class: "k-row__main",
                span { class: "k-row__title",
                    Link { to: Route::thread(profile.id), "{profile.name}" }
                }
                span { class: "k-row__sub is-wrap", {text!("kin-archived-state")} }
            }
            span { class: "k-row__end",
                BringBack { kin: profile.id, name: profile.name.clone(), from: From::Archived, on_problem }
            }
        }
    }
}

#[component]
fn DeletedRow(kin: DeletedKin, on_problem: EventHandler<Option<Phrase>>) -> Element {
    let replica = replica();
    let home = replica.home();
    let home = home.read();
    let by = home.iter().flat_map(|home| &home.members).find(|member| Some(member.id) == kin.deleted_by);
    let by = by.map(|member| member.nickname.clone()).filter(|name| !name.is_empty());
    let days = when::days_until(kin.ends_at);
    rsx! {
        div { class: "k-row", "data-hue": "{kin.hue}",
            KinFace { avatar: kin.avatar.clone(), hue: kin.hue.clone(), size: FaceSize::Inherit }
            span { class: "k-row__main",
                span { class: "k-row__title", span { "{kin.name}" } }
                span { class: "k-row__sub is-wrap",
                    if let Some(by) = by {
                        {text!("kin-deleted-by", name: by, when: when::brief(kin.deleted_at))}
                    } else {
                        {text!("kin-deleted-state", when: when::brief(kin.deleted_at))}
                    }
                    " "
                    {text!("kin-deleted-days", count: days)}
                }
            }
            span { class: "k-row__end",
                BringBack { kin: kin.id, name: kin.name.clone(), from: From::Deleted, on_problem }
            }
        }
    }
}
