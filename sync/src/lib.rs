//! The sync layer: documents, the server's gate and log, the client's replica. Sans-IO: inputs in, outputs out.
//!
//! The server never parses Automerge bytes made by a client (see [`gate`]); nothing here reads a clock, draws
//! randomness or touches a disk or a socket.
#![warn(missing_docs)]

pub mod document;
pub mod find;
pub mod gate;
pub mod genesis;
pub mod hub;
pub mod log;
pub mod memory;
pub mod port;
pub mod replica;
pub mod store;
pub mod template;
pub mod view;
pub mod vocabulary;
