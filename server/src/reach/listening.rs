//! Where the server listens.

use std::net::SocketAddr;

/// Addresses listened at, as they are now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listening {
    /// The app's address.
    pub main: Option<SocketAddr>,
    /// The address that sends on to https.
    pub redirects: Option<SocketAddr>,
    /// Whether everything that is set is listened at; not before an admin exists.
    pub open: bool,
    /// Why it could not be, when the first admin came.
    pub failed: Option<String>,
}
