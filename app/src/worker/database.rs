//! The browser's database: `rows` (text key, encrypted value) and `keys`. Nothing here knows what a value means.
//!
//! Plain web-sys: the two calls we need that a wrapper crate would make nicer do not pay for its dependencies. All
//! requests of a transaction are made at once and only its end is awaited, so no other promise can come between.

use super::crypto::StoredKeys;
use crate::browser::{error_name, global, object};
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{
    CryptoKey, IdbDatabase, IdbFactory, IdbKeyRange, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransaction,
};

/// Name of the database.
pub const NAME: &str = "kinstead";
const VERSION: u32 = 1;
const ROWS: &str = "rows";
const KEYS: &str = "keys";
const WRAPPING: &str = "wrapping";
const WRAPPED: &str = "wrapped";
/// The data key as the member's key wraps it.
const FOR_MEMBER: &str = "for-member";

#[wasm_bindgen]
extern "C" {
    // web-sys has these two only behind a compiler flag.
    #[wasm_bindgen(extends = IdbDatabase)]
    type Transacting;
    #[wasm_bindgen(method, catch, js_name = transaction)]
    fn transaction(
        this: &Transacting,
        stores: &JsValue,
        mode: &str,
        options: &JsValue,
    ) -> Result<IdbTransaction, JsValue>;
}

/// Why the database did not do what it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// The disk, or this site's share of it, is full.
    #[error("storage is full")]
    Full,
    /// The database belongs to a newer version of the app.
    #[error("the database belongs to a newer version")]
    Newer,
    /// Anything else; often a connection the browser has dropped.
    #[error("the database failed with {0}")]
    Failed(String),
}

impl From<JsValue> for DatabaseError {
    fn from(error: JsValue) -> Self {
        match error_name(&error).as_str() {
            "QuotaExceededError" => Self::Full,
            "VersionError" => Self::Newer,
            name => Self::Failed(name.to_owned()),
        }
    }
}

/// One write whose value is encrypted already.
pub enum SealedWrite {
    /// Sets a value.
    Put(String, Uint8Array),
    /// Removes a value.
    Delete(String),
    /// Removes every value whose key begins so.
    DeletePrefix(String),
}

/// An open database.
pub struct Database(IdbDatabase);

impl Database {
    /// Opens the database, making it where there is none.
    pub async fn open() -> Result<Self, DatabaseError> {
        let request = factory()?.open_with_u32(NAME, VERSION)?;
        let upgraded = request.clone();
        let upgrade = Closure::once(move |_: JsValue| -> Result<(), JsValue> {
            let database: IdbDatabase = upgraded.result()?.unchecked_into();
            database.create_object_store(ROWS)?;
            database.create_object_store(KEYS)?;
            Ok(())
        });
        request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
        let database: IdbDatabase = finished(&request).await?.unchecked_into();
        // Whoever wants to change or delete it must not wait for us. What is done with it later fails and opens it anew.
        let closing = database.clone();
        let close = Closure::<dyn Fn()>::new(move || closing.close());
        database.set_onversionchange(Some(close.into_js_value().unchecked_ref()));
        Ok(Self(database))
    }

    /// Deletes the database with everything in it.
    pub async fn delete() -> Result<(), DatabaseError> {
        finished(&factory()?.delete_database(NAME)?).await?;
        Ok(())
    }

    /// Closes it.
    pub fn close(&self) {
        self.0.close();
    }

    /// Applies writes all or not at all; `strict` waits until they are on the disk and not only on their way to it.
    pub async fn write(&self, writes: &[SealedWrite], strict: bool) -> Result<(), DatabaseError> {
        let transaction = self.begin(ROWS, "readwrite", strict)?;
        if let Err(error) = ask_for(&transaction, writes) {
            // What was asked for before the one that failed must not stay.
            transaction.abort().ok();
            return Err(error.into());
        }
        committed(&transaction).await
    }

    /// Everything under a prefix, in key order.
    pub async fn read(&self, prefix: &str) -> Result<Vec<(String, Uint8Array)>, DatabaseError> {
        let rows = self.begin(ROWS, "readonly", false)?.object_store(ROWS)?;
        let range = range(prefix)?;
        let (keys, values) = (rows.get_all_keys_with_key(&range)?, rows.get_all_with_key(&range)?);
        let (keys, values) = both(&keys, &values).await?;
        let (keys, values) = (Array::from(&keys), Array::from(&values));
        let row = |(key, value): (JsValue, JsValue)| Some((key.as_string()?, value.dyn_into().ok()?));
        Ok(keys.iter().zip(values.iter()).filter_map(row).collect())
    }

    /// Deletes every row that is not under a prefix.
    pub async fn keep_only(&self, prefix: &str) -> Result<(), DatabaseError> {
        let transaction = self.begin(ROWS, "readwrite", false)?;
        let rows = transaction.object_store(ROWS)?;
        rows.delete(&IdbKeyRange::upper_bound_with_open(&prefix.into(), true)?.into())?;
        rows.delete(&IdbKeyRange::lower_bound(&end_of(prefix).into())?.into())?;
        committed(&transaction).await
    }

    /// The stored keys; `None` where there are none, or not both.
    pub async fn keys(&self) -> Result<Option<StoredKeys>, DatabaseError> {
        let keys = self.begin(KEYS, "readonly", false)?.object_store(KEYS)?;
        let (wrapping, wrapped) = (keys.get(&WRAPPING.into())?, keys.get(&WRAPPED.into())?);
        let (wrapping, wrapped) = both(&wrapping, &wrapped).await?;
        let (wrapping, wrapped) = (wrapping.dyn_into::<CryptoKey>(), wrapped.dyn_into::<Uint8Array>());
        Ok(wrapping.ok().zip(wrapped.ok()).map(|(wrapping, wrapped)| StoredKeys { wrapping, wrapped }))
    }

    /// The data key as the member's key wraps it, if it was ever.
    pub async fn key_for_member(&self) -> Result<Option<Uint8Array>, DatabaseError> {
        let keys = self.begin(KEYS, "readonly", false)?.object_store(KEYS)?;
        let key = keys.get(&FOR_MEMBER.into())?;
        done(&key).await?;
        Ok(key.result()?.dyn_into().ok())
    }

    /// Keeps the data key as the member's key wraps it.
    pub async fn put_key_for_member(&self, wrapped: &Uint8Array) -> Result<(), DatabaseError> {
        let transaction = self.begin(KEYS, "readwrite", true)?;
        transaction.object_store(KEYS)?.put_with_key(wrapped, &FOR_MEMBER.into())?;
        committed(&transaction).await
    }

    /// Keeps the platform's keys of an opened store.
    pub async fn put_keys(&self, keys: &StoredKeys) -> Result<(), DatabaseError> {
        let transaction = self.begin(KEYS, "readwrite", true)?;
        let store = transaction.object_store(KEYS)?;
        store.put_with_key(&keys.wrapping, &WRAPPING.into())?;
        store.put_with_key(&keys.wrapped, &WRAPPED.into())?;
        committed(&transaction).await
    }

    /// Drops the platform's keys where the member's can open the store; else nothing could.
    pub async fn lock(&self) -> Result<(), DatabaseError> {
        if self.key_for_member().await?.is_none() {
            return Ok(());
        }
        let transaction = self.begin(KEYS, "readwrite", true)?;
        let store = transaction.object_store(KEYS)?;
        store.delete(&WRAPPING.into())?;
        store.delete(&WRAPPED.into())?;
        committed(&transaction).await
    }

    /// Replaces the keys and drops every row: nothing could read them any more.
    pub async fn begin_anew(&self, keys: &StoredKeys) -> Result<(), DatabaseError> {
        let stores = Array::of2(&ROWS.into(), &KEYS.into());
        let transaction = self.begin(stores, "readwrite", true)?;
        transaction.object_store(ROWS)?.clear()?;
        let store: IdbObjectStore = transaction.object_store(KEYS)?;
        store.clear()?;
        store.put_with_key(&keys.wrapping, &WRAPPING.into())?;
        store.put_with_key(&keys.wrapped, &WRAPPED.into())?;
        committed(&transaction).await
    }

    /// Destroys the keys, and with them the sense of all rows; then the rows.
    pub async fn clear(&self) -> Result<(), DatabaseError> {
        for store in [KEYS, ROWS] {
            let transaction = self.begin(store, "readwrite", true)?;
            transaction.object_store(store)?.clear()?;
            committed(&transaction).await?;
        }
        Ok(())
    }

    fn begin(&self, stores: impl Into<JsValue>, mode: &str, strict: bool) -> Result<IdbTransaction, JsValue> {
        let durability = if strict { "strict" } else { "relaxed" };
        let options = object(&[("durability", durability.into())]);
        self.0.unchecked_ref::<Transacting>().transaction(&stores.into(), mode, &options)
    }
}

fn factory() -> Result<IdbFactory, JsValue> {
    global("indexedDB").ok_or_else(|| "no IndexedDB".into())
}

fn range(prefix: &str) -> Result<IdbKeyRange, JsValue> {
    IdbKeyRange::bound_with_lower_open_and_upper_open(&prefix.into(), &end_of(prefix).into(), false, true)
}

/// Behind every key that begins with `prefix`. Keys are ASCII.
fn end_of(prefix: &str) -> String {
    format!("{prefix}\u{ffff}")
}

fn ask_for(transaction: &IdbTransaction, writes: &[SealedWrite]) -> Result<(), JsValue> {
    let rows = transaction.object_store(ROWS)?;
    for write in writes {
        match write {
            SealedWrite::Put(key, value) => rows.put_with_key(value, &key.into())?,
            SealedWrite::Delete(key) => rows.delete(&key.into())?,
            SealedWrite::DeletePrefix(prefix) => rows.delete(&range(prefix)?.into())?,
        };
    }
    Ok(())
}

/// Settles with the request.
fn done(request: &IdbRequest) -> Promise {
    Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    })
}

/// The results of two requests of one transaction.
async fn both(one: &IdbRequest, two: &IdbRequest) -> Result<(JsValue, JsValue), JsValue> {
    match Promise::all(&Array::of2(&done(one), &done(two))).await {
        Ok(_) => Ok((one.result()?, two.result()?)),
        Err(event) => Err(one.error().ok().flatten().or(two.error().ok().flatten()).map_or(event, JsValue::from)),
    }
}

async fn finished(request: &IdbOpenDbRequest) -> Result<JsValue, JsValue> {
    match done(request).await {
        Ok(_) => request.result(),
        Err(event) => Err(request.error()?.map_or(event, JsValue::from)),
    }
}

/// Waits for the end of a transaction.
async fn committed(transaction: &IdbTransaction) -> Result<(), DatabaseError> {
    let end = Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(Some(&resolve));
        transaction.set_onabort(Some(&reject));
    });
    match end.await {
        Ok(_) => Ok(()),
        Err(event) => Err(transaction.error().map_or(event, JsValue::from).into()),
    }
}
