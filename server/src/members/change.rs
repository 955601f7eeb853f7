//! What admins change of members: their role, and whether they may come in.

use super::MemberError;
use super::rows::{self, MemberRecord};
use crate::audit::{self, Deed};
use crate::auth::{Caller, devices};
use crate::hub::{Ending, Hub, HubWrite};
use crate::invitations;
use serde_json::json;
use shared::profile::Standing;
use shared::{Audience, MemberId, Role};

/// What to change; `None` leaves things as they are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MemberChange {
    pub role: Option<Role>,
    /// Active or disabled.
    pub standing: Option<Standing>,
}

/// Changes a member. Of two admins who take the keys from each other at once, one comes too late.
pub(super) async fn change(
    hub: &Hub,
    caller: Caller,
    id: MemberId,
    change: MemberChange,
) -> Result<MemberRecord, MemberError> {
    if change.role == Some(Role::Child) {
        return Err(MemberError::RoleUnknown);
    }
    if change.standing == Some(Standing::Gone) {
        return Err(MemberError::StandingUnknown);
    }
    let write = hub.write(move |w| {
        caller.must_still_keep_the_keys(w.tx(), w.now())?;
        apply(w, &caller, id, change)
    });
    let (member, role_changed) = write.await?;
    if role_changed {
        // Connections carry the role they began with.
        hub.reconnect(id);
    }
    Ok(member)
}

fn apply(
    w: &mut HubWrite<'_>,
    caller: &Caller,
    id: MemberId,
    change: MemberChange,
) -> Result<(MemberRecord, bool), MemberError> {
    let before = existing(w, id)?;
    let mut after = before.clone();
    after.role = change.role.unwrap_or(before.role);
    after.standing = change.standing.unwrap_or(before.standing);
    if after == before {
        return Ok((after, false));
    }
    if before.keeps_the_keys() && !after.keeps_the_keys() && !rows::has_other_admin(w.tx(), id)? {
        return Err(MemberError::LastAdmin);
    }
    let now = w.now();
    let note = |w: &HubWrite<'_>, deed, detail: String| {
        audit::record(w.tx(), now, Some(caller.viewer.member), caller.device, deed, &detail)
    };
    if after.role != before.role {
        note(w, Deed::MemberRoleChanged, format!("{id} {}", after.role.as_str()))?;
        rows::update(w.tx(), &after)?;
    }
    if after.standing != before.standing {
        let is_active = after.standing == Standing::Active;
        note(w, if is_active { Deed::MemberEnabled } else { Deed::MemberDisabled }, id.to_string())?;
        rows::save_disabled(w.tx(), id, (!is_active).then_some(now))?;
        if !is_active {
            devices::revoke(w, id, None, None)?;
            w.end(Ending::Member(id));
        }
    }
    if before.keeps_the_keys() && !after.keeps_the_keys() {
        invitations::end_of(w.tx(), id)?;
    }
    w.put_member_profile(&after.profile())?;
    let data = json!({ "member_id": id, "role": after.role, "standing": after.standing });
    w.event("user.updated", Audience::Household, data)?;
    Ok((after.clone(), after.role != before.role))
}

/// A member who has an account.
pub(super) fn existing(w: &HubWrite<'_>, id: MemberId) -> Result<MemberRecord, MemberError> {
    let member = rows::find_any(w.tx(), id)?.filter(|member| member.standing != Standing::Gone);
    member.ok_or(MemberError::NotFound(id))
}

/// Makes `to` an admin and the caller a member, in one step.
pub(super) async fn hand_over(hub: &Hub, caller: Caller, to: MemberId) -> Result<(), MemberError> {
    let from = caller.viewer.member;
    if from == to {
        return Err(MemberError::Oneself);
    }
    hub.write(move |w| {
        caller.must_still_keep_the_keys(w.tx(), w.now())?;
        if existing(w, to)?.standing != Standing::Active {
            return Err(MemberError::NotFound(to));
        }
        let role = |role| MemberChange { role: Some(role), standing: None };
        apply(w, &caller, to, role(Role::Admin))?;
        apply(w, &caller, from, role(Role::Member))?;
        Ok(())
    })
    .await?;
    hub.reconnect(from);
    hub.reconnect(to);
    Ok(())
}
