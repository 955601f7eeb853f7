//! The four windows of the first day: those behind you are lit, the one before you is about to be.

use crate::text;
use dioxus::prelude::*;

/// Which window stands for a step: `now` counts from 0.
fn light(at: usize, now: usize) -> &'static str {
    match at.cmp(&now) {
        std::cmp::Ordering::Less => "is-lit",
        std::cmp::Ordering::Equal => "is-now",
        std::cmp::Ordering::Greater => "",
    }
}

/// Where one is, as windows and as a caption. `current` counts from 0.
#[component]
pub fn Stepper(current: usize, of: usize, caption: String) -> Element {
    rsx! {
        div { class: "k-door__steps",
            span {
                class: "k-lights",
                role: "img",
                "aria-label": text!("step-of", step: current + 1, of: of),
                for at in 0..of {
                    i { key: "{at}", class: light(at, current) }
                }
            }
            span { "{caption}" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_behind_you_are_lit() {
        assert_eq!([0, 1, 2, 3].map(|at| light(at, 1)), ["is-lit", "is-now", "", ""]);
    }
}
