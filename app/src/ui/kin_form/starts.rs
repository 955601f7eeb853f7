//! Good starting points for a Kin (O-5), in the member's language and there to be changed.

use super::KinFields;
use crate::text;
use crate::ui::choice::{focus_chosen, step};
use dioxus::prelude::*;
use serde::{Deserialize, Serialize};

/// What a Kin may begin as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// Meals.
    Cooking,
    /// Money and papers.
    Budget,
    /// Going places.
    Travel,
    /// Learning.
    Homework,
    /// Plants.
    Garden,
    /// Nothing yet.
    #[default]
    Blank,
}

impl Start {
    /// In the order they are offered.
    pub const ALL: [Self; 6] = [Self::Cooking, Self::Budget, Self::Travel, Self::Homework, Self::Garden, Self::Blank];

    const fn key(self) -> &'static str {
        match self {
            Self::Cooking => "cooking",
            Self::Budget => "budget",
            Self::Travel => "travel",
            Self::Homework => "homework",
            Self::Garden => "garden",
            Self::Blank => "blank",
        }
    }

    const fn face(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Cooking => Some(("basile", "pear")),
            Self::Budget => Some(("noisette", "acorn")),
            Self::Travel => Some(("zephyr", "sky")),
            Self::Homework => Some(("marlow", "dusk")),
            Self::Garden => Some(("mousse", "moss")),
            Self::Blank => None,
        }
    }

    fn words(self, what: &str) -> String {
        if self == Self::Blank { String::new() } else { text!(&format!("begin-{}-{what}", self.key())) }
    }
}

/// Every key that is put together here.
#[cfg(test)]
pub fn starting_keys() -> Vec<String> {
    let of = |start: Start| {
        let own = if start == Start::Blank { &[][..] } else { &WHAT[..] };
        let label = format!("begin-{}", start.key());
        std::iter::once(label).chain(own.iter().map(move |what| format!("begin-{}-{what}", start.key())))
    };
    Start::ALL.into_iter().flat_map(of).collect()
}

const WHAT: [&str; 4] = ["name", "role", "character", "expertise"];

/// What a starting point puts into the four texts of a form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Texts([String; 4]);

impl Texts {
    /// In the present language; whoever asks redraws when that changes.
    fn of(start: Start) -> Self {
        Self(WHAT.map(|what| start.words(what)))
    }
}

/// Fills the form with a starting point, and again in another language. What a member has written themselves stays.
///
/// A form that was left wears the face it was left with.
pub fn use_start(fields: KinFields, start: ReadSignal<Start>, was_left: bool) {
    let mut filled = use_signal(Texts::default);
    let mut worn = use_signal(|| was_left.then(|| *start.peek()));
    use_effect(move || {
        let texts = Texts::of(start());
        let mut fields = fields;
        let before = filled.replace(texts.clone());
        let signals = [&mut fields.name, &mut fields.role, &mut fields.character, &mut fields.expertise];
        for ((signal, before), now) in signals.into_iter().zip(before.0).zip(texts.0) {
            let written = signal.peek().clone();
            if (written.is_empty() || written == before) && written != now {
                signal.set(now);
            }
        }
        // Another starting point has another face; another language has not.
        if worn.replace(Some(start())) != Some(start())
            && let Some((avatar, hue)) = start().face()
        {
            fields.avatar.set(avatar.to_owned());
            fields.hue.set(hue.to_owned());
        }
    });
}

/// The starting points to choose from.
#[component]
pub fn StartChips(start: Signal<Start>) -> Element {
    let mut start = start;
    let at = Start::ALL.iter().position(|one| *one == start()).unwrap_or(Start::ALL.len() - 1);
    rsx! {
        div {
            id: "kin-start",
            class: "k-chips",
            role: "radiogroup",
            "aria-label": text!("begin-points"),
            onkeydown: move |event| {
                if let Some(next) = step(&event.key(), at, Start::ALL.len()) {
                    event.prevent_default();
                    start.set(Start::ALL[next]);
                    focus_chosen("kin-start");
                }
            },
            for (index, one) in Start::ALL.into_iter().enumerate() {
                button {
                    key: "{index}",
                    r#type: "button",
                    role: "radio",
                    class: "k-chip k-chip--out",
                    "aria-checked": if index == at { "true" } else { "false" },
                    tabindex: if index == at { "0" } else { "-1" },
                    onclick: move |_| start.set(one),
                    {text!(&format!("begin-{}", one.key()))}
                }
            }
        }
    }
}
