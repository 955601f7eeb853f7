//! What a replica keeps on its device: an ordered map of byte strings, written in atomic batches.
//!
//! One trait-free contract: a driver applies each [`Batch`] as one durable transaction, in order, and can read a whole
//! prefix in key order. Browsers put it in IndexedDB, tests in memory; values are encrypted by the driver.

use std::collections::BTreeMap;

/// One write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// Sets a value.
    Put {
        /// Key, plain text.
        key: String,
        /// Value, to be encrypted at rest.
        value: Vec<u8>,
    },
    /// Removes one value, if there.
    Delete {
        /// Key.
        key: String,
    },
    /// Removes every value whose key begins so.
    DeletePrefix {
        /// Prefix.
        prefix: String,
    },
}

/// Writes that happen all or not at all.
pub type Batch = Vec<Write>;

/// Applies a batch to a map: the reference that every driver must equal.
pub fn apply(map: &mut BTreeMap<String, Vec<u8>>, batch: &Batch) {
    for write in batch {
        match write {
            Write::Put { key, value } => {
                map.insert(key.clone(), value.clone());
            }
            Write::Delete { key } => {
                map.remove(key);
            }
            Write::DeletePrefix { prefix } => map.retain(|key, _| !key.starts_with(prefix.as_str())),
        }
    }
}

/// Everything under a prefix, in key order.
pub fn scan(map: &BTreeMap<String, Vec<u8>>, prefix: &str) -> Vec<(String, Vec<u8>)> {
    map.range(prefix.to_owned()..)
        .take_while(|(key, _)| key.starts_with(prefix))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}
