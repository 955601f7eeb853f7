//! A block of code, with its language and a button that copies it.

use crate::text;
use crate::ui::icon::Icon;
use crate::ui::page;
use dioxus::prelude::*;

/// How long the tick stays.
const COPIED_MS: i32 = 2000;

/// A block of code.
#[component]
pub fn CodeBlock(language: String, text: ReadSignal<String>) -> Element {
    let mut copied = use_signal(|| false);
    let label = if language.is_empty() { text!("code") } else { language.clone() };
    let icon = if copied() { "check" } else { "copy" };
    let copy = if copied() { text!("copied") } else { text!("copy") };
    rsx! {
        div { class: "k-code",
            div { class: "k-code__head",
                span { "{label}" }
                button {
                    r#type: "button",
                    class: "k-iconbtn k-iconbtn--sm",
                    "aria-label": copy,
                    onclick: move |_| async move {
                        let code = text.peek().clone();
                        if page::copy(&code).await {
                            copied.set(true);
                            page::sleep(COPIED_MS).await;
                            copied.set(false);
                        }
                    },
                    Icon { name: icon }
                }
            }
            pre { tabindex: "0", role: "group", "aria-label": "{label}", code { "{text}" } }
        }
    }
}
