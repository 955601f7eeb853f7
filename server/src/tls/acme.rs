//! Certificates by ACME (RFC 8555): got, kept, renewed in good time. instant-acme speaks the protocol.
//!
//! A certificate is renewed when a third of its life is left. An attempt that fails is told in the log and on the
//! server's screen, and made again later and later; meanwhile the old certificate is served.

mod order;
mod store;

pub use store::Store;

use super::{Certificates, Current, Renewal};
use crate::app_state::AppState;
use crate::clock;
use crate::settings::Settings;
use shared::UnixMillis;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const MINUTE_MS: i64 = 60 * 1000;
/// Longest pause after failures.
const LONGEST_PAUSE_MS: i64 = 12 * 60 * MINUTE_MS;
/// Longest wait at once: a machine that slept looks at the clock again.
const LONGEST_WAIT_MS: i64 = 6 * 60 * MINUTE_MS;

/// Where ACME's files are.
pub fn folder(settings: &Settings) -> PathBuf {
    settings.data.join(&settings.acme_cache)
}

/// Starts getting certificates when the settings say so. Others must be able to reach the server by now.
pub fn start(state: &AppState) {
    if state.settings.acme_domain.is_empty() {
        return;
    }
    let (settings, reach) = (Arc::clone(&state.settings), state.reach.clone());
    state.supervisor.spawn("acme", move |stop| async move {
        let main_is_443 = reach.listening().main.is_some_and(|address| address.port() == 443);
        run(&settings, reach.certificates(), main_is_443, stop).await
    });
}

/// Serves the certificate that was got before, if it is for the names that are set.
pub fn serve_stored(settings: &Settings, certificates: &Certificates) {
    match Store::at(folder(settings)).certificate() {
        Ok(Some(certificate)) => certificates.set(certificate, "acme"),
        Ok(None) => {}
        Err(error) => tracing::warn!(error = crate::error::chain(&error), "the stored certificate cannot be used"),
    }
}

async fn run(
    settings: &Settings,
    certificates: &Certificates,
    main_is_443: bool,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let mut renewal = Renewal::default();
    loop {
        let now = clock::now();
        let current = certificates.current().filter(|current| covers(current, settings.acme_domain.as_slice()));
        let due = match renewal.failures {
            0 => current.as_ref().map_or(now, |current| renew_at(current.from, current.until)),
            failures => now.plus_ms(pause_ms(failures)),
        };
        renewal.next_at = Some(due);
        certificates.note_renewal(renewal.clone());
        if !wait_until(due, &stop).await {
            return Ok(());
        }
        let attempt = order::get(settings, certificates, main_is_443, renewal.failures);
        let attempted = tokio::select! {
            () = stop.cancelled() => return Ok(()),
            attempted = attempt => attempted,
        };
        certificates.forget_challenges();
        match attempted {
            Ok(certificate) => {
                tracing::info!(until = certificate.until.0, "got a TLS certificate");
                certificates.set(certificate, "acme");
                renewal = Renewal::default();
            }
            Err(error) => {
                let error = format!("{error:#}");
                tracing::error!(error, "could not get a TLS certificate; trying again later");
                renewal = Renewal { failures: renewal.failures.saturating_add(1), error: Some(error), next_at: None };
            }
        }
    }
}

/// Waits; false when the server stops first.
async fn wait_until(due: UnixMillis, stop: &CancellationToken) -> bool {
    loop {
        let left = due.0 - clock::now().0;
        if left <= 0 {
            return !stop.is_cancelled();
        }
        let wait = Duration::from_millis(u64::try_from(left.min(LONGEST_WAIT_MS)).unwrap_or(0));
        tokio::select! {
            () = stop.cancelled() => return false,
            () = tokio::time::sleep(wait) => {}
        }
    }
}

fn covers(current: &Current, names: &[String]) -> bool {
    names.iter().all(|name| current.names.contains(name))
}

/// When a third of a certificate's life is left.
fn renew_at(from: UnixMillis, until: UnixMillis) -> UnixMillis {
    UnixMillis(until.0 - (until.0 - from.0) / 3)
}

/// Pause after so many failures in a row: one minute, then four times longer each time, at most twelve hours.
fn pause_ms(failures: u32) -> i64 {
    4_i64.saturating_pow(failures.saturating_sub(1)).saturating_mul(MINUTE_MS).min(LONGEST_PAUSE_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_life_is_left_at_renewal() {
        let day = 24 * 60 * MINUTE_MS;
        assert_eq!(renew_at(UnixMillis(0), UnixMillis(90 * day)), UnixMillis(60 * day));
        assert_eq!(renew_at(UnixMillis(day), UnixMillis(7 * day)), UnixMillis(5 * day));
    }

    #[test]
    fn pauses_grow_to_half_a_day() {
        assert_eq!([1, 2, 3].map(pause_ms), [MINUTE_MS, 4 * MINUTE_MS, 16 * MINUTE_MS]);
        assert_eq!([6, 40, u32::MAX].map(pause_ms), [LONGEST_PAUSE_MS; 3]);
    }
}
