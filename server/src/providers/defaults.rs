//! What the household uses where nobody chose otherwise.

use super::capability::Use;
use super::error::ProviderError;
use super::model_list::ModelInfo;
use super::models::first_choice;
use super::records::{self, ProviderRecord};
use super::registry::{Providers, admin};
use crate::audit::{self, Deed};
use crate::db::RowExt;
use rusqlite::{Connection, Transaction, params};
use shared::limits::MAX_NAME_CHARS;
use shared::{ProviderId, Viewer};
use std::collections::BTreeMap;

/// A provider, and its model where it has models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultChoice {
    /// Which provider.
    pub provider_id: ProviderId,
    /// Which of its models.
    pub model: Option<String>,
}

/// The default of each use that has one.
pub type Defaults = BTreeMap<Use, DefaultChoice>;

pub(super) fn all(conn: &Connection) -> rusqlite::Result<Defaults> {
    let mut query = conn.prepare_cached("select use, provider_id, model from provider_default")?;
    let rows = query.query_map([], |row| {
        Ok((row.id("use")?, DefaultChoice { provider_id: row.id("provider_id")?, model: row.get("model")? }))
    })?;
    rows.collect()
}

fn put(tx: &Transaction<'_>, wanted: Use, choice: Option<&DefaultChoice>) -> rusqlite::Result<()> {
    let Some(DefaultChoice { provider_id, model }) = choice else {
        tx.execute("delete from provider_default where use = ?1", [wanted.as_str()])?;
        return Ok(());
    };
    tx.prepare_cached(
        "insert into provider_default (use, provider_id, model) values (?1, ?2, ?3)
         on conflict (use) do update set provider_id = excluded.provider_id, model = excluded.model",
    )?
    .execute(params![wanted.as_str(), provider_id.to_string(), model])?;
    Ok(())
}

/// Makes a new provider the default of whatever it can do and nothing else does yet.
pub(super) fn fill(tx: &Transaction<'_>, record: &ProviderRecord, models: &[ModelInfo]) -> rusqlite::Result<()> {
    let taken = all(tx)?;
    for wanted in Use::ALL.into_iter().filter(|wanted| !taken.contains_key(wanted)) {
        if !record.capabilities.contains(&wanted.needs()) {
            continue;
        }
        let able = models.iter().filter(|model| model.does == wanted.needs());
        let names: Vec<&str> = able.map(|model| model.name.as_str()).collect();
        let model = first_choice(wanted, &names);
        if model.is_some() || !wanted.has_model() {
            put(tx, wanted, Some(&DefaultChoice { provider_id: record.id, model }))?;
        }
    }
    Ok(())
}

impl Providers {
    /// The defaults, for any member.
    ///
    /// # Errors
    /// [`ProviderError::Db`].
    pub async fn defaults(&self, _viewer: Viewer) -> Result<Defaults, ProviderError> {
        self.db().read(|conn| Ok(all(conn)?)).await
    }

    /// Changes the defaults named; `None` takes one away. All of them or none.
    ///
    /// # Errors
    /// [`ProviderError::Forbidden`], [`ProviderError::NotFound`], [`ProviderError::Unable`] when the provider cannot do
    /// it, [`ProviderError::Model`] without a model where one is needed.
    pub async fn set_defaults(
        &self,
        viewer: Viewer,
        changes: BTreeMap<Use, Option<DefaultChoice>>,
    ) -> Result<Defaults, ProviderError> {
        admin(viewer)?;
        let now = self.now();
        let write = self.db().write(move |tx| {
            for (wanted, choice) in &changes {
                let choice = choice.as_ref().map(|choice| checked(tx, *wanted, choice)).transpose()?;
                put(tx, *wanted, choice.as_ref())?;
            }
            let detail = changes.keys().map(|wanted| wanted.as_str()).collect::<Vec<_>>().join(" ");
            audit::record(tx, now, Some(viewer.member), None, Deed::DefaultsChanged, &detail)?;
            Ok::<_, ProviderError>(all(tx)?)
        });
        write.await
    }
}

fn checked(conn: &Connection, wanted: Use, choice: &DefaultChoice) -> Result<DefaultChoice, ProviderError> {
    let id = choice.provider_id;
    let record = records::find(conn, id)?.ok_or(ProviderError::NotFound(id))?.record;
    if !record.capabilities.contains(&wanted.needs()) {
        return Err(ProviderError::Unable(wanted.needs()));
    }
    let model = choice.model.as_deref().map(str::trim).filter(|model| !model.is_empty());
    if !wanted.has_model() {
        return Ok(DefaultChoice { provider_id: id, model: None });
    }
    let model = model.filter(|model| is_model_name(model)).ok_or(ProviderError::Model)?;
    Ok(DefaultChoice { provider_id: id, model: Some(model.to_owned()) })
}

/// Whether a text can be the name of a model.
pub(super) fn is_model_name(text: &str) -> bool {
    // Names of models are longer than names of people: some hold a path.
    let most = MAX_NAME_CHARS * 4;
    !text.is_empty() && text.chars().count() <= most && !text.chars().any(char::is_control)
}
