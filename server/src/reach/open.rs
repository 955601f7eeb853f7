//! Opening up: from the machine itself to everyone, the moment the first admin exists.

use super::Reach;
use crate::app_state::AppState;
use crate::http::serve::Door;
use crate::setup;
use anyhow::Context;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use tokio::net::TcpListener;
use tokio::sync::broadcast::error::RecvError;

/// The loopback address of the same kind and port.
pub fn loopback_of(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
    };
    SocketAddr::new(ip, address.port())
}

/// A server that is about to listen.
pub struct Opening {
    state: AppState,
    door: Door,
}

impl Opening {
    /// Of a server that lets people in by `door`.
    pub fn new(state: AppState, door: Door) -> Self {
        Self { state, door }
    }

    /// Listens: at every address that is set when there is an admin, else on loopback until there is one.
    ///
    /// # Errors
    /// When an address cannot be listened at.
    pub async fn begin(self, setup_needed: bool) -> anyhow::Result<SocketAddr> {
        let set = self.state.settings.listen;
        if !setup_needed || set.ip().is_loopback() {
            let listener = bind(set).await?;
            let address = listener.local_addr().context("could not listen")?;
            self.door.listen(listener, false);
            self.open(address).await?;
            return Ok(address);
        }
        let listener = bind(loopback_of(set)).await?;
        let address = listener.local_addr().context("could not listen")?;
        let closing = self.door.listen(listener, false);
        self.state.reach.note(|listening| listening.main = Some(address));
        let mut events = self.state.hub.subscribe();
        let supervisor = self.state.supervisor.clone();
        supervisor.spawn("open_when_set_up", move |stop| async move {
            while setup::is_needed(&self.state.db).await? {
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    event = events.recv() => if matches!(event, Err(RecvError::Closed)) { return Ok(()) },
                }
            }
            // The port chosen while closed stays the port.
            let set = SocketAddr::new(set.ip(), address.port());
            let opened = match bind(set).await {
                Ok(listener) => Ok(listener),
                // All addresses include the one listened at so far: it is given up first. Open connections go on.
                Err(_) => {
                    closing.close().await;
                    bind(set).await
                }
            };
            match opened {
                Ok(listener) => {
                    self.door.listen(listener, false);
                    self.open(set).await
                }
                Err(error) => {
                    self.state.reach.note(|listening| listening.failed = Some(format!("{error:#}")));
                    self.door.listen(bind(address).await?, false);
                    Err(error)
                }
            }
        });
        Ok(address)
    }

    /// What begins when everyone may come.
    async fn open(&self, address: SocketAddr) -> anyhow::Result<()> {
        let Reach(inner) = &self.state.reach;
        let mut redirects = None;
        if let Some(&http) = inner.settings.listen_http.get() {
            let listener = bind(http).await?;
            redirects = Some(listener.local_addr().context("could not listen")?);
            self.door.listen(listener, true);
        }
        self.state.reach.note(|listening| {
            listening.main = Some(address);
            listening.redirects = redirects;
            listening.open = true;
        });
        tracing::info!(%address, reachable_from_outside = !address.ip().is_loopback(), "listening");
        crate::tls::acme::start(&self.state);
        Ok(())
    }
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("could not listen on {address}"))
}
