//! Tests of the sync layer as a whole.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod equality;
mod gate;
mod hostile;
mod search;
mod simulator;
mod world;
