//! People with an account.
//!
//! A member is a row here and a profile in the `home` document; both are written in one transaction.

mod create;
mod error;
pub mod routes;
mod rows;

pub use create::{Email, NewMember, create};
pub use error::MemberError;
pub use rows::{MemberRecord, count, find, find_by_email};
