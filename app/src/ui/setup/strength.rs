//! How hard a password is to guess, roughly: length first, variety second.

use crate::text;
use dioxus::prelude::*;

/// Four steps from nothing to good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Nothing typed.
    None,
    /// Guessed in no time.
    Weak,
    /// Better than most.
    Fair,
    /// Good.
    Strong,
}

impl Strength {
    /// Counts distinct letters, since `aaaaaaaaaaaa` is long only to look at.
    pub fn of(password: &str) -> Self {
        let length = password.chars().count();
        if length == 0 {
            return Self::None;
        }
        let mut letters: Vec<char> = Vec::new();
        for letter in password.chars() {
            if !letters.contains(&letter) {
                letters.push(letter);
            }
        }
        let kinds =
            [char::is_lowercase, char::is_uppercase, char::is_numeric, |letter: char| !letter.is_alphanumeric()];
        let variety = kinds.iter().filter(|kind| password.chars().any(**kind)).count();
        let score = length.min(letters.len() * 2) + 2 * variety;
        match score {
            0..12 => Self::Weak,
            12..18 => Self::Fair,
            18.. => Self::Strong,
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::None => "strength-none",
            Self::Weak => "strength-weak",
            Self::Fair => "strength-fair",
            Self::Strong => "strength-strong",
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::None => "k-strength",
            Self::Weak => "k-strength is-weak",
            Self::Fair => "k-strength is-fair",
            Self::Strong => "k-strength is-strong",
        }
    }
}

/// A bar and a word.
#[component]
pub fn StrengthMeter(strength: Strength) -> Element {
    rsx! {
        div { class: strength.class(),
            span { class: "k-strength__bar", "aria-hidden": "true", i {} i {} i {} }
            span { role: "status", {text!(strength.key())} }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Strength;

    #[test]
    fn length_counts_more_than_variety_and_repetition_counts_for_nothing() {
        assert_eq!(Strength::of(""), Strength::None);
        assert_eq!(Strength::of("aaaaaaaaaaaaaaaaaaaa"), Strength::Weak);
        assert_eq!(Strength::of("Pa5$"), Strength::Fair);
        assert_eq!(Strength::of("passwort"), Strength::Weak);
        assert_eq!(Strength::of("unemaisonenbois"), Strength::Fair);
        assert_eq!(Strength::of("une maison en bois, au bord du lac"), Strength::Strong);
    }
}
