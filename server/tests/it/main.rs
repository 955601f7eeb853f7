//! Route tests: the real router on a database in a temporary folder, and the real binary.
#![expect(clippy::unwrap_used, reason = "tests")]

mod acme;
mod acme_authority;
mod auth;
mod cli;
mod devices;
mod engine_commands;
mod engine_crash;
mod engine_queue;
mod engine_turns;
mod engine_world;
mod errors;
mod events;
mod headers;
mod health;
mod household;
mod kin_care;
mod kin_draw;
mod kins;
mod log_contract;
mod messages;
mod openapi;
mod passwords;
mod peer;
mod pictures;
mod policy_histories;
mod provider_setup;
mod provider_wire;
mod providers;
mod reach;
mod route_table;
mod setup;
mod support;
mod sync_socket;
mod tls;
mod web;
