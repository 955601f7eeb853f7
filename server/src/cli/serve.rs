//! `kinstead serve`

use super::print;
use crate::app_state::AppState;
use crate::data_folder::{DataFolder, control_socket};
use crate::settings::{LogFormat, Settings};
use crate::{control, http, setup};
use anyhow::{Context, bail};
use axum::serve::ListenerExt;
use std::io::IsTerminal;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

pub(super) fn run(settings: Settings) -> anyhow::Result<()> {
    start_log(&settings)?;
    // Two cores carry a household; blocking threads go away when they are idle.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4)))
        .max_blocking_threads(32)
        .enable_all()
        .build()
        .context("could not start")?;
    runtime.block_on(serve(settings))
}

fn start_log(settings: &Settings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&settings.log).with_context(|| format!("setting log is {:?}", settings.log))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match settings.log_format {
        LogFormat::Human => log.with_ansi(std::io::stderr().is_terminal()).with_target(false).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    Ok(())
}

async fn serve(settings: Settings) -> anyhow::Result<()> {
    let (listen, grace) = (settings.listen, Duration::from_secs(settings.shutdown_grace_s));
    let mut stopping = stop_signal()?;
    let folder = DataFolder::open(&settings.data)?;
    let socket = control_socket(&settings.data);
    let state = AppState::open(settings, &folder)?;

    let setup_needed = setup::is_needed(&state.db).await.context("could not read the database")?;
    if setup_needed && !listen.ip().is_loopback() {
        bail!(
            "refusing to listen on {listen}, which others can reach, before there is an admin: start with --listen \
             127.0.0.1:{port} and set Kinstead up, or make one with `kinstead admin create`",
            port = listen.port()
        );
    }
    let listener = TcpListener::bind(listen).await.with_context(|| format!("could not listen on {listen}"))?;
    let address = listener.local_addr().context("could not listen")?;
    control::listen(state.clone(), &socket).context("could not open the control socket")?;
    state.start().await?;

    tracing::info!(%address, reachable_from_outside = !address.ip().is_loopback(), "listening");
    let url = url(address);
    print(&format!("Kinstead is at {url}\n"));
    if setup_needed {
        print(&format!("Set it up at {url}#setup={}\n", state.setup_code.as_str()));
    }

    let stop = state.supervisor.stop();
    let app = http::router(state.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let listener = listener.tap_io(|stream| {
        // Pieces of an answer are small and must not wait for each other.
        let _ = stream.set_nodelay(true);
    });
    let serving = tokio::spawn(axum::serve(listener, app).with_graceful_shutdown(stop.cancelled_owned()).into_future());

    let signal = stopping.recv().await;
    tracing::info!(signal, "stopping");
    state.hub.close();
    let all_ended = async {
        let _ = tokio::join!(state.supervisor.shut_down(grace), tokio::time::timeout(grace, serving));
    };
    tokio::select! {
        () = all_ended => {}
        // Whoever asks twice means it.
        _ = stopping.recv() => tracing::warn!("stopping at once"),
    }
    state.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Where a person on this machine finds the server.
fn url(address: SocketAddr) -> String {
    let port = address.port();
    match address.ip() {
        ip if ip.is_loopback() || ip.is_unspecified() => format!("http://localhost:{port}/"),
        IpAddr::V4(ip) => format!("http://{ip}:{port}/"),
        IpAddr::V6(ip) => format!("http://[{ip}]:{port}/"),
    }
}

struct StopSignal {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

fn stop_signal() -> anyhow::Result<StopSignal> {
    let hear = |kind| signal(kind).context("could not listen for signals");
    Ok(StopSignal { interrupt: hear(SignalKind::interrupt())?, terminate: hear(SignalKind::terminate())? })
}

impl StopSignal {
    async fn recv(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
        }
    }
}
