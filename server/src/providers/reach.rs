//! Which addresses a provider may have.
//!
//! A household's own services may be anywhere in its network. Services of the outside may not: an address inside would
//! be a way to make the server ask what only it can reach. Nothing may be at a link-local address, which is where
//! clouds keep their machines' secrets.

use super::base_url::{BaseUrlError, is_loopback};
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Where an address leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The internet.
    Outside,
    /// This machine or the network around it.
    Private,
    /// Where no provider is.
    Forbidden,
}

fn place(ip: IpAddr) -> Place {
    match ip {
        IpAddr::V4(ip) => place_v4(ip),
        IpAddr::V6(ip) => ip.to_ipv4_mapped().map_or_else(|| place_v6(ip), place_v4),
    }
}

fn place_v4(ip: Ipv4Addr) -> Place {
    // Addresses at which clouds serve metadata outside the link-local range.
    let metadata = [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16)];
    let [first, second, ..] = ip.octets();
    if ip.is_link_local() || ip.is_multicast() || ip.is_broadcast() || metadata.contains(&ip) {
        Place::Forbidden
    } else if ip.is_loopback() || ip.is_private() || first == 0 || (first == 100 && (64..128).contains(&second)) {
        Place::Private
    } else {
        Place::Outside
    }
}

fn place_v6(ip: Ipv6Addr) -> Place {
    let metadata = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);
    if ip.is_unicast_link_local() || ip.is_multicast() || ip == metadata {
        Place::Forbidden
    } else if ip.is_loopback() || ip.is_unspecified() || ip.is_unique_local() {
        Place::Private
    } else {
        Place::Outside
    }
}

/// Checks an address before anything is sent there. Names are looked up; one that cannot be is left to the call itself,
/// which may go through a proxy that can.
pub(super) async fn check(url: &Url, may_be_private: bool) -> Result<(), BaseUrlError> {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let places: Vec<Place> = match host.parse::<IpAddr>() {
        Ok(ip) => vec![place(ip)],
        Err(_) if is_loopback(url) => vec![Place::Private],
        Err(_) => {
            let port = url.port_or_known_default().unwrap_or(443);
            let found = tokio::net::lookup_host((host, port)).await;
            found.map(|found| found.map(|address| place(address.ip())).collect()).unwrap_or_default()
        }
    };
    if places.contains(&Place::Forbidden) {
        Err(BaseUrlError::Forbidden)
    } else if !may_be_private && places.contains(&Place::Private) {
        Err(BaseUrlError::Private)
    } else {
        Ok(())
    }
}

/// Looks names up as the system does, and forgets the addresses where no provider is: a name that was good when it was
/// checked may lead elsewhere later.
pub(super) struct GuardedNames;

impl Resolve for GuardedNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| place(address.ip()) != Place::Forbidden).collect();
            if allowed.is_empty() {
                let said = "the name leads to no address that a provider may have";
                return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, said).into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn inside_is_for_the_households_own_and_link_local_for_nobody() {
        let forbidden = [
            "http://169.254.169.254/v1",
            "http://[fe80::1]/v1",
            "http://[::ffff:169.254.169.254]/v1",
            "http://2852039166/v1",
            "http://[fd00:ec2::254]/v1",
            "http://100.100.100.200/v1",
        ];
        let private = [
            "http://127.0.0.1:11434/v1",
            "http://localhost:1/v1",
            "http://10.0.0.5/v1",
            "http://192.168.1.2/v1",
            "http://172.16.0.1/v1",
            "http://100.64.0.1/v1",
            "http://0.0.0.0/v1",
            "http://[::1]/v1",
            "http://[fd12::1]/v1",
            "http://[::ffff:10.0.0.1]/v1",
        ];
        for text in forbidden {
            let url = Url::parse(text).expect(text);
            assert_eq!(check(&url, true).await, Err(BaseUrlError::Forbidden), "{text}");
        }
        for text in private {
            let url = Url::parse(text).expect(text);
            assert_eq!(check(&url, false).await, Err(BaseUrlError::Private), "{text}");
            assert_eq!(check(&url, true).await, Ok(()), "{text}");
        }
        let outside = Url::parse("https://93.184.216.34/v1").expect("a URL");
        assert_eq!(check(&outside, false).await, Ok(()));
    }
}
