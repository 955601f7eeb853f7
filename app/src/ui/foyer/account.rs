//! My account.

use super::super::account::{LanguagePreference, SignOut, ThemePreference};
use super::super::icon::{Icon, IconSize};
use super::super::page;
use crate::text;
use dioxus::prelude::*;

/// Everything about the member of this device.
#[component]
pub fn AccountScreen() -> Element {
    let mut leaving = use_signal(|| false);
    use_effect(|| page::set_title(&text!("title-my-account")));
    rsx! {
        div { class: "k-page",
            div { class: "k-pagehead",
                div {
                    h1 { class: "k-not-phone", {text!("my-account")} }
                    p { {text!("my-account-lead")} }
                }
            }
            section { class: "k-section",
                div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("my-screens")} } } }
                div { class: "k-card k-stack",
                    LanguagePreference { id: "my-language" }
                    ThemePreference { id: "my-theme" }
                }
            }
            div { class: "k-cluster",
                button { r#type: "button", class: "k-btn k-btn--danger-ghost", onclick: move |_| leaving.set(true),
                    Icon { name: "power", size: IconSize::Sm }
                    {text!("sign-out")}
                }
            }
        }
        if leaving() {
            SignOut { on_close: move |()| leaving.set(false) }
        }
    }
}
