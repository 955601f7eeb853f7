//! Which rows of a log are drawn, and how much room the others take.
//!
//! The log scrolls from its end (`column-reverse`), so everything is measured from there: a row's place is the height
//! of all rows below it, and what happens above the window moves nothing in it. Heights are guesses until a row has
//! been drawn once.

use super::state::RowKey;
use std::collections::HashMap;
use std::ops::Range;

/// Room drawn beyond each edge of the window, in pixels, so that rows are measured before they are seen.
const MARGIN: f64 = 900.0;

/// Heights of all rows.
#[derive(Debug, Default)]
pub struct Geometry {
    keys: Vec<RowKey>,
    heights: Vec<f64>,
    /// Height of all rows after each.
    below: Vec<f64>,
    measured: HashMap<RowKey, f64>,
}

/// Where the window is, in pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Window {
    /// From the end of the log to the window's lower edge.
    pub from_end: f64,
    /// The window's height.
    pub height: f64,
}

impl Geometry {
    /// Takes a new list of rows, each with a guess of its height.
    ///
    /// Gives by how much the rows in the window moved away from the end; scrolling by that keeps them where they are.
    pub fn set_rows(&mut self, rows: impl Iterator<Item = (RowKey, f64)>, window: Window) -> f64 {
        let anchor = self.anchor(window).map(|at| (self.keys[at], self.below[at]));
        let (keys, guesses): (Vec<_>, Vec<_>) = rows.unzip();
        self.heights = keys.iter().zip(guesses).map(|(key, guess)| *self.measured.get(key).unwrap_or(&guess)).collect();
        self.keys = keys;
        self.sum();
        let moved = anchor.and_then(|(key, before)| {
            let at = self.keys.iter().rposition(|other| *other == key)?;
            Some(self.below[at] - before)
        });
        moved.unwrap_or(0.0)
    }

    /// Notes a row's true height. Gives how far to scroll to keep what is in the window where it is.
    pub fn measure(&mut self, key: RowKey, height: f64, window: Window) -> f64 {
        let before = self.measured.insert(key, height);
        let Some(at) = self.keys.iter().rposition(|other| *other == key) else { return 0.0 };
        let grown = height - self.heights[at];
        // A row that was never drawn took its guess's room until now.
        if grown.abs() < 0.5 && before.is_some() {
            return 0.0;
        }
        let begins_below_the_top = self.below[at] < window.from_end + window.height;
        self.heights[at] = height;
        self.sum();
        if begins_below_the_top { grown } else { 0.0 }
    }

    /// From the end of the log to the lower edge of a window that has a row in its middle.
    pub fn middle(&self, key: RowKey, window: f64) -> Option<f64> {
        let at = self.keys.iter().rposition(|other| *other == key)?;
        Some((self.below[at] + self.heights[at] / 2.0 - window / 2.0).max(0.0))
    }

    /// The rows to draw.
    pub fn visible(&self, window: Window) -> Range<usize> {
        let (low, high) = (window.from_end - MARGIN, window.from_end + window.height + MARGIN);
        // `below` falls from the oldest to the newest.
        let start = self.below.partition_point(|below| *below > high);
        let end =
            (0..self.below.len()).rev().find(|at| self.below[*at] + self.heights[*at] >= low).map_or(0, |at| at + 1);
        start..end.max(start)
    }

    /// Where the rows of `drawn` stand in a list of `len` rows that has changed since [`set_rows`](Self::set_rows).
    ///
    /// Drawing others in their place, even for one picture, can make the log shorter than where it is scrolled to.
    pub fn follow(&self, drawn: Range<usize>, len: usize, key: impl Fn(usize) -> Option<RowKey>) -> Range<usize> {
        let clipped = drawn.start.min(len)..drawn.end.min(len);
        let Some(last) = drawn.end.checked_sub(1) else { return clipped };
        let (Some(first), Some(newest)) = (self.keys.get(drawn.start), self.keys.get(last)) else { return clipped };
        if key(drawn.start) == Some(*first) && key(last) == Some(*newest) {
            return drawn;
        }
        let find = |wanted: &RowKey| (0..len).find(|at| key(*at) == Some(*wanted));
        match (find(first), find(newest)) {
            (Some(first), Some(newest)) if first <= newest => first..newest + 1,
            _ => clipped,
        }
    }

    /// Room of the rows before the drawn ones.
    pub fn above(&self, drawn: &Range<usize>) -> f64 {
        self.heights.iter().take(drawn.start).sum()
    }

    /// Room of the rows after the drawn ones.
    pub fn below(&self, drawn: &Range<usize>) -> f64 {
        self.heights.iter().skip(drawn.end).sum()
    }

    /// The topmost row whose upper edge is in the window, or the one that fills it.
    fn anchor(&self, window: Window) -> Option<usize> {
        let top = window.from_end + window.height;
        let at = self.below.partition_point(|below| *below >= top);
        (at < self.keys.len()).then_some(at)
    }

    fn sum(&mut self) {
        let mut below = 0.0;
        self.below = vec![0.0; self.heights.len()];
        for (at, height) in self.heights.iter().enumerate().rev() {
            self.below[at] = below;
            below += height;
        }
    }
}

/// A guess from a message's length: lines of some seventy characters in the middle of a desktop.
pub fn guess(text: &str) -> f64 {
    let lines: usize = text.lines().map(|line| line.len() / 70 + 1).sum();
    62.0 + 24.0 * lines.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::{MessageId, UnixMillis};

    fn key(number: u16) -> RowKey {
        let [high, low] = number.to_be_bytes();
        RowKey::Message(MessageId::new(UnixMillis(1), [high, low, 0, 0, 0, 0, 0, 0, 0, 0]))
    }

    fn rows(range: Range<u16>) -> impl Iterator<Item = (RowKey, f64)> {
        range.map(|number| (key(number), 100.0))
    }

    const AT_END: Window = Window { from_end: 0.0, height: 800.0 };

    #[test]
    fn of_ten_thousand_rows_few_are_drawn_wherever_the_window_is() {
        let mut geometry = Geometry::default();
        geometry.set_rows(rows(0..10_000), AT_END);
        for from_end in [0.0, 5_000.0, 499_950.0, 999_200.0] {
            let window = Window { from_end, height: 800.0 };
            let drawn = geometry.visible(window);
            assert!(drawn.len() <= 30 && drawn.len() >= 17, "{drawn:?} at {from_end}");
            let room = geometry.above(&drawn) + geometry.below(&drawn) + 100.0 * drawn.len() as f64;
            assert_eq!(room, 1_000_000.0);
        }
        assert_eq!(geometry.visible(AT_END).end, 10_000);
    }

    #[test]
    fn older_rows_move_nothing() {
        let mut geometry = Geometry::default();
        let window = Window { from_end: 2_000.0, height: 800.0 };
        geometry.set_rows(rows(200..400), window);
        assert_eq!(geometry.set_rows(rows(0..400), window), 0.0);
    }

    #[test]
    fn the_drawn_rows_are_found_again_until_the_new_list_is_taken() {
        let mut geometry = Geometry::default();
        geometry.set_rows(rows(200..400), AT_END);
        let at = |first: u16| move |at: usize| u16::try_from(at).ok().map(|at| key(first + at));
        assert_eq!(geometry.follow(3..20, 400, at(0)), 203..220);
        assert_eq!(geometry.follow(3..20, 200, at(200)), 3..20);
        assert_eq!(geometry.follow(3..20, 201, at(200)), 3..20);
        assert_eq!(geometry.follow(3..20, 10, at(0)), 3..10, "what is gone cannot be found");
        assert_eq!(geometry.follow(0..0, 0, at(0)), 0..0);
    }

    #[test]
    fn newer_rows_and_growth_below_the_top_of_the_window_are_scrolled_away() {
        let mut geometry = Geometry::default();
        let window = Window { from_end: 2_000.0, height: 800.0 };
        geometry.set_rows(rows(0..200), window);
        assert_eq!(geometry.set_rows(rows(0..202), window), 200.0);
        assert_eq!(geometry.measure(key(201), 160.0, window), 60.0);
        assert_eq!(geometry.measure(key(201), 160.0, window), 0.0);
        assert_eq!(geometry.measure(key(3), 500.0, window), 0.0);
    }

    #[test]
    fn a_measured_height_survives_leaving_and_coming_back() {
        let mut geometry = Geometry::default();
        geometry.set_rows(rows(0..3), AT_END);
        geometry.measure(key(1), 300.0, AT_END);
        geometry.set_rows(rows(0..1), AT_END);
        geometry.set_rows(rows(0..3), AT_END);
        assert_eq!(geometry.above(&(2..3)), 400.0);
    }

    #[test]
    fn an_empty_log_draws_nothing() {
        let geometry = Geometry::default();
        assert_eq!(geometry.visible(AT_END), 0..0);
    }
}
