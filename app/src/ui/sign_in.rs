//! The door, for those who live here already.

mod recover;
mod unreachable;

pub use unreachable::UnreachableScreen;

use super::avatar::{FaceSize, MemberFace, picture_address};
use super::door::{Door, House, LanguageChoice};
use super::field::{FormProblem, Mistakes, PasswordField, TextField};
use super::login::{self, Farewell, Remembered, known_device, login};
use super::page;
use crate::i18n::Phrase;
use crate::keys;
use crate::{phrase, text};
use dioxus::prelude::*;
use recover::RecoverForm;

/// Who is asked for what.
#[component]
pub fn SignInScreen() -> Element {
    let mut remembered = use_signal(login::remembered);
    let mut forgot = use_signal(|| false);
    let farewell = use_hook(login::farewell);
    let lead = if login::is_locked() { text!("sign-in-locked") } else { text!("sign-in-lead") };
    use_effect(|| page::set_title(&text!("title-sign-in")));
    rsx! {
        Door { house: House::Evening,
            main { class: "k-door__panel",
                // The design's panel has three rows; a form in the middle leaves the outer ones empty.
                span {}
                div { class: "k-door__form k-door__form--mid",
                    div { class: "k-door__sign-in",
                        header {
                            img { class: "k-door__logo", src: "/brand/logo.svg", alt: "Kinstead", width: "52", height: "52" }
                            h1 { if forgot() { {text!("recover-title")} } else { {text!("sign-in-title")} } }
                            p { if forgot() { {text!("recover-lead")} } else { {lead} } }
                        }
                        if farewell == Some(Farewell::Revoked) {
                            p { class: "k-card k-door__why", role: "status", {text!("sign-in-revoked")} }
                        }
                        if let Some(member) = remembered() {
                            RememberedCard { member, on_other: move |()| remembered.set(None) }
                        }
                        if forgot() {
                            RecoverForm { remembered: remembered(), on_back: move |()| forgot.set(false) }
                        } else {
                            PasswordForm { remembered: remembered(), on_forgot: move |()| forgot.set(true) }
                        }
                        LanguageChoice { id: "language", label: text!("field-language") }
                    }
                }
            }
        }
    }
}

/// Who was here last.
#[component]
fn RememberedCard(member: Remembered, on_other: EventHandler<()>) -> Element {
    // A picture of their own is for who is signed in.
    let avatar = if picture_address(&member.avatar).is_some() { String::new() } else { member.avatar.clone() };
    rsx! {
        div { class: "k-card k-card--lift k-door__member",
            MemberFace { avatar, name: member.name.clone(), size: FaceSize::Lg }
            span { class: "k-row__main",
                span { class: "k-row__title", span { "{member.name}" } }
                span { class: "k-row__sub", {text!("sign-in-here-last")} }
            }
            button {
                r#type: "button",
                class: "k-btn k-btn--ghost k-btn--sm",
                onclick: move |_| on_other.call(()),
                {text!("sign-in-other")}
            }
        }
    }
}

/// Email, unless it is known, and password.
#[component]
fn PasswordForm(remembered: Option<Remembered>, on_forgot: EventHandler<()>) -> Element {
    let login = login();
    let mut email = use_signal(String::new);
    let mut password = use_signal(String::new);
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut busy = use_signal(|| false);
    let known = remembered.map(|member| member.email);
    let asks_email = known.is_none();

    let submit = move |event: FormEvent| {
        let known = known.clone();
        async move {
            event.prevent_default();
            let address = known.unwrap_or_else(|| email.peek().trim().to_owned());
            let mut found = Mistakes::default();
            if !address.contains('@') {
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
            let typed = password.peek().clone();
            match keys::sign_in(&address, &typed, known_device()).await {
                Ok((signed_in, key)) => login.signed_in(&signed_in, key).await,
                Err(error) => problem.set(Some(error.phrase())),
            }
            busy.set(false);
        }
    };

    rsx! {
        form { class: "k-stack k-door__fields", novalidate: true, onsubmit: submit,
            if asks_email {
                TextField {
                    id: "email",
                    label: text!("field-email"),
                    kind: "email",
                    autocomplete: "username",
                    value: email,
                    mistake: mistakes.read().at("email"),
                    on_input: move |value| email.set(value),
                }
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
            button {
                r#type: "button",
                class: "k-btn k-btn--ghost k-btn--block",
                onclick: move |_| on_forgot.call(()),
                {text!("sign-in-forgot")}
            }
        }
    }
}
