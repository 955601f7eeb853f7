//! What crosses between the page and the worker that stretches passwords: Postcard in byte arrays.
//!
//! The worker belongs to one page, so both ends are always of one build.

use credentials::{Argon2Params, Bytes};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// A job and its number.
#[derive(Serialize, Deserialize)]
pub struct ToKeys {
    /// Named in the answer.
    pub number: u32,
    /// What to do.
    pub job: Job,
}

/// One step. A password is given with the first and stays in the worker until the last.
#[derive(Serialize, Deserialize)]
pub enum Job {
    /// Begins a registration: answered with [`Answer::Request`].
    Register {
        /// As typed.
        password: Zeroizing<String>,
    },
    /// Ends it: [`Answer::Registered`].
    FinishRegistration {
        /// The number of the job that began it.
        begun: u32,
        /// The server's answer.
        response: Bytes,
        /// How to stretch.
        argon2: Argon2Params,
        /// Which replica key the password is to wrap.
        keep: Keep,
    },
    /// Begins a sign-in: [`Answer::Request`].
    SignIn {
        /// As typed.
        password: Zeroizing<String>,
    },
    /// Proves it: [`Answer::Proof`].
    Prove {
        /// The number of the job that began it.
        begun: u32,
        /// The server's answer.
        response: Bytes,
        /// How to stretch.
        argon2: Argon2Params,
    },
    /// Opens the replica key after the proof was good: [`Answer::Key`].
    Open {
        /// The number of the job that began it.
        begun: u32,
        /// As the server keeps it.
        key_by_password: Bytes,
    },
    /// Reads a recovery code as typed and gives its proof: [`Answer::Proof`].
    RecoveryProof {
        /// As typed.
        code: String,
    },
}

/// Which replica key a new password wraps.
#[derive(Serialize, Deserialize)]
pub enum Keep {
    /// A new one, with a new recovery code.
    Nothing,
    /// The one that is known here; the recovery code stays.
    Key([u8; 32]),
    /// The one that the recovery code opens; the code stays.
    ByCode {
        /// As typed.
        code: String,
        /// As the server keeps it.
        key_by_recovery: Bytes,
    },
}

/// From the worker.
#[derive(Serialize, Deserialize)]
pub struct FromKeys {
    /// Of the job.
    pub number: u32,
    /// What came of it.
    pub answer: Answer,
}

/// What came of a job.
#[derive(Serialize, Deserialize)]
pub enum Answer {
    /// For the server.
    Request(Bytes),
    /// For the server.
    Proof(Bytes),
    /// The replica key.
    Key([u8; 32]),
    /// A finished registration.
    Registered(Box<Registered>),
    /// It did not work.
    Failed(Failed),
}

/// A finished registration.
#[derive(Serialize, Deserialize)]
pub struct Registered {
    /// For the server.
    pub upload: Bytes,
    /// For the server.
    pub key_by_password: Bytes,
    /// For the server and for the member, where the code is new.
    pub recovery: Option<NewRecovery>,
    /// For this device.
    pub replica_key: [u8; 32],
}

/// A new recovery code.
#[derive(Serialize, Deserialize)]
pub struct NewRecovery {
    /// For the member, to be shown once.
    pub code: String,
    /// For the server.
    pub key: Bytes,
    /// For the server.
    pub proof_hash: Bytes,
}

/// Why a job did not work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failed {
    /// The password is wrong.
    Password,
    /// The recovery code has a typing mistake.
    Code,
    /// The server said something that makes no sense.
    Nonsense,
}

/// The bytes of a message.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_allocvec(message).expect("messages hold only types of known length")
}

/// The message in `bytes`.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}
