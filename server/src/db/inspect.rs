//! Looking at a database file without changing it.

use super::{MIGRATIONS, OpenError, open};
use std::path::Path;

/// What was found.
#[derive(Debug)]
pub struct Inspection {
    /// Migrations the file has seen.
    pub schema: u32,
    /// Migrations this binary has.
    pub known: u32,
    /// What SQLite finds broken.
    pub problems: Vec<String>,
}

/// Checks a database file, beside a running server too. Reads all of it.
///
/// # Errors
/// When it cannot be read at all.
pub fn inspect(path: &Path) -> Result<Inspection, OpenError> {
    let connection = open::reader(path)?;
    let schema = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let mut problems = Vec::new();
    connection.pragma_query(None, "quick_check", |row| {
        problems.push(row.get::<_, String>(0)?);
        Ok(())
    })?;
    problems.retain(|line| line != "ok");
    Ok(Inspection { schema, known: u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX), problems })
}
