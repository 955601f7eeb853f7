//! Moments.

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01 UTC, by the clock of whoever wrote it down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnixMillis(pub i64);

impl UnixMillis {
    /// The moment `ms` milliseconds later; stays at the last representable one.
    pub const fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to this moment; negative when it is later.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// For formats that know no moment before 1970.
    pub const fn as_u64(self) -> u64 {
        if self.0 < 0 { 0 } else { self.0 as u64 }
    }
}
