//! A dialog over everything else. The browser keeps the focus in it; it goes back to what opened it.

use super::page;
use dioxus::prelude::*;
use dioxus::web::WebEventExt;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

/// A dialog with a title, for as long as it is drawn.
#[component]
pub fn Dialog(title: String, on_close: EventHandler<()>, children: Element) -> Element {
    let opener = use_hook(|| CopyValue::new(page::focused()));
    let mut element = use_hook(|| CopyValue::new(None::<HtmlDialogElement>));
    use_drop(move || {
        // While it is open nothing behind it can take the focus.
        if let Some(dialog) = element.peek().as_ref() {
            dialog.close();
        }
        if let Some(opener) = opener.peek().as_ref() {
            opener.focus().ok();
        }
    });
    rsx! {
        dialog {
            class: "k-dialog k-sheet",
            "aria-labelledby": "dialog-title",
            onmounted: move |event| {
                if let Some(dialog) = event.data().try_as_web_event() {
                    let dialog: HtmlDialogElement = dialog.unchecked_into();
                    dialog.show_modal().ok();
                    element.set(Some(dialog));
                }
            },
            // Escape asks; the owner decides, and takes the dialog away by no longer drawing it.
            oncancel: move |event| {
                event.prevent_default();
                on_close.call(());
            },
            h2 { id: "dialog-title", class: "k-dialog__title", "{title}" }
            {children}
        }
    }
}
