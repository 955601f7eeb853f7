//! A moment in words, in the household's time zone.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use shared::UnixMillis;

/// Like `Monday 30 November 2026, 19:39 (Europe/Paris, UTC+01:00)`.
pub(super) fn moment(at: UnixMillis, zone: &TimeZone) -> String {
    let Ok(at) = Timestamp::from_millisecond(at.0) else { return "an unknown moment".into() };
    let at = at.to_zoned_datetime(zone.clone());
    let words = at.strftime("%A %-d %B %Y, %H:%M").to_string();
    match zone.iana_name() {
        Some("UTC") => format!("{words} UTC"),
        Some(name) => format!("{words} ({name}, UTC{})", at.strftime("%:z")),
        None => format!("{words} (UTC{})", at.strftime("%:z")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (ms, text) in [
            (0, "Thursday 1 January 1970, 00:00 UTC"),
            (-1, "Wednesday 31 December 1969, 23:59 UTC"),
            (951_782_400_000, "Tuesday 29 February 2000, 00:00 UTC"),
            (1_796_063_940_000, "Monday 30 November 2026, 18:39 UTC"),
            (4_107_542_400_000, "Monday 1 March 2100, 00:00 UTC"),
        ] {
            assert_eq!(moment(UnixMillis(ms), &TimeZone::UTC), text);
        }
        let paris = TimeZone::get("Europe/Paris").expect("is bundled");
        let summer = moment(UnixMillis(1_782_900_000_000), &paris);
        assert_eq!(summer, "Wednesday 1 July 2026, 12:00 (Europe/Paris, UTC+02:00)");
        let winter = moment(UnixMillis(1_796_063_940_000), &paris);
        assert_eq!(winter, "Monday 30 November 2026, 19:39 (Europe/Paris, UTC+01:00)");
    }
}
