//! How often a worker that dies is started again.

use shared::UnixMillis;

/// Restarts within [`WINDOW_MS`].
const MOST: usize = 3;
const WINDOW_MS: i64 = 60_000;

/// Restarts of late.
#[derive(Debug, Default)]
pub struct Restarts {
    at: Vec<UnixMillis>,
}

impl Restarts {
    /// A worker has died: how many milliseconds to wait before starting the next.
    pub fn died(&mut self, now: UnixMillis) -> i64 {
        self.at.retain(|at| now.since(*at) < WINDOW_MS);
        let wait = match self.at.first() {
            Some(first) if self.at.len() >= MOST => first.plus_ms(WINDOW_MS).since(now),
            Some(_) | None => 0,
        };
        self.at.push(now.plus_ms(wait));
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_a_minute_and_then_one_when_the_first_is_a_minute_old() {
        let mut restarts = Restarts::default();
        let waits = [0, 1_000, 2_000, 3_000, 61_000].map(|ms| restarts.died(UnixMillis(ms)));
        assert_eq!(waits, [0, 0, 0, 57_000, 0]);
    }

    #[test]
    fn old_restarts_do_not_count() {
        let mut restarts = Restarts::default();
        let waits = [0, 30_000, 60_000, 90_000, 120_000].map(|ms| restarts.died(UnixMillis(ms)));
        assert_eq!(waits, [0; 5]);
    }
}
