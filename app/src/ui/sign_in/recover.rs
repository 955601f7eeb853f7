//! A forgotten password: the recovery code and a new one.

use super::super::field::{FormProblem, Mistakes, PasswordField, TextField};
use super::super::login::{Remembered, known_device, login};
use super::super::setup::MIN_PASSWORD_CHARS;
use crate::i18n::Phrase;
use crate::keys;
use crate::{phrase, text};
use dioxus::prelude::*;

/// Email, unless it is known, recovery code, new password.
#[component]
pub fn RecoverForm(remembered: Option<Remembered>, on_back: EventHandler<()>) -> Element {
    let login = login();
    let mut email = use_signal(String::new);
    let mut code = use_signal(String::new);
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
            if code.peek().trim().is_empty() {
                found.add("recovery", phrase!("mistake-empty"));
            }
            if password.peek().chars().count() < MIN_PASSWORD_CHARS {
                found.add("password", phrase!("mistake-password-short", least: MIN_PASSWORD_CHARS));
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
            let (typed, new) = (code.peek().clone(), password.peek().clone());
            match keys::recover(&address, &typed, &new, known_device()).await {
                Ok((signed_in, key)) => login.signed_in(&signed_in, key).await,
                Err(error) if error.code() == Some("recovery_code_mistyped") => {
                    let found = Mistakes::of("recovery", error.phrase());
                    mistakes.set(found.clone());
                    found.focus_first();
                }
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
            TextField {
                id: "recovery",
                label: text!("field-recovery"),
                hint: text!("field-recovery-hint"),
                value: code,
                mistake: mistakes.read().at("recovery"),
                on_input: move |value| code.set(value),
            }
            PasswordField {
                id: "password",
                label: text!("field-password-new"),
                autocomplete: "new-password",
                value: password,
                mistake: mistakes.read().at("password"),
                on_input: move |value| password.set(value),
            }
            FormProblem { problem: problem() }
            button {
                r#type: "submit",
                class: "k-btn k-btn--primary k-btn--lg k-btn--block",
                "aria-disabled": busy().then_some("true"),
                {text!("recover-submit")}
            }
            button {
                r#type: "button",
                class: "k-btn k-btn--ghost k-btn--block",
                onclick: move |_| on_back.call(()),
                {text!("recover-back")}
            }
        }
    }
}
