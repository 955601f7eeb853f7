//! Labelled fields, each with its hint or its mistake beside it.

use super::icon::{Icon, IconSize};
use super::page;
use crate::i18n::Phrase;
use crate::keys;
use crate::{phrase, text};
use dioxus::prelude::*;

/// What is wrong with a form, by the id of the field it belongs to, first field first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mistakes(Vec<(&'static str, Phrase)>);

impl Mistakes {
    /// Notes a mistake.
    pub fn add(&mut self, field: &'static str, phrase: Phrase) {
        self.0.push((field, phrase));
    }

    /// One mistake only.
    pub fn of(field: &'static str, phrase: Phrase) -> Self {
        Self(vec![(field, phrase)])
    }

    /// Notes a mistake when a text is empty or too long.
    pub fn check_text(&mut self, field: &'static str, value: &str, most: usize) {
        if value.trim().is_empty() {
            self.add(field, phrase!("mistake-empty"));
        } else if value.chars().count() > most {
            self.add(field, phrase!("mistake-too-long", most: most));
        }
    }

    /// All but those of a field.
    pub fn without(mut self, field: &str) -> Self {
        self.0.retain(|(name, _)| *name != field);
        self
    }

    /// The mistake of a field, in the present language.
    pub fn at(&self, field: &str) -> Option<String> {
        self.0.iter().find(|(name, _)| *name == field).map(|(_, phrase)| phrase.words())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Brings the member to the first one, once it is drawn.
    pub fn focus_first(&self) {
        if let Some((field, _)) = self.0.first() {
            let selector = format!("#{field}");
            spawn(async move {
                page::sleep(0).await;
                page::focus(&selector);
            });
        }
    }
}

/// What stands under a field.
#[component]
pub fn Hint(id: String, mistake: Option<String>, hint: Option<String>) -> Element {
    rsx! {
        if let Some(mistake) = mistake {
            span { id: "{id}-hint", class: "k-field__hint is-bad",
                Icon { name: "circle-alert", size: IconSize::Sm }
                span { "{mistake}" }
            }
        } else if let Some(hint) = hint {
            span { id: "{id}-hint", class: "k-field__hint", span { "{hint}" } }
        }
    }
}

/// A field of one line.
#[component]
pub fn TextField(
    id: &'static str,
    label: String,
    value: ReadSignal<String>,
    on_input: EventHandler<String>,
    #[props(default)] mistake: Option<String>,
    #[props(default)] hint: Option<String>,
    #[props(default = "text")] kind: &'static str,
    #[props(default = "off")] autocomplete: &'static str,
    #[props(default)] placeholder: String,
    /// In front of what is typed.
    #[props(default)]
    icon: Option<&'static str>,
) -> Element {
    let described = (mistake.is_some() || hint.is_some()).then(|| format!("{id}-hint"));
    let invalid = mistake.is_some().then_some("true");
    let input = rsx! {
        input {
            id,
            class: "k-input",
            r#type: kind,
            autocomplete,
            autocapitalize: if kind == "email" || kind == "url" { "off" } else { "sentences" },
            placeholder: "{placeholder}",
            value: "{value}",
            "aria-invalid": invalid,
            "aria-describedby": described,
            oninput: move |event| on_input.call(event.value()),
        }
    };
    rsx! {
        div { class: "k-field",
            label { class: "k-field__label", r#for: id, "{label}" }
            if let Some(name) = icon {
                span { class: "k-inputwrap",
                    Icon { name }
                    {input}
                }
            } else {
                {input}
            }
            Hint { id, mistake, hint }
        }
    }
}

/// A password, which can be looked at.
#[component]
pub fn PasswordField(
    id: &'static str,
    label: String,
    value: ReadSignal<String>,
    on_input: EventHandler<String>,
    autocomplete: &'static str,
    #[props(default)] mistake: Option<String>,
    #[props(default)] hint: Option<String>,
    /// What is typed is as it should be.
    #[props(default)]
    ok: bool,
) -> Element {
    let mut shown = use_signal(|| false);
    let described = (mistake.is_some() || hint.is_some()).then(|| format!("{id}-hint"));
    let invalid = mistake.is_some().then_some("true");
    let show = if shown() { text!("password-hide") } else { text!("password-show") };
    rsx! {
        div { class: "k-field",
            label { class: "k-field__label", r#for: id, "{label}" }
            span { class: "k-inputwrap",
                input {
                    id,
                    class: if ok { "k-input k-input--end is-ok" } else { "k-input k-input--end" },
                    r#type: if shown() { "text" } else { "password" },
                    autocomplete,
                    autocapitalize: "off",
                    spellcheck: "false",
                    value: "{value}",
                    "aria-invalid": invalid,
                    "aria-describedby": described,
                    // Whoever is about to type a password will need the worker for it.
                    onfocus: move |_| keys::warm_up(),
                    oninput: move |event| on_input.call(event.value()),
                }
                span { class: "k-inputwrap__end",
                    button {
                        r#type: "button",
                        class: "k-iconbtn",
                        "aria-label": "{show}",
                        "aria-pressed": if shown() { "true" } else { "false" },
                        onclick: move |_| shown.toggle(),
                        Icon { name: "eye" }
                    }
                }
            }
            if let (true, None, Some(hint)) = (ok, &mistake, &hint) {
                span { id: "{id}-hint", class: "k-field__hint is-ok",
                    Icon { name: "check", size: IconSize::Sm }
                    span { "{hint}" }
                }
            } else {
                Hint { id, mistake, hint }
            }
        }
    }
}

/// A field of several lines that grows with its text.
#[component]
pub fn TextArea(
    id: &'static str,
    label: String,
    value: ReadSignal<String>,
    on_input: EventHandler<String>,
    #[props(default)] mistake: Option<String>,
    #[props(default)] hint: Option<String>,
    #[props(default)] placeholder: String,
    #[props(default)] disabled: bool,
    /// A few words at the end of the label's line.
    #[props(default)]
    note: Option<String>,
) -> Element {
    let described = (mistake.is_some() || hint.is_some()).then(|| format!("{id}-hint"));
    let invalid = mistake.is_some().then_some("true");
    rsx! {
        div { class: "k-field",
            // Beside the label, not in it: the field's name stays what it is while one types.
            div { class: "k-field__label",
                label { r#for: id, "{label}" }
                if let Some(note) = note { span { class: "k-field__opt", "{note}" } }
            }
            textarea {
                id,
                class: "k-input",
                placeholder: "{placeholder}",
                disabled,
                value: "{value}",
                "aria-invalid": invalid,
                "aria-describedby": described,
                oninput: move |event| {
                    on_input.call(event.value());
                    if let Some(field) = page::element(&format!("#{id}")) {
                        page::grow(&field);
                    }
                },
            }
            Hint { id, mistake, hint }
        }
    }
}

/// What the server refused, when it belongs to no field.
#[component]
pub fn FormProblem(problem: Option<Phrase>) -> Element {
    rsx! {
        div { role: "alert",
            if let Some(problem) = problem {
                p { class: "k-banner is-bad",
                    Icon { name: "circle-alert" }
                    span { {problem.words()} }
                }
            }
        }
    }
}
