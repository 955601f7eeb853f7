//! What the admin knows better than the built-in table about a model.

use super::defaults::is_model_name;
use super::error::ProviderError;
use super::kind::ProviderKind;
use super::models::{ModelFacts, known};
use super::records;
use super::registry::{Providers, admin};
use crate::audit::{self, Deed};
use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Row, params};
use shared::{ProviderId, Viewer};
use std::collections::HashMap;

/// Most tokens and dollars that are taken: beyond it is a typing mistake.
const MAX_TOKENS: u32 = 100_000_000;
const MAX_PRICE: f64 = 100_000.0;

fn from_row(row: &Row<'_>) -> rusqlite::Result<ModelFacts> {
    Ok(ModelFacts {
        context_tokens: row.get("context_tokens")?,
        max_output_tokens: row.get("max_output_tokens")?,
        input_price: row.get("input_price")?,
        output_price: row.get("output_price")?,
    })
}

const COLUMNS: &str = "model, context_tokens, max_output_tokens, input_price, output_price";

fn list(conn: &Connection, id: ProviderId) -> rusqlite::Result<HashMap<String, ModelFacts>> {
    let mut query = conn.prepare_cached(&format!("select {COLUMNS} from model_override where provider_id = ?1"))?;
    query.query_map([id.to_string()], |row| Ok((row.get("model")?, from_row(row)?)))?.collect()
}

/// What is known of a model: the admin's word, else the table's.
pub(crate) fn facts_of(conn: &Connection, id: ProviderId, model: &str) -> rusqlite::Result<ModelFacts> {
    let kind: Option<ProviderKind> = conn
        .prepare_cached("select kind from provider where id = ?1")?
        .query_row([id.to_string()], |row| row.id("kind"))
        .optional()?;
    let Some(kind) = kind else { return Ok(ModelFacts::default()) };
    let own = conn
        .prepare_cached(&format!("select {COLUMNS} from model_override where provider_id = ?1 and model = ?2"))?
        .query_row(params![id.to_string(), model], from_row)
        .optional()?;
    Ok(own.unwrap_or_default().or(known(kind, model)))
}

impl Providers {
    /// What the admin has said of a provider's models, for any member.
    ///
    /// # Errors
    /// [`ProviderError::Db`].
    pub async fn overrides(
        &self,
        _viewer: Viewer,
        id: ProviderId,
    ) -> Result<HashMap<String, ModelFacts>, ProviderError> {
        self.db().read(move |conn| Ok(list(conn, id)?)).await
    }

    /// Says what is true of a model; facts left out are the table's again.
    ///
    /// # Errors
    /// [`ProviderError::Forbidden`], [`ProviderError::NotFound`], [`ProviderError::Model`] for a name that is none,
    /// [`ProviderError::Facts`] for numbers that cannot be.
    pub async fn override_model(
        &self,
        viewer: Viewer,
        id: ProviderId,
        model: String,
        facts: ModelFacts,
    ) -> Result<ModelFacts, ProviderError> {
        admin(viewer)?;
        if !is_model_name(&model) {
            return Err(ProviderError::Model);
        }
        let is_size = |size: Option<u32>| size.is_none_or(|size| (1..=MAX_TOKENS).contains(&size));
        let is_price = |price: Option<f64>| price.is_none_or(|price| (0.0..=MAX_PRICE).contains(&price));
        if !is_size(facts.context_tokens)
            || !is_size(facts.max_output_tokens)
            || !is_price(facts.input_price)
            || !is_price(facts.output_price)
        {
            return Err(ProviderError::Facts);
        }
        let now = self.now();
        let write = self.db().write(move |tx| {
            let record = records::find(tx, id)?.ok_or(ProviderError::NotFound(id))?.record;
            let key = params![id.to_string(), model];
            if facts == ModelFacts::default() {
                tx.execute("delete from model_override where provider_id = ?1 and model = ?2", key)?;
            } else {
                tx.execute(
                    "insert or replace into model_override (provider_id, model, context_tokens, max_output_tokens,
                                                            input_price, output_price)
                     values (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![
                        id.to_string(),
                        model,
                        facts.context_tokens,
                        facts.max_output_tokens,
                        facts.input_price,
                        facts.output_price,
                    ],
                )?;
            }
            audit::record(tx, now, Some(viewer.member), None, Deed::ModelFactsChanged, &id.to_string())?;
            Ok::<_, ProviderError>(facts.or(known(record.kind, &model)))
        });
        write.await
    }
}
