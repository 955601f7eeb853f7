//! Coming in by a link: an invitation, or another password.

use super::account::SignOut;
use super::dialog::Dialog;
use super::door::{Door, House, LanguageChoice};
use super::field::{FormProblem, Mistakes, PasswordField, TextField};
use super::icon::Windows;
use super::language;
use super::login::login;
use super::page;
use super::recovery_code::RecoveryCodePanel;
use super::replica::replica;
use super::setup::portrait::{PortraitPick, use_portrait};
use super::setup::strength::{Strength, StrengthMeter};
use super::shell::my_profile;
use crate::api::household::{self as api, AcceptRequest, InvitationLook, ResetLook};
use crate::api::{ApiError, SignedIn};
use crate::i18n::{LANGUAGE, Phrase};
use crate::keys::{self, Kept, KeyOfDevice, Purpose, Registration};
use crate::{phrase, text};
use dioxus::prelude::*;
use shared::limits::MAX_NAME_CHARS;

/// Shortest password; the app has the last word, as the server never sees one.
const MIN_PASSWORD_CHARS: usize = 8;

/// Where a tab keeps the link it was opened with.
const LINK: &str = "link";

/// What the address carried.
#[derive(Clone, PartialEq)]
pub enum Way {
    /// To a new account.
    Invitation(String),
    /// To another password.
    Reset(String),
}

impl Way {
    /// Takes the link out of the address bar, where it must not stay; this tab keeps it over a reload.
    pub fn of_address() -> Option<Self> {
        if let Some(way) = Self::parse(&page::fragment()) {
            page::remember_here(LINK, Some(&page::take_fragment()));
            return Some(way);
        }
        Self::parse(&page::remembered_here(LINK)?)
    }

    fn parse(fragment: &str) -> Option<Self> {
        match fragment.split_once('=')? {
            ("invite", token) => Some(Self::Invitation(token.to_owned())),
            ("reset", token) => Some(Self::Reset(token.to_owned())),
            _ => None,
        }
    }

    /// The link has been used, or is not wanted.
    pub fn forget() {
        page::remember_here(LINK, None);
    }
}

/// Where a link leads.
#[derive(Clone, PartialEq)]
enum Found {
    Invitation(InvitationLook),
    Reset(ResetLook),
    Nothing(ApiError),
}

/// Somebody has come in, and has a code to keep first.
#[derive(Clone, PartialEq)]
struct Arrived {
    signed_in: SignedIn,
    key: KeyOfDevice,
    code: String,
    /// Why the picture they chose is not their portrait.
    portrait: Option<Phrase>,
}

/// The page a link opens, for whoever is not signed in here.
#[component]
pub fn AcceptScreen(way: Way, on_leave: EventHandler<()>) -> Element {
    let login = login();
    let mut found = use_signal(|| None::<Found>);
    let mut arrived = use_signal(|| None::<Arrived>);
    let asked = way.clone();
    use_future(move || {
        let way = asked.clone();
        async move {
            let answer = match &way {
                Way::Invitation(token) => match api::look_at_invitation(token).await {
                    Ok(look) => {
                        if let Some(chosen) = look.language {
                            language::set_from_member(chosen);
                        }
                        Found::Invitation(look)
                    }
                    Err(error) => Found::Nothing(error),
                },
                Way::Reset(token) => api::look_at_reset(token).await.map_or_else(Found::Nothing, Found::Reset),
            };
            found.set(Some(answer));
        }
    });
    use_effect(|| page::set_title(&text!("title-welcome")));
    rsx! {
        Door { house: House::First,
            main { class: "k-door__panel",
                div { class: "k-door__steps", img { src: "/brand/logo.svg", alt: "", width: "34", height: "34" } }
                if let Some(there) = arrived() {
                    div { class: "k-door__form",
                        FormProblem { problem: there.portrait.clone() }
                        RecoveryCodePanel {
                        code: there.code.clone(),
                        on_safe: move |()| {
                            let there = there.clone();
                            async move {
                                // In this order: what is shown next takes this page away, and with it what it still does.
                                login.signed_in(&there.signed_in, there.key).await;
                                on_leave.call(());
                            }
                        },
                    } }
                } else {
                    match found() {
                        None => rsx! {
                            div { class: "k-door__form", role: "status", Windows {} span { class: "k-vh", {text!("loading")} } }
                        },
                        Some(Found::Nothing(error)) => rsx! { NoWay { error, on_leave } },
                        Some(Found::Invitation(look)) => rsx! {
                            Form { way, look: Some(look), on_done: move |there| arrived.set(Some(there)), on_refused: move |error| found.set(Some(Found::Nothing(error))) }
                        },
                        Some(Found::Reset(look)) => rsx! {
                            Form { way, reset: Some(look), on_done: move |there| arrived.set(Some(there)), on_refused: move |error| found.set(Some(Found::Nothing(error))) }
                        },
                    }
                }
            }
        }
    }
}

/// A link is opened where somebody is signed in: it is hardly meant for them.
#[component]
pub fn LinkForOther(on_leave: EventHandler<()>) -> Element {
    let mut leaving = use_signal(|| false);
    let name = my_profile(replica()).map(|me| me.nickname).unwrap_or_default();
    if leaving() {
        return rsx! { SignOut { on_close: move |()| leaving.set(false) } };
    }
    rsx! {
        Dialog { title: text!("link-other-title"), on_close: on_leave,
            p { class: "k-dialog__text", {text!("link-other-lead", name: name)} }
            div { class: "k-dialog__actions",
                button { r#type: "button", class: "k-btn", onclick: move |_| leaving.set(true), {text!("link-other-sign-out")} }
                button { r#type: "button", class: "k-btn k-btn--primary", onclick: move |_| on_leave.call(()), {text!("stay")} }
            }
        }
    }
}

/// The link leads nowhere: why, and what to do.
#[component]
fn NoWay(error: ApiError, on_leave: EventHandler<()>) -> Element {
    let title = match error.code() {
        Some("invitation_used" | "reset_used") => text!("link-used-title"),
        Some("invitation_expired" | "reset_expired") => text!("link-expired-title"),
        Some("invitation_invalid" | "reset_invalid") => text!("link-invalid-title"),
        Some(_) | None => text!("link-problem-title"),
    };
    rsx! {
        div { class: "k-door__form",
            header {
                h1 { "{title}" }
                p { {error.words()} }
            }
            LanguageChoice { id: "language", label: text!("field-language") }
        }
        div { class: "k-door__actions",
            button { r#type: "button", class: "k-btn k-btn--primary k-btn--lg", onclick: move |_| on_leave.call(()), {text!("link-sign-in")} }
        }
    }
}

#[component]
fn Form(
    way: Way,
    #[props(default)] look: Option<InvitationLook>,
    #[props(default)] reset: Option<ResetLook>,
    on_done: EventHandler<Arrived>,
    on_refused: EventHandler<ApiError>,
) -> Element {
    let mut first_name = use_signal(String::new);
    let mut last_name = use_signal(String::new);
    let mut nickname = use_signal(String::new);
    let mut email = use_signal(String::new);
    let portrait = use_portrait();
    let mut password = use_signal(String::new);
    let mut again = use_signal(String::new);
    let mut mistakes = use_signal(Mistakes::default);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut busy = use_signal(|| false);
    use_effect(keys::warm_up);
    let invited = look.is_some();
    let submit = move |event: FormEvent| {
        let way = way.clone();
        async move {
            event.prevent_default();
            let mut found = Mistakes::default();
            if invited {
                found.check_text("first-name", &first_name.peek(), MAX_NAME_CHARS);
                found.check_text("last-name", &last_name.peek(), MAX_NAME_CHARS);
                found.check_text("nickname", &nickname.peek(), MAX_NAME_CHARS);
                if !email.peek().contains('@') {
                    found.add("email", phrase!("mistake-email"));
                }
            }
            if password.peek().chars().count() < MIN_PASSWORD_CHARS {
                found.add("password", phrase!("mistake-password-short", least: MIN_PASSWORD_CHARS));
            } else if *password.peek() != *again.peek() {
                found.add("again", phrase!("mistake-password-again"));
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
            let trimmed = |value: Signal<String>| value.peek().trim().to_owned();
            let fill = |registration: Registration| AcceptRequest {
                token: String::new(),
                email: trimmed(email),
                first_name: trimmed(first_name),
                last_name: trimmed(last_name),
                nickname: trimmed(nickname),
                language: *LANGUAGE.peek(),
                avatar: portrait.built_in(),
                registration,
            };
            match come_in(&way, &typed, fill).await {
                Ok(there) => {
                    let refused = if invited { portrait.send().await } else { None };
                    on_done.call(Arrived { portrait: refused, ..there });
                }
                Err(error) => match field_of(error.code()) {
                    Some(field) => {
                        let found = Mistakes::of(field, error.phrase());
                        mistakes.set(found.clone());
                        found.focus_first();
                    }
                    None if leads_nowhere(error.code()) => on_refused.call(error),
                    None => problem.set(Some(error.phrase())),
                },
            }
            busy.set(false);
        }
    };
    let strength = Strength::of(&password.read());
    rsx! {
        form { class: "k-door__form", id: "accept", novalidate: true, onsubmit: submit,
            header {
                if let Some(look) = &look {
                    if look.household.is_empty() {
                        h1 { {text!("accept-title", inviter: &look.inviter)} }
                    } else {
                        h1 { {text!("accept-title-house", inviter: &look.inviter, house: &look.household)} }
                    }
                    p { {text!("accept-lead")} }
                }
                if let Some(reset) = &reset {
                    h1 { {text!("reset-title", name: &reset.nickname)} }
                    p { {text!("reset-lead")} }
                }
            }
            div { class: "k-field",
                span { class: "k-field__label", {text!("field-language")} }
                LanguageChoice { id: "language", label: text!("field-language") }
            }
            if invited {
                PortraitPick { portrait }
                div { class: "k-fieldgrid",
                    TextField {
                        id: "first-name",
                        label: text!("field-first-name"),
                        autocomplete: "given-name",
                        value: first_name,
                        mistake: mistakes.read().at("first-name"),
                        on_input: move |value| first_name.set(value),
                    }
                    TextField {
                        id: "last-name",
                        label: text!("field-last-name"),
                        autocomplete: "family-name",
                        value: last_name,
                        mistake: mistakes.read().at("last-name"),
                        on_input: move |value| last_name.set(value),
                    }
                }
                div { class: "k-fieldgrid",
                    TextField {
                        id: "nickname",
                        label: text!("field-nickname"),
                        autocomplete: "nickname",
                        hint: text!("field-nickname-hint"),
                        value: nickname,
                        mistake: mistakes.read().at("nickname"),
                        on_input: move |value| nickname.set(value),
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
                }
            }
            if let Some(reset) = &reset {
                // For the browser's own keeper of passwords.
                input { class: "k-vh", r#type: "email", autocomplete: "username", tabindex: "-1", readonly: true, "aria-hidden": "true", value: "{reset.email}" }
            }
            div { class: "k-fieldgrid",
                div { class: "k-stack k-stack--tight",
                    PasswordField {
                        id: "password",
                        label: text!("field-password"),
                        autocomplete: "new-password",
                        value: password,
                        mistake: mistakes.read().at("password"),
                        on_input: move |value| password.set(value),
                    }
                    StrengthMeter { strength }
                }
                PasswordField {
                    id: "again",
                    label: text!("field-password-again"),
                    autocomplete: "new-password",
                    value: again,
                    mistake: mistakes.read().at("again"),
                    on_input: move |value| again.set(value),
                }
            }
            FormProblem { problem: problem() }
        }
        div { class: "k-door__actions",
            button {
                r#type: "submit",
                form: "accept",
                class: "k-btn k-btn--primary k-btn--lg",
                "aria-disabled": busy().then_some("true"),
                if invited { {text!("setup-submit")} } else { {text!("reset-submit")} }
            }
        }
    }
}

/// Registers the password and comes in by the link. A server that was started anew meanwhile has forgotten the
/// registration: then once more.
async fn come_in(way: &Way, password: &str, fill: impl Fn(Registration) -> AcceptRequest) -> Result<Arrived, ApiError> {
    let mut again = true;
    loop {
        let purpose = match way.clone() {
            Way::Invitation(token) => Purpose::Invitation { token },
            Way::Reset(token) => Purpose::Reset { token },
        };
        let registration = keys::register(&purpose, password, Kept::Nothing).await?;
        let (key, code) = (registration.key.clone(), registration.recovery_code.clone());
        let answer = match way {
            Way::Invitation(token) => {
                api::accept_invitation(&AcceptRequest { token: token.clone(), ..fill(registration) }).await
            }
            Way::Reset(token) => api::accept_reset(token, &registration).await,
        };
        match answer {
            Ok(signed_in) => {
                let (key, code) = key.zip(code).ok_or(ApiError::Unreadable)?;
                return Ok(Arrived { signed_in, key, code, portrait: None });
            }
            Err(error) if again && error.code() == Some("registration_gone") => again = false,
            Err(error) => return Err(error),
        }
    }
}

fn leads_nowhere(code: Option<&str>) -> bool {
    code.is_some_and(|code| ["_used", "_expired", "_invalid"].iter().any(|end| code.ends_with(end)))
        && code.is_some_and(|code| code.starts_with("invitation") || code.starts_with("reset"))
}

fn field_of(code: Option<&str>) -> Option<&'static str> {
    match code? {
        "first_name_empty" | "first_name_too_long" => Some("first-name"),
        "last_name_empty" | "last_name_too_long" => Some("last-name"),
        "nickname_empty" | "nickname_too_long" => Some("nickname"),
        "email_invalid" | "email_taken" => Some("email"),
        _ => None,
    }
}
