//! The words every part of Kinstead uses: ids, domain types, the turn machine and the wire types.
//!
//! This crate does no I/O, reads no clock and draws no randomness: time, ids and random bytes come in as
//! arguments. It builds for browsers and phones and depends on no runtime.
//!
//! ```
//! use shared::{KinId, UnixMillis};
//!
//! let kin = KinId::new(UnixMillis(1_764_500_000_000), [7; 10]);
//! assert_eq!(kin.to_string().parse::<KinId>(), Ok(kin));
//! assert!("tsk_0".parse::<KinId>().is_err());
//! ```
#![warn(missing_docs)]

pub mod audience;
pub mod document;
pub mod failure;
pub mod frame;
pub mod ids;
pub mod limits;
pub mod message;
pub mod operation;
pub mod policy;
pub mod profile;
pub mod time;
pub mod turn;
pub mod words;

pub use audience::{Audience, Role, Viewer};
pub use document::{DocumentId, DocumentKind};
pub use failure::{Failure, FailureKind};
pub use ids::*;
pub use message::{Author, MessageState};
pub use operation::{ActorId, ChangeHash, ChangeHeader, Operation, TextField};
pub use policy::{Right, Scope, Scopes};
pub use time::UnixMillis;
