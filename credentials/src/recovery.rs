//! The recovery code: 128 random bits a person can write down and type in again.
//!
//! Crockford's base32, 28 characters in groups of four: 16 random bytes and 12 bits to notice typing mistakes.

use crate::{Bytes, CredentialError, keys::derive};
use rand_core::CryptoRngCore;
use sha2::{Digest, Sha256};
use std::fmt;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const SECRET_BYTES: usize = 16;
const CHARS: usize = 28;
const GROUP: usize = 4;
const CHECK_BITS: u32 = 12;
/// Bytes of what the server keeps of a proof.
pub const PROOF_HASH_BYTES: usize = 32;
const PROOF: &[u8] = b"kinstead/recovery-proof/1";

/// A recovery code. Its text form is `XXXX-XXXX-…`; never logged.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(Zeroizing<[u8; SECRET_BYTES]>);

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode")
    }
}

impl RecoveryCode {
    /// Draws a new one.
    pub fn generate(rng: &mut impl CryptoRngCore) -> Self {
        let mut secret = Zeroizing::new([0; SECRET_BYTES]);
        rng.fill_bytes(secret.as_mut_slice());
        Self(secret)
    }

    /// Reads what a person typed: case, spaces and hyphens do not count, O is 0, I and L are 1.
    ///
    /// # Errors
    /// [`CredentialError::RecoveryCode`] when characters are missing, too many or mistaken.
    pub fn parse(text: &str) -> Result<Self, CredentialError> {
        let mut bits: u128 = 0;
        let mut check: u32 = 0;
        let mut count = 0;
        for c in text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '–' | '‑' | '.')) {
            let value = value_of(c).ok_or(CredentialError::RecoveryCode)?;
            // 25 characters and 3 bits of the next are the secret, the rest checks it.
            match count {
                0..25 => bits = (bits << 5) | u128::from(value),
                25 => {
                    bits = (bits << 3) | u128::from(value >> 2);
                    check = value & 0b11;
                }
                26 | 27 => check = (check << 5) | value,
                _ => return Err(CredentialError::RecoveryCode),
            }
            count += 1;
        }
        let code = Self(Zeroizing::new(bits.to_be_bytes()));
        if count == CHARS && code.check() == check { Ok(code) } else { Err(CredentialError::RecoveryCode) }
    }

    /// As it is written down.
    pub fn to_text(&self) -> Zeroizing<String> {
        let bits = u128::from_be_bytes(*self.0);
        let check = self.check();
        let value = |at: usize| match at {
            0..25 => (bits >> (123 - 5 * at)) as usize & 31,
            25 => ((bits as usize & 0b111) << 2) | (check >> 10) as usize,
            26 => (check >> 5) as usize & 31,
            _ => check as usize & 31,
        };
        let mut text = Zeroizing::new(String::with_capacity(CHARS + CHARS / GROUP));
        for at in 0..CHARS {
            if at > 0 && at.is_multiple_of(GROUP) {
                text.push('-');
            }
            text.push(ALPHABET[value(at)] as char);
        }
        text
    }

    /// What proves to the server that someone holds the code.
    pub fn proof(&self) -> Bytes {
        Bytes::from(derive(self.secret(), PROOF).as_slice())
    }

    pub(crate) fn secret(&self) -> &[u8] {
        self.0.as_slice()
    }

    fn check(&self) -> u32 {
        let hash = Sha256::new().chain_update(b"kinstead/recovery-code/1").chain_update(self.0.as_slice()).finalize();
        (u32::from(hash[0]) << 8 | u32::from(hash[1])) >> (16 - CHECK_BITS)
    }
}

fn value_of(c: char) -> Option<u32> {
    let c = match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        c => c,
    };
    ALPHABET.iter().position(|one| char::from(*one) == c).and_then(|at| u32::try_from(at).ok())
}

/// What the server keeps of a proof.
pub fn proof_hash(proof: &[u8]) -> [u8; 32] {
    Sha256::digest(proof).into()
}

/// Whether a proof is the one of this hash, without telling by the time it takes where they differ.
pub fn is_proof_of(proof: &[u8], hash: &[u8]) -> bool {
    proof_hash(proof).as_slice().ct_eq(hash).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

    fn code(seed: u8) -> RecoveryCode {
        RecoveryCode::generate(&mut ChaCha20Rng::from_seed([seed; 32]))
    }

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        for seed in 0..50 {
            let code = code(seed);
            let text = code.to_text();
            assert_eq!((text.len(), text.matches('-').count()), (34, 6));
            assert_eq!(RecoveryCode::parse(&text).as_ref(), Ok(&code));
            let sloppy = text.to_lowercase().replace('-', " ").replace('0', "o").replace('1', "l");
            assert_eq!(RecoveryCode::parse(&format!(" {sloppy}\n")).as_ref(), Ok(&code));
        }
    }

    #[test]
    fn a_wrong_character_or_two_exchanged_ones_are_noticed() {
        let text = code(7).to_text().replace('-', "");
        let mut unnoticed = 0;
        for at in 0..text.len() {
            for other in ALPHABET {
                let mut typed = text.clone().into_bytes();
                if typed[at] == *other {
                    continue;
                }
                typed[at] = *other;
                let typed = String::from_utf8(typed).expect("ASCII");
                unnoticed += u32::from(RecoveryCode::parse(&typed).is_ok());
            }
        }
        // 868 mistakes, each noticed with 4095 of 4096 chances: a fixed code, so a fixed result.
        assert_eq!(unnoticed, 0);
        for bad in ["", "ABCD", &text[1..], &format!("{text}0"), &text.replace(&text[..1], "!")] {
            assert_eq!(RecoveryCode::parse(bad), Err(CredentialError::RecoveryCode), "{bad}");
        }
    }

    #[test]
    fn only_its_own_proof_fits_a_hash() {
        let hash = proof_hash(&code(1).proof());
        assert!(is_proof_of(&code(1).proof(), &hash));
        assert!(!is_proof_of(&code(2).proof(), &hash));
        assert!(!is_proof_of(&[], &hash) && !is_proof_of(&code(1).proof(), &[]));
    }
}
