//! Messages by REST: sending, listing, and what can be asked about them.
//!
//! Sending is the same admission as by a replica; the commands are the same functions as the WebSocket's.

mod ask;
mod error;
mod idempotency;
mod list;
pub mod routes;
mod send;

pub use error::MessageError;
pub use idempotency::forget_old;
