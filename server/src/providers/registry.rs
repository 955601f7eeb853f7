//! The household's providers: setting them up, and clients for those that are.

use super::base_url::{BaseUrlError, normalise};
use super::capability::Capability;
use super::chat::ChatProvider;
use super::clients::{Clients, Trial, unable};
use super::defaults;
use super::embedding::EmbeddingProvider;
use super::error::ProviderError;
use super::found::LocalServers;
use super::health::{Check, Health, Watched};
use super::http::{Endpoint, Http};
use super::image::ImageProvider;
use super::kind::ProviderKind;
use super::model_list::ModelInfo;
use super::reach;
use super::records::{self, ProviderRecord, Sealed};
use super::seal::{ApiKey, MasterKey};
use super::search::{SearchHit, SearchProvider};
use crate::audit::{self, Deed};
use crate::clock;
use crate::db::{Db, DbError};
use crate::engine::Timer;
use crate::hub::Hub;
use reqwest::Url;
use rusqlite::Transaction;
use serde_json::json;
use shared::limits::MAX_NAME_CHARS;
use shared::{Audience, Failure, FailureKind, ProviderId, Right, UnixMillis, Viewer};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const MAX_KEY_CHARS: usize = 500;
/// Shorter keys would be half told by their last characters.
const MIN_HINTED_CHARS: usize = 12;
const HINT_CHARS: usize = 4;

/// What differs between a household and a test.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Demo's pause before each piece.
    pub demo_piece: Duration,
    /// Whether services of the outside may have addresses inside, for a gateway of the household's own.
    pub may_be_private: bool,
    /// Where model servers on this machine are looked for.
    pub local: LocalServers,
}

impl Default for Rules {
    fn default() -> Self {
        Self { demo_piece: Duration::from_millis(25), may_be_private: false, local: LocalServers::default() }
    }
}

/// Handle to the providers; clones share it.
#[derive(Clone)]
pub struct Providers(Arc<Inner>);

struct Inner {
    db: Db,
    hub: Hub,
    master: MasterKey,
    timer: Timer,
    rules: Rules,
    http: Http,
    health: Health,
    /// Clients of providers that have been used. Building them is cheap, opening a key is a read.
    clients: Mutex<HashMap<ProviderId, Arc<Clients>>>,
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
    /// What it can do, as the admin knows it; `None` to find out.
    pub capabilities: Option<Vec<Capability>>,
    /// What to search for when it is tried, for a search engine.
    pub query: Option<String>,
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
    /// What it can do, as the admin knows it; empty to find out again.
    pub capabilities: Option<Vec<Capability>>,
}

/// A provider that was just reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderCheck {
    /// The provider.
    pub record: ProviderRecord,
    /// What it offers now.
    pub models: Vec<ModelInfo>,
    /// The first page it found, for a search engine.
    pub hit: Option<SearchHit>,
}

/// A configuration that has been looked at, not yet tried.
struct Draft {
    record: ProviderRecord,
    key: Option<ApiKey>,
}

impl Providers {
    /// Nothing is read or connected before it is asked for.
    pub fn new(db: Db, hub: Hub, master: MasterKey, timer: Timer, rules: Rules) -> Self {
        let (clients, http) = (Mutex::default(), Http::default());
        let health = Health::new(db.clone(), timer.clone());
        Self(Arc::new(Inner { db, hub, master, timer, rules, http, health, clients }))
    }

    /// Every provider, oldest first, for any member. The key's last characters are for admins.
    ///
    /// # Errors
    /// [`ProviderError::Db`].
    pub async fn list(&self, viewer: Viewer) -> Result<Vec<ProviderRecord>, ProviderError> {
        let list = self.0.db.read(|conn| Ok::<_, ProviderError>(records::list(conn)?)).await?;
        let is_admin = admin(viewer).is_ok();
        let shown = list.into_iter().map(|Sealed { mut record, key }| {
            let key = key.filter(|_| is_admin).and_then(|sealed| self.0.master.unseal(record.id, &sealed).ok());
            record.key_hint = key.as_ref().and_then(hint);
            record
        });
        Ok(shown.collect())
    }

    /// Tries a provider, then stores it. One that cannot be used is not stored. It becomes the default of whatever it
    /// can do and nothing else does yet.
    ///
    /// # Errors
    /// Any of [`ProviderError`]; then nothing has changed.
    pub async fn add(&self, viewer: Viewer, new: NewProvider) -> Result<ProviderCheck, ProviderError> {
        admin(viewer)?;
        let by_hand = new.capabilities.as_ref().is_some_and(|list| !list.is_empty());
        let record = ProviderRecord {
            id: clock::fresh(),
            name: new.name,
            kind: new.kind,
            base_url: new.base_url,
            has_key: false,
            key_hint: None,
            capabilities: new.capabilities.unwrap_or_default(),
            by_hand,
            check: None,
            created_at: self.0.timer.now(),
        };
        let draft = draft(record, new.api_key)?;
        let (check, sealed) = self.try_out(draft, new.query.as_deref()).await?;
        let (models, now) = (check.models.clone(), self.0.timer.now());
        let write = self.0.hub.write(move |w| {
            let record = &sealed.record;
            records::insert(w.tx(), &sealed, &viewer.member.to_string())?;
            defaults::fill(w.tx(), record, &models)?;
            audit::record(w.tx(), now, Some(viewer.member), None, Deed::ProviderAdded, &record.id.to_string())?;
            w.event("provider.added", Audience::Household, told(record))?;
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
        if let Some(capabilities) = change.capabilities {
            record.by_hand = !capabilities.is_empty();
            record.capabilities = capabilities;
        }
        let moved = origin(kind, before.as_deref()) != origin(kind, record.base_url.as_deref());
        let key = match change.api_key {
            Some(key) => Some(key),
            // A key belongs to the service that gave it.
            None if moved && key.is_some() => return Err(ProviderError::KeyAgain),
            None => {
                key.map(|sealed| self.0.master.unseal(id, &sealed)).transpose().map_err(|_| ProviderError::NoKey)?
            }
        };
        let (check, sealed) = self.try_out(draft(record, key)?, None).await?;
        let now = self.0.timer.now();
        let write = self.0.db.write(move |tx| {
            if !records::update(tx, &sealed)? {
                return Err(ProviderError::NotFound(id));
            }
            audit::record(tx, now, Some(viewer.member), None, Deed::ProviderChanged, &id.to_string())?;
            Ok(())
        });
        write.await?;
        self.forget(id);
        Ok(check)
    }

    /// Removes a provider; Kins that think with it have no model afterwards, uses that fall back on it no default.
    ///
    /// # Errors
    /// [`ProviderError::Forbidden`], [`ProviderError::NotFound`], or what the database says.
    pub async fn remove(&self, viewer: Viewer, id: ProviderId) -> Result<(), ProviderError> {
        admin(viewer)?;
        let now = self.0.timer.now();
        let write = self.0.hub.write(move |w| {
            let Some(sealed) = records::find(w.tx(), id)? else { return Err(ProviderError::NotFound(id)) };
            let kins = records::kins_left_without(w.tx(), id)?;
            records::delete(w.tx(), id)?;
            for kin in &kins {
                w.put_kin_profile(kin)?;
            }
            audit::record(w.tx(), now, Some(viewer.member), None, Deed::ProviderRemoved, &id.to_string())?;
            w.event("provider.removed", Audience::Household, told(&sealed.record))?;
            Ok(())
        });
        write.await?;
        self.forget(id);
        Ok(())
    }

    /// Reaches a provider now and lists its models, for any member. What came of it is noted.
    ///
    /// # Errors
    /// [`ProviderError::NotFound`], [`ProviderError::Failed`], or what the database says.
    pub async fn check(&self, viewer: Viewer, id: ProviderId) -> Result<ProviderCheck, ProviderError> {
        self.check_with(viewer, id, None).await
    }

    /// The same; a search engine searches for `query`.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub async fn check_with(
        &self,
        _viewer: Viewer,
        id: ProviderId,
        query: Option<&str>,
    ) -> Result<ProviderCheck, ProviderError> {
        let mut record = self.find(id).await?.record;
        let tried = match self.clients_of(id).await {
            Ok(clients) => clients.try_out(record.kind, query).await,
            Err(failure) => Err(failure),
        };
        let check = check_of(self.0.timer.now(), &tried);
        self.0.health.tried(id, check.clone()).await?;
        let Trial { models, hit, capabilities, .. } = tried.map_err(ProviderError::Failed)?;
        if !record.by_hand && record.capabilities != capabilities {
            record.capabilities = capabilities.clone();
            let note =
                move |tx: &Transaction<'_>| Ok::<_, ProviderError>(records::note_capabilities(tx, id, &capabilities)?);
            self.0.db.write(note).await?;
        }
        record.check = Some(check);
        Ok(ProviderCheck { record, models, hit })
    }

    /// A client that answers chats. How it answers is noted.
    ///
    /// # Errors
    /// [`FailureKind::NoModel`] when the provider is gone or does not chat, [`FailureKind::Unauthorized`] when its key
    /// does not open.
    pub async fn client(&self, id: ProviderId) -> Result<Arc<dyn ChatProvider>, Failure> {
        let inner = self.clients_of(id).await?.chat.clone().ok_or_else(unable)?;
        Ok(Arc::new(Watched { id, inner, health: self.0.health.clone() }))
    }

    /// A client that embeds.
    ///
    /// # Errors
    /// As [`client`](Self::client).
    pub async fn embedding(&self, id: ProviderId) -> Result<Arc<dyn EmbeddingProvider>, Failure> {
        self.clients_of(id).await?.embedding.clone().ok_or_else(unable)
    }

    /// A client that draws.
    ///
    /// # Errors
    /// As [`client`](Self::client).
    pub async fn image(&self, id: ProviderId) -> Result<Arc<dyn ImageProvider>, Failure> {
        self.clients_of(id).await?.image.clone().ok_or_else(unable)
    }

    /// A client that searches the web.
    ///
    /// # Errors
    /// As [`client`](Self::client).
    pub async fn search(&self, id: ProviderId) -> Result<Arc<dyn SearchProvider>, Failure> {
        self.clients_of(id).await?.search.clone().ok_or_else(unable)
    }

    async fn clients_of(&self, id: ProviderId) -> Result<Arc<Clients>, Failure> {
        if let Some(clients) = self.clients().get(&id) {
            return Ok(Arc::clone(clients));
        }
        let found = self.0.db.read(move |conn| Ok::<_, DbError>(records::find(conn, id)?)).await;
        let found = found.map_err(|_| Failure::of(FailureKind::Internal))?;
        let Sealed { record, key } = found.ok_or_else(|| Failure::of(FailureKind::NoModel))?;
        let key = key.map(|sealed| self.0.master.unseal(id, &sealed)).transpose();
        let key = key.map_err(|error| Failure::with_detail(FailureKind::Unauthorized, &error.to_string()))?;
        let clients = self.build(&Draft { record, key }).map_err(|_| Failure::of(FailureKind::NoModel))?;
        let clients = Arc::new(clients);
        self.clients().insert(id, Arc::clone(&clients));
        Ok(clients)
    }

    async fn find(&self, id: ProviderId) -> Result<Sealed, ProviderError> {
        let found = self.0.db.read(move |conn| Ok::<_, DbError>(records::find(conn, id)?)).await?;
        found.ok_or(ProviderError::NotFound(id))
    }

    /// Tries a draft; gives what came of it and the row to store.
    async fn try_out(&self, draft: Draft, query: Option<&str>) -> Result<(ProviderCheck, Sealed), ProviderError> {
        let kind = draft.record.kind;
        if let Some(text) = draft.record.base_url.as_deref() {
            let url = address(kind, Some(text))?;
            reach::check(&url, kind.is_own() || self.0.rules.may_be_private).await?;
        }
        let tried = self.build(&draft)?.try_out(kind, query).await;
        let check = check_of(self.0.timer.now(), &tried);
        let Trial { models, hit, capabilities, .. } = tried.map_err(ProviderError::Failed)?;
        let Draft { mut record, key } = draft;
        record.check = Some(check);
        if !record.by_hand {
            record.capabilities = capabilities;
        }
        let sealed = key.as_ref().map(|key| self.0.master.seal(record.id, key, clock::random()));
        record.key_hint = key.as_ref().and_then(hint);
        Ok((ProviderCheck { record: record.clone(), models, hit }, Sealed { record, key: sealed }))
    }

    fn build(&self, draft: &Draft) -> Result<Clients, ProviderError> {
        let kind = draft.record.kind;
        if kind == ProviderKind::Demo {
            return Ok(Clients::demo(self.0.rules.demo_piece));
        }
        let base = address(kind, draft.record.base_url.as_deref())?;
        let (http, timer) = (self.0.http.clone(), self.0.timer.clone());
        Ok(Clients::at(kind, Endpoint { http, base, key: draft.key.clone(), timer }))
    }

    fn forget(&self, id: ProviderId) {
        self.clients().remove(&id);
        self.0.health.forget(id);
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<ProviderId, Arc<Clients>>> {
        self.0.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn db(&self) -> &Db {
        &self.0.db
    }

    pub(super) fn http(&self) -> &Http {
        &self.0.http
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.0.rules
    }

    pub(super) fn now(&self) -> UnixMillis {
        self.0.timer.now()
    }
}

fn check_of(at: UnixMillis, tried: &Result<Trial, Failure>) -> Check {
    match tried {
        Ok(trial) => {
            let count = u32::try_from(trial.models.len()).ok().filter(|count| *count > 0);
            Check { at, latency_ms: Some(trial.latency_ms), model_count: count, failure: None }
        }
        Err(failure) => Check { at, latency_ms: None, model_count: None, failure: Some(failure.clone()) },
    }
}

/// The last characters of a key, by which people tell theirs apart.
fn hint(key: &ApiKey) -> Option<String> {
    let text = key.expose();
    // Keys are ASCII: every byte is a character.
    (text.len() >= MIN_HINTED_CHARS).then(|| text[text.len() - HINT_CHARS..].to_owned())
}

pub(super) fn admin(viewer: Viewer) -> Result<(), ProviderError> {
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
    if record.by_hand && !record.capabilities.iter().all(|one| record.kind.capabilities().contains(one)) {
        return Err(ProviderError::Capabilities);
    }
    record.capabilities.sort_unstable();
    record.capabilities.dedup();
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
    normalise(text, kind.version()).map_err(|error: BaseUrlError| error.into())
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
