//! Signs of life, and `kinstead doctor`.

use crate::cli::{Server, create_admin, run, text};
use crate::support::{House, get, post};
use serde_json::json;

#[tokio::test]
async fn a_server_that_cannot_write_says_so_and_goes_on_reading() {
    let (house, admin) = House::with_admin().await;
    for path in ["/health", "/api/health/ready"] {
        let answer = house.send(get(path)).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["status"]), (200, &json!("ok")), "{path}");
    }
    house.sql("pragma query_only = on").await;
    assert_eq!(house.send(post("/api/kins").by(&admin).json(&json!({ "name": "Basile" }))).await.status, 500);
    let health = house.send(get("/health")).await;
    assert_eq!(health.status, 200);
    assert_eq!((&health.json()["status"], &health.json()["problems"]), (&json!("degraded"), &json!(["writes_fail"])));
    assert_eq!(house.send(get("/api/health/ready")).await.status, 503);
    assert_eq!(house.send(get("/api/kins").by(&admin)).await.status, 200);
    let server = house.send(get("/api/server").by(&admin)).await.json();
    assert_eq!(server["health"]["problems"], json!(["writes_fail"]));
}

#[test]
fn the_doctor_says_what_is_wrong_and_how_to_mend_it() {
    let server = Server::start_with(&[]);
    let data = server.data();
    assert!(text(&create_admin(&data, "ada@house.test")).0);
    let listen = server.address.replace("http://localhost", "127.0.0.1").trim_end_matches('/').to_owned();
    let (ok, out, error) = text(&run(&data, &["doctor", "--listen", &listen], ""));
    assert!(ok, "{out}{error}");
    for line in ["in use by a running Kinstead", "master key", "is sound", "are free on the disk", "is listened at"] {
        assert!(out.lines().any(|found| found.starts_with("ok ") && found.contains(line)), "{line}: {out}");
    }

    let (_, _, folder) = server.stop("-TERM");
    let data = folder.path().join("data");
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(data.join("key"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let mut bytes = std::fs::read(data.join("kinstead.db")).unwrap();
    bytes[40_000..80_000].fill(7);
    std::fs::write(data.join("kinstead.db"), bytes).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let arguments = ["doctor", "--listen", &listen, "--tls-cert", "/gone/cert.pem", "--tls-key", "/gone/key.pem"];
    let (ok, out, error) = text(&run(&data, &arguments, ""));
    assert!(!ok && error.contains("things are wrong"), "{error}");
    for line in ["chmod go=", "database", "/gone/cert.pem", "another program listens"] {
        assert!(out.lines().any(|found| found.starts_with("FAIL") && found.contains(line)), "{line}: {out}");
    }
}

#[test]
fn the_doctor_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("none");
    let (ok, out, error) = text(&run(&data, &["doctor", "--listen", "127.0.0.1:0"], ""));
    assert!(ok && out.contains("does not exist yet"), "{out}{error}");
    assert!(!data.exists());
}
