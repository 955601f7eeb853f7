//! Icons and the house's small signs.

use dioxus::prelude::*;

/// How large an icon is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IconSize {
    /// 14 px, within small text.
    Xs,
    /// 16 px, within buttons.
    Sm,
    /// 20 px.
    #[default]
    Md,
}

impl IconSize {
    const fn class(self) -> &'static str {
        match self {
            Self::Xs => "k-icon k-icon--xs",
            Self::Sm => "k-icon k-icon--sm",
            Self::Md => "k-icon",
        }
    }
}

/// The design's sprite: our own file, never anyone's text.
const SPRITE: &str = include_str!("art/icons.svg");

/// Every icon, once in the page and not seen itself. A sprite in a file of its own would be asked for again with each
/// icon that appears, and so be missing just when there is no network.
#[component]
pub fn Sprite() -> Element {
    rsx! { div { hidden: true, dangerous_inner_html: SPRITE } }
}

/// One icon of the sprite. Says nothing by itself: whoever draws it gives the words.
#[component]
pub fn Icon(name: &'static str, #[props(default)] size: IconSize) -> Element {
    rsx! {
        svg { class: size.class(), "aria-hidden": "true",
            r#use { href: "#i-{name}" }
        }
    }
}

/// Three windows that blink while someone thinks.
#[component]
pub fn Windows() -> Element {
    rsx! {
        span { class: "k-windows", "aria-hidden": "true", i {} i {} i {} }
    }
}
