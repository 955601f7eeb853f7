//! One of several: segmented controls and picture pickers, as a radio group with arrow keys.

use super::page;
use dioxus::prelude::*;
use wasm_bindgen::JsCast;

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice<T: 'static> {
    /// What choosing it means.
    pub value: T,
    /// Its name.
    pub label: String,
}

/// Where a key moves to in a group of `count`, from `at`. `None` for keys that move nothing.
pub fn step(key: &Key, at: usize, count: usize) -> Option<usize> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other key of every keyboard")]
    match key {
        Key::ArrowRight | Key::ArrowDown => Some((at + 1) % count),
        Key::ArrowLeft | Key::ArrowUp => Some((at + count - 1) % count),
        Key::Home => Some(0),
        Key::End => Some(count - 1),
        _ => None,
    }
}

/// Moves the focus to a group's chosen button once it is drawn as chosen.
pub fn focus_chosen(group: &'static str) {
    spawn(async move {
        page::sleep(0).await;
        let chosen = page::element(&format!("#{group} [aria-checked=true]"));
        if let Some(chosen) = chosen {
            chosen.unchecked_into::<web_sys::HtmlElement>().focus().ok();
        }
    });
}

/// A segmented control.
#[component]
pub fn Segment<T: Clone + PartialEq + 'static>(
    id: &'static str,
    label: String,
    options: Vec<Choice<T>>,
    chosen: T,
    on_choose: EventHandler<T>,
) -> Element {
    let at = options.iter().position(|option| option.value == chosen).unwrap_or(0);
    let values: Vec<T> = options.iter().map(|option| option.value.clone()).collect();
    rsx! {
        div {
            id,
            class: "k-segment",
            role: "radiogroup",
            "aria-label": "{label}",
            onkeydown: move |event| {
                if let Some(next) = step(&event.key(), at, values.len()) {
                    event.prevent_default();
                    on_choose.call(values[next].clone());
                    focus_chosen(id);
                }
            },
            for (index, option) in options.into_iter().enumerate() {
                button {
                    key: "{index}",
                    r#type: "button",
                    role: "radio",
                    "aria-checked": if index == at { "true" } else { "false" },
                    tabindex: if index == at { "0" } else { "-1" },
                    onclick: move |_| on_choose.call(option.value.clone()),
                    "{option.label}"
                }
            }
        }
    }
}
