//! A Kin's settings. Identity and model go to the server when the member says so, and are kept in this browser until
//! then; the texts are kept as they are written.

use super::archived::{Away, BringBack};
use super::delete::DeleteKin;
use super::identity::Identity;
use super::kept::Changed;
use super::texts::{TextState, use_texts};
use super::{BarFace, KinCards, KinFields, field_of};
use crate::api::kins::{archive_kin, kin_summary};
use crate::api::{self, KinPatch};
use crate::i18n::Phrase;
use crate::text;
use crate::ui::field::{FormProblem, Mistakes};
use crate::ui::home::{MissingKin, use_was_here};
use crate::ui::icon::{Icon, IconSize};
use crate::ui::page;
use crate::ui::replica::replica;
use crate::ui::routes::Route;
use dioxus::prelude::*;
use shared::profile::KinProfile;

/// The settings of the Kin that the address names.
#[component]
pub fn KinSettingsScreen(kin: String) -> Element {
    let found = replica().find_kin(&kin).map(|kin| kin.profile);
    let was_here = use_was_here(&kin, found.is_some());
    let removing = use_signal(|| false);
    let navigator = use_navigator();
    // The news of its end may be here before the answer to who ended it.
    let is_done = was_here && found.is_none() && removing();
    use_effect(use_reactive!(|(is_done)| {
        if is_done {
            navigator.replace(Route::Home {});
        }
    }));
    rsx! {
        if let Some(profile) = found {
            // A list of one: another Kin is another form, with nothing left of the one before.
            for profile in [profile] {
                Settings { key: "{profile.id}", profile, removing }
            }
        } else if !is_done {
            MissingKin { was_here }
        }
    }
}

#[component]
fn Settings(profile: ReadSignal<KinProfile>, removing: Signal<bool>) -> Element {
    let replica = replica();
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
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut busy = use_signal(|| false);
    let mut saved = use_signal(|| false);
    let mut deleting = use_signal(|| false);
    let summary = use_resource(move || kin_summary(kin));
    use_hook(|| {
        // What was left unsaved, on what the Kin has become meanwhile.
        if let Some(Changed { base: then, mut written }) = Changed::kept(kin) {
            written.follow(&then, &base.peek());
            written.fill(&mut fields);
        }
    });
    let texts = use_texts(replica, kin, fields);
    use_effect(move || page::set_title(&text!("title-kin-settings", name: &profile.read().name)));
    use_effect(move || {
        // Others' changes come in wherever nothing has been changed here.
        let known = Identity::known(&profile.read());
        let written = Identity::written(&fields);
        let mut merged = written.clone();
        merged.follow(&base.peek(), &known);
        merged.show(&written, &mut fields);
        base.set(known);
    });
    let changed = use_memo(move || {
        fields.subscribe();
        Identity::written(&fields) != *base.read()
    });
    use_effect(move || {
        fields.subscribe();
        Changed::keep(kin, &base.read(), &Identity::written(&fields));
    });
    use_effect(move || {
        if changed() {
            saved.set(false);
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
                None => problem.set(Some(error.phrase())),
            },
        }
        busy.set(false);
    };
    let archive = move |_| async move {
        problem.set(archive_kin(kin).await.err().map(|error| error.phrase()));
    };

    let name = profile.read().name.clone();
    let archived = profile.read().archived;
    let hue = (fields.hue)();
    let known_summary = summary.read().as_ref().and_then(|answer| answer.as_ref().ok().copied());
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
                    Sections { name: name.clone() }
                    if archived {
                        div { class: "k-banner",
                            Icon { name: "archive" }
                            span { b { {text!("kin-archived-title", name: &name)} } " " {text!("kin-archived-lead")} }
                            BringBack { kin, name: name.clone(), from: Away::Archived, on_problem: move |words| problem.set(words) }
                        }
                    }
                    KinCards {
                        fields,
                        mistakes,
                        is_new: false,
                        texts_ready: texts() != TextState::Loading,
                        texts_kept: texts() == TextState::Kept,
                        summary: known_summary,
                    }
                    FormProblem { problem: problem() }
                    div { class: if changed() { "k-cluster k-formend is-changed" } else { "k-cluster k-formend" },
                        if changed() {
                            span { class: "k-formend__far k-small", role: "status", {text!("kin-changed")} }
                            button {
                                r#type: "button",
                                class: "k-btn k-btn--ghost",
                                onclick: move |_| base.peek().clone().fill(&mut fields),
                                {text!("discard-changes")}
                            }
                        } else {
                            span { class: "k-small k-soft", role: "status", if saved() { {text!("saved")} } }
                        }
                        button {
                            r#type: "submit",
                            class: "k-btn k-btn--primary",
                            "aria-disabled": busy().then_some("true"),
                            {text!("save")}
                        }
                    }
                    section { class: "k-section", "aria-labelledby": "kin-leaving",
                        div { class: "k-section__head",
                            div {
                                h2 { id: "kin-leaving", class: "k-section__title", {text!("kin-leaving")} }
                                p { class: "k-section__lead", {text!("kin-leaving-lead", name: &name)} }
                            }
                        }
                        div { class: "k-cluster",
                            if !archived {
                                button { r#type: "button", class: "k-btn", onclick: archive,
                                    Icon { name: "archive", size: IconSize::Sm }
                                    {text!("kin-archive", name: &name)}
                                }
                            }
                            button {
                                r#type: "button",
                                class: "k-btn k-btn--danger-ghost",
                                onclick: move |_| deleting.set(true),
                                Icon { name: "trash-2", size: IconSize::Sm }
                                {text!("kin-delete-name", name: &name)}
                            }
                        }
                    }
                }
            }
        }
        if deleting() {
            DeleteKin { kin, name, removing, summary: known_summary, on_close: move |()| deleting.set(false) }
        }
    }
}

/// The way to each part of the page.
#[component]
fn Sections(name: String) -> Element {
    let mut at = use_signal(|| 0);
    let sections = [
        ("kin-identity", "user", text!("kin-identity")),
        ("kin-texts", "heart", text!("field-character")),
        ("kin-thinking", "sparkles", text!("kin-model")),
    ];
    rsx! {
        nav { class: "k-tabs k-tabs--bleed", "aria-label": text!("kin-settings-of", name: &name),
            for (index, (id, icon, label)) in sections.into_iter().enumerate() {
                a {
                    key: "{id}",
                    href: "#{id}",
                    "aria-current": (index == at()).then_some("true"),
                    onclick: move |event| {
                        event.prevent_default();
                        at.set(index);
                        if let Some(heading) = page::element(&format!("#{id}")) {
                            page::focus_element(&heading);
                            page::scroll_to(&heading);
                        }
                    },
                    Icon { name: icon, size: IconSize::Sm }
                    {label}
                }
            }
        }
    }
}
