//! How the server is reached and how it does.

use super::{ApiError, call, read};
use serde::Deserialize;
use shared::UnixMillis;

/// The server, as its admin sees it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ServerView {
    /// Of Kinstead.
    pub version: String,
    /// Since when it runs.
    pub started_at: UnixMillis,
    /// What is wrong.
    pub health: Health,
    /// How it is reached.
    pub reach: Reach,
    /// Its own certificate, when it encrypts by itself.
    pub certificate: Option<Certificate>,
    /// Data folder and disk.
    pub data: Data,
    /// Every setting in force.
    pub settings: Vec<Setting>,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Health {
    /// `disk_full`, `disk_low`, `writes_fail`.
    pub problems: Vec<String>,
}

/// How it is reached.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Reach {
    /// `this_machine`, `until_admin`, `https`, `proxy`, `unencrypted`, `failed`.
    pub state: String,
    /// Where people find it.
    pub public_url: String,
    /// Where it can be tried from elsewhere.
    pub addresses: Vec<Address>,
    /// Something that is not believed claims to be a proxy.
    pub unknown_proxy: bool,
    /// Why it could not open up.
    pub error: Option<String>,
}

/// One of the machine's addresses.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Address {
    /// Name of the interface.
    pub interface: String,
    /// As it is typed.
    pub url: String,
}

/// Its certificate.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Certificate {
    /// `files` or `acme`.
    pub source: String,
    /// Host names; none while there is no certificate.
    pub names: Vec<String>,
    /// Who gave it.
    pub issuer: String,
    /// Last moment it is valid.
    pub valid_until: Option<UnixMillis>,
    /// Why the last attempt at a newer one failed.
    pub error: Option<String>,
    /// When the next is made.
    pub next_attempt_at: Option<UnixMillis>,
}

/// Data folder and disk.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Data {
    /// Where.
    pub folder: String,
    /// What it takes.
    pub folder_bytes: u64,
    /// What is left.
    pub free_bytes: Option<u64>,
}

/// A setting in force.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its value; may be empty.
    pub value: String,
    /// `flag`, `environment`, `default`, or the file.
    pub source: String,
}

/// Asks how the server does.
pub async fn server() -> Result<ServerView, ApiError> {
    read(call("GET", "/api/server", None).await?)
}
