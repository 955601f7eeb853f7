//! Model providers: the outside services a household has set up, and the built-in Demo (L-1 to L-4).
//!
//! A provider is one module that implements [`ChatProvider`]; nothing else in the server knows a vendor's wire format.
//! Every way a call can go wrong is a [`shared::Failure`], so the turn machine decides on plain data. Keys are stored
//! sealed with the master key, are never shown again, and are scrubbed from whatever a provider says about them.

mod anthropic;
mod base_url;
mod chat;
mod demo;
mod error;
mod failure;
mod http;
mod kind;
mod openai;
mod records;
mod registry;
pub mod routes;
pub mod seal;
mod sse;

pub use base_url::BaseUrlError;
pub use chat::{
    ChatEvent, ChatMessage, ChatProvider, ChatRequest, ChatRole, ChatStream, ModelInfo, Scene, StopReason, SystemBlock,
    Usage,
};
pub use error::ProviderError;
pub use kind::ProviderKind;
pub use records::ProviderRecord;
pub(crate) use records::model_of;
pub use registry::{DEMO_PIECE, NewProvider, ProviderChange, ProviderCheck, Providers};
pub use seal::{ApiKey, MASTER_KEY_ENV, MasterKey, MasterKeyError};
