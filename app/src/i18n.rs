//! The app's words: one folder of Fluent files per language, read through [`text!`](crate::text).
//!
//! `fluent-bundle` is used directly. `dioxus-i18n` wraps the same crate, but marks every argument with invisible
//! direction characters that cannot be switched off and panics on a missing key, and its words can be looked up
//! only inside a running app, so not in a test.

use dioxus::prelude::*;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use shared::profile::Language;
use std::cell::OnceCell;
use std::thread::LocalKey;

/// The files of one language, one per area of the app.
macro_rules! locale {
    ($language:literal) => {
        concat!(
            include_str!(concat!("../locales/", $language, "/common.ftl")),
            include_str!(concat!("../locales/", $language, "/door.ftl")),
            include_str!(concat!("../locales/", $language, "/household.ftl")),
            include_str!(concat!("../locales/", $language, "/kins.ftl")),
            include_str!(concat!("../locales/", $language, "/providers.ftl")),
            include_str!(concat!("../locales/", $language, "/thread.ftl")),
            include_str!(concat!("../locales/", $language, "/problems.ftl")),
        )
    };
}

const EN: &str = locale!("en");
const FR: &str = locale!("fr");

/// The language every screen speaks. Whoever asked [`text!`](crate::text) for words redraws when it changes.
pub static LANGUAGE: GlobalSignal<Language> = Signal::global(Language::default);

/// Looks words up in the language of the screen: `text!("thread-waiting", position: 2)`.
///
/// A missing key gives the key, a missing argument its name: never a panic.
#[macro_export]
macro_rules! text {
    ($key:expr $(, $name:ident : $value:expr)* $(,)?) => {
        $crate::i18n::words($key, &[$((stringify!($name), $crate::i18n::Argument::from($value))),*])
    };
}

/// Words to be said later, in the language of that moment: `phrase!("key", name: value)`.
#[macro_export]
macro_rules! phrase {
    ($key:expr $(, $name:ident : $value:expr)* $(,)?) => {
        $crate::i18n::Phrase::new($key, vec![$((stringify!($name), $crate::i18n::Argument::from($value))),*])
    };
}

/// A key and what it is filled with. What a screen keeps is this, so that it follows a change of language.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    key: String,
    arguments: Vec<(&'static str, Argument)>,
}

impl Phrase {
    /// See [`phrase!`](crate::phrase).
    pub fn new(key: impl Into<String>, arguments: Vec<(&'static str, Argument)>) -> Self {
        Self { key: key.into(), arguments }
    }

    /// In the present language.
    pub fn words(&self) -> String {
        words(&self.key, &self.arguments)
    }
}

/// What words may be filled with.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// Put in as it is.
    Text(String),
    /// Put in, and chosen by for plurals.
    Number(u64),
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Argument {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

macro_rules! from_number {
    ($($kind:ty)*) => {$(
        impl From<$kind> for Argument {
            fn from(number: $kind) -> Self {
                // A count that does not fit is far past the last plural form.
                Self::Number(u64::try_from(number).unwrap_or(u64::MAX))
            }
        }
    )*};
}
from_number!(u32 u64 usize);

/// Looks words up in the language of the screen. Use [`text!`](crate::text).
pub fn words(key: &str, arguments: &[(&str, Argument)]) -> String {
    words_in(LANGUAGE(), key, arguments).unwrap_or_else(|| key.to_owned())
}

/// Looks words up in a given language; `None` when there are none under that key.
pub fn words_in(language: Language, key: &str, arguments: &[(&str, Argument)]) -> Option<String> {
    let bundle = match language {
        Language::En => &ENGLISH,
        Language::Fr => &FRENCH,
    };
    with_bundle(bundle, language, |bundle| {
        let pattern = bundle.get_message(key)?.value()?;
        let arguments: FluentArgs<'_> = arguments.iter().map(|(name, value)| (*name, fluent_value(value))).collect();
        // A missing argument shows as its name, which a test prevents; there is nothing better to do at run time.
        Some(bundle.format_pattern(pattern, Some(&arguments), &mut Vec::new()).into_owned())
    })
}

fn fluent_value(argument: &Argument) -> FluentValue<'_> {
    match argument {
        Argument::Text(text) => FluentValue::from(text.as_str()),
        Argument::Number(number) => FluentValue::from(*number),
    }
}

type Bundle = FluentBundle<FluentResource>;

thread_local! {
    static ENGLISH: OnceCell<Bundle> = const { OnceCell::new() };
    static FRENCH: OnceCell<Bundle> = const { OnceCell::new() };
}

fn with_bundle<T>(cell: &'static LocalKey<OnceCell<Bundle>>, language: Language, read: impl FnOnce(&Bundle) -> T) -> T {
    cell.with(|cell| read(cell.get_or_init(|| bundle(language))))
}

fn bundle(language: Language) -> Bundle {
    let (identifier, source) = match language {
        Language::En => (unic_langid::LanguageIdentifier::default(), EN),
        Language::Fr => ("fr".parse().unwrap_or_default(), FR),
    };
    let mut bundle = FluentBundle::new(vec![identifier]);
    // The words are all left-to-right, and the invisible marks would end up in copied text.
    bundle.set_use_isolating(false);
    // What could be read of a file with a mistake is kept; a test keeps the files free of mistakes.
    let resource = match FluentResource::try_new(source.to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    bundle.add_resource(resource).ok();
    bundle
}

#[cfg(test)]
mod tests;
