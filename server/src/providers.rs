//! Providers: the outside services a household thinks, remembers, draws and looks things up with, and the built-in Demo
//! (L-1 to L-4, L-7).
//!
//! A provider is one module that implements [`ChatProvider`], [`EmbeddingProvider`], [`ImageProvider`] or
//! [`SearchProvider`]; nothing else in the server knows a vendor's wire format.
//! Every way a call can go wrong is a [`shared::Failure`], so the turn machine decides on plain data. Keys are stored
//! sealed with the master key, are never shown again, and are scrubbed from whatever a provider says about them.

mod anthropic;
mod base_url;
mod brave;
mod capability;
mod chat;
mod clients;
mod defaults;
mod demo;
mod embedding;
mod error;
mod failure;
mod found;
mod gemini;
mod health;
mod http;
mod image;
mod kind;
mod model_list;
mod models;
mod openai;
mod overrides;
mod reach;
mod records;
mod registry;
pub mod routes;
pub mod seal;
mod search;
mod searxng;
mod sse;
mod tavily;
mod voyage;

pub use base_url::BaseUrlError;
pub use capability::{Capability, Use};
pub use chat::{
    ChatEvent, ChatMessage, ChatProvider, ChatRequest, ChatRole, ChatStream, Scene, StopReason, SystemBlock, Usage,
};
pub use defaults::{DefaultChoice, Defaults};
pub use embedding::{EmbedRequest, Embedded, EmbeddingProvider, Purpose};
pub use error::ProviderError;
pub use found::{FoundServer, LocalProgram, LocalServers};
pub use health::Check;
pub use image::{DrawRequest, ImageProvider, Picture};
pub use kind::ProviderKind;
pub use model_list::{ModelInfo, ModelList};
pub use models::{ModelFacts, known};
pub(crate) use overrides::facts_of;
pub use records::ProviderRecord;
pub(crate) use records::model_of;
pub use registry::{NewProvider, ProviderChange, ProviderCheck, Providers, Rules};
pub use seal::{ApiKey, MASTER_KEY_ENV, MasterKey, MasterKeyError};
pub use search::{Freshness, SearchHit, SearchProvider, SearchRequest};
