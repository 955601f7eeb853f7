//! The table `picture`. A picture is anybody's who is signed in: what it belongs to is in the household's directory.

use super::Picture;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use shared::{PictureId, UnixMillis};

pub(super) fn find(connection: &Connection, id: PictureId) -> rusqlite::Result<Option<Picture>> {
    connection
        .prepare_cached("select media_type, bytes from picture where id = ?1")?
        .query_row([id.to_string()], |row| Ok(Picture { media_type: row.get("media_type")?, bytes: row.get("bytes")? }))
        .optional()
}

/// Whether a picture may be referred to: ask in the transaction that does.
///
/// # Errors
/// The database's failure.
pub fn exists(connection: &Connection, id: PictureId) -> rusqlite::Result<bool> {
    connection.prepare_cached("select 1 from picture where id = ?1")?.exists([id.to_string()])
}

pub(super) fn put(tx: &Transaction<'_>, id: PictureId, picture: &Picture, now: UnixMillis) -> rusqlite::Result<()> {
    let sql = "insert into picture (id, media_type, bytes, given_at) values (?1, ?2, ?3, ?4)
               on conflict (id) do update set given_at = ?4";
    tx.prepare_cached(sql)?.execute(params![id.to_string(), picture.media_type, picture.bytes, now.0])?;
    Ok(())
}

/// Forgets what was given before `cutoff` and is nobody's face.
pub(super) fn forget_unused(tx: &Transaction<'_>, cutoff: UnixMillis) -> rusqlite::Result<()> {
    let sql = "delete from picture where given_at < ?1
                  and not exists (select 1 from kin where kin.avatar = picture.id)
                  and not exists (select 1 from member where member.avatar = picture.id)";
    tx.prepare_cached(sql)?.execute([cutoff.0])?;
    Ok(())
}
