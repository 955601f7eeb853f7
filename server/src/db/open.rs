//! Opening connections and their settings.

use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::Once;
use std::time::Duration;

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// SQLite says no.
    #[error("could not open the database")]
    Sqlite(#[from] rusqlite::Error),
    /// A newer Kinstead has written it.
    #[error("the database has schema {found}, this Kinstead knows {known}: use the newer Kinstead again")]
    TooNew {
        /// Migrations the file has seen.
        found: u32,
        /// Migrations this binary has.
        known: u32,
    },
    /// The writer's thread did not start.
    #[error("could not start the database's thread")]
    Thread(#[source] std::io::Error),
}

/// Makes `vec0` known to every connection opened after it.
fn register_sqlite_vec() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        type Init = unsafe extern "C" fn(
            *mut rusqlite::ffi::sqlite3,
            *mut *mut std::ffi::c_char,
            *const rusqlite::ffi::sqlite3_api_routines,
        ) -> std::ffi::c_int;
        // SAFETY: `sqlite3_vec_init` is an extension entry point; the crate declares it without its parameters.
        unsafe {
            let init = std::mem::transmute::<*const (), Init>(sqlite_vec::sqlite3_vec_init as *const ());
            rusqlite::ffi::sqlite3_auto_extension(Some(init));
        }
    });
}

fn open(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    register_sqlite_vec();
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch("pragma foreign_keys = on; pragma temp_store = memory; pragma secure_delete = on;")?;
    Ok(connection)
}

/// Makes the file before SQLite does, for this user alone; SQLite gives its companions the same rights.
fn create_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // Whatever is wrong with the path, SQLite says it better.
    let _ = options.open(path);
}

/// The one connection that writes.
pub(super) fn writer(path: &Path) -> rusqlite::Result<Connection> {
    create_private(path);
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    connection.execute_batch(
        "pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -2048;
         pragma journal_size_limit = 16777216;",
    )?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

/// One of the connections that read.
pub(super) fn reader(path: &Path) -> rusqlite::Result<Connection> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("pragma query_only = on; pragma cache_size = -512;")?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// A server that was killed right after erasing something finds it in the log: it goes before anything else happens.
pub(super) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))
}
