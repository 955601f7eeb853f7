//! Kinds of values.

use jiff::tz::TimeZone;
use std::fmt;
use std::str::FromStr;

/// A value that may be left empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maybe<T>(Option<T>);

impl<T> Maybe<T> {
    /// The value, if there is one.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    /// Whether there is one.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

impl<T: FromStr> FromStr for Maybe<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        if text.trim().is_empty() { Ok(Self(None)) } else { text.trim().parse().map(|value| Self(Some(value))) }
    }
}

/// Host names, separated by commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// Each, in small letters, in the order given.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for Names {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(|name| name.trim().to_ascii_lowercase()).filter(|name| !name.is_empty());
        let fits = |name: &String| {
            let label = |label: &str| {
                !label.is_empty()
                    && label.len() <= 63
                    && !label.starts_with('-')
                    && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            };
            name.len() <= 253 && name.split('.').all(label) && name.parse::<std::net::IpAddr>().is_err()
        };
        let checked = |name: String| if fits(&name) { Ok(name) } else { Err(format!("{name:?} is no host name")) };
        names.map(checked).collect::<Result<_, _>>().map(Self)
    }
}

/// An https address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecureUrl(String);

impl SecureUrl {
    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SecureUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SecureUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = reqwest::Url::parse(text.trim()).map_err(|error| error.to_string())?;
        if url.scheme() == "https" && url.has_host() {
            Ok(Self(text.trim().to_owned()))
        } else {
            Err("it begins with https://".into())
        }
    }
}

/// A time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone itself.
    pub fn get(&self) -> &TimeZone {
        &self.0
    }
}

impl FromStr for Zone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self(TimeZone::try_system().unwrap_or(TimeZone::UTC)));
        }
        TimeZone::get(text).map(Self).map_err(|_| "there is no such time zone; one is called Europe/Paris".to_owned())
    }
}
