//! Why a provider could not be set up, changed or used.

use super::base_url::BaseUrlError;
use super::capability::Capability;
use crate::db::DbError;
use crate::hub::HubError;
use shared::{Failure, ProviderId};

/// See the module.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// Only the admin manages providers.
    #[error("only an admin manages providers")]
    Forbidden,
    /// There is none with this id.
    #[error("provider {0} does not exist")]
    NotFound(ProviderId),
    /// Empty, or over [`shared::limits::MAX_NAME_CHARS`].
    #[error("a provider's name has 1 to {} characters", shared::limits::MAX_NAME_CHARS)]
    Name,
    /// This kind needs an address.
    #[error("this kind of provider needs an address")]
    NoAddress,
    /// The address is not one.
    #[error(transparent)]
    Address(#[from] BaseUrlError),
    /// This kind needs a key.
    #[error("this kind of provider needs a key")]
    NoKey,
    /// A stored key is not sent to another host.
    #[error("for another address the key must be entered again")]
    KeyAgain,
    /// No service gives keys like this.
    #[error("a key has up to 500 printable characters and no spaces")]
    Key,
    /// The provider cannot do that.
    #[error("this provider cannot be used for {}", .0.as_str())]
    Unable(Capability),
    /// Capabilities that its kind does not have.
    #[error("a provider of this kind cannot do that")]
    Capabilities,
    /// Not the name of a model, or none where one is needed.
    #[error("name one of the provider's models")]
    Model,
    /// Sizes or prices that cannot be.
    #[error("sizes are 1 to 100 million tokens, prices 0 to 100000 dollars")]
    Facts,
    /// It was tried, and this is what came of it. Nothing was stored.
    #[error("the provider could not be used: {}", .0.kind.as_str())]
    Failed(Failure),
    /// The database failed.
    #[error("could not read or store providers")]
    Db(#[from] DbError),
    /// The change could not be published.
    #[error("could not store or publish a provider's change")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for ProviderError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}
