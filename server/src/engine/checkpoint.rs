//! When and how the text of a running answer is written down.

use crate::db::{Db, DbError};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, pending};
use shared::{TurnId, UnixMillis};

/// The longest that text stays unwritten …
const EVERY_MS: i64 = 1_000;
/// … and the most of it.
const EVERY_BYTES: usize = 4_096;
/// The pause after a write that failed.
const PAUSE_MS: i64 = 10_000;

/// Writes go on beside the answer: a piece never waits for the disk.
#[derive(Default)]
pub(super) struct Checkpoint {
    bytes: usize,
    due_at: Option<UnixMillis>,
    writing: Option<BoxFuture<'static, Result<(), DbError>>>,
}

impl Checkpoint {
    /// Text has come.
    pub(super) fn note(&mut self, bytes: usize, now: UnixMillis) {
        self.bytes += bytes;
        let due = if self.bytes >= EVERY_BYTES { now } else { now.plus_ms(EVERY_MS) };
        self.due_at = Some(self.due_at.map_or(due, |before| before.min(due)));
    }

    /// When the next write is due; `None` while one is under way.
    pub(super) fn due_at(&self) -> Option<UnixMillis> {
        if self.writing.is_some() { None } else { self.due_at }
    }

    /// Begins the write that is due.
    pub(super) fn begin(&mut self, db: &Db, turn: TurnId, text: &str) {
        self.bytes = 0;
        self.due_at = None;
        let (db, text) = (db.clone(), text.to_owned());
        self.writing =
            Some(async move { db.write(move |tx| Ok(super::journal::checkpoint(tx, turn, &text)?)).await }.boxed());
    }

    /// Waits for the write under way; for ever when there is none.
    pub(super) async fn written(&mut self) -> Result<(), DbError> {
        let Some(writing) = self.writing.as_mut() else { return pending().await };
        let result = writing.await;
        self.writing = None;
        result
    }

    /// A write failed: the text is still to be written, but not at once.
    pub(super) fn failed(&mut self, now: UnixMillis) {
        self.due_at = Some(now.plus_ms(PAUSE_MS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_due_after_a_second_or_four_kilobytes() {
        let mut checkpoint = Checkpoint::default();
        assert_eq!(checkpoint.due_at(), None);
        checkpoint.note(10, UnixMillis(500));
        checkpoint.note(10, UnixMillis(900));
        assert_eq!(checkpoint.due_at(), Some(UnixMillis(1_500)));
        checkpoint.note(EVERY_BYTES, UnixMillis(1_000));
        assert_eq!(checkpoint.due_at(), Some(UnixMillis(1_000)));
    }
}
