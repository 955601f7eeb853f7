//! Light, dark, or as the system says.

use super::page;
use super::replica::Replica;
use dioxus::prelude::*;
use shared::operation::PreferenceKey;
use sync::view::HomeView;

const KEY: &str = "theme";

/// The theme in force, for whoever draws a control for it.
static THEME: GlobalSignal<Theme> = Signal::global(|| Theme::from_name(page::remembered(KEY).as_deref()));

/// What a member can choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Paper.
    Light,
    /// Night.
    Dark,
}

impl Theme {
    const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn from_name(name: Option<&str>) -> Self {
        match name {
            Some("light") => Self::Light,
            Some("dark") => Self::Dark,
            Some(_) | None => Self::System,
        }
    }

    fn show(self) {
        let Some(root) = page::root() else { return };
        match self {
            Self::System => root.remove_attribute("data-theme").ok(),
            Self::Light | Self::Dark => root.set_attribute("data-theme", self.name()).ok(),
        };
    }
}

/// Before the first picture.
pub fn apply_remembered() {
    Theme::from_name(page::remembered(KEY).as_deref()).show();
}

/// Follows the member's preference from whichever device it was set on.
pub fn use_preferred(home: ReadSignal<Option<HomeView>>) {
    let preferred = use_memo(move || home.read().as_ref().and_then(|home| home.preferences.theme.clone()));
    use_effect(move || {
        if let Some(name) = preferred() {
            set(Theme::from_name(Some(&name)));
        }
    });
}

/// The theme in force.
pub fn current() -> Theme {
    THEME()
}

/// Whether the page is dark now.
pub fn is_dark() -> bool {
    match THEME() {
        Theme::System => page::prefers_dark(),
        Theme::Light => false,
        Theme::Dark => true,
    }
}

fn set(theme: Theme) {
    page::remember(KEY, Some(theme.name()));
    theme.show();
    if *THEME.peek() != theme {
        *THEME.write() = theme;
    }
}

/// Chooses a theme on all of the member's devices.
pub fn prefer(replica: Replica, theme: Theme) {
    set(theme);
    replica.prefer(PreferenceKey::Theme, theme.name());
}

/// To the other one.
pub fn toggle(replica: Replica) {
    prefer(replica, if is_dark() { Theme::Light } else { Theme::Dark });
}
