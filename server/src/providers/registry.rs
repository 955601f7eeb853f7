//! The household's providers: setting them up, and clients for those that are.

use super::anthropic::Anthropic;
use super::base_url::{BaseUrlError, normalise};
use super::chat::{ChatProvider, ModelInfo};
use super::demo::Demo;
use super::error::ProviderError;
use super::http::{Endpoint, Http};
use super::kind::ProviderKind;
use super::openai::OpenAi;
use super::records::{self, ProviderRecord, Sealed};
use super::seal::{ApiKey, MasterKey};
use crate::clock;
use crate::db::{Db, DbError};
use crate::engine::Timer;
use crate::hub::Hub;
use reqwest::Url;
use serde_json::json;
use shared::limits::MAX_NAME_CHARS;
use shared::{Audience, Failure, FailureKind, ProviderId, Right, Viewer};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Demo's pause before each piece.
pub const DEMO_PIECE: Duration = Duration::from_millis(25);
const MAX_KEY_CHARS: usize = 500;

/// Handle to the providers; clones share it.
#[derive(Clone)]
pub struct Providers(Arc<Inner>);

struct Inner {
    db: Db,
    hub: Hub,
    master: MasterKey,
    timer: Timer,
    demo_piece: Duration,
    http: Http,
    /// Clients of providers that have been used. Building one is cheap, opening its key is a read.
    clients: Mutex<HashMap<ProviderId, Arc<dyn ChatProvider>>>,
}

/// What a form says about a provider to add.
#[derive(Debug, Clone)]
pub struct NewProvider {
    /// What the household calls it.
    pub name: String,
    /// Its wire format.
    pub kind: ProviderKind,
    /// Its address; `None` or empty for the vendor's own.
    pub base_url: Option<String>,
    /// Its key; `None` or empty for none.
    pub api_key: Option<ApiKey>,
}

/// What a form changes; `None` leaves things as they are.
#[derive(Debug, Clone, Default)]
pub struct ProviderChange {
    /// Another name.
    pub name: Option<String>,
    /// Another address; empty for the vendor's own.
    pub base_url: Option<String>,
    /// Another key; empty for none.
    pub api_key: Option<ApiKey>,
}

/// A provider that was just reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderCheck {
    /// The provider.
    pub record: ProviderRecord,
    /// What it offers now.
    pub models: Vec<ModelInfo>,
}

/// A configuration that has been looked at, not yet tried.
struct Draft {
    record: ProviderRecord,
    key: Option<ApiKey>,
}

impl Providers {
    /// Nothing is read or connected before it is asked for. `demo_piece` is Demo's pause, [`DEMO_PIECE`] but in tests.
    pub fn new(db: Db, hub: Hub, master: MasterKey, timer: Timer, demo_piece: Duration) -> Self {
        let clients = Mutex::default();
        Self(Arc::new(Inner { db, hub, master, timer, demo_piece, http: Http::default(), clients }))
    }

    /// Every provider, oldest first, for any member.
    ///
    /// # Errors
    /// [`ProviderError::Db`].
    pub async fn list(&self, _viewer: Viewer) -> Result<Vec<ProviderRecord>, ProviderError> {
        self.0.db.read(|conn| Ok(records::list(conn)?)).await
    }

    /// Tries a provider, then stores it. One that cannot be used is not stored.
    ///
    /// # Errors
    /// Any of [`ProviderError`]; then nothing has changed.
    pub async fn add(&self, viewer: Viewer, new: NewProvider) -> Result<ProviderCheck, ProviderError> {
        admin(viewer)?;
        let record = ProviderRecord {
            id: clock::fresh(),
            name: new.name,
            kind: new.kind,
            base_url: new.base_url,
            has_key: false,
            created_at: self.0.timer.now(),
        };
        let draft = draft(record, new.api_key)?;
        let check = self.try_out(&draft).await?;
        let sealed = self.seal(&draft);
        let write = self.0.hub.write(move |w| {
            records::insert(w.tx(), &sealed, &viewer.member.to_string())?;
            w.event("provider.added", Audience::Household, told(&sealed.record))?;
            Ok::<_, ProviderError>(())
        });
        write.await?;
        Ok(check)
    }

    /// Changes a provider after trying it as it will be.
    ///
    /// # Errors
    /// Any of [`ProviderError`]; then nothing has changed.
    pub async fn change(
        &self,
        viewer: Viewer,
        id: ProviderId,
        change: ProviderChange,
    ) -> Result<ProviderCheck, ProviderError> {
        admin(viewer)?;
        let Sealed { mut record, key } = self.find(id).await?;
        record.name = change.name.unwrap_or(record.name);
        let (kind, before) = (record.kind, record.base_url.clone());
        record.base_url = change.base_url.or(record.base_url).filter(|text| !text.trim().is_empty());
        let moved = origin(kind, before.as_deref()) != origin(kind, record.base_url.as_deref());
        let key = match change.api_key {
            Some(key) => Some(key),
            // A key belongs to the service that gave it.
            None if moved && key.is_some() => return Err(ProviderError::KeyAgain),
            None => {
                key.map(|sealed| self.0.master.unseal(id, &sealed)).transpose().map_err(|_| ProviderError::NoKey)?
            }
        };
        let draft = draft(record, key)?;
        let check = self.try_out(&draft).await?;
        let sealed = self.seal(&draft);
        let write = self.0.db.write(move |tx| Ok::<_, ProviderError>(records::update(tx, &sealed)?));
        if !write.await? {
            return Err(ProviderError::NotFound(id));
        }
        self.clients().remove(&id);
        Ok(check)
    }

    /// Removes a provider; Kins that think with it have no model afterwards.
    ///
    /// # Errors
    /// [`ProviderError::Forbidden`], [`ProviderError::NotFound`], or what the database says.
    pub async fn remove(&self, viewer: Viewer, id: ProviderId) -> Result<(), ProviderError> {
        admin(viewer)?;
        let write = self.0.hub.write(move |w| {
            let Some(sealed) = records::find(w.tx(), id)? else { return Err(ProviderError::NotFound(id)) };
            let kins = records::kins_left_without(w.tx(), id)?;
            records::delete(w.tx(), id)?;
            for kin in &kins {
                w.put_kin_profile(kin)?;
            }
            w.event("provider.removed", Audience::Household, told(&sealed.record))?;
            Ok(())
        });
        write.await?;
        self.clients().remove(&id);
        Ok(())
    }

    /// Reaches a provider now and lists its models, for any member.
    ///
    /// # Errors
    /// [`ProviderError::NotFound`], [`ProviderError::Failed`], or what the database says.
    pub async fn check(&self, _viewer: Viewer, id: ProviderId) -> Result<ProviderCheck, ProviderError> {
        let record = self.find(id).await?.record;
        let client = self.client(id).await.map_err(ProviderError::Failed)?;
        let models = client.models().await.map_err(ProviderError::Failed)?;
        Ok(ProviderCheck { record, models })
    }

    /// A client of a configured provider.
    ///
    /// # Errors
    /// [`FailureKind::NoModel`] when the provider is gone, [`FailureKind::Unauthorized`] when its key does not open.
    pub async fn client(&self, id: ProviderId) -> Result<Arc<dyn ChatProvider>, Failure> {
        if let Some(client) = self.clients().get(&id) {
            return Ok(Arc::clone(client));
        }
        let found = self.0.db.read(move |conn| Ok::<_, DbError>(records::find(conn, id)?)).await;
        let found = found.map_err(|_| Failure::of(FailureKind::Internal))?;
        let Sealed { record, key } = found.ok_or_else(|| Failure::of(FailureKind::NoModel))?;
        let key = key.map(|sealed| self.0.master.unseal(id, &sealed)).transpose();
        let key = key.map_err(|error| Failure::with_detail(FailureKind::Unauthorized, &error.to_string()))?;
        let client = self.build(&Draft { record, key }).map_err(|_| Failure::of(FailureKind::NoModel))?;
        self.clients().insert(id, Arc::clone(&client));
        Ok(client)
    }

    async fn find(&self, id: ProviderId) -> Result<Sealed, ProviderError> {
        let found = self.0.db.read(move |conn| Ok::<_, DbError>(records::find(conn, id)?)).await?;
        found.ok_or(ProviderError::NotFound(id))
    }

    async fn try_out(&self, draft: &Draft) -> Result<ProviderCheck, ProviderError> {
        let models = self.build(draft)?.models().await.map_err(ProviderError::Failed)?;
        Ok(ProviderCheck { record: draft.record.clone(), models })
    }

    fn build(&self, draft: &Draft) -> Result<Arc<dyn ChatProvider>, ProviderError> {
        let kind = draft.record.kind;
        if kind == ProviderKind::Demo {
            return Ok(Arc::new(Demo { piece: self.0.demo_piece }));
        }
        let base = address(kind, draft.record.base_url.as_deref())?;
        let (http, timer) = (self.0.http.clone(), self.0.timer.clone());
        let endpoint = Endpoint { http, base, key: draft.key.clone(), timer };
        Ok(match kind {
            ProviderKind::Anthropic => Arc::new(Anthropic::new(endpoint)),
            ProviderKind::Openai => Arc::new(OpenAi::new(endpoint, true)),
            ProviderKind::OpenaiCompatible | ProviderKind::Demo => Arc::new(OpenAi::new(endpoint, false)),
        })
    }

    fn seal(&self, draft: &Draft) -> Sealed {
        let id = draft.record.id;
        let key = draft.key.as_ref().map(|key| self.0.master.seal(id, key, clock::random()));
        Sealed { record: draft.record.clone(), key }
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<ProviderId, Arc<dyn ChatProvider>>> {
        self.0.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn admin(viewer: Viewer) -> Result<(), ProviderError> {
    if viewer.role.may(Right::ManageProviders) { Ok(()) } else { Err(ProviderError::Forbidden) }
}

/// Checks a configuration and brings it to its stored form.
fn draft(mut record: ProviderRecord, key: Option<ApiKey>) -> Result<Draft, ProviderError> {
    record.name = record.name.trim().to_owned();
    if record.name.is_empty()
        || record.name.chars().count() > MAX_NAME_CHARS
        || record.name.chars().any(char::is_control)
    {
        return Err(ProviderError::Name);
    }
    let key = key.map(|key| ApiKey::new(key.expose().trim())).filter(|key| !key.expose().is_empty());
    if let Some(key) = &key
        && (key.expose().len() > MAX_KEY_CHARS || !key.expose().bytes().all(|byte| byte.is_ascii_graphic()))
    {
        return Err(ProviderError::Key);
    }
    if record.kind == ProviderKind::Demo {
        record.base_url = None;
        record.has_key = false;
        return Ok(Draft { record, key: None });
    }
    if key.is_none() && record.kind.needs_key() {
        return Err(ProviderError::NoKey);
    }
    record.base_url = record.base_url.filter(|text| !text.trim().is_empty());
    let url = address(record.kind, record.base_url.as_deref())?;
    record.base_url = record.base_url.map(|_| url.to_string());
    record.has_key = key.is_some();
    Ok(Draft { record, key })
}

fn address(kind: ProviderKind, base_url: Option<&str>) -> Result<Url, ProviderError> {
    let text = base_url.or(kind.default_base_url()).ok_or(ProviderError::NoAddress)?;
    normalise(text).map_err(|error: BaseUrlError| error.into())
}

fn origin(kind: ProviderKind, base_url: Option<&str>) -> Option<reqwest::Url> {
    let mut url = address(kind, base_url).ok()?;
    url.set_path("");
    Some(url)
}

/// What events tell of a provider.
fn told(record: &ProviderRecord) -> serde_json::Value {
    json!({"provider_id": record.id, "name": record.name, "kind": record.kind})
}
