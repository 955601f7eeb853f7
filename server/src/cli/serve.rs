//! `kinstead serve`

use super::print;
use crate::app_state::AppState;
use crate::data_folder::{DataFolder, control_socket};
use crate::http::serve::{ConnectionLimits, Door};
use crate::reach::Opening;
use crate::settings::{LogFormat, Settings};
use crate::{control, http, setup, tls};
use anyhow::Context;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::time::Duration;
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
    let (set, grace) = (settings.listen, Duration::from_secs(settings.shutdown_grace_s));
    let mut stopping = stop_signal()?;
    let folder = DataFolder::open(&settings.data)?;
    let socket = control_socket(&settings.data);
    let state = AppState::open(settings, &folder)?;
    let certificates = state.reach.certificates();
    let tls = tls::server_config(&state.settings, certificates)?;
    if tls.is_some() && !state.settings.acme_domain.is_empty() {
        tls::acme::serve_stored(&state.settings, certificates);
    }
    if let (Some(cert), Some(key)) = (state.settings.tls_cert.get(), state.settings.tls_key.get()) {
        tls::watch_files(&state.supervisor, certificates.clone(), cert.clone(), key.clone());
    }

    let setup_needed = setup::is_needed(&state.db).await.context("could not read the database")?;
    let stop = state.supervisor.stop();
    let proxies = state.settings.trusted_proxies.clone();
    let door = Door::new(http::router(state.clone()), tls, proxies, ConnectionLimits::default(), stop);
    let address = Opening::new(state.clone(), door.clone()).begin(setup_needed).await?;
    control::listen(state.clone(), &socket).context("could not open the control socket")?;
    state.start().await?;

    let url = state.reach.public_url();
    print(&format!("Kinstead is at {url}/\n"));
    if setup_needed {
        let local = format!("http://localhost:{}", address.port());
        let (code, port) = (state.setup_code.as_str(), address.port());
        print(&format!("Set it up at {local}/#setup={code}\n"));
        if !set.ip().is_loopback() {
            print(&format!(
                "Until it has an admin only this machine reaches it. From another one: ssh -L {port}:localhost:{port} \
                 USER@THIS-MACHINE, then open the address above there. After that it listens at {} by itself.\n",
                SocketAddr::new(set.ip(), port)
            ));
        }
    }

    let signal = stopping.recv().await;
    tracing::info!(signal, "stopping");
    state.hub.close();
    let all_ended = async {
        let _ = tokio::join!(state.supervisor.shut_down(grace), tokio::time::timeout(grace, door.closed()));
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
