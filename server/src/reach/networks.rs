//! Networks whose proxies are believed.

use ipnet::IpNet;
use std::net::IpAddr;
use std::str::FromStr;

/// Addresses and networks, separated by commas: `127.0.0.1, 10.0.0.0/8`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// Whether one of them holds the address.
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for Networks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let network = |part: &str| {
            let alone = part.parse::<IpAddr>().ok().map(|address| IpNet::from(address.to_canonical()));
            let found = alone.or_else(|| part.parse::<IpNet>().ok());
            found.ok_or_else(|| format!("{part:?} is neither an address nor a network like 10.0.0.0/8"))
        };
        parts.map(network).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_networks_are_read_and_anything_else_is_named() {
        let networks: Networks = "127.0.0.1, 10.0.0.0/8,fd00::/8".parse().expect("reads");
        let holds = |text: &str| networks.contain(text.parse().expect("an address"));
        assert!(holds("127.0.0.1") && holds("10.200.3.4") && holds("fd12::1") && holds("::ffff:10.1.1.1"));
        assert!(!holds("127.0.0.2") && !holds("11.0.0.1") && !holds("fe80::1"));
        assert!("".parse::<Networks>().expect("none").is_empty());
        assert!("10.0.0.0/8, home".parse::<Networks>().expect_err("no address").contains("home"));
    }
}
