//! Deleting an account. What the member wrote in the household's threads stays, under nobody's name.

use super::change::existing;
use super::{MemberError, rows};
use crate::audit::{self, Deed};
use crate::auth::{Caller, devices};
use crate::hub::{Ending, Hub, HubWrite};
use crate::invitations;
use rusqlite::{Transaction, params};
use serde_json::json;
use shared::profile::{MemberProfile, Standing};
use shared::{Audience, DocumentId, MemberId, Role, UnixMillis};

/// An admin deletes a member.
pub(super) async fn remove(hub: &Hub, caller: Caller, id: MemberId) -> Result<(), MemberError> {
    hub.write(move |w| {
        caller.must_still_keep_the_keys(w.tx(), w.now())?;
        if existing(w, id)?.keeps_the_keys() && !rows::has_other_admin(w.tx(), id)? {
            return Err(MemberError::LastAdmin);
        }
        erase(w, &caller, id, Deed::MemberDeleted)
    })
    .await?;
    tracing::info!(member.id = %id, "a member was deleted");
    Ok(())
}

/// Somebody deletes themselves. Whoever keeps the keys alone does so only when nobody else is left.
pub(super) async fn leave(hub: &Hub, caller: Caller) -> Result<(), MemberError> {
    let id = caller.viewer.member;
    hub.write(move |w| {
        let alone = !rows::has_others(w.tx(), id)?;
        if existing(w, id)?.keeps_the_keys() && !rows::has_other_admin(w.tx(), id)? && !alone {
            return Err(MemberError::LastAdmin);
        }
        erase(w, &caller, id, Deed::AccountDeleted)
    })
    .await?;
    tracing::info!(member.id = %id, "a member has left");
    Ok(())
}

fn erase(w: &mut HubWrite<'_>, caller: &Caller, id: MemberId, deed: Deed) -> Result<(), MemberError> {
    let now = w.now();
    // The empty place in the directory: messages name their author by it.
    w.put_member_profile(&MemberProfile {
        id,
        nickname: String::new(),
        avatar: String::new(),
        role: Role::Member,
        standing: Standing::Gone,
    })?;
    // Devices keep their rows, without a name: one that comes back later must be told to wipe itself.
    devices::revoke(w, id, None, None)?;
    invitations::end_of(w.tx(), id)?;
    forget(w.tx(), id, now)?;
    audit::record(w.tx(), now, Some(caller.viewer.member), caller.device, deed, &id.to_string())?;
    w.event("user.deleted", Audience::Household, json!({ "member_id": id }))?;
    w.end(Ending::Member(id));
    Ok(())
}

/// Everything that is theirs alone, from every table.
fn forget(tx: &Transaction<'_>, id: MemberId, now: UnixMillis) -> rusqlite::Result<()> {
    let (member, document) = (id.to_string(), DocumentId::Me(id).to_string());
    for sql in [
        "update device set name = '' where member_id = ?1",
        "delete from credential where member_id = ?1",
        "delete from token where member_id = ?1",
        "delete from reset where member_id = ?1",
        "delete from idempotency where member_id = ?1",
        "delete from command where member_id = ?1",
        "delete from event where audience = ?1",
        "delete from change where audience = ?1",
        "delete from audience_log where audience = ?1",
    ] {
        tx.prepare_cached(sql)?.execute([&member])?;
    }
    for sql in ["delete from actor where document_id = ?1", "delete from document where id = ?1"] {
        tx.prepare_cached(sql)?.execute([&document])?;
    }
    // An address without an @ is nobody's.
    tx.prepare_cached(
        "update member set email = 'gone:' || id, first_name = '', last_name = '', nickname = '', avatar = '',
                language = 'en', role = 'member', disabled_at = ?2, gone_at = ?2
          where id = ?1",
    )?
    .execute(params![member, now.0])?;
    Ok(())
}
