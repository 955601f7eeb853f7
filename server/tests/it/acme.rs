//! Certificates by ACME, from an authority that really checks.

use crate::acme_authority::Acme;
use crate::support::{House, get, until};
use crate::tls::NAME;
use serde_json::json;
use server::http::serve::{ConnectionLimits, Door};
use server::tls;
use shared::Role;
use std::net::SocketAddr;
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::net::TcpListener;

struct Home {
    house: House,
    at: SocketAddr,
    _root: TempDir,
}

impl Home {
    /// A house that listens, with a certificate for so many days before and after today in its cache, or none.
    async fn new(acme: &Acme, with_http: bool, stored: Option<(i64, i64)>) -> Self {
        let root = tempfile::tempdir().unwrap();
        let root_file = root.path().join("root.pem");
        std::fs::write(&root_file, &acme.authority.pem).unwrap();
        let (root_file, directory) = (root_file.display().to_string(), format!("{}/directory", acme.base));
        let mut set = vec![
            ("acme_domain", NAME),
            ("acme_email", "ada@house.test"),
            ("acme_directory", &directory),
            ("acme_terms_agreed", "true"),
            ("acme_root", &root_file),
        ];
        if with_http {
            set.push(("listen_http", "127.0.0.1:0"));
        }
        let house = House::empty_with(&set);
        if let Some((from, until)) = stored {
            let (chain, key) = acme.authority.give(NAME, from, until);
            let folder = tls::acme::folder(&house.state.settings);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("certificate.pem"), format!("{chain}{key}")).unwrap();
        }
        let certificates = house.state.reach.certificates();
        let config = tls::server_config(&house.state.settings, certificates).unwrap();
        tls::acme::serve_stored(&house.state.settings, certificates);
        let (limits, stop) = (ConnectionLimits::default(), house.state.supervisor.stop());
        let door = Door::new(house.router.clone(), config, "".parse().unwrap(), limits, stop);
        let [main, http] =
            [TcpListener::bind("127.0.0.1:0").await.unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap()];
        let (at, http_at) = (main.local_addr().unwrap(), http.local_addr().unwrap());
        door.listen(main, false);
        if with_http {
            door.listen(http, true);
        }
        house.state.reach.note(|listening| (listening.main, listening.open) = (Some(at), true));
        let mut seen = acme.seen.lock().unwrap();
        (seen.tls_at, seen.http_at) = (Some(at), with_http.then_some(http_at));
        Self { house, at, _root: root }
    }

    fn start(&self) {
        tls::acme::start(&self.house.state);
    }

    fn days_left(&self) -> Option<i64> {
        let current = self.house.state.reach.certificates().current()?;
        Some((current.until.0 - crate::support::now() + 60_000) / 86_400_000)
    }

    async fn gets_one(&self) {
        let certificates = self.house.state.reach.certificates();
        until("the authority has answered", async || {
            self.days_left() == Some(90) || certificates.renewal().failures > 0
        })
        .await;
        assert_eq!((certificates.renewal().error, self.days_left()), (None, Some(90)));
    }

    fn stored(&self, name: &str) -> PathBuf {
        tls::acme::folder(&self.house.state.settings).join(name)
    }
}

#[tokio::test]
async fn a_certificate_is_got_proved_over_tls_and_served() {
    let acme = Acme::start().await;
    acme.seen.lock().unwrap().bad_nonces = 2;
    let home = Home::new(&acme, false, None).await;
    let url = format!("https://{NAME}:{}/health", home.at.port());
    assert!(acme.authority.client(home.at, false).get(&url).send().await.is_err());
    home.start();
    home.gets_one().await;
    let answer = acme.authority.client(home.at, false).get(&url).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.version()), (200, reqwest::Version::HTTP_2));
    assert_eq!(home.house.state.reach.public_url(), format!("https://{NAME}:{}", home.at.port()));
    {
        let seen = acme.seen.lock().unwrap();
        assert_eq!(seen.accounts, [json!({ "termsOfServiceAgreed": true, "contact": ["mailto:ada@house.test"] })]);
        assert_eq!(seen.checked, [("tls-alpn-01".to_owned(), Ok(()))]);
        assert_eq!((seen.orders.len(), seen.bad_nonces), (1, 0));
    }
    use std::os::unix::fs::PermissionsExt;
    for name in ["account.json", "certificate.pem"] {
        let mode = std::fs::metadata(home.stored(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    // The proof is gone with the challenge.
    let certificates = home.house.state.reach.certificates();
    until("the challenge is forgotten", async || certificates.renewal().next_at.is_some()).await;
    let left = certificates.current().unwrap().until.0 - certificates.renewal().next_at.unwrap().0;
    assert_eq!((left + 3_600_000) / 86_400_000, 30, "a third of its life");
}

#[tokio::test]
async fn where_there_is_a_port_for_http_the_proof_goes_there() {
    let acme = Acme::start().await;
    let home = Home::new(&acme, true, None).await;
    home.start();
    home.gets_one().await;
    assert_eq!(acme.seen.lock().unwrap().checked, [("http-01".to_owned(), Ok(()))]);
}

#[tokio::test]
async fn a_certificate_in_its_last_third_is_renewed_while_it_is_served() {
    let acme = Acme::start().await;
    let home = Home::new(&acme, false, Some((-61, 29))).await;
    assert_eq!(home.days_left(), Some(29));
    home.start();
    home.gets_one().await;
    let again = tls::acme::Store::at(tls::acme::folder(&home.house.state.settings)).certificate().unwrap().unwrap();
    assert_eq!((again.until.0 - crate::support::now() + 60_000) / 86_400_000, 90);
}

#[tokio::test]
async fn a_good_certificate_is_kept_and_nobody_is_asked() {
    let acme = Acme::start().await;
    let home = Home::new(&acme, false, Some((-50, 40))).await;
    home.start();
    let certificates = home.house.state.reach.certificates();
    until("the next renewal is known", async || certificates.renewal().next_at.is_some()).await;
    assert!(certificates.renewal().next_at.unwrap().0 > crate::support::now());
    assert!(acme.seen.lock().unwrap().accounts.is_empty());
    assert_eq!(home.days_left(), Some(40));
}

#[tokio::test]
async fn a_refusal_is_told_and_the_old_certificate_stays() {
    let acme = Acme::start().await;
    acme.seen.lock().unwrap().refuse_orders = true;
    let home = Home::new(&acme, false, Some((-85, 5))).await;
    let admin = home.house.person("ada@house.test", "Ada", Role::Admin).await;
    home.start();
    let certificates = home.house.state.reach.certificates();
    until("the next attempt is known", async || {
        let renewal = certificates.renewal();
        renewal.failures == 1 && renewal.next_at.is_some()
    })
    .await;
    let told = home.house.send(get("/api/server").by(&admin)).await.json()["certificate"].clone();
    assert_eq!((&told["source"], &told["names"], &told["failures"]), (&json!("acme"), &json!([NAME]), &json!(1)));
    assert!(told["error"].as_str().unwrap().contains("too many certificates this week"), "{told}");
    let pause = told["next_attempt_at"].as_i64().unwrap() - crate::support::now();
    assert!((1..=60_000).contains(&pause), "{pause}");
    assert_eq!(home.days_left(), Some(5));
    let url = format!("https://{NAME}:{}/health", home.at.port());
    assert_eq!(acme.authority.client(home.at, true).get(url).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_name_that_does_not_lead_here_is_told_with_the_authoritys_reason() {
    let acme = Acme::start().await;
    let home = Home::new(&acme, false, None).await;
    acme.seen.lock().unwrap().tls_at = None;
    home.start();
    let certificates = home.house.state.reach.certificates();
    until("it failed", async || certificates.renewal().failures == 1).await;
    let error = certificates.renewal().error.unwrap();
    assert!(error.contains("could not check the names") && error.contains("nobody listens at port 443"), "{error}");
    assert!(certificates.current().is_none() && !home.stored("certificate.pem").exists());
}
