//! A Kin's settings. Identity and model go to the server; the texts go through the replica, so that they can be
//! edited with no network and merge with what others wrote meanwhile.

use super::delete::DeleteKin;
use super::identity::Identity;
use super::{BarFace, KinCards, KinFields, field_of};
use crate::api::{self, KinPatch};
use crate::i18n::Phrase;
use crate::ui::field::{FormProblem, Mistakes};
use crate::ui::home::MissingKin;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::page;
use crate::ui::replica::{KinTexts, replica};
use crate::ui::routes::Route;
use crate::{phrase, text};
use dioxus::prelude::*;
use shared::TextField as Field;
use shared::profile::KinProfile;

/// The settings of the Kin that the address names.
#[component]
pub fn KinSettingsScreen(kin: String) -> Element {
    let found = replica().find_kin(&kin).map(|kin| kin.profile);
    rsx! {
        if let Some(profile) = found {
            // A list of one: another Kin is another form, with nothing left of the one before.
            for profile in [profile] {
                Settings { key: "{profile.id}", profile }
            }
        } else {
            MissingKin {}
        }
    }
}

#[component]
fn Settings(profile: ReadSignal<KinProfile>) -> Element {
    let mut replica = replica();
    let kin = profile.peek().id;
    let mut fields = KinFields {
        name: use_signal(|| profile.peek().name.clone()),
        role: use_signal(|| profile.peek().role.clone()),
        avatar: use_signal(|| profile.peek().avatar.clone()),
        hue: use_signal(|| profile.peek().hue.clone()),
        character: use_signal(String::new),
        expertise: use_signal(String::new),
        model: use_signal(|| profile.peek().model.clone()),
    };
    // What the form was shown: the difference to it is the member's edit.
    let mut base = use_signal(|| Identity::known(&profile.peek()));
    let mut shown = use_signal(|| None::<KinTexts>);
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut busy = use_signal(|| false);
    let mut saved = use_signal(|| false);
    let mut deleting = use_signal(|| false);
    use_effect(move || page::set_title(&text!("title-kin-settings", name: &profile.read().name)));
    use_hook(|| replica.open_kin(kin));
    use_effect(move || {
        // Others' changes come in wherever nothing has been changed here.
        let known = Identity::known(&profile.read());
        let written = Identity::written(&fields);
        let mut merged = written.clone();
        merged.follow(&base.peek(), &known);
        merged.show(&written, &mut fields);
        base.set(known);
    });
    use_effect(move || {
        let texts = replica.texts()();
        let Some(texts) = texts.filter(|texts| texts.kin == kin) else { return };
        // Others' edits come in while nothing has been typed here; after that they merge when saved.
        let untouched = shown.peek().as_ref().is_none_or(|shown| {
            *fields.character.peek() == shown.character && *fields.expertise.peek() == shown.expertise
        });
        if untouched {
            fields.character.set(texts.character.clone());
            fields.expertise.set(texts.expertise.clone());
            shown.set(Some(texts));
        }
    });

    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        let mut found = fields.mistakes();
        // A Kin without a model may still change its name, its face and its texts.
        if !base.peek().has_model() && fields.model.peek().is_none() {
            found = found.without("kin-model");
        }
        mistakes.set(found.clone());
        saved.set(false);
        if !found.is_empty() {
            found.focus_first();
            return;
        }
        if *busy.peek() {
            return;
        }
        busy.set(true);
        problem.set(None);
        let known = shown.peek().clone();
        let mut texts_went = false;
        if let Some(mut texts) = known {
            for (field, before, now) in [
                (Field::Character, &mut texts.character, fields.character),
                (Field::Expertise, &mut texts.expertise, fields.expertise),
            ] {
                let now = now.peek().clone();
                if *before != now {
                    texts_went = true;
                    replica.edit_text(kin, field, std::mem::replace(before, now.clone()), now);
                }
            }
            shown.set(Some(texts));
        }
        let (before, written) = (base.peek().clone(), Identity::written(&fields));
        let patch = written.patch(&before);
        let answer = if patch == KinPatch::default() { Ok(()) } else { api::change_kin(kin, &patch).await };
        match answer {
            Ok(()) => {
                base.write().follow(&before, &written);
                saved.set(true);
            }
            Err(error) => match field_of(&error) {
                Some(field) => {
                    let found = Mistakes::of(field, error.phrase());
                    mistakes.set(found.clone());
                    found.focus_first();
                }
                // The texts are safe in the replica whatever the server says to the rest.
                None if texts_went => problem.set(Some(phrase!("kin-saved-texts", why: error.words()))),
                None => problem.set(Some(error.phrase())),
            },
        }
        busy.set(false);
    };

    let name = profile.read().name.clone();
    let hue = (fields.hue)();
    rsx! {
        main { class: "k-room k-room--kin", id: "room", tabindex: "-1", "data-hue": hue,
            header { class: "k-bar",
                Link { class: "k-iconbtn k-bar__back", to: Route::thread(kin), "aria-label": text!("back"), Icon { name: "chevron-left" } }
                BarFace { fields }
                div { class: "k-bar__title", h1 { b { "{name}" } } small { {text!("kin-settings")} } }
                Link { class: "k-btn k-btn--sm", to: Route::thread(kin),
                    Icon { name: "message-circle", size: IconSize::Sm }
                    {text!("kin-talk")}
                }
            }
            div { class: "k-scroll",
                form { class: "k-page", novalidate: true, onsubmit: submit,
                    KinCards { fields, mistakes, is_new: false, texts_ready: shown.read().is_some() }
                    FormProblem { problem: problem() }
                    div { class: "k-cluster k-formend",
                        button {
                            r#type: "button",
                            class: "k-btn k-btn--danger-ghost k-formend__far",
                            onclick: move |_| deleting.set(true),
                            Icon { name: "trash-2", size: IconSize::Sm }
                            {text!("kin-delete")}
                        }
                        span { class: "k-small k-soft", role: "status", if saved() { {text!("saved")} } }
                        button {
                            r#type: "submit",
                            class: "k-btn k-btn--primary",
                            "aria-disabled": busy().then_some("true"),
                            {text!("save")}
                        }
                    }
                }
            }
        }
        if deleting() {
            DeleteKin { kin, name, on_close: move |()| deleting.set(false) }
        }
    }
}
