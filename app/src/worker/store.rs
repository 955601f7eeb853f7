//! Where the replica keeps its rows: encrypted in the browser's database, or in memory where there is none.
//!
//! Everything but the outbox is a cache that the server can fill again. So whatever cannot be read is dropped, and the
//! outbox is kept as far as it can be read.

use super::crypto::Cipher;
use super::database::{Database, DatabaseError, NAME, SealedWrite};
use crate::browser::{error_name, global, sleep, warn};
use js_sys::{Promise, Uint8Array};
use std::collections::BTreeMap;
use sync::port::DeviceKey;
use sync::store::{Batch, Write, apply, scan};
use wasm_bindgen::prelude::*;

/// Rows that exist on this device only.
pub const OUTBOX: &str = "outbox|";
/// The cache of `public/sw.js` for pictures of the household.
const PICTURES: &str = "kinstead-pictures";
/// A browser that has lost its database gets so much time between tries (Safari does so in the background).
const REOPEN_AFTER_MS: [i32; 3] = [100, 500, 2_000];

#[wasm_bindgen]
extern "C" {
    // The one call of it that is needed.
    type CacheStorage;
    #[wasm_bindgen(method, catch)]
    fn delete(this: &CacheStorage, name: &str) -> Result<Promise, JsValue>;
}

/// Key and value.
pub type Row = (String, Vec<u8>);

/// Why rows were not written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Nothing was changed.
    #[error("could not reach the database")]
    Database(#[from] DatabaseError),
    /// Rows that were there are gone or cannot be read: what the replica believes is wrong.
    #[error("stored rows were lost")]
    Lost,
}

/// A store, open.
pub enum Store {
    /// Encrypted in the database.
    Disk(Disk),
    /// Gone with the worker.
    Memory(BTreeMap<String, Vec<u8>>),
}

/// What came of opening a store.
pub enum Opening {
    /// It is open.
    Open {
        /// The store.
        store: Store,
        /// What was asked for.
        rows: Vec<Row>,
        /// What it held was locked with another key than the member's, and is gone.
        lost: bool,
    },
    /// It is locked.
    Locked,
}

/// Locks the store of a page that runs no worker.
pub async fn lock_from_page() -> Result<(), DatabaseError> {
    let database = Database::open().await?;
    let locked = database.lock().await;
    database.close();
    locked
}

/// Destroys everything kept here, where no worker runs: keys, rows, pictures.
pub async fn wipe_from_page() {
    if let Ok(database) = Database::open().await {
        // The keys come first: without them the rest is noise, whatever happens next.
        database.clear().await.ok();
        database.close();
    }
    if let Err(error) = Database::delete().await {
        warn("the database was not deleted", error);
    }
    forget_pictures().await;
}

/// Rows in the database.
pub struct Disk {
    database: Database,
    cipher: Cipher,
}

impl Store {
    /// Opens the store and reads everything under `prefixes`, in key order. `fresh` drops all but the outbox first.
    /// A locked one opens with the member's `key`; one that this key does not fit is begun anew.
    pub async fn open(prefixes: &[&str], fresh: bool, key: Option<&DeviceKey>) -> Opening {
        match Disk::open(prefixes, fresh, key).await {
            Ok(Some((disk, rows, lost))) => Opening::Open { store: Self::Disk(disk), rows, lost },
            Ok(None) => Opening::Locked,
            Err(error) => {
                warn("nothing can be kept on this device", error);
                Opening::Open { store: Self::Memory(BTreeMap::new()), rows: Vec::new(), lost: false }
            }
        }
    }

    /// Lets the member's key open the store once it is locked.
    pub async fn prepare_lock(&self, key: &DeviceKey) -> Result<(), StoreError> {
        let Self::Disk(Disk { database, .. }) = self else { return Ok(()) };
        let Some(keys) = database.keys().await? else { return Err(StoreError::Lost) };
        let wrapped = Cipher::wrap_for_member(&keys, &key.0).await.map_err(DatabaseError::from)?;
        Ok(database.put_key_for_member(&wrapped).await?)
    }

    /// Locks the store and closes it.
    pub async fn lock(self) -> Result<(), StoreError> {
        let Self::Disk(disk) = self else { return Ok(()) };
        let locked = disk.database.lock().await;
        disk.database.close();
        Ok(locked?)
    }

    /// Whether rows outlive the worker.
    pub const fn is_durable(&self) -> bool {
        matches!(self, Self::Disk(_))
    }

    /// Applies batches, all or none.
    pub async fn write(&mut self, batches: &[Batch]) -> Result<(), StoreError> {
        match self {
            Self::Disk(disk) => disk.write(batches).await,
            Self::Memory(map) => {
                for batch in batches {
                    apply(map, batch);
                }
                Ok(())
            }
        }
    }

    /// Everything under a prefix, in key order.
    pub async fn read(&mut self, prefix: &str) -> Result<Vec<Row>, StoreError> {
        match self {
            Self::Disk(disk) => disk.read(prefix).await,
            Self::Memory(map) => Ok(scan(map, prefix)),
        }
    }

    /// Destroys keys, rows and the database itself, and the pictures that the service worker keeps.
    pub async fn wipe(self) -> Result<(), StoreError> {
        let wiped = match self {
            Self::Disk(disk) => disk.wipe().await,
            Self::Memory(_) => Ok(()),
        };
        forget_pictures().await;
        wiped
    }
}

impl Disk {
    async fn open(
        prefixes: &[&str],
        fresh: bool,
        key: Option<&DeviceKey>,
    ) -> Result<Option<(Self, Vec<Row>, bool)>, StoreError> {
        if !Cipher::is_available() {
            return Err(DatabaseError::Failed("NoWebCrypto".into()).into());
        }
        let database = open_or_replace().await?;
        let mut lost = false;
        let cipher = match (stored_cipher(&database).await, database.key_for_member().await?, key) {
            (Some(cipher), ..) => cipher,
            (None, Some(_), None) => {
                database.close();
                return Ok(None);
            }
            (None, wrapped, key) => match opened_by_member(&database, wrapped, key).await {
                Some(cipher) => cipher,
                None => {
                    lost = key.is_some() && database.key_for_member().await?.is_some();
                    let (cipher, keys) = Cipher::generate().await.map_err(DatabaseError::from)?;
                    database.begin_anew(&keys).await?;
                    cipher
                }
            },
        };
        let mut disk = Self { database, cipher };
        let outbox = disk.mend_outbox().await?;
        let rows = if fresh { None } else { disk.read_all(prefixes).await };
        if let Some(rows) = rows {
            return Ok(Some((disk, rows, lost)));
        }
        disk.database.keep_only(OUTBOX).await?;
        Ok(Some((disk, outbox, lost)))
    }

    async fn wipe(self) -> Result<(), StoreError> {
        // The keys come first: without them the rest is noise, whatever happens next.
        let cleared = self.database.clear().await;
        self.database.close();
        Database::delete().await.or(cleared)?;
        Ok(())
    }

    /// All rows under the prefixes; `None` if one cannot be read.
    async fn read_all(&mut self, prefixes: &[&str]) -> Option<Vec<Row>> {
        let mut rows = BTreeMap::new();
        for prefix in prefixes {
            rows.extend(self.read(prefix).await.ok()?);
        }
        Some(rows.into_iter().collect())
    }

    /// The rows of the outbox; deletes those that cannot be read.
    async fn mend_outbox(&self) -> Result<Vec<Row>, StoreError> {
        let sealed = self.database.read(OUTBOX).await?;
        let values = self.cipher.unseal_all(&sealed).await;
        let mut rows = Vec::new();
        let mut broken = Vec::new();
        for ((key, _), value) in sealed.into_iter().zip(values) {
            match value {
                Some(value) => rows.push((key, value)),
                None => broken.push(SealedWrite::Delete(key)),
            }
        }
        if !broken.is_empty() {
            warn("rows of the outbox could not be read", broken.len());
            self.database.write(&broken, true).await?;
        }
        Ok(rows)
    }

    async fn read(&mut self, prefix: &str) -> Result<Vec<Row>, StoreError> {
        let sealed = match self.database.read(prefix).await {
            Ok(sealed) => sealed,
            Err(error) => {
                self.reopen(error).await?;
                self.database.read(prefix).await?
            }
        };
        let values = self.cipher.unseal_all(&sealed).await;
        let rows = sealed.into_iter().zip(values).map(|((key, _), value)| value.map(|value| (key, value)));
        rows.collect::<Option<_>>().ok_or(StoreError::Lost)
    }

    async fn write(&mut self, batches: &[Batch]) -> Result<(), StoreError> {
        let strict = batches.iter().flatten().any(is_precious);
        let writes = self.seal(batches).await?;
        let Err(error) = self.database.write(&writes, strict).await else { return Ok(()) };
        self.reopen(error).await?;
        Ok(self.database.write(&writes, strict).await?)
    }

    /// Encrypts what is to be written, so that nothing is waited for inside the transaction.
    async fn seal(&self, batches: &[Batch]) -> Result<Vec<SealedWrite>, DatabaseError> {
        let values: Vec<(&str, &[u8])> = batches.iter().flatten().filter_map(value_of).collect();
        let mut sealed = self.cipher.seal_all(&values).await?.into_iter();
        let write = |write: &Write| match write {
            Write::Put { key, .. } => {
                SealedWrite::Put(key.clone(), sealed.next().expect("every put has been encrypted"))
            }
            Write::Delete { key } => SealedWrite::Delete(key.clone()),
            Write::DeletePrefix { prefix } => SealedWrite::DeletePrefix(prefix.clone()),
        };
        Ok(batches.iter().flatten().map(write).collect())
    }

    /// Opens the database again after `error`, which is given back if that cannot help.
    async fn reopen(&mut self, error: DatabaseError) -> Result<(), StoreError> {
        if matches!(error, DatabaseError::Full | DatabaseError::Newer) {
            return Err(error.into());
        }
        warn("the database is opened again", &error);
        self.database.close();
        for ms in REOPEN_AFTER_MS {
            if let Ok(database) = Database::open().await {
                self.database = database;
                // Someone may have deleted it meanwhile: the member, in the browser's settings.
                let keys = self.database.keys().await?;
                return keys.map(drop).ok_or(StoreError::Lost);
            }
            sleep(ms).await;
        }
        Err(error.into())
    }
}

/// Absent in a page that was not loaded safely, and then there is no service worker either.
async fn forget_pictures() {
    let caches = global::<JsValue>("caches");
    let Some(caches) = caches.map(|caches| caches.unchecked_into::<CacheStorage>()) else { return };
    if let Ok(deleted) = caches.delete(PICTURES) {
        deleted.await.ok();
    }
}

async fn stored_cipher(database: &Database) -> Option<Cipher> {
    let keys = database.keys().await.ok()??;
    match Cipher::unwrap(&keys).await {
        Ok(cipher) => Some(cipher),
        Err(error) => {
            warn("the stored key cannot be used", error_name(&error));
            None
        }
    }
}

/// The cipher of a locked store; `None` when this is not the key it was locked with.
async fn opened_by_member(database: &Database, wrapped: Option<Uint8Array>, key: Option<&DeviceKey>) -> Option<Cipher> {
    let (cipher, keys) = Cipher::open_by_member(&wrapped?, &key?.0).await.ok()?;
    database.put_keys(&keys).await.ok()?;
    Some(cipher)
}

async fn open_or_replace() -> Result<Database, DatabaseError> {
    for ms in REOPEN_AFTER_MS {
        match Database::open().await {
            Ok(database) => return Ok(database),
            Err(DatabaseError::Newer) => return Err(DatabaseError::Newer),
            Err(DatabaseError::Full | DatabaseError::Failed(_)) => sleep(ms).await,
        }
    }
    // It cannot be opened, so nothing in it can be saved.
    warn("the database is replaced", NAME);
    Database::delete().await?;
    Database::open().await
}

fn value_of(write: &Write) -> Option<(&str, &[u8])> {
    if let Write::Put { key, value } = write { Some((key, value)) } else { None }
}

/// Whether losing the write would lose something of the member.
fn is_precious(write: &Write) -> bool {
    match write {
        Write::Put { key, .. } | Write::Delete { key } => key.starts_with(OUTBOX),
        Write::DeletePrefix { prefix } => prefix.starts_with(OUTBOX) || OUTBOX.starts_with(prefix.as_str()),
    }
}
