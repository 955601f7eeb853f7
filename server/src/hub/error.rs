//! What can go wrong in the hub.

use crate::db::DbError;
use crate::error::ApiError;
use sync::document::DocumentError;

/// Why the hub could not do something. Nothing has happened then.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The database failed.
    #[error("database error in the hub")]
    Db(#[from] DbError),
    /// Something asked for does not exist, or not for this viewer.
    #[error("{0} does not exist")]
    Missing(String),
    /// One of our own documents does not open.
    #[error("document {id} is damaged")]
    Damaged {
        /// Which.
        id: String,
        /// How.
        #[source]
        source: DocumentError,
    },
}

impl From<rusqlite::Error> for HubError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<sync::hub::HubError<rusqlite::Error>> for HubError {
    fn from(error: sync::hub::HubError<rusqlite::Error>) -> Self {
        match error {
            sync::hub::HubError::Store(error) => error.into(),
            sync::hub::HubError::Missing(what) => Self::Missing(what),
            sync::hub::HubError::Document(id, source) => Self::Damaged { id: id.to_string(), source },
        }
    }
}

impl From<HubError> for ApiError {
    fn from(error: HubError) -> Self {
        match error {
            HubError::Db(error) => error.into(),
            HubError::Missing(_) => Self::not_found("session or message"),
            HubError::Damaged { .. } => Self::internal(error),
        }
    }
}
