//! How the household knows this member: face, names, address, password; and leaving for good.

use crate::api::household::{self as api, Account, AccountPatch};
use crate::i18n::Phrase;
use crate::keys;
use crate::ui::avatar::{FaceSize, MemberFace};
use crate::ui::dialog::Dialog;
use crate::ui::field::{FormProblem, Mistakes, PasswordField, TextField};
use crate::ui::login::known_device;
use crate::ui::page;
use crate::ui::picture_input::{Chosen, PictureInput, PictureShape};
use crate::ui::replica::replica;
use crate::ui::setup::strength::{Strength, StrengthMeter};
use crate::{phrase, text};
use dioxus::prelude::*;
use shared::limits::MAX_NAME_CHARS;
use shared::profile::PORTRAITS;

/// Shortest password.
const MIN_PASSWORD_CHARS: usize = 8;

/// Face, names and address.
#[component]
pub fn Profile() -> Element {
    let mut loaded = use_signal(|| false);
    let mut avatar = use_signal(String::new);
    let mut first_name = use_signal(String::new);
    let mut last_name = use_signal(String::new);
    let mut nickname = use_signal(String::new);
    let mut email = use_signal(String::new);
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut saved = use_signal(|| false);
    let mut busy = use_signal(|| false);
    use_future(move || async move {
        match api::account().await {
            Ok(Account { email: address, first_name: first, last_name: last, nickname: nick, avatar: face }) => {
                email.set(address);
                first_name.set(first);
                last_name.set(last);
                nickname.set(nick);
                avatar.set(face);
                loaded.set(true);
            }
            Err(error) => problem.set(Some(error.phrase())),
        }
    });
    let mut edit = move |mut field: Signal<String>, value: String| {
        field.set(value);
        saved.set(false);
    };
    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        let mut found = Mistakes::default();
        found.check_text("my-first-name", &first_name.peek(), MAX_NAME_CHARS);
        found.check_text("my-last-name", &last_name.peek(), MAX_NAME_CHARS);
        found.check_text("my-nickname", &nickname.peek(), MAX_NAME_CHARS);
        if !email.peek().contains('@') {
            found.add("my-email", phrase!("mistake-email"));
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
        let trimmed = |value: Signal<String>| Some(value.peek().trim().to_owned());
        let patch = AccountPatch {
            email: trimmed(email),
            first_name: trimmed(first_name),
            last_name: trimmed(last_name),
            nickname: trimmed(nickname),
            avatar: trimmed(avatar),
        };
        match api::change_account(&patch).await {
            Ok(_) => saved.set(true),
            Err(error) if error.code() == Some("email_taken") => {
                let found = Mistakes::of("my-email", error.phrase());
                mistakes.set(found.clone());
                found.focus_first();
            }
            Err(error) => problem.set(Some(error.phrase())),
        }
        busy.set(false);
    };
    rsx! {
        section { class: "k-section",
            div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("my-profile")} } } }
            form { class: "k-card k-stack", novalidate: true, onsubmit: submit,
                FormProblem { problem: problem() }
                if loaded() {
                    div { class: "k-field",
                        span { class: "k-field__label", id: "my-face", {text!("field-face")} }
                        div { class: "k-cluster k-faces", role: "group", "aria-labelledby": "my-face",
                            for (place, name) in PORTRAITS.into_iter().enumerate() {
                                button {
                                    key: "{name}",
                                    r#type: "button",
                                    class: "k-face",
                                    "aria-label": text!("setup-portrait-of", number: place + 1),
                                    "aria-pressed": if *avatar.read() == name { "true" } else { "false" },
                                    onclick: move |_| edit(avatar, name.to_owned()),
                                    MemberFace { avatar: name, name, size: FaceSize::Lg }
                                }
                            }
                        }
                        PictureInput {
                            id: "my-picture",
                            picture: avatar,
                            shape: PictureShape::Circle,
                            on_choose: move |chosen| {
                                if let Chosen::Kept(id) = chosen {
                                    edit(avatar, id.to_string());
                                }
                            },
                        }
                    }
                    div { class: "k-fieldgrid",
                        TextField { id: "my-first-name", label: text!("field-first-name"), autocomplete: "given-name", value: first_name, mistake: mistakes.read().at("my-first-name"), on_input: move |value| edit(first_name, value) }
                        TextField { id: "my-last-name", label: text!("field-last-name"), autocomplete: "family-name", value: last_name, mistake: mistakes.read().at("my-last-name"), on_input: move |value| edit(last_name, value) }
                    }
                    div { class: "k-fieldgrid",
                        TextField { id: "my-nickname", label: text!("field-nickname"), autocomplete: "nickname", hint: text!("field-nickname-hint"), value: nickname, mistake: mistakes.read().at("my-nickname"), on_input: move |value| edit(nickname, value) }
                        TextField { id: "my-email", label: text!("field-email"), kind: "email", autocomplete: "email", value: email, mistake: mistakes.read().at("my-email"), on_input: move |value| edit(email, value) }
                    }
                    div { class: "k-cluster",
                        button { r#type: "submit", class: "k-btn k-btn--primary", "aria-disabled": busy().then_some("true"), {text!("save")} }
                        span { class: "k-small k-soft", role: "status", if saved() { {text!("saved")} } }
                    }
                }
            }
        }
    }
}

/// Another password, after the one before.
#[component]
pub fn Password() -> Element {
    let mut old = use_signal(String::new);
    let mut new = use_signal(String::new);
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut saved = use_signal(|| false);
    let mut busy = use_signal(|| false);
    use_effect(keys::warm_up);
    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        let mut found = Mistakes::default();
        if old.peek().is_empty() {
            found.add("old-password", phrase!("mistake-empty"));
        }
        if new.peek().chars().count() < MIN_PASSWORD_CHARS {
            found.add("new-password", phrase!("mistake-password-short", least: MIN_PASSWORD_CHARS));
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
        let (before, after) = (old.peek().clone(), new.peek().clone());
        let changed = match api::account().await {
            Ok(account) => keys::change_password(&account.email, &before, &after, known_device()).await,
            Err(error) => Err(error),
        };
        match changed {
            Ok(()) => {
                old.set(String::new());
                new.set(String::new());
                saved.set(true);
            }
            Err(error) if error.code() == Some("sign_in_failed") => {
                let found = Mistakes::of("old-password", phrase!("mistake-password-wrong"));
                mistakes.set(found.clone());
                found.focus_first();
            }
            Err(error) => problem.set(Some(error.phrase())),
        }
        busy.set(false);
    };
    let strength = Strength::of(&new.read());
    rsx! {
        section { class: "k-section",
            div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("field-password")} } } }
            form { class: "k-card k-stack", novalidate: true, onsubmit: submit,
                p { class: "k-small k-soft", {text!("password-lead")} }
                PasswordField { id: "old-password", label: text!("password-old"), autocomplete: "current-password", value: old, mistake: mistakes.read().at("old-password"), on_input: move |value| { saved.set(false); old.set(value); } }
                div { class: "k-stack k-stack--tight",
                    PasswordField { id: "new-password", label: text!("password-new"), autocomplete: "new-password", value: new, mistake: mistakes.read().at("new-password"), on_input: move |value| { saved.set(false); new.set(value); } }
                    StrengthMeter { strength }
                }
                FormProblem { problem: problem() }
                div { class: "k-cluster",
                    button { r#type: "submit", class: "k-btn", "aria-disabled": busy().then_some("true"), {text!("password-change")} }
                    span { class: "k-small k-soft", role: "status", if saved() { {text!("saved")} } }
                }
            }
        }
    }
}

/// Leaving for good: the password proves who asks.
#[component]
pub fn DeleteMe(on_close: EventHandler<()>) -> Element {
    let replica = replica();
    let mut password = use_signal(String::new);
    let mut mistake = use_signal(|| None::<String>);
    let mut busy = use_signal(|| false);
    rsx! {
        Dialog { title: text!("delete-me-title"), on_close,
            form {
                class: "k-stack k-dialog__text",
                novalidate: true,
                onsubmit: move |event: FormEvent| async move {
                    event.prevent_default();
                    if *busy.peek() {
                        return;
                    }
                    busy.set(true);
                    let typed = password.peek().clone();
                    let gone = async {
                        let account = api::account().await?;
                        keys::sign_in(&account.email, &typed, known_device()).await?;
                        api::delete_account().await
                    };
                    match gone.await {
                        Ok(()) => {
                            page::forget_all();
                            replica.wipe();
                        }
                        Err(error) => mistake.set(Some(error.words())),
                    }
                    busy.set(false);
                },
                p { {text!("delete-me-lead")} }
                PasswordField { id: "delete-password", label: text!("field-password"), autocomplete: "current-password", value: password, mistake: mistake(), on_input: move |value| { mistake.set(None); password.set(value); } }
                div { class: "k-dialog__actions",
                    button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("stay")} }
                    button { r#type: "submit", class: "k-btn k-btn--danger", "aria-disabled": busy().then_some("true"), {text!("delete-me")} }
                }
            }
        }
    }
}
