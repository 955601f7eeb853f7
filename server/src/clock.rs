//! The edge where time and randomness come in; everything below takes them as arguments.

use shared::{
    CommandId, DeviceId, EpochId, EventId, KinId, MemberId, MessageId, ProviderId, SessionId, TokenId, TurnId,
    UnixMillis,
};
use std::time::{SystemTime, UNIX_EPOCH};

/// The present moment.
pub fn now() -> UnixMillis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMillis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// `N` random bytes, fit for secrets.
///
/// # Panics
/// When the system has no randomness to give: nothing could be kept safe then.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// An id that can be drawn afresh.
pub trait NewId {
    /// The id of this moment and these random bytes.
    fn make(now: UnixMillis, random: [u8; 10]) -> Self;
}

macro_rules! new_ids {
    ($($name:ident),*) => {$(
        impl NewId for $name {
            fn make(now: UnixMillis, random: [u8; 10]) -> Self {
                Self::new(now, random)
            }
        }
    )*};
}

new_ids!(CommandId, DeviceId, EpochId, EventId, KinId, MemberId, MessageId, ProviderId, SessionId, TokenId, TurnId);

/// A new id: `fresh::<MessageId>()`.
pub fn fresh<T: NewId>() -> T {
    T::make(now(), random())
}
