//! Keys that follow from a password or a recovery code.
//!
//! ```text
//! export key    ─ HKDF "…/by-password/1" ─▶ wraps ─┐
//!                                                  ├─ replica key (random, 32 bytes, one per member)
//! recovery code ─ HKDF "…/by-recovery/1" ─▶ wraps ─┘
//! ```

use crate::{Bytes, CredentialError, RecoveryCode};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use rand_core::CryptoRngCore;
use sha2::Sha256;
use std::fmt;
use zeroize::Zeroizing;

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
/// First byte of a wrapped key; another format gets another.
const VERSION: u8 = 1;
const BY_PASSWORD: &[u8] = b"kinstead/replica-key/by-password/1";
const BY_RECOVERY: &[u8] = b"kinstead/replica-key/by-recovery/1";

/// Bytes of a wrapped replica key.
pub const WRAPPED_BYTES: usize = 1 + NONCE_BYTES + KEY_BYTES + 16;

/// What only the member's device learns of a password.
pub struct ExportKey(Zeroizing<Vec<u8>>);

impl ExportKey {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self(Zeroizing::new(bytes.to_vec()))
    }

    /// The bytes, for tests that hold them over time.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

/// The member's key for what their devices keep. Wiped from memory when dropped; never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ReplicaKey(Zeroizing<[u8; KEY_BYTES]>);

impl fmt::Debug for ReplicaKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReplicaKey")
    }
}

impl ReplicaKey {
    /// Draws a new one.
    pub fn generate(rng: &mut impl CryptoRngCore) -> Self {
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        rng.fill_bytes(bytes.as_mut_slice());
        Self(bytes)
    }

    /// The key of these bytes.
    pub fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// The bytes.
    pub fn expose(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    /// Wraps it under a password's export key.
    pub fn wrap_by_password(&self, rng: &mut impl CryptoRngCore, export_key: &ExportKey) -> Bytes {
        self.wrap(rng, &export_key.0, BY_PASSWORD)
    }

    /// Opens [`wrap_by_password`](Self::wrap_by_password).
    ///
    /// # Errors
    /// [`CredentialError::Unwrap`]
    pub fn unwrap_by_password(wrapped: &[u8], export_key: &ExportKey) -> Result<Self, CredentialError> {
        Self::unwrap(wrapped, &export_key.0, BY_PASSWORD)
    }

    /// Wraps it under a recovery code.
    pub fn wrap_by_recovery(&self, rng: &mut impl CryptoRngCore, code: &RecoveryCode) -> Bytes {
        self.wrap(rng, code.secret(), BY_RECOVERY)
    }

    /// Opens [`wrap_by_recovery`](Self::wrap_by_recovery).
    ///
    /// # Errors
    /// [`CredentialError::Unwrap`]
    pub fn unwrap_by_recovery(wrapped: &[u8], code: &RecoveryCode) -> Result<Self, CredentialError> {
        Self::unwrap(wrapped, code.secret(), BY_RECOVERY)
    }

    fn wrap(&self, rng: &mut impl CryptoRngCore, secret: &[u8], label: &[u8]) -> Bytes {
        let mut nonce = [0; NONCE_BYTES];
        rng.fill_bytes(&mut nonce);
        let payload = Payload { msg: self.0.as_slice(), aad: label };
        let sealed = cipher(secret, label).encrypt(XNonce::from_slice(&nonce), payload);
        let sealed = sealed.expect("encrypting fails only for texts of 256 GB");
        Bytes([&[VERSION], nonce.as_slice(), &sealed].concat())
    }

    fn unwrap(wrapped: &[u8], secret: &[u8], label: &[u8]) -> Result<Self, CredentialError> {
        let rest = wrapped.strip_prefix(&[VERSION]).ok_or(CredentialError::Unwrap)?;
        let (nonce, sealed) = rest.split_at_checked(NONCE_BYTES).ok_or(CredentialError::Unwrap)?;
        let payload = Payload { msg: sealed, aad: label };
        let opened = cipher(secret, label).decrypt(XNonce::from_slice(nonce), payload);
        let opened = Zeroizing::new(opened.map_err(|_| CredentialError::Unwrap)?);
        let bytes = opened.as_slice().try_into().map_err(|_| CredentialError::Unwrap)?;
        Ok(Self(Zeroizing::new(bytes)))
    }
}

fn cipher(secret: &[u8], label: &[u8]) -> XChaCha20Poly1305 {
    let key = derive(secret, label);
    XChaCha20Poly1305::new(key.as_slice().into())
}

/// HKDF-SHA256 without salt: both secrets are uniform already.
pub(crate) fn derive(secret: &[u8], label: &[u8]) -> Zeroizing<[u8; KEY_BYTES]> {
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    Hkdf::<Sha256>::new(None, secret).expand(label, key.as_mut_slice()).expect("32 bytes are not too many");
    key
}
