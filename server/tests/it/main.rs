//! Route tests: the real router on a database in a temporary folder, and the real binary.
#![expect(clippy::unwrap_used, reason = "tests")]

mod auth;
mod cli;
mod errors;
mod events;
mod kins;
mod messages;
mod openapi;
mod providers;
mod setup;
mod support;
mod web;
