//! The recovery code, shown once.

use super::icon::{Icon, IconSize};
use super::page;
use crate::text;
use dioxus::prelude::*;

/// A new recovery code to be written down, copied or saved; `on_safe` when the member says that it is.
#[component]
pub fn RecoveryCodePanel(code: String, on_safe: EventHandler<()>) -> Element {
    let mut copied = use_signal(|| false);
    let file = format!("{}\n\n{code}\n", text!("recovery-file-title"));
    let address = format!("data:text/plain;charset=utf-8,{}", page::escaped(&file));
    let icon = if copied() { "check" } else { "copy" };
    let to_copy = code.clone();
    // Whoever comes from a form should hear of this first.
    use_hook(|| page::focus_soon("#recovery-title"));
    rsx! {
        div { class: "k-recovery",
            header {
                h1 { id: "recovery-title", tabindex: "-1", {text!("recovery-title")} }
                p { {text!("recovery-lead")} }
            }
            div { class: "k-card k-card--lift k-recovery__card",
                p { class: "k-recovery__code", id: "recovery-code", translate: "no", "{code}" }
                div { class: "k-recovery__ways",
                    button {
                        r#type: "button",
                        class: "k-btn k-btn--sm",
                        onclick: move |_| {
                            let code = to_copy.clone();
                            async move { copied.set(page::copy(&code).await) }
                        },
                        Icon { name: icon, size: IconSize::Sm }
                        if copied() { {text!("copied")} } else { {text!("copy")} }
                    }
                    a { class: "k-btn k-btn--sm", href: "{address}", download: "kinstead.txt", {text!("recovery-save")} }
                }
            }
            button {
                r#type: "button",
                class: "k-btn k-btn--primary k-btn--lg k-btn--block",
                onclick: move |_| on_safe.call(()),
                {text!("recovery-safe")}
            }
        }
    }
}
