//! How much work a guess at a password costs.

use crate::CredentialError;
use argon2::{Algorithm, Argon2, Params, Version};
use serde::{Deserialize, Serialize};

/// Most memory a device is asked for: a gigabyte is more than a phone gives a page.
const MAX_MEMORY_KIB: u32 = 256 * 1024;
const MAX_PASSES: u32 = 16;
const MAX_LANES: u32 = 4;

/// Parameters of Argon2id, kept per member so that they can rise without asking everyone at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argon2Params {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
    /// Lanes; one thread works through them all.
    pub lanes: u32,
}

impl Argon2Params {
    /// 19 MiB, two passes, one lane: OWASP's recommendation.
    pub const DEFAULT: Self = Self { memory_kib: 19 * 1024, passes: 2, lanes: 1 };

    pub(crate) fn hasher(self) -> Result<Argon2<'static>, CredentialError> {
        // What the server sends is not believed blindly: it could ask for all memory there is.
        if self.memory_kib > MAX_MEMORY_KIB || self.passes > MAX_PASSES || self.lanes > MAX_LANES {
            return Err(CredentialError::Params);
        }
        let params = Params::new(self.memory_kib, self.passes, self.lanes, None);
        let params = params.map_err(|_| CredentialError::Params)?;
        Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
    }
}
