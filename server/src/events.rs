//! The event stream for outside tools (E-6): stored events, resumable, and the pieces of running answers.
//!
//! Events are stored in the transaction that causes them and delivered at least once, in order. Nothing polls: the hub
//! wakes each stream after a commit.

pub mod routes;
mod rows;
mod stream;
