//! Moments in words, in the language of the screen.

use super::page;
use crate::browser;
use crate::i18n::LANGUAGE;
use crate::text;
use shared::UnixMillis;
use shared::profile::Language;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// The screen's language, whatever the browser's region: `17:48` and `jeudi 12 mars`, or `5:48 pm` and `Thursday 12
/// March`. Plain `en` would be American.
const fn locale(language: Language) -> &'static str {
    match language {
        Language::En => "en-AU",
        Language::Fr => "fr-FR",
    }
}

/// `18:42`, `6:42 pm`
pub fn time(moment: UnixMillis) -> String {
    page::format_time(moment, locale(LANGUAGE()), &[("hour", "numeric"), ("minute", "2-digit")])
}

/// `18:42:07`
pub fn exact_time(moment: UnixMillis) -> String {
    page::format_time(moment, locale(LANGUAGE()), &[("hour", "numeric"), ("minute", "2-digit"), ("second", "2-digit")])
}

/// `Today`, `Yesterday`, `Thursday 12 March`, with the year when it is another.
pub fn day(moment: UnixMillis) -> String {
    let now = browser::now();
    match page::day_of(now) - page::day_of(moment) {
        0 => text!("day-today"),
        1 => text!("day-yesterday"),
        _ => {
            let year = |moment| page::format_time(moment, "en", &[("year", "numeric")]);
            let mut options = vec![("weekday", "long"), ("day", "numeric"), ("month", "long")];
            if year(now) != year(moment) {
                options.push(("year", "numeric"));
            }
            capitalised(&first_of_month(&page::format_time(moment, locale(LANGUAGE()), &options), LANGUAGE()))
        }
    }
}

/// `October`, with the year when it is another.
pub fn month(moment: UnixMillis) -> String {
    let year = |moment| page::format_time(moment, "en", &[("year", "numeric")]);
    let mut options = vec![("month", "long")];
    if year(browser::now()) != year(moment) {
        options.push(("year", "numeric"));
    }
    page::format_time(moment, locale(LANGUAGE()), &options)
}

/// `1,208`
pub fn number(count: u32) -> String {
    page::format_number(count, locale(LANGUAGE()))
}

/// Whole days from now, at least 0.
pub fn days_until(moment: UnixMillis) -> u32 {
    u32::try_from(page::day_of(moment) - page::day_of(browser::now())).unwrap_or(0)
}

/// Today in full, for the home screen: `Thursday 12 March`.
pub fn today() -> String {
    let options = [("weekday", "long"), ("day", "numeric"), ("month", "long")];
    capitalised(&first_of_month(&page::format_time(browser::now(), locale(LANGUAGE()), &options), LANGUAGE()))
}

/// In lists: relative under an hour, then absolute.
pub fn brief(moment: UnixMillis) -> String {
    let now = browser::now();
    let age = now.since(moment);
    if age < MINUTE_MS {
        return text!("brief-now");
    }
    if age < HOUR_MS {
        return text!("brief-minutes", count: u64::try_from(age / MINUTE_MS).unwrap_or(0));
    }
    match page::day_of(now) - page::day_of(moment) {
        0 => time(moment),
        1 => text!("brief-yesterday"),
        _ => page::format_time(moment, locale(LANGUAGE()), &[("day", "numeric"), ("month", "short")]),
    }
}

/// For `datetime` attributes.
pub fn machine(moment: UnixMillis) -> String {
    page::iso_time(moment)
}

/// The greeting for this hour.
pub fn greeting(name: &str) -> String {
    match page::hour_of(browser::now()) {
        5..12 => text!("home-morning", name: name),
        12..18 => text!("home-afternoon", name: name),
        _ => text!("home-evening", name: name),
    }
}

/// French says `1er` for the first day of a month, which browsers' formats do not.
fn first_of_month(date: &str, language: Language) -> String {
    let word = |word: &str| match (language, word) {
        (Language::Fr, "1") => "1er".to_owned(),
        (Language::Fr | Language::En, other) => other.to_owned(),
    };
    date.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_month_is_an_ordinal_in_french_only() {
        assert_eq!(first_of_month("mardi 1 décembre", Language::Fr), "mardi 1er décembre");
        assert_eq!(first_of_month("vendredi 11 décembre", Language::Fr), "vendredi 11 décembre");
        assert_eq!(first_of_month("Tuesday 1 December", Language::En), "Tuesday 1 December");
    }
}
