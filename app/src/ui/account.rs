//! Me: language, theme, sign-out.

use super::choice::{Choice, Segment};
use super::dialog::Dialog;
use super::door::languages;
use super::icon::Icon;
use super::language;
use super::login::end_login;
use super::page::{self, Listener};
use super::replica::replica;
use super::routes::Route;
use super::theme::{self, Theme};
use crate::i18n::LANGUAGE;
use crate::text;
use dioxus::prelude::*;
use wasm_bindgen::JsCast;

/// What opens the menu, and the menu while it is open.
///
/// `class` is the opener's; `place` says where the menu goes.
#[component]
pub fn AccountMenu(class: &'static str, place: &'static str, label: String, children: Element) -> Element {
    let mut open = use_signal(|| false);
    let mut asks = use_signal(|| false);
    rsx! {
        div { class: "k-account", "data-account": "{place}",
            onkeydown: move |event| {
                if event.key() == Key::Escape && open() {
                    event.prevent_default();
                    open.set(false);
                    page::focus(opener_of(place));
                }
            },
            button {
                r#type: "button",
                class,
                "aria-label": "{label}",
                "aria-expanded": if open() { "true" } else { "false" },
                "aria-haspopup": "true",
                onclick: move |_| open.toggle(),
                {children}
            }
            if open() {
                Menu {
                    place,
                    on_away: move |()| open.set(false),
                    on_sign_out: move |()| {
                        open.set(false);
                        asks.set(true);
                    },
                }
            }
        }
        if asks() {
            SignOut {
            // What asked for it, the menu's item, is gone.
            on_close: move |()| {
                asks.set(false);
                page::focus_soon(opener_of(place));
            },
        }
        }
    }
}

fn opener_of(place: &str) -> &'static str {
    if place == "side" { "[data-account=side] > button" } else { "[data-account=bar] > button" }
}

/// The member's language, on all of their devices.
#[component]
pub fn LanguagePreference(id: &'static str) -> Element {
    let replica = replica();
    rsx! {
        div { class: "k-account__choice",
            span { class: "k-eyebrow", {text!("field-language")} }
            Segment {
                id,
                label: text!("field-language"),
                options: languages(),
                chosen: LANGUAGE(),
                on_choose: move |chosen| language::prefer(replica, chosen),
            }
        }
    }
}

/// The member's theme, on all of their devices.
#[component]
pub fn ThemePreference(id: &'static str) -> Element {
    let replica = replica();
    let themes = [
        (Theme::System, text!("theme-system")),
        (Theme::Light, text!("theme-light")),
        (Theme::Dark, text!("theme-dark")),
    ];
    let themes: Vec<_> = themes.map(|(value, label)| Choice { value, label }).to_vec();
    rsx! {
        div { class: "k-account__choice",
            span { class: "k-eyebrow", {text!("theme")} }
            Segment {
                id,
                label: text!("theme"),
                options: themes,
                chosen: theme::current(),
                on_choose: move |chosen| theme::prefer(replica, chosen),
            }
        }
    }
}

#[component]
fn Menu(place: &'static str, on_away: EventHandler<()>, on_sign_out: EventHandler<()>) -> Element {
    // A tap anywhere else closes it.
    let away = use_callback(move |event: web_sys::Event| {
        let inside = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
            .and_then(|target| target.closest("[data-account]").ok().flatten())
            .is_some();
        if !inside {
            on_away.call(());
        }
    });
    use_hook(|| CopyValue::new(Listener::on_window("pointerdown", move |event| away.call(event))));
    rsx! {
        div { class: "k-menu k-account__menu", "data-place": place, role: "group", "aria-label": text!("account-menu"),
            LanguagePreference { id: "menu-language" }
            ThemePreference { id: "menu-theme" }
            div { class: "k-menu__sep" }
            Link { class: "k-menu__item", to: Route::Account {}, onclick: move |_| on_away.call(()),
                Icon { name: "user" }
                {text!("my-account")}
            }
            button {
                r#type: "button",
                class: "k-menu__item is-bad",
                onclick: move |_| on_sign_out.call(()),
                Icon { name: "power" }
                {text!("sign-out")}
            }
        }
    }
}

/// Says what signing out does here before it does it.
#[component]
pub fn SignOut(on_close: EventHandler<()>) -> Element {
    let replica = replica();
    let sync = replica.sync();
    let unsent = sync.read().unsent + sync.read().refused;
    let mut busy = use_signal(|| false);
    rsx! {
        Dialog { title: text!("sign-out-title"), on_close,
            p { class: "k-dialog__text",
                if unsent > 0 {
                    {text!("sign-out-unsent", count: unsent)}
                } else {
                    {text!("sign-out-lead")}
                }
            }
            div { class: "k-dialog__actions",
                button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("stay")} }
                button {
                    r#type: "button",
                    class: "k-btn k-btn--danger",
                    "aria-disabled": busy().then_some("true"),
                    onclick: move |_| async move {
                        if *busy.peek() {
                            return;
                        }
                        busy.set(true);
                        end_login().await;
                        replica.wipe();
                    },
                    {text!("sign-out")}
                }
            }
        }
    }
}
