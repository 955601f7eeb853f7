//! What Kinstead's end-to-end tests stand on.
//!
//! Today that is one thing: [`scripted`], a fake of the paid outside services that speaks their
//! true wire formats, so that tests meet real bytes, real faults and no bill. Nothing outside
//! this crate may depend on it.
//!
//! ```no_run
//! use kinstead_tests::scripted::{Script, ScriptedProvider};
//!
//! # async fn example() {
//! let provider = ScriptedProvider::start().await;
//! provider.push(Script::gated(["Good ", "evening."]));
//! // … point the server at `provider.url()` and send a message …
//! let requests = provider.wait_for_request(1).await;
//! provider.release(2);
//! assert_eq!(requests[0].body["stream"], true);
//! # }
//! ```
#![warn(missing_docs)]

pub mod scripted;
