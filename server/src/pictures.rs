//! Pictures: the faces that members give themselves and their Kins.
//!
//! Whatever comes in is decoded once, under limits, and written anew: a square of at most [`SIDE`] pixels without the
//! file's metadata. Only that is stored and served, so nobody's file is ever shown to anybody else. One size serves a
//! phone's list and a desktop's hero picture: it is 50 kB, fetched once and kept.

mod error;
mod prepare;
pub mod routes;
mod rows;

pub use error::PictureError;
pub use prepare::SIDE;
pub use rows::exists;

use crate::auth::Limiter;
use crate::clock;
use crate::db::Db;
use sha2::{Digest, Sha256};
use shared::{MemberId, PictureId, UnixMillis};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A picture nobody refers to is kept this long, for whoever is still filling in a form.
const UNUSED_MS: i64 = 24 * 60 * 60 * 1000;

/// A picture as stored.
pub struct Picture {
    /// `image/jpeg` or `image/png`.
    pub media_type: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Handle to the pictures; clones share it.
#[derive(Clone)]
pub struct Pictures(Arc<Inner>);

struct Inner {
    db: Db,
    /// One picture is decoded at a time: the memory that takes is bounded whoever uploads.
    decoding: Semaphore,
    uploads: Limiter<MemberId>,
    /// Each drawing costs the household money.
    drawings: Limiter<MemberId>,
}

impl Pictures {
    /// Pictures of this database.
    pub fn new(db: Db) -> Self {
        Self(Arc::new(Inner {
            db,
            decoding: Semaphore::new(1),
            uploads: Limiter::new(20, 30_000),
            drawings: Limiter::new(6, 60_000),
        }))
    }

    /// Lets a member upload one more.
    ///
    /// # Errors
    /// [`PictureError::TooMany`].
    fn take_upload(&self, member: MemberId) -> Result<(), PictureError> {
        self.0.uploads.take(member, clock::now()).map_err(|retry_after_s| PictureError::TooMany { retry_after_s })
    }

    /// Lets a member have one more drawn.
    ///
    /// # Errors
    /// [`PictureError::TooMany`].
    pub fn take_drawing(&self, member: MemberId) -> Result<(), PictureError> {
        self.0.drawings.take(member, clock::now()).map_err(|retry_after_s| PictureError::TooMany { retry_after_s })
    }

    /// Reads a file of somebody's, keeps what is to be seen of it and gives its id. The same picture has the same id.
    ///
    /// # Errors
    /// See [`PictureError`].
    pub async fn keep(&self, file: Vec<u8>) -> Result<PictureId, PictureError> {
        let prepared = {
            let _one = self.0.decoding.acquire().await.expect("never closed");
            let work = tokio::task::spawn_blocking(move || prepare::prepare(&file));
            work.await.map_err(|_panicked| PictureError::Unreadable)??
        };
        let digest: [u8; 32] = Sha256::digest(&prepared.bytes).into();
        let (first, _) = digest.split_first_chunk::<16>().expect("a digest has 32 bytes");
        let (id, now) = (PictureId::from_bytes(*first), clock::now());
        self.0
            .db
            .write(move |tx| {
                rows::forget_unused(tx, now.plus_ms(-UNUSED_MS))?;
                rows::put(tx, id, &prepared, now)?;
                Ok::<_, PictureError>(id)
            })
            .await
    }

    /// Reads a picture.
    ///
    /// # Errors
    /// [`PictureError::NotFound`] when there is none of this id.
    pub async fn find(&self, id: PictureId) -> Result<Picture, PictureError> {
        let found = self.0.db.read(move |connection| Ok::<_, PictureError>(rows::find(connection, id)?)).await?;
        found.ok_or(PictureError::NotFound)
    }

    /// Forgets what nobody has referred to for a day.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn forget_unused(&self, now: UnixMillis) -> Result<(), PictureError> {
        let cutoff = now.plus_ms(-UNUSED_MS);
        self.0.db.write(move |tx| Ok(rows::forget_unused(tx, cutoff)?)).await
    }
}
