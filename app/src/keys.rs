//! Passwords: what the page asks for, and the worker that does it.
//!
//! A password goes from its field into the worker `keys` and no further. The worker is a module of its own, loaded
//! when somebody is about to type one ([`warm_up`]): stretching a password takes its time, and the first screen must not
//! wait for the code.

pub mod message;
mod page;
pub mod work;

pub use page::{Kept, KeyOfDevice, Purpose, Registration, change_password, recover, register, sign_in, warm_up};
