//! One's own data, as JSON Lines: the account first, then what it has, then every message one wrote.

use super::{MemberError, rows};
use crate::audit::{self, Deed};
use crate::auth::{Caller, devices};
use crate::clock;
use crate::db::{Db, DbError, RowExt};
use futures_util::Stream;
use futures_util::stream::unfold;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use shared::operation::PreferenceKey;
use shared::{DocumentId, MessageId, UnixMillis, Viewer};
use std::io;
use sync::document::Document;

/// Messages read at once: a page is all of the export that is ever in memory.
const PAGE: u32 = 500;

/// Where an export stands.
enum At {
    /// Before its first line.
    Start,
    /// Behind this message.
    Message(UnixMillis, MessageId),
    End,
}

/// Begins an export for the caller, who is told everything that is theirs and nothing else.
pub(super) async fn export(
    db: Db,
    caller: Caller,
) -> Result<impl Stream<Item = io::Result<Vec<u8>>> + use<>, MemberError> {
    let member = caller.viewer.member;
    let note = move |tx: &rusqlite::Transaction<'_>| {
        Ok::<_, DbError>(audit::record(tx, clock::now(), Some(member), caller.device, Deed::AccountExported, "")?)
    };
    db.write(note).await?;
    Ok(unfold((db, At::Start), move |(db, at)| async move {
        let viewer = caller.viewer;
        let read = db.read(move |connection| match at {
            At::Start => Ok::<_, MemberError>(Some(start(connection, viewer)?)),
            At::Message(after, id) => Ok(page(connection, viewer, after, &id.to_string())?),
            At::End => Ok(None),
        });
        match read.await {
            Ok(Some((text, next))) => Some((Ok(text), (db, next))),
            Ok(None) => None,
            Err(error) => {
                tracing::warn!(error = crate::error::chain(&error), "an export broke off");
                // A body that breaks off is seen to be incomplete; one that ends early is not.
                Some((Err(io::Error::other("the export broke off")), (db, At::End)))
            }
        }
    }))
}

fn lines(values: impl IntoIterator<Item = Value>) -> Vec<u8> {
    values.into_iter().flat_map(|value| (value.to_string() + "\n").into_bytes()).collect()
}

fn start(connection: &Connection, viewer: Viewer) -> Result<(Vec<u8>, At), MemberError> {
    let id = viewer.member;
    let me = rows::find(connection, id)?.ok_or(MemberError::NotFound(id))?;
    let mut values = vec![json!({
        "kind": "account", "id": id, "email": me.email, "first_name": me.first_name, "last_name": me.last_name,
        "nickname": me.nickname, "avatar": me.avatar, "language": me.language.as_str(), "role": me.role,
        "created_at": me.created_at,
    })];
    for key in [PreferenceKey::Theme, PreferenceKey::Language] {
        if let Some(value) = preference(connection, viewer, key)? {
            values.push(json!({ "kind": "preference", "key": key.as_str(), "value": value }));
        }
    }
    for device in devices::list(connection, id, clock::now())? {
        let (created_at, seen) = (device.created_at, device.last_seen_at);
        values.push(json!({ "kind": "device", "id": device.id, "name": device.name, "created_at": created_at,
            "last_seen_at": seen }));
    }
    for token in crate::tokens::list(connection, id)? {
        let scopes = token.scopes.to_string();
        values.push(json!({ "kind": "token", "id": token.id, "name": token.name, "scopes": scopes,
            "created_at": token.created_at }));
    }
    let first = page(connection, viewer, UnixMillis(i64::MIN), "")?;
    let (more, next) = first.unwrap_or((Vec::new(), At::End));
    let mut text = lines(values);
    text.extend(more);
    Ok((text, next))
}

fn preference(connection: &Connection, viewer: Viewer, key: PreferenceKey) -> Result<Option<String>, MemberError> {
    let id = DocumentId::Me(viewer.member);
    let changes: Vec<Vec<u8>> = connection
        .prepare_cached("select bytes from change where document_id = ?1 and audience = ?2 order by position")?
        .query_map(params![id.to_string(), viewer.member.to_string()], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    // One's own document is small: some preferences and read marks.
    let opened = Document::new(id.kind()).and_then(|mut document| {
        document.apply(changes.iter().map(Vec::as_slice))?;
        Ok(document.preference(key))
    });
    match opened {
        Ok(value) => Ok(value),
        Err(error) => {
            tracing::warn!(error = crate::error::chain(&error), "a member's own document does not open");
            Ok(None)
        }
    }
}

/// The next messages the viewer wrote and may see; `None` when there are no more.
fn page(
    connection: &Connection,
    viewer: Viewer,
    after: UnixMillis,
    after_id: &str,
) -> rusqlite::Result<Option<(Vec<u8>, At)>> {
    let [household, own] = viewer.audiences();
    let found: Vec<(UnixMillis, MessageId, Value)> = connection
        .prepare_cached(
            "select message.id, message.admitted_at, message.sent_at, message.text, message.state, kin.id as kin_id,
                    kin.name as kin_name
               from message
               join session on session.id = message.session_id
               join kin on kin.id = session.kin_id
              where author = ?1 and message.audience in (?2, ?3) and (admitted_at, message.id) > (?4, ?5)
              order by admitted_at, message.id limit ?6",
        )?
        .query_map(
            params![viewer.member.to_string(), household.to_string(), own.to_string(), after.0, after_id, PAGE],
            |row| {
                let (id, at): (MessageId, _) = (row.id("id")?, row.millis("admitted_at")?);
                let value = json!({
                    "kind": "message", "id": id, "kin_id": row.get::<_, String>("kin_id")?,
                    "kin": row.get::<_, String>("kin_name")?, "sent_at": row.millis("sent_at")?,
                    "state": row.get::<_, String>("state")?, "text": row.get::<_, String>("text")?,
                });
                Ok((at, id, value))
            },
        )?
        .collect::<rusqlite::Result<_>>()?;
    let Some((at, id, _)) = found.last() else { return Ok(None) };
    let next = At::Message(*at, *id);
    Ok(Some((lines(found.into_iter().map(|(_, _, value)| value)), next)))
}
