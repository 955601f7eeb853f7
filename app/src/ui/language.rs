//! Which language the screens speak: the member's preference, else this browser's memory, else the browser's own.

use super::page;
use super::replica::Replica;
use crate::i18n::LANGUAGE;
use dioxus::prelude::*;
use shared::operation::PreferenceKey;
use shared::profile::Language;
use sync::view::HomeView;

const KEY: &str = "language";

/// Before anyone is signed in.
pub fn set_from_browser() {
    let remembered = page::remembered(KEY).and_then(|tag| Language::from_tag(&tag));
    FIRST.with(|first| {
        first.set(remembered.or_else(|| page::languages().iter().find_map(|tag| Language::from_tag(tag))))
    });
}

thread_local! {
    /// Found before Dioxus runs, where signals cannot be written yet.
    static FIRST: std::cell::Cell<Option<Language>> = const { std::cell::Cell::new(None) };
}

/// Tells the page which language it is in, now and whenever that changes.
pub fn use_page_language() {
    use_hook(|| {
        if let Some(language) = FIRST.with(std::cell::Cell::get) {
            *LANGUAGE.write() = language;
        }
    });
    use_effect(|| {
        if let Some(root) = page::root() {
            root.set_attribute("lang", LANGUAGE().as_str()).ok();
        }
    });
}

/// Follows the member's preference from whichever device it was set on.
pub fn use_preferred(home: ReadSignal<Option<HomeView>>) {
    let preferred = use_memo(move || {
        let home = home.read();
        let tag = home.as_ref()?.preferences.language.clone()?;
        Language::from_tag(&tag)
    });
    use_effect(move || {
        if let Some(language) = preferred() {
            set(language);
        }
    });
}

/// Uses the language the member gave when they joined, unless someone chose one in this browser.
///
/// It is not remembered: the next one to sign in here may speak another.
pub fn set_from_member(language: Language) {
    if page::remembered(KEY).is_none() {
        speak(language);
    }
}

/// Switches at once, in this browser, as someone chose.
pub fn set(language: Language) {
    page::remember(KEY, Some(language.as_str()));
    speak(language);
}

fn speak(language: Language) {
    if *LANGUAGE.peek() != language {
        *LANGUAGE.write() = language;
    }
}

/// Switches at once, on all of the member's devices.
pub fn prefer(replica: Replica, language: Language) {
    set(language);
    replica.prefer(PreferenceKey::Language, language.as_str());
}
