//! Certificate files that change while the server runs.
//!
//! SIGHUP makes it read them at once. Without one, a look at their times is taken at most once a minute, and only after
//! somebody has come: a server that nobody visits does nothing, and no handshake waits for the disk. What cannot be
//! used is told in the log and the old certificate stays.

use super::{Certificates, read_files};
use crate::supervisor::Supervisor;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;

/// How long a changed file may go unnoticed while people come.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// Watches the two files until the server stops.
pub fn watch(supervisor: &Supervisor, certificates: Certificates, cert: PathBuf, key: PathBuf) {
    supervisor.spawn("watch_certificate", move |stop| async move {
        let mut hang_up = signal(SignalKind::hangup())?;
        let mut known = times(&cert, &key);
        let mut look_at = Instant::now();
        loop {
            let visited = async {
                tokio::time::sleep_until(look_at).await;
                certificates.used().await;
            };
            let asked = tokio::select! {
                () = stop.cancelled() => return Ok(()),
                _ = hang_up.recv() => true,
                () = visited => false,
            };
            look_at = Instant::now() + LOOK_EVERY;
            let now = times(&cert, &key);
            if asked || now != known {
                known = now;
                let (cert, key) = (cert.clone(), key.clone());
                match tokio::task::spawn_blocking(move || read_files(&cert, &key)).await? {
                    Ok(certificate) => {
                        certificates.note_renewal(super::Renewal::default());
                        certificates.set(certificate, "files");
                        tracing::info!("the TLS certificate was read anew");
                    }
                    Err(error) => {
                        let error = crate::error::chain(&error);
                        tracing::error!(error, "the new TLS certificate cannot be used; the old one stays");
                        let renewal = super::Renewal { failures: 1, error: Some(error), next_at: None };
                        certificates.note_renewal(renewal);
                    }
                }
            }
        }
    });
}

type Times = [Option<SystemTime>; 2];

fn times(cert: &Path, key: &Path) -> Times {
    [cert, key].map(|path| std::fs::metadata(path).and_then(|about| about.modified()).ok())
}
