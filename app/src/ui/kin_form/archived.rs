//! Bringing a Kin back that was put away.

use crate::api::ApiError;
use crate::api::kins::{restore_kin, unarchive_kin};
use crate::i18n::Phrase;
use crate::text;
use crate::ui::field::FormProblem;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::replica::replica;
use dioxus::prelude::*;
use shared::KinId;
use shared::profile::KinProfile;

/// Where a Kin is brought back from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away {
    /// Put away.
    Archived,
    /// Deleted, less than 30 days ago.
    Deleted,
}

/// A button that brings a Kin back.
#[component]
pub fn BringBack(
    kin: KinId,
    name: String,
    from: Away,
    on_problem: EventHandler<Option<Phrase>>,
    #[props(default)] on_done: EventHandler<()>,
) -> Element {
    let mut busy = use_signal(|| false);
    rsx! {
        button {
            r#type: "button",
            class: "k-btn k-btn--sm",
            "aria-disabled": busy().then_some("true"),
            "aria-label": text!("kin-bring-back-name", name: &name),
            onclick: move |_| async move {
                if busy() {
                    return;
                }
                busy.set(true);
                on_problem.call(None);
                let answer: Result<(), ApiError> = match from {
                    Away::Archived => unarchive_kin(kin).await,
                    Away::Deleted => restore_kin(kin).await,
                };
                match answer {
                    Ok(()) => on_done.call(()),
                    Err(error) => on_problem.call(Some(error.phrase())),
                }
                busy.set(false);
            },
            Icon { name: "rotate-ccw", size: IconSize::Sm }
            {text!("kin-bring-back")}
        }
    }
}

/// What stands where the composer of a Kin that is here would be.
#[component]
pub fn ArchivedLine(profile: KinProfile) -> Element {
    let mut replica = replica();
    let mut problem = use_signal(|| None::<Phrase>);
    // What was written and not sent is not lost, only out of reach until the Kin is back.
    let has_draft = !replica.draft(profile.session).text.trim().is_empty();
    let refusal = replica.refusal()().filter(|refusal| refusal.composer == Some(profile.session));
    use_effect(move || {
        if refusal.is_some() {
            replica.dismiss_refusal();
        }
    });
    rsx! {
        div { class: "k-banner k-banner--archived",
            Icon { name: "archive" }
            span {
                b { {text!("kin-archived-title", name: &profile.name)} }
                " "
                if has_draft { {text!("kin-archived-draft")} } else { {text!("kin-archived-lead")} }
            }
            BringBack {
                kin: profile.id,
                name: profile.name.clone(),
                from: Away::Archived,
                on_problem: move |words| problem.set(words),
            }
        }
        FormProblem { problem: problem() }
    }
}
