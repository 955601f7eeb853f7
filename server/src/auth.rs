//! Who a request comes from: sign-in by email and password, cookies, personal access tokens, limits.
//!
//! A login is a row with the SHA-256 of a random token; the token itself is only in the client's cookie. The password
//! is touched by [`Passwords`] and `sign_in` alone.

mod caller;
mod error;
mod limits;
mod logins;
mod passwords;
pub mod routes;
mod same_origin;
mod sign_in;

pub use caller::{Caller, Via};
pub use error::AuthError;
pub use limits::{Limiter, Limits};
pub use logins::{COOKIE, clearing_cookie, setting_cookie};
pub use passwords::Passwords;
pub use same_origin::{is_same_origin, refuse_other_origins};
pub use sign_in::{Device, SignedIn, begin_login};

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
