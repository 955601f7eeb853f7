//! Passwords the server cannot read, and what follows from them.
//!
//! OPAQUE (RFC 9807) lets a member prove a password without sending it: [`client`] and [`server`] hold the two ends as
//! plain steps. The *export key* that only the member's device learns from it wraps the member's **replica key**
//! ([`keys`]); a [`recovery`] code wraps the same key once more. Nothing here does I/O, reads a clock or draws
//! randomness by itself: random generators are passed in. Bytes travel as base64url ([`Bytes`]).
//!
//! ```
//! use credentials::{client, server::ServerSecret, Argon2Params};
//! # use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([1; 32]);
//! let argon2 = Argon2Params { memory_kib: 64, passes: 1, lanes: 1 };
//! let secret = ServerSecret::generate(&mut rng);
//!
//! let (registering, request) = client::Registering::start(&mut rng, "correct horse")?;
//! let response = secret.register(&request, b"her id")?;
//! let registered = registering.finish(&mut rng, &response, argon2)?;
//! let record = credentials::server::record(&registered.upload)?;
//!
//! let (signing_in, request) = client::SigningIn::start(&mut rng, "correct horse")?;
//! let (login, response) = secret.log_in(&mut rng, Some(&record), &request, b"her id")?;
//! let signed_in = signing_in.finish(&mut rng, &response, argon2)?;
//! assert!(login.finish(&signed_in.finalization).is_ok());
//! # Ok::<(), credentials::CredentialError>(())
//! ```

mod bytes;
pub mod client;
mod error;
pub mod keys;
mod params;
pub mod recovery;
pub mod server;
mod suite;

pub use bytes::Bytes;
pub use error::CredentialError;
pub use keys::{ExportKey, ReplicaKey};
pub use params::Argon2Params;
pub use rand_core;
pub use recovery::RecoveryCode;
