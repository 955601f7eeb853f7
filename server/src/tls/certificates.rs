//! The certificates in use. Changing one changes nothing for open connections.

use super::ACME_TLS;
use super::read::Certificate;
use shared::UnixMillis;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::Notify;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

/// What is served, and answers to ACME's challenges; clones share it.
#[derive(Clone, Default)]
pub struct Certificates(Arc<Shared>);

#[derive(Default)]
struct Shared {
    held: RwLock<Held>,
    used: Notify,
}

#[derive(Default)]
struct Held {
    current: Option<(Certificate, &'static str)>,
    /// Why the last attempt at a newer one failed, and when the next is made.
    renewal: Renewal,
    /// By host name, for TLS-ALPN-01.
    alpn_challenges: HashMap<String, Arc<CertifiedKey>>,
    /// By token, for HTTP-01.
    http_challenges: HashMap<String, String>,
}

/// What is told of the certificate in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    /// `files` or `acme`.
    pub source: &'static str,
    /// Its first name that is no wildcard.
    pub name: Option<String>,
    /// Host names and addresses it is for.
    pub names: Vec<String>,
    /// Who gave it.
    pub issuer: String,
    /// Whether it vouches for itself.
    pub self_signed: bool,
    /// First moment it is valid.
    pub from: UnixMillis,
    /// Last moment it is valid.
    pub until: UnixMillis,
}

/// How it stands with getting a newer one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renewal {
    /// Attempts that failed since the last that did not.
    pub failures: u32,
    /// Why the last one failed.
    pub error: Option<String>,
    /// When the next is made.
    pub next_at: Option<UnixMillis>,
}

impl Certificates {
    /// Serves this certificate from now on.
    pub fn set(&self, certificate: Certificate, source: &'static str) {
        self.change(|held| held.current = Some((certificate, source)));
    }

    /// The certificate that is served.
    pub fn current(&self) -> Option<Current> {
        self.look(|held| {
            let (certificate, source) = held.current.as_ref()?;
            let Certificate { key: _, names, issuer, self_signed, from, until } = certificate.clone();
            let name = names.iter().find(|name| !name.starts_with("*.")).cloned();
            Some(Current { source, name, names, issuer, self_signed, from, until })
        })
    }

    /// How it stands with getting a newer one.
    pub fn renewal(&self) -> Renewal {
        self.look(|held| held.renewal.clone())
    }

    /// Notes how it stands.
    pub fn note_renewal(&self, renewal: Renewal) {
        self.change(|held| held.renewal = renewal);
    }

    /// What an HTTP-01 challenge is answered with.
    pub fn http_challenge(&self, token: &str) -> Option<String> {
        self.look(|held| held.http_challenges.get(token).cloned())
    }

    /// Answers a TLS-ALPN-01 challenge for a name from now on.
    pub fn answer_alpn(&self, name: String, key: CertifiedKey) {
        self.change(|held| held.alpn_challenges.insert(name, Arc::new(key)));
    }

    /// Answers an HTTP-01 challenge from now on.
    pub fn answer_http(&self, token: String, answer: String) {
        self.change(|held| held.http_challenges.insert(token, answer));
    }

    /// Answers no challenge any more.
    pub fn forget_challenges(&self) {
        self.change(|held| {
            held.alpn_challenges.clear();
            held.http_challenges.clear();
        });
    }

    /// Waits until a certificate has been asked for since the last call.
    pub(super) async fn used(&self) {
        self.0.used.notified().await;
    }

    fn look<T>(&self, look: impl FnOnce(&Held) -> T) -> T {
        look(&self.0.held.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn change<T>(&self, change: impl FnOnce(&mut Held) -> T) {
        change(&mut self.0.held.write().unwrap_or_else(PoisonError::into_inner));
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let challenge = hello.alpn().is_some_and(|mut protocols| protocols.any(|protocol| protocol == ACME_TLS));
        self.0.used.notify_one();
        self.look(|held| {
            if challenge {
                let name = hello.server_name()?.to_ascii_lowercase();
                return held.alpn_challenges.get(&name).cloned();
            }
            held.current.as_ref().map(|(certificate, _)| Arc::clone(&certificate.key))
        })
    }
}

impl fmt::Debug for Certificates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificates").field("current", &self.current()).finish_non_exhaustive()
    }
}
