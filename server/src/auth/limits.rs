//! Limits on attempts: per account and per address (H-5). Bounded in memory, forgotten on restart.

use super::AuthError;
use shared::UnixMillis;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Keys remembered at once.
const MAX_KEYS: usize = 4096;

/// A limit of so many attempts at once and one more after each pause, for each key.
///
/// The generic cell rate algorithm: one moment per key, that at which its credit is whole again.
pub struct Limiter<K> {
    burst: i64,
    pause_ms: i64,
    whole_at: Mutex<HashMap<K, i64>>,
}

impl<K: Eq + Hash + Copy> Limiter<K> {
    /// Allows `burst` attempts at once and one more every `pause_ms`.
    pub fn new(burst: u32, pause_ms: i64) -> Self {
        Self { burst: i64::from(burst), pause_ms, whole_at: Mutex::new(HashMap::new()) }
    }

    /// Takes one attempt.
    ///
    /// # Errors
    /// Seconds to wait, at least 1, when there is none left.
    pub fn take(&self, key: K, now: UnixMillis) -> Result<(), u64> {
        let mut whole_at = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        if whole_at.len() >= MAX_KEYS && !whole_at.contains_key(&key) {
            make_room(&mut whole_at, now);
        }
        // No credit is ever owed for longer than a burst: a moment beyond that is of a clock that has been set back since.
        let latest = now.0 + self.burst * self.pause_ms;
        let before = whole_at.get(&key).copied().unwrap_or(now.0).clamp(now.0, latest);
        let then = before + self.pause_ms;
        let over = then - now.0 - self.burst * self.pause_ms;
        if over > 0 {
            whole_at.insert(key, before);
            return Err(u64::try_from(over.div_euclid(1000) + 1).unwrap_or(1));
        }
        whole_at.insert(key, then);
        Ok(())
    }

    /// Gives an attempt back that turned out to be a rightful one.
    pub fn give_back(&self, key: K) {
        let mut whole_at = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(then) = whole_at.get_mut(&key) {
            *then -= self.pause_ms;
        }
    }
}

/// Forgets keys whose credit is whole, else the one nearest to it.
fn make_room<K: Eq + Hash + Copy>(whole_at: &mut HashMap<K, i64>, now: UnixMillis) {
    whole_at.retain(|_, then| *then > now.0);
    if whole_at.len() >= MAX_KEYS {
        let nearest = whole_at.iter().min_by_key(|(_, then)| **then).map(|(key, _)| *key);
        if let Some(nearest) = nearest {
            whole_at.remove(&nearest);
        }
    }
}

/// The limits of the server.
pub struct Limits {
    /// Sign-ins and recoveries of one account, by the digest of its email, whether it exists or not.
    pub account: Limiter<[u8; 32]>,
    /// Sign-ins from one address.
    pub address: Limiter<IpAddr>,
    /// Wrong setup codes, from wherever.
    pub setup: Limiter<()>,
    /// Registrations from one address, whatever for.
    pub registration: Limiter<IpAddr>,
    /// Wrong invitations and reset links from one address.
    pub links: Limiter<IpAddr>,
}

impl Limits {
    /// Takes an attempt at an account from an address.
    ///
    /// # Errors
    /// [`AuthError::TooMany`]
    pub fn try_account(&self, account: [u8; 32], address: IpAddr, now: UnixMillis) -> Result<(), AuthError> {
        let too_many = |retry_after_s| AuthError::TooMany { retry_after_s };
        self.address.take(address, now).map_err(too_many)?;
        self.account.take(account, now).map_err(too_many)
    }

    /// Gives the attempt back: it was a rightful one.
    pub fn give_account_back(&self, account: [u8; 32], address: IpAddr) {
        self.address.give_back(address);
        self.account.give_back(account);
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            account: Limiter::new(10, 30_000),
            address: Limiter::new(30, 10_000),
            setup: Limiter::new(10, 6_000),
            registration: Limiter::new(30, 10_000),
            links: Limiter::new(20, 10_000),
        }
    }
}

/// The address as limits count it: an IPv6 customer has a whole /64.
pub fn address_key(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_one_per_pause_for_each_key() {
        let limiter = Limiter::new(3, 10_000);
        let at = UnixMillis;
        assert_eq!([1, 2, 3].map(|_| limiter.take('a', at(0))), [Ok(()); 3]);
        assert_eq!(limiter.take('a', at(0)), Err(11));
        assert_eq!(limiter.take('b', at(0)), Ok(()));
        assert_eq!(limiter.take('a', at(9_999)), Err(1));
        assert_eq!(limiter.take('a', at(10_000)), Ok(()));
        assert_eq!(limiter.take('a', at(10_000)), Err(11));
        limiter.give_back('a');
        assert_eq!(limiter.take('a', at(10_000)), Ok(()));
        assert_eq!([1, 2, 3].map(|_| limiter.take('a', at(100_000))), [Ok(()); 3]);
    }

    #[test]
    fn a_clock_that_is_set_back_shuts_nobody_out() {
        let (limiter, day) = (Limiter::new(3, 10_000), 86_400_000);
        assert_eq!([1, 2, 3].map(|_| limiter.take('a', UnixMillis(day))), [Ok(()); 3]);
        assert_eq!(limiter.take('a', UnixMillis(0)), Err(11), "as if it had just happened");
        assert_eq!(limiter.take('a', UnixMillis(30_000)), Ok(()));
    }

    #[test]
    fn memory_is_bounded() {
        let limiter = Limiter::new(2, 1_000_000);
        for key in 0..3 * MAX_KEYS {
            assert_eq!(limiter.take(key, UnixMillis(0)), Ok(()));
        }
        assert_eq!(limiter.whole_at.lock().expect("not poisoned").len(), MAX_KEYS);
    }

    #[test]
    fn neighbours_in_ipv6_count_as_one() {
        let key = |text: &str| address_key(text.parse().expect("an address"));
        assert_eq!(key("2001:db8::1"), key("2001:db8::2"));
        assert_ne!(key("2001:db8:0:1::1"), key("2001:db8:0:2::1"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
    }
}
