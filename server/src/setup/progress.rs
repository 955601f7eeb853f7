//! How far the first day has come: providers, search, the first Kin. It goes forward only, so that two tabs or two
//! admins cannot undo each other, and it survives a reload or a crash.

use crate::db::{Db, DbError};
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};

const KEY: &str = "wizard_step";

/// What the wizard shows next. The first step, the admin's own account, is over when anybody can ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WizardStep {
    /// Something to think with.
    Providers,
    /// Something to look things up with.
    Search,
    /// Who moves in first.
    Kin,
    /// Nothing: the household lives.
    Done,
}

impl WizardStep {
    const ALL: [Self; 4] = [Self::Providers, Self::Search, Self::Kin, Self::Done];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Providers => "providers",
            Self::Search => "search",
            Self::Kin => "kin",
            Self::Done => "done",
        }
    }
}

/// Where the wizard is. A household that has or had a Kin has no need of it, however it came by it.
///
/// # Errors
/// When the database fails.
pub async fn read(db: &Db) -> Result<WizardStep, DbError> {
    db.read(|conn| Ok(now(conn)?)).await
}

/// Goes on to `step`; one that is behind changes nothing. Gives where the wizard is then.
///
/// # Errors
/// When the database fails.
pub async fn advance(db: &Db, step: WizardStep) -> Result<WizardStep, DbError> {
    db.write(move |tx| Ok(forward(tx, step)?)).await
}

/// Ends the wizard before it has begun, where nobody has an account yet.
///
/// # Errors
/// When the database fails.
pub fn skip_if_nobody_is_in(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    let is_empty: bool = tx.query_row("select not exists (select 1 from member)", [], |row| row.get(0))?;
    if is_empty {
        forward(tx, WizardStep::Done)?;
    }
    Ok(())
}

fn now(conn: &Connection) -> rusqlite::Result<WizardStep> {
    let had_kin: bool = conn.query_row("select exists (select 1 from kin)", [], |row| row.get(0))?;
    if had_kin {
        return Ok(WizardStep::Done);
    }
    let stored: Option<String> =
        conn.query_row("select value from meta where key = ?1", [KEY], |row| row.get(0)).optional()?;
    let step = WizardStep::ALL.into_iter().find(|step| Some(step.as_str()) == stored.as_deref());
    Ok(step.unwrap_or(WizardStep::Providers))
}

fn forward(tx: &Transaction<'_>, step: WizardStep) -> rusqlite::Result<WizardStep> {
    let before = now(tx)?;
    let after = before.max(step);
    if after > before {
        tx.execute("insert or replace into meta (key, value) values (?1, ?2)", [KEY, after.as_str()])?;
    }
    Ok(after)
}
