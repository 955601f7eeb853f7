//! The household as a whole: its name. It is in the directory that every member's device holds; strangers never see it.

pub mod routes;

use crate::audit::{self, Deed};
use crate::auth::Caller;
use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::{Hub, HubError};
use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension};
use shared::limits::MAX_NAME_CHARS;

/// Why the household could not be named.
#[derive(Debug, thiserror::Error)]
pub enum HouseholdError {
    /// Nothing, or too much.
    #[error("the household's name has 1 to {MAX_NAME_CHARS} characters")]
    NameInvalid,
    /// The database failed.
    #[error("could not read or write the household")]
    Db(#[from] DbError),
    /// The log failed.
    #[error("could not record the household's name")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for HouseholdError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<HouseholdError> for ApiError {
    fn from(error: HouseholdError) -> Self {
        let text = error.to_string();
        match error {
            HouseholdError::NameInvalid => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "name_invalid", text),
            HouseholdError::Db(error) => error.into(),
            HouseholdError::Hub(error) => error.into(),
        }
    }
}

/// The household's name, empty until it has one.
///
/// # Errors
/// What SQLite says.
pub fn name(connection: &Connection) -> rusqlite::Result<String> {
    let sql = "select value from meta where key = 'household_name'";
    let found = connection.prepare_cached(sql)?.query_row([], |row| row.get(0)).optional()?;
    Ok(found.unwrap_or_default())
}

async fn rename(hub: &Hub, caller: Caller, to: &str) -> Result<String, HouseholdError> {
    let to: String = to.trim().chars().filter(|c| !c.is_control()).collect();
    if to.is_empty() || to.chars().count() > MAX_NAME_CHARS {
        return Err(HouseholdError::NameInvalid);
    }
    hub.write(move |w| {
        if name(w.tx())? != to {
            let sql = "insert into meta (key, value) values ('household_name', ?1)
                       on conflict (key) do update set value = ?1";
            w.tx().prepare_cached(sql)?.execute([&to])?;
            w.put_household_name(&to)?;
            audit::record(w.tx(), w.now(), Some(caller.viewer.member), caller.device, Deed::HouseholdNamed, "")?;
        }
        Ok(to)
    })
    .await
}
