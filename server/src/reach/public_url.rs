//! The address at which people find this server.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// Scheme, host and port, as a browser writes an origin: `https://kin.example` or `https://kin.example:8443`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The origin, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Host and port as a browser sends them in `Host`.
    pub fn host(&self) -> &str {
        self.0.split_once("://").map_or("", |(_, host)| host)
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = reqwest::Url::parse(text).map_err(|_| "it is an address like https://kin.example".to_owned())?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it holds no user name".into());
        }
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err("Kinstead lives at the root of its host: the address has no path".into());
        }
        let host = url.host_str().unwrap_or_default();
        match url.scheme() {
            "https" => {}
            "http" if is_local_name(host) => {}
            "http" => return Err("browsers need https, except for localhost".into()),
            _ => return Err("it begins with https://".into()),
        }
        Ok(Self(url.origin().ascii_serialization()))
    }
}

/// Whether a host, with or without a port, means the machine one sits at. Browsers trust plain HTTP there.
pub fn is_local_name(host: &str) -> bool {
    let name = without_port(host).trim_end_matches('.').to_ascii_lowercase();
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || name.ends_with(".localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The host without `:port`; brackets of an IPv6 address stay.
pub fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => {
            if name.contains(':') && !name.ends_with(']') { host } else { name }
        }
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_https_or_local_and_has_no_path() {
        for (text, origin) in [
            ("https://Kin.Example", "https://kin.example"),
            ("https://kin.example:443/", "https://kin.example"),
            ("https://kin.example:8443", "https://kin.example:8443"),
            ("http://localhost:4270", "http://localhost:4270"),
            ("http://[::1]:4270", "http://[::1]:4270"),
        ] {
            assert_eq!(text.parse::<PublicUrl>().map(|url| url.to_string()), Ok(origin.to_owned()));
        }
        for bad in [
            "",
            "kin.example",
            "http://kin.example",
            "http://192.168.1.2",
            "ftp://kin.example",
            "https://kin.example/home",
            "https://a:b@kin.example",
            "https://kin.example/?a",
            "https://kin.example/#a",
        ] {
            assert!(bad.parse::<PublicUrl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn local_names_are_those_browsers_trust() {
        for local in [
            "localhost",
            "localhost:4270",
            "LOCALHOST",
            "a.localhost:1",
            "127.0.0.1:4270",
            "127.9.9.9",
            "[::1]:4270",
            "[::1]",
        ] {
            assert!(is_local_name(local), "{local}");
        }
        for other in
            ["", "kin.example", "localhost.example", "notlocalhost", "192.168.1.2:4270", "[fe80::1]:1", "0.0.0.0"]
        {
            assert!(!is_local_name(other), "{other}");
        }
    }
}
