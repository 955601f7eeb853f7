//! The machine's own addresses.

use std::net::IpAddr;

/// An address other machines may reach this one at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAddress {
    /// Name of the interface.
    pub interface: String,
    /// The address.
    pub address: IpAddr,
}

/// Addresses of this machine that are neither loopback nor of one cable only; none when the system does not tell.
pub fn own_addresses() -> Vec<OwnAddress> {
    let found = if_addrs::get_if_addrs().unwrap_or_else(|error| {
        tracing::warn!(error = error.to_string(), "could not list the machine's addresses");
        Vec::new()
    });
    let useful = found.into_iter().filter(|one| !one.is_loopback() && !one.is_link_local());
    let mut own: Vec<_> = useful.map(|one| OwnAddress { address: one.ip(), interface: one.name }).collect();
    own.sort_by_key(|one| (one.address.is_ipv6(), one.interface.clone(), one.address));
    own
}
