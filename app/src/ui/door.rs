//! The doorstep: the house whose windows are lit, and a form beside it.

use super::choice::{Choice, Segment};
use super::language;
use crate::i18n::LANGUAGE;
use dioxus::prelude::*;
use shared::profile::Language;

/// The evening house: someone is in.
const EVENING: &str = include_str!("art/house-evening.svg");
/// The house on its first day.
const FIRST: &str = include_str!("art/house-first.svg");

/// Which house stands at the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum House {
    /// Every window lit.
    Evening,
    /// One window lit.
    First,
    /// So many more windows lit.
    Waking(usize),
}

/// A window without light.
const DARK: &str = "fill=\"light-dark(#8f5a66,#33202c)\"";
/// One with it.
const LIT: &str = "fill=\"url(#UIDl)\"";

impl House {
    /// The drawing, cut to `frame`. Our own file, never anyone's text. `id` keeps apart what is drawn twice.
    fn drawing(self, class: &str, frame: &str, id: &str) -> String {
        let art = match self {
            Self::Evening => EVENING.to_owned(),
            Self::First => FIRST.to_owned(),
            Self::Waking(windows) => FIRST.replacen(DARK, LIT, windows),
        };
        let open = format!(
            "<svg class=\"{class}\" viewBox=\"{frame}\" preserveAspectRatio=\"xMidYMax meet\" aria-hidden=\"true\">"
        );
        open + &art.replace("UID", id) + "</svg>"
    }
}

/// The house beside a form; on a phone above it.
#[component]
pub fn Door(house: House, children: Element) -> Element {
    let art = house.drawing("k-door__far", "100 80 600 960", "far")
        + &house.drawing("k-door__near", "200 430 400 335", "near");
    rsx! {
        div { class: "k-door",
            div { class: "k-door__art", dangerous_inner_html: art }
            {children}
        }
    }
}

/// French or English, before anyone is signed in.
#[component]
pub fn LanguageChoice(id: &'static str, label: String) -> Element {
    rsx! {
        Segment {
            id,
            label,
            options: languages(),
            chosen: LANGUAGE(),
            on_choose: language::set,
        }
    }
}

/// The languages, each named in itself.
pub fn languages() -> Vec<Choice<Language>> {
    [(Language::Fr, "Français"), (Language::En, "English")]
        .map(|(value, label)| Choice { value, label: label.to_owned() })
        .to_vec()
}
