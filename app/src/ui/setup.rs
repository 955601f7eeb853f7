//! The first day: the member who keeps the keys.

use super::door::{Door, House, LanguageChoice};
use super::field::{FormProblem, Mistakes, PasswordField, TextField};
use super::login::login;
use super::page;
use crate::api::{self, ApiError, SetupRequest, SignedIn, household};
use crate::i18n::LANGUAGE;
use crate::i18n::Phrase;
use crate::keys::{self, Kept, KeyOfDevice, Purpose, Registration};
use crate::{phrase, text};
use dioxus::prelude::*;
use shared::limits::MAX_NAME_CHARS;
use shared::profile::Language;

pub mod portrait;
pub mod strength;

use super::recovery_code::RecoveryCodePanel;
use super::stepper::Stepper;
use portrait::{Portrait, PortraitPick, use_portrait};
use strength::{Strength, StrengthMeter};

/// What there is once the account is made.
#[derive(Clone, PartialEq)]
struct MovedIn {
    signed_in: SignedIn,
    key: KeyOfDevice,
    code: String,
    /// Why the picture they chose is not their portrait.
    portrait: Option<Phrase>,
}

/// Remembers the setup code in this tab until the account is made.
const CODE: &str = "setup";
/// Shortest password; the server has the last word.
pub const MIN_PASSWORD_CHARS: usize = 8;

/// What has been typed.
#[derive(Clone, Copy, PartialEq)]
struct Answers {
    first_name: Signal<String>,
    last_name: Signal<String>,
    nickname: Signal<String>,
    email: Signal<String>,
    password: Signal<String>,
    again: Signal<String>,
    code: Signal<String>,
    portrait: Portrait,
}

impl Answers {
    fn mistakes(&self) -> Mistakes {
        let mut mistakes = Mistakes::default();
        mistakes.check_text("first-name", &self.first_name.peek(), MAX_NAME_CHARS);
        mistakes.check_text("last-name", &self.last_name.peek(), MAX_NAME_CHARS);
        mistakes.check_text("nickname", &self.nickname.peek(), MAX_NAME_CHARS);
        if !self.email.peek().contains('@') {
            mistakes.add("email", phrase!("mistake-email"));
        }
        if self.password.peek().chars().count() < MIN_PASSWORD_CHARS {
            mistakes.add("password", phrase!("mistake-password-short", least: MIN_PASSWORD_CHARS));
        } else if *self.password.peek() != *self.again.peek() {
            mistakes.add("again", phrase!("mistake-password-again"));
        }
        if self.code.peek().trim().is_empty() {
            mistakes.add("code", phrase!("mistake-code-empty"));
        }
        mistakes
    }

    fn request(&self, registration: Registration) -> SetupRequest {
        let trimmed = |value: Signal<String>| value.peek().trim().to_owned();
        SetupRequest {
            first_name: trimmed(self.first_name),
            last_name: trimmed(self.last_name),
            email: trimmed(self.email),
            nickname: trimmed(self.nickname),
            language: *LANGUAGE.peek(),
            avatar: self.portrait.built_in(),
            registration,
        }
    }
}

impl Answers {
    /// Registers the password, then makes the account. A server that was started anew meanwhile has forgotten the
    /// registration: then once more.
    async fn send(&self) -> Result<MovedIn, ApiError> {
        let mut again = true;
        loop {
            let purpose = Purpose::Setup { code: self.code.peek().trim().to_owned() };
            let password = self.password.peek().clone();
            let registration = keys::register(&purpose, &password, Kept::Nothing).await?;
            let key = registration.key.clone().ok_or(ApiError::Unreadable)?;
            let code = registration.recovery_code.clone().ok_or(ApiError::Unreadable)?;
            match api::set_up(&self.request(registration)).await {
                Ok(signed_in) => return Ok(MovedIn { signed_in, key, code, portrait: self.portrait.send().await }),
                Err(error) if again && error.code() == Some("registration_gone") => again = false,
                Err(error) => return Err(error),
            }
        }
    }
}

/// The code that came with the address, or did before a reload of this tab.
fn carried_code() -> String {
    if let Some(code) = page::take_fragment().strip_prefix("setup=") {
        page::remember_here(CODE, Some(code));
    }
    page::remembered_here(CODE).unwrap_or_default()
}

/// `The Moreaus` · `Chez Moreau`
fn household_name(last_name: &str) -> String {
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| last_name.ends_with(end));
    let family = match *LANGUAGE.peek() {
        Language::En if hisses => format!("{last_name}es"),
        Language::En => format!("{last_name}s"),
        // A French name does not change.
        Language::Fr => last_name.to_owned(),
    };
    text!("house-default", family: family)
}

/// Names, address, language, password, and the code that the server printed.
#[component]
pub fn SetupScreen() -> Element {
    let mut login = login();
    // The code leaves the address bar at once: it must not stay in a history or on a shared screen.
    let carried = use_hook(carried_code);
    let mut answers = Answers {
        first_name: use_signal(String::new),
        last_name: use_signal(String::new),
        nickname: use_signal(String::new),
        email: use_signal(String::new),
        password: use_signal(String::new),
        again: use_signal(String::new),
        code: use_signal(|| carried.clone()),
        portrait: use_portrait(),
    };
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut moved_in = use_signal(|| None::<MovedIn>);
    let mut busy = use_signal(|| false);
    // A code that came with the address needs no field, until the server says that it is wrong.
    let mut asks_code = use_signal(|| carried.is_empty());
    use_effect(|| page::set_title(&text!("title-setup")));

    let submit = move |event: FormEvent| async move {
        event.prevent_default();
        let found = answers.mistakes();
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
        match answers.send().await {
            Ok(new) => {
                page::remember_here(CODE, None);
                // A name to begin with, which an admin changes at any time; without one the sidebar says Kinstead.
                household::name_household(&household_name(answers.last_name.peek().trim())).await.ok();
                moved_in.set(Some(new));
            }
            Err(error) => match field_of(&error) {
                Refused::Field(field) => {
                    asks_code.set(asks_code() || field == "code");
                    let found = Mistakes::of(field, error.phrase());
                    mistakes.set(found.clone());
                    found.focus_first();
                }
                Refused::Closed => login.ask_to_sign_in(),
                Refused::Form => problem.set(Some(error.phrase())),
            },
        }
        busy.set(false);
    };

    if let Some(new) = moved_in() {
        return rsx! {
            Door { house: House::First,
                main { class: "k-door__panel",
                    Stepper { current: 0, of: 4, caption: text!("setup-step") }
                    div { class: "k-door__form",
                        FormProblem { problem: new.portrait.clone() }
                        RecoveryCodePanel {
                            code: new.code.clone(),
                            on_safe: move |()| {
                                let new = new.clone();
                                async move { login.signed_in(&new.signed_in, new.key.clone()).await }
                            },
                        }
                    }
                    span {}
                }
            }
        };
    }
    let strength = Strength::of(&answers.password.read());
    let same = !answers.again.read().is_empty() && *answers.again.read() == *answers.password.read();
    rsx! {
        Door { house: House::First,
            main { class: "k-door__panel",
                Stepper { current: 0, of: 4, caption: text!("setup-step") }
                form { class: "k-door__form", id: "setup", novalidate: true, onsubmit: submit,
                    header {
                        h1 { {text!("setup-title")} }
                        p { {text!("setup-lead")} }
                    }
                    PortraitPick { portrait: answers.portrait }
                    div { class: "k-fieldgrid",
                        TextField {
                            id: "first-name",
                            label: text!("field-first-name"),
                            autocomplete: "given-name",
                            value: answers.first_name,
                            mistake: mistakes.read().at("first-name"),
                            on_input: move |value| answers.first_name.set(value),
                        }
                        TextField {
                            id: "last-name",
                            label: text!("field-last-name"),
                            autocomplete: "family-name",
                            value: answers.last_name,
                            mistake: mistakes.read().at("last-name"),
                            on_input: move |value| answers.last_name.set(value),
                        }
                    }
                    div { class: "k-fieldgrid",
                        TextField {
                            id: "nickname",
                            label: text!("field-nickname"),
                            autocomplete: "nickname",
                            hint: text!("field-nickname-hint"),
                            icon: "at-sign",
                            value: answers.nickname,
                            mistake: mistakes.read().at("nickname"),
                            on_input: move |value| answers.nickname.set(value),
                        }
                        TextField {
                            id: "email",
                            label: text!("field-email"),
                            kind: "email",
                            autocomplete: "username",
                            value: answers.email,
                            mistake: mistakes.read().at("email"),
                            on_input: move |value| answers.email.set(value),
                        }
                    }
                    div { class: "k-field",
                        span { class: "k-field__label", {text!("field-language")} }
                        LanguageChoice { id: "language", label: text!("field-language") }
                    }
                    div { class: "k-fieldgrid",
                        div { class: "k-stack k-stack--tight",
                            PasswordField {
                                id: "password",
                                label: text!("field-password"),
                                autocomplete: "new-password",
                                value: answers.password,
                                mistake: mistakes.read().at("password"),
                                on_input: move |value| answers.password.set(value),
                            }
                            StrengthMeter { strength }
                        }
                        PasswordField {
                            id: "again",
                            label: text!("field-password-again"),
                            autocomplete: "new-password",
                            value: answers.again,
                            hint: same.then(|| text!("password-same")),
                            ok: same,
                            mistake: mistakes.read().at("again"),
                            on_input: move |value| answers.again.set(value),
                        }
                    }
                    if asks_code() {
                        TextField {
                            id: "code",
                            label: text!("field-code"),
                            hint: text!("field-code-hint"),
                            value: answers.code,
                            mistake: mistakes.read().at("code"),
                            on_input: move |value| answers.code.set(value),
                        }
                    }
                    FormProblem { problem: problem() }
                }
                div { class: "k-door__actions",
                    button {
                        r#type: "submit",
                        form: "setup",
                        class: "k-btn k-btn--primary k-btn--lg",
                        "aria-disabled": busy().then_some("true"),
                        {text!("setup-submit")}
                    }
                }
            }
        }
    }
}

/// Where a refusal belongs.
enum Refused {
    Field(&'static str),
    /// The household has a member by now.
    Closed,
    Form,
}

fn field_of(error: &ApiError) -> Refused {
    match error.code() {
        Some("setup_code_wrong") => Refused::Field("code"),
        Some("first_name_empty" | "first_name_too_long") => Refused::Field("first-name"),
        Some("last_name_empty" | "last_name_too_long") => Refused::Field("last-name"),
        Some("nickname_empty" | "nickname_too_long") => Refused::Field("nickname"),
        Some("email_invalid" | "email_taken") => Refused::Field("email"),
        Some("password_too_short" | "password_too_long") => Refused::Field("password"),
        Some("setup_done") => Refused::Closed,
        Some(_) | None => Refused::Form,
    }
}
