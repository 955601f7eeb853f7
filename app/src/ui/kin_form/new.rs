//! Welcoming a Kin.

use super::creation::use_creation;
use super::starts::{Start, StartChips};
use super::{BarFace, KinCards};
use crate::text;
use crate::ui::field::FormProblem;
use crate::ui::icon::Icon;
use crate::ui::page;
use crate::ui::replica::{Replica, replica};
use crate::ui::routes::Route;
use dioxus::prelude::*;
use shared::profile::AVATARS;

/// The first illustration nobody in the house has yet.
fn free_face(replica: Replica) -> (&'static str, &'static str) {
    let home = replica.home();
    let home = home.peek();
    let taken = |name: &str| home.iter().flat_map(|home| &home.kins).any(|kin| kin.profile.avatar == name);
    AVATARS.into_iter().find(|(name, _)| !taken(name)).unwrap_or(AVATARS[0])
}

/// The form, empty or as it was left.
#[component]
pub fn NewKinScreen() -> Element {
    let replica = replica();
    let navigator = use_navigator();
    let creation = use_creation(Start::Blank, || free_face(replica));
    let fields = creation.fields;
    use_effect(|| page::set_title(&text!("title-kin-new")));
    use_hook(|| page::focus_soon("#kin-name"));

    let name = fields.name.read().trim().to_owned();
    let hue = (fields.hue)();
    rsx! {
        main { class: "k-room k-room--kin", id: "room", tabindex: "-1", "data-hue": hue,
            header { class: "k-bar",
                Link { class: "k-iconbtn k-bar__back", to: Route::Home {}, "aria-label": text!("back"), Icon { name: "chevron-left" } }
                BarFace { fields }
                div { class: "k-bar__title", h1 { b { {text!("kin-new")} } } }
            }
            div { class: "k-scroll",
                form {
                    class: "k-page",
                    novalidate: true,
                    onsubmit: move |event| async move {
                        event.prevent_default();
                        if let Some(kin) = creation.submit().await {
                            navigator.push(Route::thread(kin));
                        }
                    },
                    StartChips { start: creation.start }
                    KinCards { fields, mistakes: creation.mistakes, is_new: true, texts_ready: true }
                    FormProblem { problem: (creation.problem)() }
                    div { class: "k-cluster k-formend",
                        Link { class: "k-btn k-btn--ghost", to: Route::Home {}, {text!("cancel")} }
                        button {
                            r#type: "submit",
                            class: "k-btn k-btn--primary",
                            "aria-disabled": (creation.busy)().then_some("true"),
                            if name.is_empty() { {text!("kin-welcome")} } else { {text!("kin-welcome-name", name: &name)} }
                        }
                    }
                }
            }
        }
    }
}
