//! My account.

use super::super::account::{LanguagePreference, SignOut, ThemePreference};
use super::super::icon::{Icon, IconSize};
use super::super::page;
use super::devices::Devices;
use super::profile::{DeleteMe, Password, Profile};
use super::tokens::Tokens;
use crate::text;
use dioxus::prelude::*;

/// Everything about the member of this device.
#[component]
pub fn AccountScreen() -> Element {
    let mut leaving = use_signal(|| false);
    let mut deleting = use_signal(|| false);
    use_effect(|| page::set_title(&text!("title-my-account")));
    rsx! {
        div { class: "k-page",
            div { class: "k-pagehead",
                div {
                    h1 { class: "k-not-phone", {text!("my-account")} }
                    p { {text!("my-account-lead")} }
                }
            }
            Profile {}
            section { class: "k-section",
                div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("my-screens")} } } }
                div { class: "k-card k-stack",
                    LanguagePreference { id: "my-language" }
                    ThemePreference { id: "my-theme" }
                }
            }
            Password {}
            Devices {}
            Tokens {}
            section { class: "k-section",
                div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("my-data")} } } }
                div { class: "k-card k-stack",
                    p { class: "k-small k-soft", {text!("export-lead")} }
                    div { class: "k-cluster",
                        a { class: "k-btn k-btn--sm", href: "/api/me/export", download: "kinstead.jsonl",
                            {text!("export")}
                        }
                    }
                }
            }
            div { class: "k-cluster",
                button { r#type: "button", class: "k-btn k-btn--danger-ghost", onclick: move |_| deleting.set(true),
                    Icon { name: "trash-2", size: IconSize::Sm }
                    {text!("delete-me")}
                }
                button { r#type: "button", class: "k-btn k-btn--danger-ghost", onclick: move |_| leaving.set(true),
                    Icon { name: "power", size: IconSize::Sm }
                    {text!("sign-out")}
                }
            }
        }
        if leaving() {
            SignOut { on_close: move |()| leaving.set(false) }
        }
        if deleting() {
            DeleteMe { on_close: move |()| deleting.set(false) }
        }
    }
}
