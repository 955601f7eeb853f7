//! A moment in words. Server time zones are not known to the household, so it is UTC.

use shared::UnixMillis;

const WEEKDAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Like `Monday 30 November 2026, 18:39 UTC`.
pub(super) fn moment(at: UnixMillis) -> String {
    let minutes = at.0.div_euclid(60_000);
    let (days, minute) = (minutes.div_euclid(1440), minutes.rem_euclid(1440));
    let (year, month, day) = civil(days);
    let weekday = WEEKDAYS[usize::try_from(days.rem_euclid(7)).unwrap_or_default()];
    let month = MONTHS[usize::try_from(month - 1).unwrap_or_default()];
    format!("{weekday} {day} {month} {year}, {:02}:{:02} UTC", minute / 60, minute % 60)
}

/// Year, month and day of a day counted from 1970-01-01.
///
/// After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
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
            assert_eq!(moment(UnixMillis(ms)), text);
        }
    }
}
