//! Welcoming a Kin.

use super::{BarFace, KinCards, KinFields, field_of};
use crate::api::{self, KinRequest};
use crate::i18n::Phrase;
use crate::text;
use crate::ui::field::{FormProblem, Mistakes};
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

/// The form, empty.
#[component]
pub fn NewKinScreen() -> Element {
    let replica = replica();
    let navigator = use_navigator();
    let fields = KinFields {
        name: use_signal(String::new),
        role: use_signal(String::new),
        avatar: use_signal(|| free_face(replica).0.to_owned()),
        hue: use_signal(|| free_face(replica).1.to_owned()),
        character: use_signal(String::new),
        expertise: use_signal(String::new),
        model: use_signal(|| None),
    };
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut busy = use_signal(|| false);
    use_effect(|| page::set_title(&text!("title-kin-new")));
    use_hook(|| page::focus_soon("#kin-name"));

    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        let found = fields.mistakes();
        mistakes.set(found.clone());
        if !found.is_empty() {
            found.focus_first();
            return;
        }
        let Some(model) = fields.model.peek().clone() else { return };
        if *busy.peek() {
            return;
        }
        busy.set(true);
        problem.set(None);
        let request = KinRequest {
            name: fields.name.peek().trim().to_owned(),
            role: fields.role.peek().trim().to_owned(),
            character: fields.character.peek().clone(),
            expertise: fields.expertise.peek().clone(),
            avatar: fields.avatar.peek().clone(),
            hue: fields.hue.peek().clone(),
            model,
        };
        match api::add_kin(&request).await {
            Ok(id) => {
                navigator.push(Route::thread(id));
            }
            Err(error) => match field_of(&error) {
                Some(field) => {
                    let found = Mistakes::of(field, error.phrase());
                    mistakes.set(found.clone());
                    found.focus_first();
                }
                None => problem.set(Some(error.phrase())),
            },
        }
        busy.set(false);
    };

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
                form { class: "k-page", novalidate: true, onsubmit: submit,
                    KinCards { fields, mistakes, is_new: true, texts_ready: true }
                    FormProblem { problem: problem() }
                    div { class: "k-cluster k-formend",
                        Link { class: "k-btn k-btn--ghost", to: Route::Home {}, {text!("cancel")} }
                        button {
                            r#type: "submit",
                            class: "k-btn k-btn--primary",
                            "aria-disabled": busy().then_some("true"),
                            if name.is_empty() { {text!("kin-welcome")} } else { {text!("kin-welcome-name", name: &name)} }
                        }
                    }
                }
            }
        }
    }
}
