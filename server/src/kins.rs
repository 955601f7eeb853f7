//! Kins: making, changing and removing them.
//!
//! A Kin is a row here, an entry in the `home` document, a document of its texts and a household session; all are
//! written in one transaction. Removing keeps the row and what was said.

mod change;
mod check;
mod create;
mod error;
mod remove;
pub mod routes;
mod rows;
mod slug;

pub use error::KinError;
pub use rows::{KinRecord, find, list_using};
