//! Reading typed values from rows, by column name.

use rusqlite::{Row, types::Type};
use serde::de::DeserializeOwned;
use shared::UnixMillis;
use std::fmt::Display;
use std::str::FromStr;

/// Typed reads of the columns our tables have.
pub trait RowExt {
    /// A value kept in its text form: an id, an audience, a role, a state.
    fn id<T: FromStr<Err: Display>>(&self, column: &str) -> rusqlite::Result<T>;
    /// Such a value, or null.
    fn id_opt<T: FromStr<Err: Display>>(&self, column: &str) -> rusqlite::Result<Option<T>>;
    /// A moment.
    fn millis(&self, column: &str) -> rusqlite::Result<UnixMillis>;
    /// A moment, or null.
    fn millis_opt(&self, column: &str) -> rusqlite::Result<Option<UnixMillis>>;
    /// A value kept as JSON.
    fn json<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<T>;
    /// A value kept as JSON, or null.
    fn json_opt<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<Option<T>>;
}

impl RowExt for Row<'_> {
    fn id<T: FromStr<Err: Display>>(&self, column: &str) -> rusqlite::Result<T> {
        let text: String = self.get(column)?;
        text.parse().map_err(|error| unreadable(self, column, error))
    }

    fn id_opt<T: FromStr<Err: Display>>(&self, column: &str) -> rusqlite::Result<Option<T>> {
        let text: Option<String> = self.get(column)?;
        text.map(|text| text.parse().map_err(|error| unreadable(self, column, error))).transpose()
    }

    fn millis(&self, column: &str) -> rusqlite::Result<UnixMillis> {
        self.get(column).map(UnixMillis)
    }

    fn millis_opt(&self, column: &str) -> rusqlite::Result<Option<UnixMillis>> {
        Ok(self.get::<_, Option<i64>>(column)?.map(UnixMillis))
    }

    fn json<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<T> {
        let text: String = self.get(column)?;
        serde_json::from_str(&text).map_err(|error| unreadable(self, column, error))
    }

    fn json_opt<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<Option<T>> {
        let text: Option<String> = self.get(column)?;
        text.map(|text| serde_json::from_str(&text).map_err(|error| unreadable(self, column, error))).transpose()
    }
}

/// Says which column, never what it holds: the value may be a member's text.
fn unreadable(row: &Row<'_>, column: &str, error: impl Display) -> rusqlite::Error {
    let index = row.as_ref().column_index(column).unwrap_or_default();
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, format!("column {column}: {error}").into())
}
