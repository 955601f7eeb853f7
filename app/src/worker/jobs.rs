//! Work for the store, in order, one piece at a time.
//!
//! Stores that wait for each other's end go into one transaction. If that fails, each gets one of its own: one batch
//! too large must not take others down with it.
//!
//! Rows that mirror the server's log build on one another: once a batch of them is missing, no later one is stored
//! either, so that what the next start finds is an earlier state and never one with a hole in it.

use super::database::DatabaseError;
use super::store::{OUTBOX, Row, Store, StoreError};
use crate::browser::warn;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use sync::port::DeviceKey;
use sync::store::{Batch, Write};
use wasm_bindgen_futures::spawn_local;

/// Values of one transaction that joins several stores.
const MAX_JOINED_BYTES: usize = 1 << 20;
/// Rows of this device's own making. They build on nothing that came from the server.
const OWN: [&str; 2] = [OUTBOX, "actor|"];

/// A piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// Apply a batch.
    Store {
        /// Names it in the answer.
        token: u64,
        /// What to write.
        batch: Batch,
    },
    /// Read everything under a prefix.
    Load {
        /// The prefix.
        prefix: String,
    },
    /// Let the member's key open the store once it is locked.
    PrepareLock {
        /// Their key.
        key: DeviceKey,
    },
    /// Lock the store, after everything before. The last one.
    Lock,
    /// Destroy the store. The last one.
    Wipe,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// The batch is durable.
    Stored {
        /// Which.
        token: u64,
    },
    /// The batch changed nothing.
    StoreFailed {
        /// Which.
        token: u64,
        /// For lack of space.
        full: bool,
    },
    /// The rows under a prefix.
    Loaded {
        /// The prefix.
        prefix: String,
        /// In key order.
        rows: Vec<Row>,
    },
    /// The store is not what the replica thinks it is.
    Lost,
    /// The store is locked and closed.
    Locked,
    /// The store is destroyed, or could not be.
    Wiped {
        /// Whether it is.
        complete: bool,
    },
}

/// The queue; clones share it.
#[derive(Clone)]
pub struct Jobs(Rc<Inner>);

struct Inner {
    waiting: RefCell<VecDeque<Job>>,
    busy: Cell<bool>,
    /// A batch of the mirror is missing.
    has_hole: Cell<bool>,
    /// Taken out while it works.
    store: Cell<Option<Store>>,
    report: Box<dyn Fn(Done)>,
}

impl Jobs {
    /// A queue for a store; `report` hears how each job ends, in order.
    pub fn new(store: Store, report: impl Fn(Done) + 'static) -> Self {
        Self(Rc::new(Inner {
            waiting: RefCell::default(),
            busy: Cell::new(false),
            has_hole: Cell::new(false),
            store: Cell::new(Some(store)),
            report: Box::new(report),
        }))
    }

    /// Adds a job. [`Job::Wipe`] drops those that have not begun.
    pub fn push(&self, job: Job) {
        let mut waiting = self.0.waiting.borrow_mut();
        if job == Job::Wipe {
            waiting.clear();
        }
        waiting.push_back(job);
        drop(waiting);
        if !self.0.busy.replace(true) {
            spawn_local(Rc::clone(&self.0).work());
        }
    }
}

impl Inner {
    async fn work(self: Rc<Self>) {
        while let Some(mut store) = self.store.take() {
            let Some(jobs) = next(&mut self.waiting.borrow_mut()) else {
                self.store.set(Some(store));
                break;
            };
            match jobs {
                Next::Stores(stores) => self.write(&mut store, stores).await,
                Next::Load(prefix) => match store.read(&prefix).await {
                    Ok(rows) => (self.report)(Done::Loaded { prefix, rows }),
                    Err(error) => self.give_up(&error),
                },
                Next::PrepareLock(key) => {
                    if let Err(error) = store.prepare_lock(&key).await {
                        warn("the store cannot be locked later", error);
                    }
                }
                Next::Lock => {
                    if let Err(error) = store.lock().await {
                        warn("the store was not locked", error);
                    }
                    (self.report)(Done::Locked);
                    return;
                }
                Next::Wipe => {
                    let complete = store.wipe().await.is_ok();
                    (self.report)(Done::Wiped { complete });
                    return;
                }
            }
            self.store.set(Some(store));
        }
        self.busy.set(false);
    }

    async fn write(&self, store: &mut Store, stores: Vec<(u64, Batch)>) {
        let (tokens, batches): (Vec<u64>, Vec<Batch>) = stores.into_iter().unzip();
        if tokens.len() > 1 && !self.has_hole.get() && store.write(&batches).await.is_ok() {
            tokens.into_iter().for_each(|token| (self.report)(Done::Stored { token }));
            return;
        }
        for (token, batch) in tokens.into_iter().zip(batches) {
            let own = is_own(&batch);
            if self.has_hole.get() && !own {
                (self.report)(Done::StoreFailed { token, full: false });
                continue;
            }
            match store.write(&[batch]).await {
                Ok(()) => (self.report)(Done::Stored { token }),
                Err(StoreError::Lost) => self.give_up(&StoreError::Lost),
                Err(StoreError::Database(error)) => {
                    warn("rows were not stored", &error);
                    self.has_hole.set(self.has_hole.get() || !own);
                    (self.report)(Done::StoreFailed { token, full: error == DatabaseError::Full });
                }
            }
        }
    }

    fn give_up(&self, error: &StoreError) {
        warn("the store is given up", error);
        (self.report)(Done::Lost);
    }
}

enum Next {
    Stores(Vec<(u64, Batch)>),
    Load(String),
    PrepareLock(DeviceKey),
    Lock,
    Wipe,
}

/// Takes what can be done next in one go.
fn next(waiting: &mut VecDeque<Job>) -> Option<Next> {
    let mut stores = Vec::new();
    let mut bytes = 0;
    loop {
        match waiting.pop_front() {
            Some(Job::Store { token, batch }) if stores.is_empty() || bytes + size(&batch) <= MAX_JOINED_BYTES => {
                bytes += size(&batch);
                stores.push((token, batch));
            }
            Some(job) if !stores.is_empty() => {
                waiting.push_front(job);
                return Some(Next::Stores(stores));
            }
            Some(Job::Store { token, batch }) => return Some(Next::Stores(vec![(token, batch)])),
            Some(Job::Load { prefix }) => return Some(Next::Load(prefix)),
            Some(Job::PrepareLock { key }) => return Some(Next::PrepareLock(key)),
            Some(Job::Lock) => return Some(Next::Lock),
            Some(Job::Wipe) => return Some(Next::Wipe),
            None if stores.is_empty() => return None,
            None => return Some(Next::Stores(stores)),
        }
    }
}

fn is_own(batch: &Batch) -> bool {
    let key = |write: &Write| match write {
        Write::Put { key, .. } | Write::Delete { key } | Write::DeletePrefix { prefix: key } => key.clone(),
    };
    batch.iter().map(key).all(|key| OWN.iter().any(|own| key.starts_with(own)))
}

fn size(batch: &Batch) -> usize {
    let size = |write: &Write| if let Write::Put { value, .. } = write { value.len() } else { 0 };
    batch.iter().map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(token: u64, bytes: usize) -> Job {
        Job::Store { token, batch: vec![Write::Put { key: "k".into(), value: vec![0; bytes] }] }
    }

    /// What each step takes: tokens, or the other job.
    fn steps(jobs: impl IntoIterator<Item = Job>) -> Vec<Result<Vec<u64>, Job>> {
        let mut waiting: VecDeque<Job> = jobs.into_iter().collect();
        std::iter::from_fn(|| {
            Some(match next(&mut waiting)? {
                Next::Stores(stores) => Ok(stores.into_iter().map(|(token, _)| token).collect()),
                Next::Load(prefix) => Err(Job::Load { prefix }),
                Next::PrepareLock(key) => Err(Job::PrepareLock { key }),
                Next::Lock => Err(Job::Lock),
                Next::Wipe => Err(Job::Wipe),
            })
        })
        .collect()
    }

    #[test]
    fn neighbouring_stores_share_a_transaction_and_nothing_overtakes_another() {
        let load = Job::Load { prefix: "p".into() };
        let jobs = [store(1, 10), store(2, 10), load.clone(), store(3, 10), Job::Wipe];
        assert_eq!(steps(jobs), [Ok(vec![1, 2]), Err(load), Ok(vec![3]), Err(Job::Wipe)]);
    }

    #[test]
    fn only_a_batch_of_nothing_but_own_rows_is_own() {
        let put = |key: &str| Write::Put { key: key.into(), value: Vec::new() };
        assert!(is_own(&vec![put("outbox|1"), put("actor|home"), Write::Delete { key: "outbox|0".into() }]));
        assert!(!is_own(&vec![put("outbox|1"), put("position|household")]));
        assert!(!is_own(&vec![Write::DeletePrefix { prefix: String::new() }]));
    }

    #[test]
    fn large_stores_stay_apart() {
        let half = MAX_JOINED_BYTES / 2;
        let jobs = [store(1, half), store(2, half), store(3, 1), store(4, 3 * half), store(5, 0)];
        assert_eq!(steps(jobs), [Ok(vec![1, 2]), Ok(vec![3]), Ok(vec![4]), Ok(vec![5])]);
    }
}
