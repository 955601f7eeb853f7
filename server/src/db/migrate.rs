//! Numbered migrations, forward only. `user_version` counts those that have run.

use super::OpenError;
use rusqlite::{Connection, TransactionBehavior};

/// Every migration, in order. One that has been merged is never edited.
pub const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_start.sql"),
    include_str!("../../migrations/0002_opaque.sql"),
    include_str!("../../migrations/0003_household.sql"),
    include_str!("../../migrations/0004_providers.sql"),
    include_str!("../../migrations/0005_kins.sql"),
    include_str!("../../migrations/0006_thread.sql"),
    include_str!("../../migrations/0007_generations.sql"),
];

/// Runs what is missing, each migration in a transaction of its own.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let done: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = MIGRATIONS.len() as u32;
    if done > known {
        return Err(OpenError::TooNew { found: done, known });
    }
    for (number, sql) in (1_u32..).zip(MIGRATIONS).skip(done as usize) {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        tx.execute_batch(sql)?;
        tx.pragma_update(None, "user_version", number)?;
        tx.commit()?;
    }
    Ok(())
}
