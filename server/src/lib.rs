//! The Kinstead server: everything that thinks or remembers, as the binary `kinstead`.
//!
//! A user-visible area is one folder with its routes, SQL, logic and errors. The library exists for the binary and for
//! the route tests; it makes no promise to anyone else.

pub mod app_state;
pub mod audit;
pub mod auth;
pub mod cli;
pub mod clock;
pub mod control;
pub mod data_folder;
pub mod db;
pub mod engine;
pub mod error;
pub mod events;
pub mod extract;
pub mod health;
pub mod household;
pub mod http;
pub mod hub;
pub mod invitations;
pub mod kins;
pub mod members;
pub mod messages;
pub mod pictures;
pub mod providers;
pub mod reach;
pub mod settings;
pub mod setup;
pub mod supervisor;
pub mod tls;
pub mod tokens;
pub mod web;
