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

/// One icon of the sprite. Says nothing by itself: whoever draws it gives the words.
#[component]
pub fn Icon(name: &'static str, #[props(default)] size: IconSize) -> Element {
    rsx! {
        svg { class: size.class(), "aria-hidden": "true",
            r#use { href: "/icons.svg#i-{name}" }
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
