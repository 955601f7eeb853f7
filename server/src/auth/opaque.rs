//! The household's half of every sign-in: OPAQUE's server secret.
//!
//! It is in the database, sealed with the master key: so it is in every backup of the database, and the key that opens
//! it is kept apart as for providers' keys. Whoever loses either signs nobody in again, short of resetting everyone.

use super::AuthError;
use crate::clock::{self, SystemRandom};
use crate::db::Db;
use crate::providers::seal::MasterKey;
use credentials::server::ServerSecret;
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::Arc;
use tokio::sync::OnceCell;

const NAME: &str = "opaque";

/// The secret, read or drawn when it is first needed; clones share it.
#[derive(Clone)]
pub struct Opaque(Arc<Inner>);

struct Inner {
    db: Db,
    master: MasterKey,
    secret: OnceCell<ServerSecret>,
}

impl Opaque {
    /// Nothing is read yet.
    pub fn new(db: Db, master: MasterKey) -> Self {
        Self(Arc::new(Inner { db, master, secret: OnceCell::new() }))
    }

    /// The secret.
    ///
    /// # Errors
    /// [`AuthError::SecretSealed`] when the master key is another one than it was sealed with.
    pub async fn secret(&self) -> Result<&ServerSecret, AuthError> {
        self.0.secret.get_or_try_init(|| self.read_or_draw()).await
    }

    async fn read_or_draw(&self) -> Result<ServerSecret, AuthError> {
        let stored = self.0.db.read(|connection| Ok::<_, AuthError>(find(connection)?)).await?;
        let sealed = match stored {
            Some(sealed) => sealed,
            None => {
                let drawn = ServerSecret::generate(&mut SystemRandom).to_bytes();
                let drawn = self.0.master.seal_named(NAME, &drawn, clock::random());
                // Never replaced: what was registered with it would be worth nothing.
                let kept = self.0.db.write(move |tx| {
                    tx.prepare_cached(
                        "insert into server_secret (name, sealed) values (?1, ?2) on conflict do nothing",
                    )?
                    .execute(params![NAME, drawn])?;
                    Ok::<_, AuthError>(find(tx)?)
                });
                kept.await?.ok_or(AuthError::SecretSealed)?
            }
        };
        let opened = self.0.master.unseal_named(NAME, &sealed).map_err(|_| AuthError::SecretSealed)?;
        ServerSecret::from_bytes(&opened).map_err(|_| AuthError::SecretSealed)
    }
}

fn find(connection: &Connection) -> rusqlite::Result<Option<Vec<u8>>> {
    connection
        .prepare_cached("select sealed from server_secret where name = ?1")?
        .query_row([NAME], |row| row.get("sealed"))
        .optional()
}
