//! Who is let through, what the others are told, and when the server opens up.

use crate::cli::{Server, create_admin, create_token, text};
use crate::support::{Answer, Call, House, PASSWORD, answer, get, post, problem, until};
use axum::extract::ConnectInfo;
use serde_json::{Value, json};
use server::reach::Transport;
use shared::Role;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use tokio::net::TcpStream;
use tower::ServiceExt;

/// Sends a request as if it had come over an unencrypted connection.
async fn send_from(house: &House, peer: [u8; 4], call: Call) -> Answer {
    let mut request = call.request();
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((peer, 9))));
    request.extensions_mut().insert(Transport { tls: false, redirects: false });
    answer(house.router.clone().oneshot(request).await.unwrap()).await
}

const NEIGHBOUR: [u8; 4] = [192, 168, 1, 20];
const PROXY: [u8; 4] = [10, 0, 0, 2];

#[tokio::test]
async fn an_unencrypted_visit_is_told_what_to_do_in_its_language() {
    let house = House::empty();
    for (languages, language, words) in [
        ("fr-FR,fr;q=0.9,en;q=0.5", "fr", "Cette adresse n’est pas chiffrée"),
        ("de,en;q=0.5", "en", "This address is not encrypted"),
    ] {
        let visit = get("/kin/basile").header("accept-language", languages);
        let page = send_from(&house, NEIGHBOUR, visit).await;
        assert_eq!((page.status.as_u16(), page.header("content-language")), (403, language));
        let html = String::from_utf8(page.bytes).unwrap();
        assert!(html.contains(words) && html.contains("ssh -L 4270:localhost:4270") && html.contains("@house.test<"));
        assert!(!html.contains("is-shown"));
    }
    let css = send_from(&house, NEIGHBOUR, get("/https-needed.css")).await;
    assert_eq!((css.status.as_u16(), css.header("content-type")), (200, "text/css; charset=utf-8"));
    for call in [get("/api/kins"), post("/api/auth/login"), post("/anything")] {
        assert_eq!(send_from(&house, NEIGHBOUR, call).await.problem(), problem(403, "https_needed"));
    }
    assert_eq!(send_from(&house, NEIGHBOUR, get("/health")).await.status, 200);
    // Something claims to be a proxy: then that is the likeliest cause.
    let proxied = send_from(&house, PROXY, get("/").header("x-forwarded-proto", "https")).await;
    assert!(proxied.status == 403 && String::from_utf8(proxied.bytes).unwrap().contains("is-shown"));
}

#[tokio::test]
async fn a_host_that_is_no_host_is_not_written_into_the_page() {
    let house = House::empty();
    let request = axum::http::Request::builder().uri("/").header("host", "\"><script>alert(1)</script>");
    let mut request = request.body(axum::body::Body::empty()).unwrap();
    request.extensions_mut().insert(Transport { tls: false, redirects: false });
    let page = answer(house.router.clone().oneshot(request).await.unwrap()).await;
    let html = String::from_utf8(page.bytes).unwrap();
    assert!(!html.contains("<script") && html.contains("SERVER-ADDRESS"), "{html}");
}

#[tokio::test]
async fn a_believed_proxy_makes_it_https_and_nobody_else_does() {
    let house = House::empty_with(&[("trusted_proxies", "10.0.0.0/8"), ("public_url", "https://kin.example")]);
    let admin = house.person("ada@house.test", "Ada", Role::Admin).await;
    let told = |call: Call| {
        let call = call.header("x-forwarded-for", "203.0.113.7").header("x-forwarded-proto", "https");
        call.header("x-forwarded-host", "kin.example")
    };
    let seen = send_from(&house, PROXY, told(get("/api/server")).by(&admin)).await;
    assert_eq!(seen.header("strict-transport-security"), "max-age=31536000");
    let seen = seen.json();
    assert_eq!((&seen["reach"]["state"], &seen["reach"]["by_proxy"]), (&json!("proxy"), &json!(true)));
    assert_eq!(seen["reach"]["public_url"], "https://kin.example");
    let refused = send_from(&house, NEIGHBOUR, told(get("/api/server")).by(&admin)).await;
    assert_eq!(refused.problem(), problem(403, "https_needed"));

    // Pages of the public address are ours, also where the proxy writes a host of its own; others are not.
    let from =
        |origin: &str| told(post("/api/auth/logout")).header("cookie", "__Host-kinstead=x").header("origin", origin);
    assert_eq!(send_from(&house, PROXY, from("https://kin.example")).await.status, 204);
    assert_eq!(send_from(&house, PROXY, from("https://evil.example")).await.status, 403);
}

#[tokio::test]
async fn the_server_tells_admins_how_it_is_reached_and_nobody_else() {
    let (house, admin) = House::with_admin().await;
    let member = house.person("bob@house.test", "Bob", Role::Member).await;
    assert_eq!(house.send(get("/api/server").by(&member)).await.problem(), problem(403, "admin_only"));
    assert_eq!(house.send(get("/api/server")).await.problem(), problem(401, "not_signed_in"));
    let seen = house.send(get("/api/server").by(&admin)).await.json();
    assert_eq!(seen["reach"]["state"], "this_machine");
    assert_eq!(seen["reach"]["public_url"], "http://localhost:4270");
    assert_eq!((&seen["health"]["status"], &seen["certificate"]), (&json!("ok"), &Value::Null));
    assert!(
        seen["data"]["folder_bytes"].as_u64().unwrap() > 100_000 && seen["data"]["free_bytes"].as_u64().unwrap() > 0
    );
    let settings = seen["settings"].as_array().unwrap();
    let listen = settings.iter().find(|one| one["name"] == "listen").unwrap();
    assert_eq!(
        *listen,
        json!({ "name": "listen", "value": "127.0.0.1:4270", "source": "default", "is_default": true })
    );
}

/// An address of this machine that is not loopback. Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

#[tokio::test]
async fn the_server_opens_up_by_itself_the_moment_there_is_an_admin() {
    let mut server = Server::start_at("0.0.0.0:0", tempfile::tempdir().unwrap(), &[]);
    let port: u16 = server.address.trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap();
    assert_eq!(server.address, format!("http://localhost:{port}/"));
    assert!(server.next_line().starts_with(&format!("Set it up at http://localhost:{port}/#setup=")));
    assert!(server.next_line().contains(&format!("ssh -L {port}:localhost:{port}")));
    // Where the machine has no other address, the listener itself tells.
    let outside = own_address().map(|ip| SocketAddr::new(ip, port));
    if let Some(outside) = outside {
        assert!(TcpStream::connect(outside).await.is_err(), "reached before there is an admin");
    }
    let (ok, ..) = text(&create_admin(&server.data(), "ada@house.test"));
    assert!(ok);
    let token = text(&create_token(&server.data(), "ada@house.test")).1;
    let client = reqwest::Client::new();
    let reach = async || -> Value {
        let answer = client.get(server.url("/api/server")).bearer_auth(token.trim()).send().await;
        match answer {
            Ok(answer) => serde_json::from_str::<Value>(&answer.text().await.unwrap()).unwrap()["reach"].clone(),
            // The address is given up and taken again.
            Err(_) => Value::Null,
        }
    };
    until("everyone is let in", async || reach().await["state"] == "unencrypted").await;
    assert_eq!(reach().await["listening"], json!([format!("0.0.0.0:{port}")]));
    if let Some(outside) = outside {
        let page = client.get(format!("http://{outside}/")).send().await.unwrap();
        assert_eq!(page.status(), 403);
        assert!(page.text().await.unwrap().contains("This address is not encrypted"));
    }
}

/// Sends a request with a host and by a way of its own.
async fn send_by(house: &House, peer: [u8; 4], host: &'static str, tls: bool, call: Call) -> Answer {
    let mut request = call.request();
    request.headers_mut().insert("host", axum::http::HeaderValue::from_static(host));
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((peer, 9))));
    request.extensions_mut().insert(Transport { tls, redirects: false });
    answer(house.router.clone().oneshot(request).await.unwrap()).await
}

/// Safari keeps no `Secure` cookie from localhost: there, and nowhere else, a plain one stands for it.
#[tokio::test]
async fn the_plain_cookie_counts_at_the_machine_itself_and_nowhere_else() {
    const HOME: [u8; 4] = [127, 0, 0, 1];
    let house = House::empty_with(&[("trusted_proxies", "10.0.0.0/8")]);
    house.person("ada@house.test", "Ada", Role::Admin).await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let secret = cookie.strip_prefix("__Host-kinstead=").expect("the first form");
    let plain = format!("theme=dark; kinstead-local={secret}");
    let me = || get("/api/me").header("cookie", &plain);

    assert_eq!(send_by(&house, HOME, "localhost:4270", false, me()).await.status, 200);
    assert_eq!(send_by(&house, HOME, "127.0.0.1:4270", false, me()).await.status, 200);
    let proxied = || me().header("x-forwarded-proto", "https").header("x-forwarded-for", "192.0.2.1");
    for (what, answer) in [
        ("over TLS", send_by(&house, HOME, "localhost:4270", true, me()).await),
        ("from another machine", send_by(&house, NEIGHBOUR, "localhost:4270", false, me()).await),
        ("under another name", send_by(&house, HOME, "kin.example", true, me()).await),
        ("through a proxy", send_by(&house, PROXY, "localhost:4270", false, proxied()).await),
        ("through a stranger", send_by(&house, HOME, "localhost:4270", false, proxied()).await),
    ] {
        assert_eq!(answer.problem(), problem(401, "not_signed_in"), "{what}");
    }

    // It comes and goes with the first form.
    let leave = post("/api/auth/logout").header("cookie", &plain).header("origin", "http://localhost:4270");
    let left = send_by(&house, HOME, "localhost:4270", false, leave).await;
    let set: Vec<&str> = left.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    assert_eq!(
        set,
        [
            "__Host-kinstead=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0",
            "kinstead-local=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"
        ]
    );
    assert_eq!(send_by(&house, HOME, "localhost:4270", false, me()).await.status, 401);
}

/// A proxy on this machine that says nothing of itself looks like the machine.
#[tokio::test]
async fn no_plain_cookie_where_people_come_over_https() {
    let house = House::empty_with(&[("public_url", "https://kin.example")]);
    house.person("ada@house.test", "Ada", Role::Admin).await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let plain = cookie.replace("__Host-kinstead", "kinstead-local");
    let me = |cookie: &str| get("/api/me").header("cookie", cookie);
    assert_eq!(send_by(&house, [127, 0, 0, 1], "localhost:4270", false, me(&cookie)).await.status, 200);
    assert_eq!(send_by(&house, [127, 0, 0, 1], "localhost:4270", false, me(&plain)).await.status, 401);
}
