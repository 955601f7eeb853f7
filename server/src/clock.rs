//! The edge where time and randomness come in; everything below takes them as arguments.

use credentials::rand_core;
use shared::{
    CommandId, DeviceId, EpochId, EventId, InvitationId, KinId, MemberId, MessageId, ProviderId, SessionId, TokenId,
    TurnId, UnixMillis,
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

/// The system's randomness as crates of the `rand_core` 0.6 generation ask for it.
pub struct SystemRandom;

impl rand_core::RngCore for SystemRandom {
    fn next_u32(&mut self) -> u32 {
        u32::from_le_bytes(random())
    }

    fn next_u64(&mut self) -> u64 {
        u64::from_le_bytes(random())
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the system gives random bytes");
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_core::Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}

impl rand_core::CryptoRng for SystemRandom {}

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

new_ids!(
    CommandId,
    DeviceId,
    EpochId,
    EventId,
    InvitationId,
    KinId,
    MemberId,
    MessageId,
    ProviderId,
    SessionId,
    TokenId,
    TurnId
);

/// A new id: `fresh::<MessageId>()`.
pub fn fresh<T: NewId>() -> T {
    T::make(now(), random())
}
