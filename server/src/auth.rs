//! Who a request comes from: sign-in and registration through OPAQUE, devices, cookies, personal access tokens, limits.
//!
//! A login is a row with the SHA-256 of a random token; the token itself is only in the client's cookie, or with a
//! native client. Passwords never come here: [`registration`] and `sign_in` pass messages that only show whether the
//! other end knows one.

mod caller;
pub mod change;
pub mod credentials;
pub mod devices;
mod error;
mod limits;
mod local_cookie;
mod logins;
mod opaque;
mod pending;
pub mod registration;
pub mod routes;
mod same_origin;
mod sign_in;

pub use caller::{Caller, Via};
pub use credentials::{Credentials, MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARS};
pub use error::AuthError;
pub use limits::{Limiter, Limits, address_key};
pub use local_cookie::translate_local_cookie;
pub use logins::{COOKIE, clearing_cookie, device_counts, setting_cookie};
pub use opaque::Opaque;
pub use pending::Pending;
pub use registration::{FinishedRegistration, Purpose};
pub use same_origin::{is_same_origin, refuse_other_origins};
pub use sign_in::{Device, LoggingIn, SignedIn, begin_login};

use sha2::{Digest, Sha256};

/// SHA-256, as kept of tokens.
pub fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Compares secrets without telling by the time it takes where they differ.
pub fn same_secret(a: &str, b: &str) -> bool {
    let (a, b) = (digest(a), digest(b));
    std::hint::black_box(a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b))) == 0
}
