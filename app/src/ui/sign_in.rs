//! The door, for those who live here already.

use super::door::{Door, House, LanguageChoice};
use super::field::{FormProblem, Mistakes, PasswordField, TextField};
use super::login::{known_device, login};
use super::page;
use crate::i18n::Phrase;
use crate::keys;
use crate::{phrase, text};
use dioxus::prelude::*;

/// Email and password.
#[component]
pub fn SignInScreen() -> Element {
    let login = login();
    let mut email = use_signal(String::new);
    let mut password = use_signal(String::new);
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut busy = use_signal(|| false);
    use_effect(|| page::set_title(&text!("title-sign-in")));

    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        let mut found = Mistakes::default();
        if !email.peek().contains('@') {
            found.add("email", phrase!("mistake-email"));
        }
        if password.peek().is_empty() {
            found.add("password", phrase!("mistake-empty"));
        }
        mistakes.set(found.clone());
        if !found.is_empty() {
            found.focus_first();
            return;
        }
        if *busy.peek() {
            return;
        }
        busy.set(true);
        problem.set(None);
        let (address, typed) = (email.peek().trim().to_owned(), password.peek().clone());
        match keys::sign_in(&address, &typed, known_device()).await {
            Ok((signed_in, key)) => login.signed_in(&signed_in, key).await,
            Err(error) => problem.set(Some(error.phrase())),
        }
        busy.set(false);
    };

    rsx! {
        Door { house: House::Evening,
            main { class: "k-door__panel",
                // The design's panel has three rows; a form in the middle leaves the outer ones empty.
                span {}
                div { class: "k-door__form k-door__form--mid",
                    form { class: "k-door__sign-in", novalidate: true, onsubmit: submit,
                        header {
                            img { class: "k-door__logo", src: "/brand/logo.svg", alt: "Kinstead", width: "52", height: "52" }
                            h1 { {text!("sign-in-title")} }
                            p { {text!("sign-in-lead")} }
                        }
                        TextField {
                            id: "email",
                            label: text!("field-email"),
                            kind: "email",
                            autocomplete: "username",
                            value: email,
                            mistake: mistakes.read().at("email"),
                            on_input: move |value| email.set(value),
                        }
                        PasswordField {
                            id: "password",
                            label: text!("field-password"),
                            autocomplete: "current-password",
                            value: password,
                            mistake: mistakes.read().at("password"),
                            on_input: move |value| password.set(value),
                        }
                        FormProblem { problem: problem() }
                        button {
                            r#type: "submit",
                            class: "k-btn k-btn--primary k-btn--lg k-btn--block",
                            "aria-disabled": busy().then_some("true"),
                            {text!("sign-in-submit")}
                        }
                        LanguageChoice { id: "language", label: text!("field-language") }
                    }
                }
            }
        }
    }
}

/// Nobody has been here before, and the server does not answer.
#[component]
pub fn UnreachableScreen() -> Element {
    let login = login();
    use_effect(|| page::set_title(&text!("title-unreachable")));
    rsx! {
        Door { house: House::First,
            main { class: "k-door__panel",
                // The design's panel has three rows; a form in the middle leaves the outer ones empty.
                span {}
                div { class: "k-door__form k-door__form--mid",
                    div { class: "k-door__sign-in",
                        header {
                            img { class: "k-door__logo", src: "/brand/logo.svg", alt: "Kinstead", width: "52", height: "52" }
                            h1 { {text!("unreachable-title")} }
                            p { {text!("unreachable-lead")} }
                        }
                        button {
                            r#type: "button",
                            class: "k-btn k-btn--primary k-btn--lg k-btn--block",
                            onclick: move |_| login.find_out(),
                            {text!("try-again")}
                        }
                    }
                }
            }
        }
    }
}
