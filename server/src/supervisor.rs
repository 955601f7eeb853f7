//! Jobs have an owner and an end.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

/// Owner of everything that runs in the background; clones share it.
#[derive(Clone, Default)]
pub struct Supervisor {
    jobs: TaskTracker,
    stop: CancellationToken,
}

impl Supervisor {
    /// A token that is cancelled when the server stops.
    pub fn stop(&self) -> CancellationToken {
        self.stop.child_token()
    }

    /// Runs a job in a span of its own, watched: its failure or panic is logged and harms nothing else.
    pub fn spawn<F>(&self, name: &'static str, job: impl FnOnce(CancellationToken) -> F)
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        let work = AssertUnwindSafe(job(self.stop.child_token())).catch_unwind();
        let watched = async move {
            match work.await {
                Ok(Ok(())) => tracing::debug!("job ended"),
                Ok(Err(error)) => tracing::error!(error = format!("{error:#}"), "job failed"),
                Err(_panic) => tracing::error!("job panicked"),
            }
        };
        self.jobs.spawn(watched.instrument(tracing::info_span!("job", name)));
    }

    /// Tells every job to end and waits for them, at most `grace`. Whether all have ended.
    pub async fn shut_down(&self, grace: Duration) -> bool {
        self.stop.cancel();
        self.jobs.close();
        let ended = tokio::time::timeout(grace, self.jobs.wait()).await.is_ok();
        if !ended {
            tracing::warn!(jobs = self.jobs.len(), "jobs are still running after the grace period");
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panicking_job_harms_nobody_and_the_rest_is_told_to_stop() {
        let supervisor = Supervisor::default();
        supervisor.spawn("panics", |_| async { panic!("on purpose") });
        supervisor.spawn("waits", |stop| async move {
            stop.cancelled().await;
            Ok(())
        });
        assert!(supervisor.shut_down(Duration::from_secs(5)).await);
    }

    #[tokio::test]
    async fn a_deaf_job_does_not_hold_up_the_end() {
        let supervisor = Supervisor::default();
        supervisor.spawn("deaf", |_| std::future::pending());
        assert!(!supervisor.shut_down(Duration::from_millis(20)).await);
    }
}
