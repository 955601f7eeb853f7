//! The writer thread: group commit.

use super::{DbError, LastWord, Trouble};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use tokio::sync::{mpsc, oneshot};

/// Writes of one group. More would only make the first of them wait.
const GROUP: usize = 256;

pub(super) enum Message {
    Write(Box<dyn Job>),
    /// Empties the write-ahead log, after all earlier writes; answers whether it is empty.
    EmptyLog(oneshot::Sender<bool>),
    Close(oneshot::Sender<()>),
}

/// A write whose types are forgotten.
pub(super) trait Job: Send {
    /// Runs the closure; whether its changes are to be kept.
    fn run(&mut self, tx: &Transaction<'_>) -> bool;
    /// Turns a success into a failure: the changes did not become durable.
    fn undo(&mut self, error: DbError);
    /// Tells the caller.
    fn answer(self: Box<Self>);
}

struct Write<F, G, T, E> {
    work: Option<F>,
    then: G,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

pub(super) fn job<F, G, T, E>(work: F, then: G, reply: oneshot::Sender<Result<T, E>>) -> Box<dyn Job>
where
    F: FnOnce(&Transaction<'_>) -> Result<T, E> + Send + 'static,
    G: FnOnce(&T) + Send + 'static,
    T: Send + 'static,
    E: From<DbError> + Send + 'static,
{
    Box::new(Write { work: Some(work), then, result: None, reply })
}

impl<F, G, T, E> Job for Write<F, G, T, E>
where
    F: FnOnce(&Transaction<'_>) -> Result<T, E> + Send,
    G: FnOnce(&T) + Send,
    T: Send,
    E: From<DbError> + Send,
{
    fn run(&mut self, tx: &Transaction<'_>) -> bool {
        let Some(work) = self.work.take() else { return false };
        let result = catch_unwind(AssertUnwindSafe(|| work(tx))).unwrap_or_else(|_| Err(DbError::Panicked.into()));
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn undo(&mut self, error: DbError) {
        // A write with an error of its own keeps it: that is what its caller can act on.
        if !matches!(self.result, Some(Err(_))) {
            self.result = Some(Err(error.into()));
        }
    }

    fn answer(self: Box<Self>) {
        if let Some(result) = self.result {
            if let Ok(value) = &result {
                let then = self.then;
                if catch_unwind(AssertUnwindSafe(|| then(value))).is_err() {
                    tracing::error!("what follows a write panicked");
                }
            }
            let _ = self.reply.send(result);
        }
    }
}

pub(super) fn run(mut connection: Connection, mut messages: mpsc::Receiver<Message>, last_word: &LastWord) {
    let (mut close, mut emptied) = (None, Vec::new());
    while close.is_none() {
        let Some(first) = messages.blocking_recv() else { return };
        let mut group = Vec::new();
        let mut next = Some(first);
        while let Some(message) = next {
            match message {
                Message::Write(job) => group.push(job),
                Message::EmptyLog(reply) => {
                    emptied.push(reply);
                    break;
                }
                Message::Close(reply) => {
                    close = Some(reply);
                    break;
                }
            }
            next = if group.len() < GROUP { messages.try_recv().ok() } else { None };
        }
        run_group(&mut connection, group, last_word);
        for reply in emptied.drain(..) {
            let _ = reply.send(empty_log(&connection));
        }
    }
    drop(messages);
    drop(connection);
    if let Some(reply) = close {
        let _ = reply.send(());
    }
}

/// Moves everything out of the write-ahead log and cuts it to nothing: old pages in it may hold what has been erased.
/// Fails while a reader looks at an older state for longer than the busy timeout.
fn empty_log(connection: &Connection) -> bool {
    let busy = connection.query_row("pragma wal_checkpoint(truncate)", [], |row| row.get::<_, i64>(0));
    match busy {
        Ok(busy) => busy == 0,
        Err(error) => {
            tracing::warn!(error = describe(&error), "the write-ahead log could not be emptied");
            false
        }
    }
}

/// Runs a group and answers it. When SQLite drops the transaction in the middle (a full disk does that), the writes
/// before that point are lost and told so; the rest goes on in a new one.
fn run_group(connection: &mut Connection, group: Vec<Box<dyn Job>>, last_word: &LastWord) {
    let mut waiting = group.into_iter().peekable();
    while waiting.peek().is_some() {
        let mut ran: Vec<Box<dyn Job>> = Vec::new();
        let done = run_some(connection, &mut waiting, &mut ran);
        // Told before the answers: who has one may ask at once.
        *last_word.lock().unwrap_or_else(PoisonError::into_inner) = done.as_ref().err().map(|error| {
            if matches!(DbError::from(copy(error)), DbError::Full) { Trouble::Full } else { Trouble::Failing }
        });
        if let Err(error) = done {
            tracing::error!(error = describe(&error), writes = ran.len(), "database group failed");
            for job in &mut ran {
                job.undo(DbError::from(copy(&error)));
            }
        }
        for job in ran {
            job.answer();
        }
    }
}

fn run_some(
    connection: &mut Connection,
    waiting: &mut impl Iterator<Item = Box<dyn Job>>,
    ran: &mut Vec<Box<dyn Job>>,
) -> rusqlite::Result<()> {
    let tx = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(tx) => tx,
        Err(error) => {
            ran.extend(waiting);
            return Err(error);
        }
    };
    for mut job in waiting {
        let kept = savepoint(&tx, job.as_mut());
        ran.push(job);
        kept?;
        if tx.is_autocommit() {
            return Err(lost());
        }
    }
    tx.commit()
}

fn savepoint(tx: &Transaction<'_>, job: &mut dyn Job) -> rusqlite::Result<()> {
    tx.prepare_cached("savepoint one_write")?.execute([])?;
    let keep = job.run(tx);
    if tx.is_autocommit() {
        return Ok(());
    }
    if !keep {
        tx.prepare_cached("rollback to one_write")?.execute([])?;
    }
    tx.prepare_cached("release one_write")?.execute([])?;
    Ok(())
}

/// What to tell writes whose transaction SQLite dropped under a later one: it does so when the disk is full or fails.
fn lost() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL), None)
}

/// The same error for another caller.
fn copy(error: &rusqlite::Error) -> rusqlite::Error {
    match error.sqlite_error() {
        Some(cause) => rusqlite::Error::SqliteFailure(*cause, Some(error.to_string())),
        None => rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_ERROR),
            Some(error.to_string()),
        ),
    }
}

fn describe(error: &rusqlite::Error) -> String {
    error.to_string()
}
