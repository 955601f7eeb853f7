//! Encryption of what is stored: AES-256-GCM by WebCrypto.
//!
//! Values are encrypted with a random data key. The data key is stored wrapped twice: by a key that WebCrypto made and
//! never gives out, with which the device opens by itself, and by the member's key, which follows from their password.
//! Locking drops the first. So a copied profile folder can be read only by a browser that also has that key; code running in the
//! page (XSS) can read everything, as can the member. The keys of rows stay plain text for now: they hold ids and
//! positions, no content.

use super::database::NAME;
use crate::browser::{global, random};
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{AesGcmParams, Crypto, CryptoKey, SubtleCrypto};

const NONCE_BYTES: u32 = 12;
const ALGORITHM: &str = "AES-GCM";
/// Stands where a row's key stands, for the wrapped data key. No row has it: rows' keys hold `|`.
const WRAPPED: &str = "data-key";

/// The same for the data key as the member's key wraps it.
const WRAPPED_FOR_MEMBER: &str = "data-key-for-member";

/// Both keys as they are stored.
pub struct StoredKeys {
    /// Not extractable.
    pub wrapping: CryptoKey,
    /// Nonce and ciphertext of the data key.
    pub wrapped: Uint8Array,
}

/// Encrypts and decrypts values.
pub struct Cipher {
    subtle: SubtleCrypto,
    key: CryptoKey,
}

/// WebCrypto; `None` in a page that was not loaded safely.
fn subtle() -> Option<SubtleCrypto> {
    let subtle = global::<Crypto>("crypto")?.subtle();
    (!subtle.is_undefined()).then_some(subtle)
}

impl Cipher {
    /// Whether this browser can encrypt here at all.
    pub fn is_available() -> bool {
        subtle().is_some()
    }

    /// Draws new keys.
    pub async fn generate() -> Result<(Self, StoredKeys), JsValue> {
        let mut raw = [0; 32];
        random(&mut raw);
        let made = Self::keep(&raw).await;
        raw.fill(0);
        made
    }

    /// Wraps a data key with a new key of the platform's.
    async fn keep(raw: &[u8]) -> Result<(Self, StoredKeys), JsValue> {
        let subtle = subtle().ok_or("no WebCrypto")?;
        let algorithm = crate::browser::object(&[("name", ALGORITHM.into()), ("length", 256.into())]);
        let wrapping: CryptoKey =
            subtle.generate_key_with_object(&algorithm, false, &usages())?.await?.unchecked_into();
        let wrapped = seal(&subtle, &wrapping, WRAPPED, raw)?.finish().await?;
        Ok((Self::import(subtle, raw).await?, StoredKeys { wrapping, wrapped }))
    }

    /// Wraps the stored data key for the member.
    pub async fn wrap_for_member(keys: &StoredKeys, member: &[u8; 32]) -> Result<Uint8Array, JsValue> {
        let subtle = subtle().ok_or("no WebCrypto")?;
        let raw = Uint8Array::new(&unseal(&subtle, &keys.wrapping, WRAPPED, &keys.wrapped)?.await?);
        let member = Self::import(subtle, member).await?;
        let wrapped = seal(&member.subtle, &member.key, WRAPPED_FOR_MEMBER, &raw.to_vec())?.finish().await;
        raw.fill(0, 0, raw.length());
        wrapped
    }

    /// Opens what [`wrap_for_member`](Self::wrap_for_member) gave, with new keys of the platform's to store.
    pub async fn open_by_member(wrapped: &Uint8Array, member: &[u8; 32]) -> Result<(Self, StoredKeys), JsValue> {
        let member = Self::import(subtle().ok_or("no WebCrypto")?, member).await?;
        let raw = Uint8Array::new(&unseal(&member.subtle, &member.key, WRAPPED_FOR_MEMBER, wrapped)?.await?);
        let kept = Self::keep(&raw.to_vec()).await;
        raw.fill(0, 0, raw.length());
        kept
    }

    /// Takes up stored keys.
    pub async fn unwrap(keys: &StoredKeys) -> Result<Self, JsValue> {
        let subtle = subtle().ok_or("no WebCrypto")?;
        let raw = Uint8Array::new(&unseal(&subtle, &keys.wrapping, WRAPPED, &keys.wrapped)?.await?);
        let cipher = Self::import(subtle, &raw.to_vec()).await?;
        raw.fill(0, 0, raw.length());
        Ok(cipher)
    }

    async fn import(subtle: SubtleCrypto, raw: &[u8]) -> Result<Self, JsValue> {
        let bytes = Uint8Array::from(raw);
        let algorithm = crate::browser::object(&[("name", ALGORITHM.into())]);
        let key = subtle.import_key_with_object("raw", &bytes, &algorithm, false, &usages())?.await?;
        bytes.fill(0, 0, bytes.length());
        Ok(Self { subtle, key: key.unchecked_into() })
    }

    /// Encrypts values, each for the row of its key.
    pub async fn seal_all(&self, rows: &[(&str, &[u8])]) -> Result<Vec<Uint8Array>, JsValue> {
        // All begin before the first is waited for, so that the browser can use its other threads.
        let begun: Vec<Sealing> =
            rows.iter().map(|(key, value)| seal(&self.subtle, &self.key, key, value)).collect::<Result<_, _>>()?;
        let mut sealed = Vec::with_capacity(begun.len());
        for sealing in begun {
            sealed.push(sealing.finish().await?);
        }
        Ok(sealed)
    }

    /// Decrypts values; `None` where a value is not what was stored under its key.
    pub async fn unseal_all(&self, rows: &[(String, Uint8Array)]) -> Vec<Option<Vec<u8>>> {
        let begun: Vec<_> = rows.iter().map(|(key, value)| unseal(&self.subtle, &self.key, key, value).ok()).collect();
        // One promise, so that no failure among them goes unheard while another is waited for.
        let settled = Promise::all_settled(&begun.into_iter().map(JsValue::from).collect::<Array>());
        let Ok(settled) = settled.await else { return vec![None; rows.len()] };
        let value = |outcome: JsValue| {
            let value = js_sys::Reflect::get(&outcome, &"value".into()).ok()?;
            value.is_instance_of::<js_sys::ArrayBuffer>().then(|| Uint8Array::new(&value).to_vec())
        };
        Array::from(&settled).iter().map(value).collect()
    }
}

fn usages() -> JsValue {
    Array::of2(&"encrypt".into(), &"decrypt".into()).into()
}

/// A value on its way to being encrypted.
struct Sealing {
    nonce: Uint8Array,
    ciphertext: Promise,
}

impl Sealing {
    /// The nonce, then the ciphertext.
    async fn finish(self) -> Result<Uint8Array, JsValue> {
        let ciphertext = Uint8Array::new(&self.ciphertext.await?);
        let sealed = Uint8Array::new_with_length(NONCE_BYTES + ciphertext.length());
        sealed.set(&self.nonce, 0);
        sealed.set(&ciphertext, NONCE_BYTES);
        Ok(sealed)
    }
}

fn seal(subtle: &SubtleCrypto, key: &CryptoKey, row: &str, value: &[u8]) -> Result<Sealing, JsValue> {
    let mut bytes = [0; NONCE_BYTES as usize];
    random(&mut bytes);
    let nonce = Uint8Array::from(&bytes[..]);
    // WebCrypto copies the value before it returns.
    let ciphertext = subtle.encrypt_with_object_and_u8_array(&params(&nonce, row), key, value)?;
    Ok(Sealing { nonce, ciphertext })
}

fn unseal(subtle: &SubtleCrypto, key: &CryptoKey, row: &str, sealed: &Uint8Array) -> Result<Promise, JsValue> {
    let nonce = sealed.subarray(0, NONCE_BYTES);
    let ciphertext = sealed.subarray(NONCE_BYTES, sealed.length());
    subtle.decrypt_with_object_and_js_u8_array(&params(&nonce, row), key, &ciphertext)
}

/// The row's key is bound to its value, so that rows cannot be exchanged for one another.
fn params(nonce: &Uint8Array, row: &str) -> AesGcmParams {
    let params = AesGcmParams::new_with_u8_array(ALGORITHM, nonce);
    params.set_additional_data_u8_array(&Uint8Array::from(format!("{NAME}|{row}").as_bytes()));
    params
}
