//! Connections: accepted, encrypted, limited, ended in good order.
//!
//! A connection that does not get to the point is closed: a handshake and each request's headers have a time, the number
//! of connections is bounded, and so is that of one address.

use crate::reach::{Networks, Transport};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::collections::HashMap;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

/// First byte of a TLS connection: a handshake record.
const TLS_HANDSHAKE: u8 = 0x16;
/// Streams of one HTTP/2 connection at once.
const H2_STREAMS: u32 = 128;
/// An HTTP/2 connection that does not answer a ping in this time is dead.
const H2_PING: Duration = Duration::from_secs(30);
/// Largest headers of a request.
const HEADER_BYTES: usize = 64 * 1024;

/// What a connection may take.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// Connections at once; more wait to be accepted.
    pub connections: usize,
    /// Connections of one address at once, other than this machine and believed proxies; more are closed.
    pub of_one_address: usize,
    /// For the TLS handshake.
    pub handshake: Duration,
    /// For a request's headers, counted from the connection's or the last answer's end.
    pub headers: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        let (handshake, headers) = (Duration::from_secs(10), Duration::from_secs(30));
        Self { connections: 1024, of_one_address: 128, handshake, headers }
    }
}

/// Lets connections in; clones share their limits.
#[derive(Clone)]
pub struct Door(Arc<Inner>);

struct Inner {
    app: Router,
    tls: Option<TlsAcceptor>,
    proxies: Networks,
    limits: ConnectionLimits,
    room: Arc<Semaphore>,
    by_address: Mutex<HashMap<IpAddr, usize>>,
    jobs: TaskTracker,
    stop: CancellationToken,
}

/// An address that is listened at.
pub struct Listening {
    stop: CancellationToken,
    loop_: tokio::task::JoinHandle<()>,
}

impl Listening {
    /// Stops accepting and frees the address; open connections go on.
    pub async fn close(self) {
        self.stop.cancel();
        let _ = self.loop_.await;
    }
}

impl Door {
    /// A door to `app` that closes when `stop` is cancelled. With `tls`, what comes unencrypted is told so by the app.
    pub fn new(
        app: Router,
        tls: Option<Arc<ServerConfig>>,
        proxies: Networks,
        limits: ConnectionLimits,
        stop: CancellationToken,
    ) -> Self {
        Self(Arc::new(Inner {
            app,
            tls: tls.map(TlsAcceptor::from),
            proxies,
            limits,
            room: Arc::new(Semaphore::new(limits.connections)),
            by_address: Mutex::default(),
            jobs: TaskTracker::new(),
            stop,
        }))
    }

    /// Accepts what comes; `redirects` marks the address that only sends on to https.
    pub fn listen(&self, listener: TcpListener, redirects: bool) -> Listening {
        let stop = self.0.stop.child_token();
        let (door, until) = (self.clone(), stop.clone());
        let loop_ = self.0.jobs.spawn(async move { door.accept(listener, redirects, until).await });
        Listening { stop, loop_ }
    }

    /// Waits until every connection has ended; call after stopping.
    pub async fn closed(&self) {
        self.0.jobs.close();
        self.0.jobs.wait().await;
    }

    async fn accept(&self, listener: TcpListener, redirects: bool, stop: CancellationToken) {
        loop {
            let next = async {
                let permit = Arc::clone(&self.0.room).acquire_owned().await.ok()?;
                Some((permit, listener.accept().await))
            };
            let (permit, accepted) = tokio::select! {
                () = stop.cancelled() => return,
                next = next => match next { Some(next) => next, None => return },
            };
            match accepted {
                Ok((stream, peer)) => self.let_in(stream, peer, redirects, permit),
                // Out of file descriptors, or a connection that is gone already: the next one may do better.
                Err(error) => {
                    tracing::warn!(error = error.to_string(), "could not accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    fn let_in(&self, stream: TcpStream, peer: SocketAddr, redirects: bool, permit: OwnedSemaphorePermit) {
        let Some(place) = self.place(peer.ip().to_canonical()) else {
            tracing::debug!(%peer, "too many connections of one address");
            return;
        };
        // Pieces of an answer are small and must not wait for each other.
        let _ = stream.set_nodelay(true);
        let door = self.clone();
        self.0.jobs.spawn(async move {
            let _held = (permit, place);
            door.connection(stream, peer, redirects).await;
        });
    }

    /// A place among the connections of this address, if there is one.
    fn place(&self, address: IpAddr) -> Option<Place> {
        if address.is_loopback() || self.0.proxies.contain(address) {
            return Some(Place { door: None, address });
        }
        let mut counts = self.0.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address).or_default();
        if *count >= self.0.limits.of_one_address {
            return None;
        }
        *count += 1;
        Some(Place { door: Some(self.clone()), address })
    }

    async fn connection(&self, stream: TcpStream, peer: SocketAddr, redirects: bool) {
        let tls = match &self.0.tls {
            Some(acceptor) if !redirects => {
                let mut first = [0];
                // One address for both: whoever comes unencrypted is sent on to https.
                match tokio::time::timeout(self.0.limits.handshake, stream.peek(&mut first)).await {
                    Ok(Ok(1)) if first[0] == TLS_HANDSHAKE => Some(acceptor),
                    Ok(Ok(1)) => None,
                    Ok(Ok(_) | Err(_)) | Err(_) => return,
                }
            }
            Some(_) | None => None,
        };
        let Some(acceptor) = tls else {
            return self.serve(stream, peer, Transport { tls: false, redirects }, false).await;
        };
        let stream = match tokio::time::timeout(self.0.limits.handshake, acceptor.accept(stream)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return tracing::debug!(%peer, error = error.to_string(), "no TLS connection"),
            Err(_) => return tracing::debug!(%peer, "the TLS handshake took too long"),
        };
        let h2 = match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => true,
            // The handshake was all a challenge is about.
            Some(protocol) if protocol == crate::tls::ACME_TLS => return,
            Some(_) | None => false,
        };
        self.serve(stream, peer, Transport { tls: true, redirects: false }, h2).await;
    }

    async fn serve<S>(&self, stream: S, peer: SocketAddr, transport: Transport, h2: bool)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let app = self.0.app.clone();
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            request.extensions_mut().insert(transport);
            app.clone().oneshot(request)
        });
        let io = TokioIo::new(stream);
        let ended = if h2 {
            let mut builder = http2::Builder::new(TokioExecutor::new());
            let builder = builder.timer(TokioTimer::new()).keep_alive_interval(H2_PING).keep_alive_timeout(H2_PING);
            let builder = builder.max_concurrent_streams(H2_STREAMS).max_header_list_size(HEADER_BYTES as u32);
            let connection = pin!(builder.serve_connection(io, service));
            self.until_stop(connection, |connection| connection.graceful_shutdown()).await
        } else {
            let mut builder = http1::Builder::new();
            let builder = builder.timer(TokioTimer::new()).header_read_timeout(self.0.limits.headers);
            let builder = builder.max_buf_size(HEADER_BYTES);
            let connection = pin!(builder.serve_connection(io, service).with_upgrades());
            self.until_stop(connection, |connection| connection.graceful_shutdown()).await
        };
        if let Err(error) = ended {
            tracing::debug!(%peer, error = error.to_string(), "a connection broke off");
        }
    }

    async fn until_stop<C: Future>(
        &self,
        mut connection: std::pin::Pin<&mut C>,
        finish: impl FnOnce(std::pin::Pin<&mut C>),
    ) -> C::Output {
        tokio::select! {
            ended = connection.as_mut() => return ended,
            () = self.0.stop.cancelled() => finish(connection.as_mut()),
        }
        connection.await
    }
}

/// One of an address's connections; counted while it lives.
struct Place {
    /// None where addresses are not counted.
    door: Option<Door>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(door) = &self.door else { return };
        let mut counts = door.0.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}
