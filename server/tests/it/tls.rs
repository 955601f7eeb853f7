//! TLS by files, and connections that do not behave, on real sockets.

use crate::cli::Server;
use crate::support::{House, PASSWORD, until};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use reqwest::{Client, StatusCode, Version, redirect};
use server::http::serve::{ConnectionLimits, Door};
use server::tls;
use shared::Role;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// The name of the house.
pub const NAME: &str = "kin.house.test";

/// An authority of a test.
pub struct Authority {
    pub issuer: Issuer<'static, KeyPair>,
    pub pem: String,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(vec![]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(rcgen::DnType::OrganizationName, "House Test Authority");
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// Chain and key for a name, valid from and until so many days from now.
    pub fn give(&self, name: &str, from_days: i64, until_days: i64) -> (String, String) {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let now = rcgen::date_time_ymd(1970, 1, 1) + Duration::from_millis(crate::support::now() as u64);
        let shift = |days: i64| if days < 0 { now - day(-days) } else { now + day(days) };
        (params.not_before, params.not_after) = (shift(from_days), shift(until_days));
        let key = KeyPair::generate().unwrap();
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    /// A client that trusts this authority alone and finds `NAME` at an address.
    pub fn client(&self, at: SocketAddr, http1: bool) -> Client {
        let root = reqwest::Certificate::from_pem(self.pem.as_bytes()).unwrap();
        let builder = Client::builder().tls_certs_only([root]).resolve(NAME, at).tls_info(true);
        let builder = builder.redirect(redirect::Policy::none()).pool_max_idle_per_host(0);
        if http1 { builder.http1_only() } else { builder }.build().unwrap()
    }
}

fn day(days: i64) -> Duration {
    Duration::from_secs(days as u64 * 24 * 60 * 60)
}

pub fn write(folder: &Path, (cert, key): &(String, String)) -> [String; 2] {
    let [cert_path, key_path] = ["cert.pem", "key.pem"].map(|name| folder.join(name));
    std::fs::write(&cert_path, cert).unwrap();
    std::fs::write(&key_path, key).unwrap();
    [cert_path.display().to_string(), key_path.display().to_string()]
}

/// A house that listens on loopback.
struct Open {
    house: House,
    at: SocketAddr,
    door: Door,
    stop: CancellationToken,
    _files: Option<TempDir>,
}

impl Open {
    async fn new(authority: Option<&Authority>, limits: ConnectionLimits) -> Self {
        let files = authority.map(|authority| {
            let folder = tempfile::tempdir().unwrap();
            let paths = write(folder.path(), &authority.give(NAME, -1, 60));
            (folder, paths)
        });
        let set: Vec<_> = files.iter().flat_map(|(_, paths)| ["tls_cert", "tls_key"].into_iter().zip(paths)).collect();
        let set: Vec<_> = set.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let house = House::empty_with(&set);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        house.state.reach.note(|listening| (listening.main, listening.open) = (Some(at), true));
        let config = tls::server_config(&house.state.settings, house.state.reach.certificates()).unwrap();
        let stop = CancellationToken::new();
        let proxies = house.state.settings.trusted_proxies.clone();
        let door = Door::new(house.router.clone(), config, proxies, limits, stop.clone());
        door.listen(listener, false);
        Self { house, at, door, stop, _files: files.map(|(folder, _)| folder) }
    }

    fn url(&self, scheme: &str, path: &str) -> String {
        format!("{scheme}://{NAME}:{}{path}", self.at.port())
    }
}

#[tokio::test]
async fn both_versions_of_http_and_the_socket_work_over_tls() {
    let authority = Authority::new();
    let open = Open::new(Some(&authority), ConnectionLimits::default()).await;
    for (http1, version) in [(false, Version::HTTP_2), (true, Version::HTTP_11)] {
        let answer = authority.client(open.at, http1).get(open.url("https", "/health")).send().await.unwrap();
        assert_eq!((answer.status(), answer.version()), (StatusCode::OK, version));
        assert_eq!(answer.headers()["strict-transport-security"], "max-age=31536000");
    }
    assert_eq!(open.house.state.reach.public_url(), format!("https://{NAME}:{}", open.at.port()));

    open.house.person("ada@house.test", "Ada", Role::Admin).await;
    let (_, cookie) = open.house.sign_in("ada@house.test", PASSWORD, None).await;
    for (origin, status) in [(open.url("https", ""), 101), ("https://evil.example".to_owned(), 403)] {
        let upgrade = authority.client(open.at, true).get(open.url("https", "/api/sync"));
        let upgrade = upgrade.header("connection", "upgrade").header("upgrade", "websocket").header("cookie", &cookie);
        let upgrade =
            upgrade.header("sec-websocket-version", "13").header("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA==");
        assert_eq!(upgrade.header("origin", origin).send().await.unwrap().status(), status);
    }

    let stranger = Client::builder().resolve(NAME, open.at).build().unwrap();
    assert!(stranger.get(open.url("https", "/health")).send().await.is_err());
    open.stop.cancel();
    open.door.closed().await;
}

#[tokio::test]
async fn who_comes_unencrypted_to_a_server_with_tls_is_sent_on() {
    let authority = Authority::new();
    let open = Open::new(Some(&authority), ConnectionLimits::default()).await;
    let client = authority.client(open.at, true);
    let answer = client.get(open.url("http", "/kin/basile?a=b")).send().await.unwrap();
    assert_eq!(answer.status(), 308);
    assert_eq!(answer.headers()["location"], open.url("https", "/kin/basile?a=b"));
    assert!(!answer.headers().contains_key("strict-transport-security"));
    // What was sent in the clear is refused rather than repeated.
    for request in [client.get(open.url("http", "/api/kins")), client.post(open.url("http", "/somewhere"))] {
        let answer = request.bearer_auth("kst_x").send().await.unwrap();
        assert_eq!(answer.status(), 403);
        assert!(answer.text().await.unwrap().contains(r#""code":"https_needed""#));
    }
    let here = format!("http://localhost:{}/api/setup", open.at.port());
    assert_eq!(client.get(here).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn connections_that_do_not_get_to_the_point_make_room() {
    let authority = Authority::new();
    let short = Duration::from_millis(200);
    let limits = ConnectionLimits { connections: 3, of_one_address: 9, handshake: short, headers: short };
    let open = Open::new(Some(&authority), limits).await;
    // One says nothing, one begins a handshake, one begins a request: together they take every place there is.
    let mut slow = Vec::new();
    for begin in [&b""[..], b"\x16\x03\x01", b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "] {
        let mut stream = TcpStream::connect(open.at).await.unwrap();
        stream.write_all(begin).await.unwrap();
        slow.push(stream);
    }
    let answer = authority.client(open.at, false).get(open.url("https", "/health")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    for mut stream in slow {
        let mut rest = Vec::new();
        // Closed or reset; waiting for ever is the only wrong answer.
        let ended = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut rest)).await;
        assert!(ended.is_ok(), "a slow connection was kept");
        assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    }
}

#[tokio::test]
async fn an_open_answer_ends_before_the_door_does() {
    let open = Open::new(None, ConnectionLimits::default()).await;
    let mut stream = TcpStream::connect(open.at).await.unwrap();
    let health = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(health).await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    open.stop.cancel();
    open.door.closed().await;
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.unwrap();
    assert!(String::from_utf8(rest).unwrap().contains(r#""status":"ok""#));
    assert!(TcpStream::connect(open.at).await.is_err());
}

#[tokio::test]
async fn changed_files_are_served_and_broken_ones_are_not() {
    let authority = Authority::new();
    let folder = tempfile::tempdir().unwrap();
    let [cert, key] = write(folder.path(), &authority.give(NAME, -1, 60));
    let server = Server::start_with(&[("KINSTEAD_TLS_CERT", &cert), ("KINSTEAD_TLS_KEY", &key)]);
    let port: u16 = server.address.trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap();
    assert_eq!(server.address, format!("https://{NAME}:{port}/"));
    let at = SocketAddr::from(([127, 0, 0, 1], port));
    let shown = async || {
        let answer = authority.client(at, false).get(format!("https://{NAME}:{port}/health")).send().await.unwrap();
        answer.extensions().get::<reqwest::tls::TlsInfo>().unwrap().peer_certificate().unwrap().to_vec()
    };
    let first = Arc::new(shown().await);
    write(folder.path(), &authority.give(NAME, -1, 90));
    server.signal("-HUP");
    until("the new certificate is served", async || *first != shown().await).await;
    let second = shown().await;
    std::fs::write(&key, "no key").unwrap();
    server.signal("-HUP");
    until("the broken key is told", async || server.log().contains("holds no private key")).await;
    assert_eq!(shown().await, second);
}

#[test]
fn files_that_do_not_fit_are_named_at_the_start() {
    let authority = Authority::new();
    let folder = tempfile::tempdir().unwrap();
    let (cert, _) = authority.give(NAME, -1, 60);
    let (_, other_key) = authority.give(NAME, -1, 60);
    let paths = write(folder.path(), &(cert, other_key));
    let [cert, key] = paths.each_ref().map(Path::new);
    let error = tls::read_files(cert, key).unwrap_err().to_string();
    assert!(error.contains("does not fit") && error.contains("key.pem"), "{error}");
    std::fs::write(cert, "nothing").unwrap();
    assert!(tls::read_files(cert, key).unwrap_err().to_string().contains("holds no certificate"));
    let gone = folder.path().join("gone.pem");
    assert!(tls::read_files(&gone, key).unwrap_err().to_string().contains("gone.pem"));
}
