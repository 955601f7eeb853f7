//! Exchanges that wait for their second message: in memory, bounded, each taken once.

use crate::clock;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use shared::UnixMillis;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Exchanges remembered at once; beyond it the oldest is forgotten, and whoever began it begins again.
const MAX: usize = 1024;

/// Exchanges by a random id.
pub struct Pending<T> {
    lasts_ms: i64,
    all: Mutex<HashMap<String, (UnixMillis, T)>>,
}

impl<T> Pending<T> {
    /// Each is remembered for `lasts_ms`.
    pub fn new(lasts_ms: i64) -> Self {
        Self { lasts_ms, all: Mutex::default() }
    }

    /// Remembers one; gives its id.
    pub fn put(&self, now: UnixMillis, one: T) -> String {
        let id = URL_SAFE_NO_PAD.encode(clock::random::<16>());
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX {
            all.retain(|_, (until, _)| *until > now);
        }
        if all.len() >= MAX {
            let oldest = all.iter().min_by_key(|(_, (until, _))| until.0).map(|(id, _)| id.clone());
            oldest.and_then(|id| all.remove(&id));
        }
        all.insert(id.clone(), (now.plus_ms(self.lasts_ms), one));
        id
    }

    /// Takes one out, if it is still there.
    pub fn take(&self, now: UnixMillis, id: &str) -> Option<T> {
        let (until, one) = self.all.lock().unwrap_or_else(PoisonError::into_inner).remove(id)?;
        (until > now).then_some(one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_taken_once_and_in_time() {
        let pending = Pending::new(1000);
        let (one, two) = (pending.put(UnixMillis(0), 1), pending.put(UnixMillis(0), 2));
        assert_eq!(pending.take(UnixMillis(999), &one), Some(1));
        assert_eq!(pending.take(UnixMillis(999), &one), None);
        assert_eq!(pending.take(UnixMillis(1000), &two), None);
        assert_eq!(pending.take(UnixMillis(0), "else"), None);
    }

    #[test]
    fn memory_is_bounded_and_the_newest_stay() {
        let pending = Pending::new(1_000_000);
        let first = pending.put(UnixMillis(0), 0);
        let ids: Vec<_> = (1..=MAX).map(|n| pending.put(UnixMillis(n as i64), n)).collect();
        assert_eq!(pending.take(UnixMillis(2000), &first), None);
        assert_eq!(pending.take(UnixMillis(2000), &ids[MAX - 1]), Some(MAX));
    }
}
