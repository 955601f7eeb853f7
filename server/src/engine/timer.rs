//! Waiting for a moment. Tests move the hands themselves.

use crate::clock;
use shared::UnixMillis;
use std::time::Duration;
use tokio::sync::watch;

/// The longest single sleep: after it the wall clock is looked at again, since it may have been set.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// A clock that can wake its callers; clones show the same time.
#[derive(Debug, Clone)]
pub struct Timer(Hands);

#[derive(Debug, Clone)]
enum Hands {
    Wall,
    Manual(watch::Sender<UnixMillis>),
}

impl Timer {
    /// The wall clock.
    pub const fn wall() -> Self {
        Self(Hands::Wall)
    }

    /// A clock that stands until [`advance`](Self::advance) moves it.
    pub fn manual(now: UnixMillis) -> Self {
        Self(Hands::Manual(watch::Sender::new(now)))
    }

    /// The present moment.
    pub fn now(&self) -> UnixMillis {
        match &self.0 {
            Hands::Wall => clock::now(),
            Hands::Manual(hands) => *hands.borrow(),
        }
    }

    /// Moves a manual clock; the wall clock does not listen.
    pub fn advance(&self, ms: i64) {
        if let Hands::Manual(hands) = &self.0 {
            hands.send_modify(|now| *now = now.plus_ms(ms));
        }
    }

    /// Returns when the moment has come; at once when it is past.
    pub async fn sleep_until(&self, moment: UnixMillis) {
        match &self.0 {
            Hands::Wall => {
                while let Ok(ms @ 1..) = u64::try_from(moment.since(clock::now())) {
                    tokio::time::sleep(Duration::from_millis(ms).min(LONGEST_SLEEP)).await;
                }
            }
            Hands::Manual(hands) => {
                // Fails only when every sender is gone, and `self` is one.
                let _ = hands.subscribe().wait_for(|now| *now >= moment).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_manual_clock_wakes_sleepers_when_it_is_moved_there() {
        let timer = Timer::manual(UnixMillis(1_000));
        timer.sleep_until(UnixMillis(1_000)).await;
        let sleeper = timer.clone();
        let slept = tokio::spawn(async move {
            sleeper.sleep_until(UnixMillis(1_010)).await;
            sleeper.now()
        });
        timer.advance(9);
        tokio::task::yield_now().await;
        assert!(!slept.is_finished());
        timer.advance(1);
        assert_eq!(slept.await.expect("does not panic"), UnixMillis(1_010));
    }

    #[tokio::test]
    async fn the_wall_clock_does_not_wake_early() {
        let timer = Timer::wall();
        let moment = timer.now().plus_ms(5);
        timer.sleep_until(moment).await;
        assert!(timer.now() >= moment);
    }
}
