//! The one choice of primitives. Changing any of it makes every record worthless.

use opaque_ke::{CipherSuite, Identifiers, Ristretto255, TripleDh};
use sha2::Sha512;

/// ristretto255-SHA512, 3DH, Argon2id.
pub struct Suite;

impl CipherSuite for Suite {
    type OprfCs = Ristretto255;
    type KeyExchange = TripleDh<Ristretto255, Sha512>;
    type Ksf = argon2::Argon2<'static>;
}

/// Bound into every handshake.
pub const CONTEXT: &[u8] = b"kinstead/1";

/// Both sides are known by their public keys: an email address may change.
pub const IDENTIFIERS: Identifiers<'static> = Identifiers { client: None, server: None };
