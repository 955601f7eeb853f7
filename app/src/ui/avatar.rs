//! Faces: people are circles, Kins live in arches.

use super::icon::{Icon, IconSize};
use dioxus::prelude::*;
use shared::PictureId;
use shared::profile::{AVATARS, PORTRAITS};
use sync::view::Activity;

/// The ring around a Kin and the mark on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ring {
    /// Nothing going on.
    #[default]
    None,
    /// Writing.
    Thinking,
    /// Something failed.
    Warning,
    /// Out of reach.
    Offline,
}

impl Ring {
    /// What an activity looks like.
    pub const fn of(activity: &Activity) -> Self {
        match activity {
            Activity::Idle => Self::None,
            Activity::Writing => Self::Thinking,
            Activity::Retrying(_) | Activity::Failed(_) => Self::Warning,
        }
    }

    /// State class, with a leading space, or empty.
    pub const fn class(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Thinking => " is-thinking",
            Self::Warning => " is-warning",
            Self::Offline => " is-offline",
        }
    }
}

/// How large a face is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FaceSize {
    /// As the place around it says.
    #[default]
    Inherit,
    /// 32 px.
    Sm,
    /// 56 px.
    Lg,
    /// 88 px.
    Xl,
}

impl FaceSize {
    const fn class(self) -> &'static str {
        match self {
            Self::Inherit => "",
            Self::Sm => " k-avatar--sm",
            Self::Lg => " k-avatar--lg",
            Self::Xl => " k-avatar--xl",
        }
    }
}

/// A Kin's face. Empty for screen readers: its name stands beside it.
#[component]
pub fn KinFace(avatar: String, hue: String, #[props(default)] ring: Ring, #[props(default)] size: FaceSize) -> Element {
    rsx! {
        span { class: "k-avatar k-avatar--kin{size.class()}{ring.class()}", "data-hue": "{hue}",
            KinPicture { avatar }
            if ring == Ring::Warning {
                WarningDot {}
            }
            if ring == Ring::Offline {
                span { class: "k-avatar__dot is-offline", Icon { name: "cloud-off", size: IconSize::Xs } }
            }
        }
    }
}

/// The mark of a Kin that could not answer.
#[component]
pub fn WarningDot() -> Element {
    rsx! {
        span { class: "k-avatar__dot is-warning",
            Icon { name: "triangle-alert", size: IconSize::Xs }
        }
    }
}

/// A member's face, or the first letter of their name.
#[component]
pub fn MemberFace(avatar: String, name: String, #[props(default)] size: FaceSize) -> Element {
    let letter = name.chars().next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    rsx! {
        if let Some(address) = picture_address(&avatar) {
            span { class: "k-avatar{size.class()}", img { src: address, alt: "" } }
        } else if PORTRAITS.contains(&avatar.as_str()) {
            span { class: "k-avatar{size.class()}",
                img { src: "/avatars/people/{avatar}.svg", alt: "" }
            }
        } else {
            span { class: "k-avatar k-avatar--letter{size.class()}", "aria-hidden": "true", "{letter}" }
        }
    }
}

/// A Kin's picture alone, for whatever frames it. A picture of its own fills its frame, an illustration stands in it.
#[component]
pub fn KinPicture(avatar: String, #[props(default)] size: Option<u32>) -> Element {
    let own = picture_address(&avatar).is_some().then_some("k-photo");
    rsx! { img { class: own, src: picture(&avatar), alt: "", width: size, height: size } }
}

/// Where a picture of somebody's own is; `None` for built-in ones.
pub fn picture_address(avatar: &str) -> Option<String> {
    avatar.parse::<PictureId>().ok().map(|id| format!("/api/pictures/{id}"))
}

/// Where a Kin's picture is. A name this version does not know gets the first illustration, not a broken picture.
pub fn picture(avatar: &str) -> String {
    if let Some(address) = picture_address(avatar) {
        return address;
    }
    let known = AVATARS.iter().find(|(name, _)| *name == avatar).unwrap_or(&AVATARS[0]).0;
    format!("/avatars/cutout/{known}.svg")
}
