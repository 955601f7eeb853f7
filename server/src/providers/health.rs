//! How providers answered last: noted when they are tried and when they are used, never asked for by a clock.

use super::chat::{ChatProvider, ChatRequest, ChatStream};
use super::records;
use crate::db::{Db, DbError};
use crate::engine::Timer;
use futures_util::StreamExt;
use shared::{Failure, FailureKind, ProviderId, UnixMillis};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// From here on an answer is called slow.
const SLOW_MS: u32 = 3_000;

/// What came of the last time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// When.
    pub at: UnixMillis,
    /// How long a whole small answer took, when it was last tried.
    pub latency_ms: Option<u32>,
    /// How many models it listed, when it was last tried.
    pub model_count: Option<u32>,
    /// Why it did not answer.
    pub failure: Option<Failure>,
}

impl Check {
    /// One word for it: `connected`, `slow` or `failing`.
    pub fn state(&self) -> &'static str {
        match (&self.failure, self.latency_ms) {
            (Some(_), _) => "failing",
            (None, Some(SLOW_MS..)) => "slow",
            (None, _) => "connected",
        }
    }
}

/// Writes down how providers answer. Clones share what they know.
#[derive(Clone)]
pub(super) struct Health {
    db: Db,
    timer: Timer,
    /// What was last written, so that a household that writes all day costs no write per answer.
    written: Arc<Mutex<HashMap<ProviderId, Option<FailureKind>>>>,
}

impl Health {
    pub(super) fn new(db: Db, timer: Timer) -> Self {
        Self { db, timer, written: Arc::default() }
    }

    /// A provider has been tried, whatever came of it.
    pub(super) async fn tried(&self, id: ProviderId, check: Check) -> Result<(), DbError> {
        self.remember(id, check.failure.as_ref().map(|failure| failure.kind));
        self.db.write(move |tx| Ok::<_, DbError>(records::note_check(tx, id, &check)?)).await
    }

    /// A provider has been used. Written only when it tells something new; a failure to write is nobody's failure.
    async fn used(&self, id: ProviderId, failure: Option<Failure>) {
        if !self.remember(id, failure.as_ref().map(|failure| failure.kind)) {
            return;
        }
        let check = Check { at: self.timer.now(), latency_ms: None, model_count: None, failure };
        let write = self.db.write(move |tx| Ok::<_, DbError>(records::note_check(tx, id, &check)?));
        if let Err(error) = write.await {
            tracing::warn!(provider.id = %id, error = crate::error::chain(&error), "could not note how a provider answered");
        }
    }

    /// Forgets a provider that was changed or removed.
    pub(super) fn forget(&self, id: ProviderId) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }

    /// Whether this is news.
    fn remember(&self, id: ProviderId, failure: Option<FailureKind>) -> bool {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(id, failure) != Some(failure)
    }
}

/// A chat provider whose answers are noted.
pub(super) struct Watched {
    pub(super) id: ProviderId,
    pub(super) inner: Arc<dyn ChatProvider>,
    pub(super) health: Health,
}

impl ChatProvider for Watched {
    fn chat(&self, request: ChatRequest) -> ChatStream {
        let (id, health) = (self.id, self.health.clone());
        let answer = self.inner.chat(request).then(move |item| {
            let health = health.clone();
            async move {
                match &item {
                    Ok(_) => health.used(id, None).await,
                    Err(failure) if tells_of_the_provider(failure.kind) => {
                        health.used(id, Some(failure.clone())).await;
                    }
                    Err(_) => {}
                }
                item
            }
        });
        answer.boxed()
    }
}

/// Whether a failed call means that others will fail too.
fn tells_of_the_provider(kind: FailureKind) -> bool {
    match kind {
        FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::Unreachable
        | FailureKind::TimedOut
        | FailureKind::Malformed
        | FailureKind::Unauthorized
        | FailureKind::Redirects
        | FailureKind::Refused => true,
        FailureKind::CutShort
        | FailureKind::ModelNotFound
        | FailureKind::ContextTooLong
        | FailureKind::NoModel
        | FailureKind::TurnTooLong
        | FailureKind::Internal => false,
    }
}
