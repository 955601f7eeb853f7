//! The server's REST interface, as far as the screens use it.
//!
//! Same origin, same-site cookie, JSON. Whatever goes wrong is one of three things, see [`ApiError`]; a screen shows
//! [`ApiError::words`] and decides nothing by status.

pub mod household;
pub mod kins;
pub mod pictures;
mod problem;
pub mod providers;
pub mod server;

#[cfg(test)]
pub use problem::KNOWN_CODES;
pub use problem::{ApiError, Problem, problem_words};
pub use providers::{add_provider, delete_provider, models, providers};

use crate::keys::Registration;
use crate::ui::page;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shared::profile::{Language, ModelChoice};
use shared::{DeviceId, KinId, MemberId, ProviderId, Role};

/// The member this browser is signed in as.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Me {
    /// Who.
    pub id: MemberId,
    /// To sign in with.
    #[serde(default)]
    pub email: String,
    /// Their face.
    #[serde(default)]
    pub avatar: String,
    /// As the household calls them.
    pub nickname: String,
    /// Their language.
    #[serde(default)]
    pub language: Language,
    /// Admin or member.
    pub role: Role,
    /// This browser.
    #[serde(default)]
    pub device_id: Option<DeviceId>,
}

/// The answer to setup and sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SignedIn {
    /// This browser.
    #[serde(default)]
    pub device_id: Option<DeviceId>,
}

/// Whether the household has no member yet.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SetupState {
    /// Setup is open.
    pub needed: bool,
}

/// The first member.
#[derive(Clone, PartialEq, Serialize)]
pub struct SetupRequest {
    /// One of the built-in portraits.
    pub avatar: String,
    /// For the purpose `setup`.
    pub registration: Registration,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// To sign in with.
    pub email: String,
    /// As Kins will call them.
    pub nickname: String,
    /// Their language.
    pub language: Language,
}

/// What kind of service a provider is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProviderKind {
    /// The built-in script.
    #[default]
    Demo,
    /// Any address that speaks OpenAI's format.
    OpenaiCompatible,
    /// OpenAI itself.
    Openai,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Voyage AI.
    Voyage,
    /// Brave Search.
    Brave,
    /// The household's own SearXNG.
    Searxng,
    /// Tavily.
    Tavily,
    /// One this version of the app does not know.
    #[serde(other, skip_serializing)]
    Other,
}

impl ProviderKind {
    /// Whether it searches the web.
    pub const fn is_search(self) -> bool {
        matches!(self, Self::Brave | Self::Searxng | Self::Tavily)
    }
}

/// A model of a provider.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Model {
    /// Its name alone.
    Name(String),
    /// Its name, and how people call it.
    Labelled {
        /// As the provider lists it.
        name: String,
        /// For people.
        #[serde(default)]
        label: Option<String>,
        /// `llm`, `embedding` or `image`.
        #[serde(default)]
        does: Option<String>,
        /// Tokens it reads, where known.
        #[serde(default)]
        context_tokens: Option<u32>,
        /// US dollars per million tokens read and written, where known.
        #[serde(default)]
        input_price: Option<f64>,
        /// See above.
        #[serde(default)]
        output_price: Option<f64>,
    },
}

impl Model {
    /// As the provider lists it.
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Labelled { name, .. } => name,
        }
    }

    /// For people.
    pub fn label(&self) -> &str {
        match self {
            Self::Name(name) | Self::Labelled { name, label: None, .. } => name,
            Self::Labelled { label: Some(label), .. } => label,
        }
    }

    /// Whether it does what a capability names.
    pub fn does(&self, capability: &str) -> bool {
        match self {
            Self::Name(_) | Self::Labelled { does: None, .. } => true,
            Self::Labelled { does: Some(does), .. } => does == capability,
        }
    }
}

/// A configured provider.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Provider {
    /// Which.
    pub id: ProviderId,
    /// As the admin called it.
    pub name: String,
    /// Of which kind.
    pub kind: ProviderKind,
    /// Where it listens, when it has an address of its own.
    #[serde(default)]
    pub base_url: Option<String>,
    /// What it can do: `llm` …
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Models it offered when it was last asked.
    #[serde(default)]
    pub models: Vec<Model>,
    /// The last characters of its key, for admins.
    #[serde(default)]
    pub key_hint: Option<String>,
    /// How it answered last.
    #[serde(default)]
    pub check: Option<providers::Check>,
}

impl Provider {
    /// Whether it can do that.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|one| one == capability)
    }

    /// Whether it did not answer the last time.
    pub fn is_failing(&self) -> bool {
        self.check.as_ref().is_some_and(|check| check.state == "failing")
    }
}

/// A new provider; it is tested before it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProviderRequest {
    /// Shown in lists.
    pub name: String,
    /// Of which kind.
    pub kind: ProviderKind,
    /// Left out where the kind has a fixed address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Left out where none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
    /// What a search engine is asked when it is tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
}

/// What was found at a new provider.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ProviderCreated {
    /// Its id.
    pub id: ProviderId,
    /// Models to choose from.
    #[serde(default)]
    pub models: Vec<Model>,
    /// The first page found, for a search engine.
    #[serde(default)]
    pub hit: Option<providers::Hit>,
}

/// A new Kin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KinRequest {
    /// Display name.
    pub name: String,
    /// One line.
    pub role: String,
    /// Tone and personality.
    pub character: String,
    /// Goal and knowledge.
    pub expertise: String,
    /// A built-in illustration.
    pub avatar: String,
    /// The hue it is drawn for.
    pub hue: String,
    /// What it thinks with.
    pub model: ModelChoice,
}

/// What to change of a Kin; its texts change through the replica instead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct KinPatch {
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// One line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// A built-in illustration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// The hue it is drawn for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hue: Option<String>,
    /// What it thinks with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelChoice>,
}

#[derive(Deserialize)]
struct Items<T> {
    items: Vec<T>,
}

#[derive(Deserialize)]
struct Created {
    id: KinId,
}

/// Who is signed in here; a [`Problem`] of status 401 when nobody is.
pub async fn me() -> Result<Me, ApiError> {
    read(call("GET", "/api/me", None).await?)
}

/// Whether the first member is still to be made.
pub async fn setup_state() -> Result<SetupState, ApiError> {
    read(call("GET", "/api/setup", None).await?)
}

/// Makes the first member and signs them in.
pub async fn set_up(request: &SetupRequest) -> Result<SignedIn, ApiError> {
    read(call("POST", "/api/setup", Some(body(request)?)).await?)
}

/// Sends a JSON body and reads one, for areas that know their own.
pub async fn post<T: DeserializeOwned>(path: &str, request: &impl Serialize) -> Result<T, ApiError> {
    read(call("POST", path, Some(body(request)?)).await?)
}

/// The same where nothing comes back.
pub async fn post_quietly(path: &str, request: &impl Serialize) -> Result<(), ApiError> {
    call("POST", path, Some(body(request)?)).await.map(drop)
}

/// Ends this browser's login.
pub async fn log_out() -> Result<(), ApiError> {
    call("POST", "/api/auth/logout", None).await.map(drop)
}

/// Makes a Kin.
pub async fn add_kin(request: &KinRequest) -> Result<KinId, ApiError> {
    let created: Created = read(call("POST", "/api/kins", Some(body(request)?)).await?)?;
    Ok(created.id)
}

/// Changes a Kin's identity or model.
pub async fn change_kin(id: KinId, patch: &KinPatch) -> Result<(), ApiError> {
    call("PATCH", &format!("/api/kins/{id}"), Some(body(patch)?)).await.map(drop)
}

/// Deletes a Kin.
pub async fn delete_kin(id: KinId) -> Result<(), ApiError> {
    call("DELETE", &format!("/api/kins/{id}"), None).await.map(drop)
}

fn body<T: Serialize>(request: &T) -> Result<String, ApiError> {
    serde_json::to_string(request).map_err(|_| ApiError::Unreadable)
}

fn read<T: DeserializeOwned>(text: String) -> Result<T, ApiError> {
    serde_json::from_str(&text).map_err(|_| ApiError::Unreadable)
}

/// Sends one request; gives the body of a 2xx.
async fn call(method: &str, path: &str, body: Option<String>) -> Result<String, ApiError> {
    let (status, text) = page::fetch(method, path, body).await.ok_or(ApiError::Offline)?;
    answered(status, text)
}

/// What an answer means.
fn answered(status: u16, text: String) -> Result<String, ApiError> {
    match status {
        200..=299 => Ok(text),
        // What stands between us and the server answers these when the server is away.
        502..=504 if problem(status, &text).is_none() => Err(ApiError::Offline),
        status => Err(problem(status, &text).map_or(ApiError::Unreadable, ApiError::Problem)),
    }
}

fn problem(status: u16, text: &str) -> Option<Problem> {
    let problem: Problem = serde_json::from_str(text).ok()?;
    Some(Problem { status, ..problem })
}
