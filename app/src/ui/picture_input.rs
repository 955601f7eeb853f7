//! Choosing a picture of one's own: from a file, by dropping it, or from the clipboard.

mod file;

use super::avatar::picture_address;
use super::icon::{Icon, IconSize, Windows};
use super::page::{self, Listener};
use crate::api::pictures::{PICTURE_TYPES, add_picture};
use crate::i18n::Phrase;
use crate::text;
use dioxus::prelude::*;
use shared::PictureId;
use wasm_bindgen::JsCast;
use web_sys::{Blob, ClipboardEvent, DragEvent, File, HtmlInputElement};

/// The shape a picture will be seen in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureShape {
    /// A Kin's.
    Arch,
    /// A member's.
    Circle,
}

/// A picture that was chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Chosen {
    /// The server has it, under this id.
    Kept(PictureId),
    /// It is here only, small enough to be sent.
    Held(Blob),
}

/// A button that takes a picture from the device, a place to drop one, and the clipboard while it is drawn.
///
/// `picture` is the avatar as chosen so far; one that is no picture of one's own shows no preview. With `hold` nothing is
/// sent: whoever has no account yet sends it later.
#[component]
pub fn PictureInput(
    id: &'static str,
    picture: ReadSignal<String>,
    shape: PictureShape,
    #[props(default)] hold: bool,
    on_choose: EventHandler<Chosen>,
) -> Element {
    let mut busy = use_signal(|| false);
    let mut over = use_signal(|| false);
    let mut mistake = use_signal(|| None::<Phrase>);
    let take = use_callback(move |file: File| {
        if *busy.peek() {
            return;
        }
        spawn(async move {
            busy.set(true);
            mistake.set(None);
            let kept = match file::shrink(&file, hold).await {
                Ok(small) if hold => Ok(Chosen::Held(small)),
                Ok(small) => add_picture(&small).await.map(Chosen::Kept).map_err(|error| error.phrase()),
                Err(phrase) => Err(phrase),
            };
            match kept {
                Ok(chosen) => on_choose.call(chosen),
                Err(phrase) => mistake.set(Some(phrase)),
            }
            busy.set(false);
        });
    });
    use_hook(|| {
        CopyValue::new(Listener::on_window("paste", move |event| {
            let Some(data) = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data) else { return };
            // Text that comes with a picture of itself is meant as text.
            let is_text = data.get_data("text/plain").is_ok_and(|text| !text.is_empty());
            if let Some(file) = data.files().and_then(|files| files.get(0)).filter(|_| !is_text) {
                event.prevent_default();
                take.call(file);
            }
        }))
    });
    let round = if shape == PictureShape::Circle { " k-picture--round" } else { "" };
    let over_class = if over() { " is-over" } else { "" };
    let described = format!("{id}-hint");
    rsx! {
        div {
            class: "k-picture{round}{over_class}",
            ondragover: move |event| {
                event.prevent_default();
                if !over() { over.set(true); }
            },
            ondragleave: move |_| over.set(false),
            ondrop: move |event| {
                event.prevent_default();
                over.set(false);
                let data = event.data();
                let files = data.downcast::<DragEvent>().and_then(DragEvent::data_transfer).and_then(|data| data.files());
                if let Some(file) = files.and_then(|files| files.get(0)) {
                    take.call(file);
                }
            },
            if let Some(address) = picture_address(&picture.read()) {
                span { class: "k-picture__now", img { src: address, alt: text!("picture-own") } }
            }
            span { class: "k-picture__main",
                button {
                    r#type: "button",
                    id,
                    class: "k-btn k-btn--sm",
                    "aria-disabled": busy().then_some("true"),
                    "aria-describedby": described.clone(),
                    onclick: move |_| {
                        if let Some(input) = page::element(&format!("#{id}-file")) {
                            input.click();
                        }
                    },
                    Icon { name: "upload", size: IconSize::Sm }
                    {text!("picture-upload")}
                }
                input {
                    id: "{id}-file",
                    r#type: "file",
                    hidden: true,
                    accept: PICTURE_TYPES.join(","),
                    onchange: move |_| {
                        let input = page::element(&format!("#{id}-file"));
                        let Some(input) = input.and_then(|input| input.dyn_into::<HtmlInputElement>().ok()) else { return };
                        if let Some(file) = input.files().and_then(|files| files.get(0)) {
                            take.call(file);
                        }
                        // The same file may be chosen again, after a mistake.
                        input.set_value("");
                    },
                }
                span { id: described, class: "k-field__hint", role: "status",
                    if busy() {
                        Windows {}
                        span { {text!("picture-busy")} }
                    }
                }
                if !busy() && mistake.read().is_none() {
                    span { class: "k-field__hint k-picture__hint", {text!("picture-hint")} }
                }
            }
            if let Some(phrase) = mistake() {
                span { class: "k-field__hint is-bad", role: "alert",
                    Icon { name: "circle-alert", size: IconSize::Sm }
                    span { {phrase.words()} }
                }
            }
        }
    }
}
