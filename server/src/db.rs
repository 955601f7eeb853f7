//! The database: one writer, many readers.
//!
//! SQLite takes one writer at a time, so writes queue for a thread of their own instead of meeting `SQLITE_BUSY`.
//! The writer takes everything that waits into one IMMEDIATE transaction, each write in a savepoint, commits once with
//! `synchronous=FULL` and only then answers: a write that was answered survives a power cut. Readers are a few pooled
//! `query_only` connections, each read in one snapshot.

mod inspect;
mod migrate;
mod open;
mod rows;
mod writer;

pub use inspect::{Inspection, inspect};
pub use migrate::MIGRATIONS;
pub use open::OpenError;
pub use rows::RowExt;

use rusqlite::{Connection, ErrorCode, Transaction, ffi};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, mpsc, oneshot};

/// Connections that read at once. A home has few people; more would only cost memory.
const READERS: usize = 4;
/// Writes that may wait for the writer before callers wait to hand theirs in.
const WRITE_QUEUE: usize = 1024;

/// Why the database could not do something.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// SQLite says no.
    #[error("the database refused")]
    Sqlite(#[source] rusqlite::Error),
    /// No room on the disk. Nothing was changed.
    #[error("the disk is full")]
    Full,
    /// The server is stopping.
    #[error("the database is closed")]
    Closed,
    /// The closure panicked and was rolled back.
    #[error("a database job panicked")]
    Panicked,
}

impl From<rusqlite::Error> for DbError {
    fn from(error: rusqlite::Error) -> Self {
        let full = error
            .sqlite_error()
            .is_some_and(|cause| cause.code == ErrorCode::DiskFull || cause.extended_code == ffi::SQLITE_IOERR_SHMSIZE);
        if full { Self::Full } else { Self::Sqlite(error) }
    }
}

/// What has kept the last group of writes from becoming durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// No room on the disk.
    Full,
    /// Anything else.
    Failing,
}

/// The writer's last word, for whoever asks after its health.
type LastWord = Arc<Mutex<Option<Trouble>>>;

/// Handle to the database; clones share it.
#[derive(Clone)]
pub struct Db(Arc<Inner>);

struct Inner {
    path: PathBuf,
    writer: mpsc::Sender<writer::Message>,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
    trouble: LastWord,
}

impl Db {
    /// Opens the database file, creating it when absent, and brings it to the newest schema.
    ///
    /// # Errors
    /// [`OpenError::TooNew`] when a newer Kinstead has written it; else what SQLite or the file system says.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let mut connection = open::writer(path)?;
        migrate::migrate(&mut connection)?;
        open::empty_log(&connection)?;
        let (sender, receiver) = mpsc::channel(WRITE_QUEUE);
        let trouble = LastWord::default();
        let told = Arc::clone(&trouble);
        std::thread::Builder::new()
            .name("db-writer".into())
            .spawn(move || writer::run(connection, receiver, &told))
            .map_err(OpenError::Thread)?;
        Ok(Self(Arc::new(Inner {
            path: path.to_owned(),
            writer: sender,
            permits: Arc::new(Semaphore::new(READERS)),
            idle: Mutex::new(Vec::new()),
            trouble,
        })))
    }

    /// Runs `work` on the only write connection and answers after it is durable.
    ///
    /// `work` runs in a savepoint of the group's transaction: an error or panic undoes this write alone. It must not
    /// block on anything but the database. When the caller goes away before the answer, the write still happens.
    ///
    /// # Errors
    /// What `work` says, or a [`DbError`] when the group could not be committed: then nothing of it has happened.
    pub async fn write<T, E>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        self.write_then(work, |_| {}).await
    }

    /// As [`write`](Self::write); `then` runs on the writer's thread once the write is durable, before it is answered
    /// and even if nobody waits for the answer. What several writes do there happens in the order of their commits.
    ///
    /// # Errors
    /// As [`write`](Self::write); `then` does not run.
    pub async fn write_then<T, E>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = writer::Message::Write(writer::job(work, then, reply));
        self.0.writer.send(job).await.map_err(|_| DbError::Closed)?;
        answer.await.map_err(|_| DbError::Closed)?
    }

    /// Runs `work` on a read-only connection, off the async threads, in one snapshot.
    ///
    /// # Errors
    /// What `work` says, or a [`DbError`] when no connection could be had.
    pub async fn read<T, E>(&self, work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let inner = Arc::clone(&self.0);
        let permit = Arc::clone(&self.0.permits).acquire_owned().await.map_err(|_| DbError::Closed)?;
        let read = tokio::task::spawn_blocking(move || {
            // The permit goes with the work: at most `READERS` connections are in use, even when callers go away.
            let _permit = permit;
            inner.read(work)
        })
        .await;
        read.map_err(|_| DbError::Panicked)?
    }

    /// What has kept the last group of writes from becoming durable; `None` when it did.
    pub fn trouble(&self) -> Option<Trouble> {
        *self.0.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is there already, to see whether writing works again; [`trouble`](Self::trouble) then tells.
    pub async fn try_write(&self) {
        let tried: Result<(), DbError> = self
            .write(|tx| {
                let version: u32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
                Ok(tx.pragma_update(None, "user_version", version)?)
            })
            .await;
        if let Err(error) = tried {
            tracing::debug!(error = crate::error::chain(&error), "writing does not work yet");
        }
    }

    /// Leaves nothing of what has been erased in the write-ahead log. Whether that is done; a start does it, too.
    pub async fn empty_log(&self) -> bool {
        let (reply, answer) = oneshot::channel();
        self.0.writer.send(writer::Message::EmptyLog(reply)).await.is_ok() && answer.await.unwrap_or(false)
    }

    /// Finishes the writes handed in so far, then closes the file; later calls answer [`DbError::Closed`].
    pub async fn close(&self) {
        self.0.permits.close();
        let (reply, closed) = oneshot::channel();
        // The last connection to close checkpoints: let that be the writer.
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        if self.0.writer.send(writer::Message::Close(reply)).await.is_ok() {
            let _ = closed.await;
        }
    }
}

impl Inner {
    fn read<T, E: From<DbError>>(&self, work: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => open::reader(&self.path).map_err(DbError::from)?,
        };
        let snapshot = connection.unchecked_transaction().map_err(DbError::from)?;
        let result = catch_unwind(AssertUnwindSafe(|| work(&snapshot)));
        drop(snapshot);
        // A connection that a panic left in an unknown state is not used again.
        let result = result.map_err(|_| DbError::Panicked)?;
        if !self.permits.is_closed() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        result
    }
}

#[cfg(test)]
mod tests;
