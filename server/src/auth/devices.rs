//! A member's devices: list, name, sign out from afar.
//!
//! A revoked device keeps its row and its login's, so that it is told to wipe itself whenever it comes back.

mod routes;

pub use routes::router;

use super::{AuthError, Caller};
use crate::app_state::AppState;
use crate::audit::{self, Deed};
use crate::db::RowExt;
use crate::hub::{Ending, HubWrite};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::json;
use shared::limits::MAX_NAME_CHARS;
use shared::{Audience, DeviceId, MemberId, UnixMillis};

/// One of a member's devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRecord {
    /// Which.
    pub id: DeviceId,
    /// Browser and system, or what the member called it.
    pub name: String,
    /// When it first signed in.
    pub created_at: UnixMillis,
    /// When it was last seen, to the hour.
    pub last_seen_at: UnixMillis,
    /// Whether its login still counts; else it is locked until the password is given there.
    pub signed_in: bool,
}

/// The member's devices that were not signed out, last seen first.
pub fn list(connection: &Connection, member: MemberId, now: UnixMillis) -> rusqlite::Result<Vec<DeviceRecord>> {
    connection
        .prepare_cached(
            "select id, name, created_at, last_seen_at,
                    exists (select 1 from login where device_id = device.id and expires_at > ?2) as signed_in
               from device
              where member_id = ?1 and revoked_at is null
              order by last_seen_at desc, id desc",
        )?
        .query_map(params![member.to_string(), now.0], |row| {
            Ok(DeviceRecord {
                id: row.id("id")?,
                name: row.get("name")?,
                created_at: row.millis("created_at")?,
                last_seen_at: row.millis("last_seen_at")?,
                signed_in: row.get("signed_in")?,
            })
        })?
        .collect()
}

/// Signs a member's devices out for good: all of them, or those of `only`, but never `keep`.
///
/// # Errors
/// When the database fails.
pub fn revoke(
    w: &mut HubWrite<'_>,
    member: MemberId,
    only: Option<DeviceId>,
    keep: Option<DeviceId>,
) -> Result<Vec<DeviceId>, AuthError> {
    let now = w.now();
    let revoked: Vec<DeviceId> = w
        .tx()
        .prepare_cached(
            "update device set revoked_at = ?2
              where member_id = ?1 and revoked_at is null and (?3 is null or id = ?3) and id is not ?4
             returning id",
        )?
        .query_map(params![member.to_string(), now.0, text(only), text(keep)], |row| row.id("id"))?
        .collect::<rusqlite::Result<_>>()?;
    for device in &revoked {
        audit::record(w.tx(), now, Some(member), Some(*device), Deed::DeviceRevoked, "")?;
        let data = json!({ "member_id": member, "device_id": device });
        w.event("user.logout", Audience::Member(member), data)?;
        w.end(Ending::Device(*device));
    }
    Ok(revoked)
}

fn text(device: Option<DeviceId>) -> Option<String> {
    device.map(|device| device.to_string())
}

/// Signs one of the caller's devices out: it wipes itself, at once or when it comes back.
async fn revoke_one(state: &AppState, caller: Caller, device: DeviceId) -> Result<(), AuthError> {
    let member = caller.viewer.member;
    let revoked = state.hub.write(move |w| revoke(w, member, Some(device), None)).await?;
    if revoked.is_empty() {
        return Err(AuthError::DeviceNotFound);
    }
    Ok(())
}

/// Signs all of the caller's devices out, this one too unless it is kept.
pub(super) async fn revoke_everywhere(state: &AppState, caller: Caller, keep_this: bool) -> Result<(), AuthError> {
    let (member, keep) = (caller.viewer.member, caller.device.filter(|_| keep_this));
    state.hub.write(move |w| revoke(w, member, None, keep)).await.map(drop)
}

async fn rename(state: &AppState, caller: Caller, device: DeviceId, name: &str) -> Result<DeviceRecord, AuthError> {
    let name = checked_name(name).ok_or(AuthError::DeviceName)?;
    let member = caller.viewer.member;
    state
        .db
        .write(move |tx| {
            let changed = tx
                .prepare_cached(
                    "update device set name = ?3 where id = ?1 and member_id = ?2 and revoked_at is null returning 1",
                )?
                .query_row(params![device.to_string(), member.to_string(), name], |_| Ok(()))
                .optional()?;
            changed.ok_or(AuthError::DeviceNotFound)?;
            let devices = list(tx, member, crate::clock::now())?;
            devices.into_iter().find(|one| one.id == device).ok_or(AuthError::DeviceNotFound)
        })
        .await
}

/// The name as kept; `None` when it is empty or too long.
pub(super) fn checked_name(name: &str) -> Option<String> {
    let name: String = name.trim().chars().filter(|c| !c.is_control()).collect();
    (!name.is_empty() && name.chars().count() <= MAX_NAME_CHARS).then_some(name)
}
