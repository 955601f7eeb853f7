//! Passwords: Argon2id, one at a time.

use super::AuthError;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Shortest password.
pub const MIN_PASSWORD_CHARS: usize = 8;
/// Longest password; only so that nobody makes us hash megabytes.
pub const MAX_PASSWORD_BYTES: usize = 1024;

/// 19 MiB, two passes, one lane: OWASP's recommendation.
const PARAMS: (u32, u32, u32) = (19 * 1024, 2, 1);
/// The hash of a password nobody has, so that an account that does not exist costs as much as one that does.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$a2luc3RlYWQtbm9ib2R5$8yZ0gfFNmCFcqo0cE8SSDzkB1B8rVhFjyUeO8xqGYHk";

/// Hashes and checks passwords. One at a time: each takes 19 MiB and a core.
#[derive(Clone)]
pub struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

impl Passwords {
    /// Hashes a new password, in PHC form.
    ///
    /// # Errors
    /// When it is too short or too long.
    pub async fn hash(&self, password: String, salt: [u8; 16]) -> Result<String, AuthError> {
        if password.chars().count() < MIN_PASSWORD_CHARS {
            return Err(AuthError::PasswordTooShort);
        }
        if password.len() > MAX_PASSWORD_BYTES {
            return Err(AuthError::PasswordTooLong);
        }
        self.alone(move || {
            let salt = SaltString::encode_b64(&salt).expect("16 bytes are a fitting salt");
            let hash = argon2().hash_password(password.as_bytes(), &salt);
            hash.expect("Argon2id takes any password of this length").to_string()
        })
        .await
    }

    /// Whether `password` is the one behind `hash`; without a hash it takes the same time and is false.
    ///
    /// # Errors
    /// When the server is stopping.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool, AuthError> {
        if password.len() > MAX_PASSWORD_BYTES {
            return Ok(false);
        }
        self.alone(move || {
            let known = hash.is_some();
            let hash = hash.unwrap_or_else(|| NOBODY.to_owned());
            // A hash that cannot be read fits no password.
            let parsed = PasswordHash::new(&hash).ok();
            parsed.is_some_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok()) && known
        })
        .await
    }

    async fn alone<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AuthError> {
        // The permit goes with the work: a caller who hangs up does not let a second hash begin beside the first.
        let permit = Arc::clone(&self.0).acquire_owned().await.map_err(|_| AuthError::Stopping)?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| AuthError::Stopping)
    }
}

fn argon2() -> Argon2<'static> {
    let (memory, passes, lanes) = PARAMS;
    let params = Params::new(memory, passes, lanes, None).expect("the parameters are in Argon2's range");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_of_a_known_account_fits() {
        let passwords = Passwords::default();
        let hash = passwords.hash("correct horse".into(), [7; 16]).await.expect("hashes");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        let verify = async |password: &str, hash: Option<&String>| {
            passwords.verify(password.to_owned(), hash.cloned()).await.expect("verifies")
        };
        assert!(verify("correct horse", Some(&hash)).await);
        assert!(!verify("correct hors", Some(&hash)).await);
        assert!(!verify("correct horse", None).await);
        assert!(!verify("correct horse", Some(&"nonsense".into())).await);
        assert!(PasswordHash::new(NOBODY).is_ok(), "the stand-in must cost a full hash");
        assert!(matches!(passwords.hash("short".into(), [7; 16]).await, Err(AuthError::PasswordTooShort)));
    }
}
