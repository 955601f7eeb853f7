//! Kins: making, changing and removing them.
//!
//! A Kin is a row here, an entry in the `home` document, a document of its texts and a household session; all are
//! written in one transaction. One that was put away keeps all of it and takes nothing new. One that was removed keeps
//! all but its entry for 30 days, and can be brought back whole; then nothing of it is left.

mod archive;
mod care_routes;
mod change;
mod check;
mod create;
mod deleted;
mod draw;
mod draw_routes;
mod error;
mod order;
mod purge;
mod remove;
mod rest;
pub mod routes;
mod rows;
mod slug;

pub use error::KinError;
pub use purge::{KEPT_MS, KinPurge, purge_due};
pub use rows::{KinRecord, find, list_using};
