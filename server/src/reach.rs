//! How the server is reached (G-3, H-9): addresses, proxies, TLS, and what is answered to those who come unencrypted.
//!
//! Browsers give the app what it needs (encryption, a service worker, safe cookies) over HTTPS or on `localhost` only.
//! So everyone else gets a page that says what to do instead of an app that does not work. Until an admin exists only
//! the machine itself is listened to.

mod arrival;
mod interfaces;
mod listening;
mod networks;
mod open;
mod page;
mod public_url;
mod refuse;
pub mod routes;

pub use arrival::{Arrival, Transport};
pub use listening::Listening;
pub use networks::Networks;
pub use open::{Opening, loopback_of};
pub use public_url::{PublicUrl, is_local_name, without_port};
pub use refuse::arrive;

use crate::app_state::AppState;
use crate::clock;
use crate::settings::Settings;
use crate::tls::Certificates;
use shared::UnixMillis;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// What is known of how the server is reached; clones share it.
#[derive(Clone)]
pub struct Reach(Arc<Inner>);

struct Inner {
    settings: Arc<Settings>,
    started_at: UnixMillis,
    certificates: Certificates,
    listening: Mutex<Listening>,
}

impl Reach {
    /// Of a server that does not listen yet.
    pub fn new(settings: Arc<Settings>) -> Self {
        Self(Arc::new(Inner {
            settings,
            started_at: clock::now(),
            certificates: Certificates::default(),
            listening: Mutex::default(),
        }))
    }

    /// Certificates in use.
    pub fn certificates(&self) -> &Certificates {
        &self.0.certificates
    }

    /// Where the server listens now.
    pub fn listening(&self) -> Listening {
        self.0.listening.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes a change in where the server listens.
    pub fn note(&self, change: impl FnOnce(&mut Listening)) {
        change(&mut self.0.listening.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether a page of this origin is ours, when it was asked for as `arrival` says.
    pub fn is_our_origin(&self, origin: &str, arrival: &Arrival) -> bool {
        let Some((_, host)) = origin.split_once("://") else { return false };
        let public = self.0.settings.public_url.get();
        (!arrival.host.is_empty() && host.eq_ignore_ascii_case(&arrival.host))
            || public.is_some_and(|public| origin.eq_ignore_ascii_case(public.as_str()))
    }

    /// Whether people are said to come over HTTPS from elsewhere, whatever their requests look like here.
    pub fn is_public_over_https(&self) -> bool {
        self.0.settings.public_url.get().is_some_and(|url| url.as_str().starts_with("https://"))
    }

    /// The origin at which people find this server, without a slash at its end.
    pub fn public_url(&self) -> String {
        if let Some(url) = self.0.settings.public_url.get() {
            return url.to_string();
        }
        let listening = self.listening();
        let port = listening.main.map_or(self.0.settings.listen.port(), |address| address.port());
        let name = self.0.settings.acme_domain.as_slice().first().cloned();
        let name = name.or_else(|| self.0.certificates.current().and_then(|found| found.name));
        match name {
            Some(name) if self.0.settings.has_tls() && listening.open && port == 443 => format!("https://{name}"),
            Some(name) if self.0.settings.has_tls() && listening.open => format!("https://{name}:{port}"),
            _ => local_url(listening.main.unwrap_or(self.0.settings.listen)),
        }
    }
}

/// The origin at which people find this server, without a slash at its end: `public_url`, else what is known by itself.
pub fn public_url(state: &AppState) -> String {
    state.reach.public_url()
}

/// Where a person on this machine finds a server that listens at `address`.
fn local_url(address: SocketAddr) -> String {
    let (ip, port) = (address.ip(), address.port());
    if ip.is_loopback() || ip.is_unspecified() {
        format!("http://localhost:{port}")
    } else {
        format!("http://{address}")
    }
}
