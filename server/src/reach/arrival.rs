//! Where a request really comes from, and how: its own connection, or what a believed proxy tells of it.

use super::networks::Networks;
use super::public_url::is_local_name;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, HeaderName, Request, header};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The connection a request came by. Absent when a test hands it to the router directly.
#[derive(Debug, Clone, Copy)]
pub struct Transport {
    /// Whether it is encrypted up to here.
    pub tls: bool,
    /// Whether it came by `listen_http`, which is for redirects and challenges.
    pub redirects: bool,
}

/// What is known of a request's way here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Address of whoever sent it.
    pub client: IpAddr,
    /// Whether it left them encrypted.
    pub https: bool,
    /// Host and port as they typed them.
    pub host: String,
    /// Whether a believed proxy told so.
    pub by_proxy: bool,
    /// Whether something that is not believed claims to be a proxy.
    pub unknown_proxy: bool,
}

impl Arrival {
    /// Reads a request's connection and headers. Only a peer in `trusted` is believed about anyone else.
    pub fn of<B>(request: &Request<B>, trusted: &Networks) -> Self {
        let headers = request.headers();
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip().to_canonical());
        let tls = request.extensions().get::<Transport>().is_some_and(|transport| transport.tls);
        // HTTP/2 has no Host header; the address itself names the host.
        let authority = request.uri().authority().map(|authority| authority.as_str().to_owned());
        let host = text(headers, header::HOST).map(str::to_owned).or(authority).unwrap_or_default();
        let told = Told::read(headers);
        if !trusted.contain(peer) {
            return Self { client: peer, https: tls, host, by_proxy: false, unknown_proxy: told.is_any() };
        }
        Self {
            client: told.client(peer, trusted),
            https: told.proto.map_or(tls, |proto| proto.eq_ignore_ascii_case("https")),
            host: told.host.unwrap_or(host),
            by_proxy: told.for_.is_some(),
            unknown_proxy: false,
        }
    }

    /// Whether a browser treats this page as safe: HTTPS, or the machine one sits at.
    pub fn is_secure(&self) -> bool {
        self.https || is_local_name(&self.host)
    }
}

/// What a proxy says: `X-Forwarded-*` when there, else `Forwarded` (RFC 7239).
#[derive(Default)]
struct Told {
    /// Nearest last.
    for_: Option<Vec<String>>,
    proto: Option<String>,
    host: Option<String>,
}

impl Told {
    fn read(headers: &HeaderMap) -> Self {
        let list = |name: &'static str| {
            let lines = headers.get_all(HeaderName::from_static(name)).iter().filter_map(|line| line.to_str().ok());
            let parts = lines.flat_map(|line| line.split(',')).map(|part| part.trim().to_owned());
            Some(parts.filter(|part| !part.is_empty()).collect::<Vec<_>>()).filter(|parts| !parts.is_empty())
        };
        let last = |name| list(name).and_then(|mut parts| parts.pop());
        let told =
            Self { for_: list("x-forwarded-for"), proto: last("x-forwarded-proto"), host: last("x-forwarded-host") };
        if told.is_any() {
            return told;
        }
        let mut told = Self::default();
        for hop in list("forwarded").unwrap_or_default() {
            for (name, value) in hop.split(';').filter_map(|pair| pair.split_once('=')) {
                let value = value.trim().trim_matches('"').to_owned();
                match name.trim().to_ascii_lowercase().as_str() {
                    "for" => told.for_.get_or_insert_default().push(value),
                    "proto" => told.proto = Some(value),
                    "host" => told.host = Some(value),
                    _ => {}
                }
            }
        }
        told
    }

    fn is_any(&self) -> bool {
        self.for_.is_some() || self.proto.is_some() || self.host.is_some()
    }

    /// The nearest address that is no believed proxy; whatever stands before it may be invented.
    fn client(&self, peer: IpAddr, trusted: &Networks) -> IpAddr {
        let mut client = peer;
        for hop in self.for_.iter().flatten().rev() {
            let Some(address) = address_of(hop) else { break };
            client = address;
            if !trusted.contain(address) {
                break;
            }
        }
        client
    }
}

/// The address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
fn address_of(hop: &str) -> Option<IpAddr> {
    let alone = hop.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
    alone.or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip())).map(|address| address.to_canonical())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrive(peer: &str, headers: &[(&str, &str)]) -> Arrival {
        let mut request = Request::builder().uri("/").header("host", "box:4270");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(()).expect("a request");
        let peer: IpAddr = peer.parse().expect("an address");
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((peer, 1))));
        request.extensions_mut().insert(Transport { tls: false, redirects: false });
        Arrival::of(&request, &"127.0.0.1, 10.0.0.0/8".parse().expect("networks"))
    }

    #[test]
    fn only_believed_proxies_speak_for_others() {
        let all = [
            ("x-forwarded-for", "203.0.113.9, 198.51.100.7, 10.1.1.1"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "kin.example"),
        ];
        let believed = arrive("127.0.0.1", &all);
        // The leftmost address could be the client's own invention.
        assert_eq!(believed.client, IpAddr::from([198, 51, 100, 7]));
        assert!(believed.https && believed.by_proxy && believed.host == "kin.example");
        let stranger = arrive("192.0.2.4", &all);
        assert_eq!(stranger.client, IpAddr::from([192, 0, 2, 4]));
        assert!(!stranger.https && !stranger.by_proxy && stranger.unknown_proxy && stranger.host == "box:4270");
    }

    #[test]
    fn the_standard_header_is_read_where_the_usual_ones_are_not() {
        let standard = r#"for="[2001:db8::7]:4711";proto=https;host=kin.example, for=10.0.0.2"#;
        let arrival = arrive("127.0.0.1", &[("forwarded", standard)]);
        assert_eq!(arrival.client, "2001:db8::7".parse::<IpAddr>().expect("an address"));
        assert!(arrival.https && arrival.host == "kin.example");
        let both = arrive("127.0.0.1", &[("forwarded", standard), ("x-forwarded-for", "192.0.2.1")]);
        assert_eq!((both.client, both.https), (IpAddr::from([192, 0, 2, 1]), false));
    }

    #[test]
    fn nonsense_ends_where_it_stands() {
        let arrival = arrive("127.0.0.1", &[("x-forwarded-for", "203.0.113.9, unknown, 10.0.0.3")]);
        assert_eq!(arrival.client, IpAddr::from([10, 0, 0, 3]));
        assert_eq!(arrive("127.0.0.1", &[]).client, IpAddr::from([127, 0, 0, 1]));
    }
}
