//! People with an account.
//!
//! A member is a row here and a profile in the `home` document; both are written in one transaction.

mod change;
mod create;
mod error;
mod export;
mod me;
mod remove;
pub mod routes;
mod rows;

pub use create::{Email, NewMember, create};
pub use error::MemberError;
pub use rows::{MemberRecord, count, find, find_any, find_by_email, save_language};
