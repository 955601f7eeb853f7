//! A password by a one-time link, for members who cannot get in any more.

use super::{InvitationError, LIFE_MS, new_token, rows};
use crate::app_state::AppState;
use crate::audit::{self, Deed};
use crate::auth::{self, AuthError, Caller, Device, FinishedRegistration, Purpose, SignedIn, devices};
use crate::clock;
use crate::hub::{Ending, Hub};
use crate::members::{self, MemberError};
use shared::{MemberId, UnixMillis};

/// Writes a reset link for a member; gives its token and when it ends. An earlier one ends now.
pub(super) async fn offer(
    hub: &Hub,
    caller: Caller,
    member: MemberId,
) -> Result<(String, UnixMillis), InvitationError> {
    let (token, hash) = new_token();
    let expires_at = hub.write(move |w| {
        let now = w.now();
        caller.must_still_keep_the_keys(w.tx(), now)?;
        members::find(w.tx(), member)?.ok_or(MemberError::NotFound(member))?;
        rows::forget_old(w.tx(), now)?;
        let expires_at = now.plus_ms(LIFE_MS);
        rows::put_reset(w.tx(), &hash, member, caller.viewer.member, now, expires_at)?;
        let by = Some(caller.viewer.member);
        audit::record(w.tx(), now, by, caller.device, Deed::ResetCreated, &member.to_string())?;
        Ok::<_, InvitationError>(expires_at)
    });
    Ok((token, expires_at.await?))
}

/// Writes a reset link for the member of an email, for whoever sits at the machine; gives its token.
///
/// # Errors
/// `None` inside when there is no such account.
pub async fn offer_here(hub: &Hub, email: String) -> Result<Option<String>, InvitationError> {
    let (token, hash) = new_token();
    let found = hub.write(move |w| {
        let now = w.now();
        let Some(member) = members::find_by_email(w.tx(), &email)? else { return Ok::<_, InvitationError>(false) };
        rows::forget_old(w.tx(), now)?;
        rows::put_reset(w.tx(), &hash, member.id, member.id, now, now.plus_ms(LIFE_MS))?;
        audit::record(w.tx(), now, None, None, Deed::ResetCreated, &member.id.to_string())?;
        Ok(true)
    });
    Ok(found.await?.then_some(token))
}

/// Stores the new password and signs in. All devices from before are signed out: nobody knows who holds them, and with
/// the old password went the key of what they keep.
pub(super) async fn accept(
    state: &AppState,
    token: String,
    registration: &FinishedRegistration,
    device: Device,
) -> Result<SignedIn, InvitationError> {
    let member = {
        let token = token.clone();
        state.db.read(move |connection| rows::check_reset(connection, &token, clock::now())).await?
    };
    let (purpose, credentials) = auth::registration::take(state, registration)?;
    if purpose != Purpose::Reset(member) {
        return Err(AuthError::RegistrationGone.into());
    }
    let expires_at = state.login_expiry(clock::now());
    state
        .hub
        .write(move |w| {
            let now = w.now();
            if rows::check_reset(w.tx(), &token, now)? != member {
                return Err(AuthError::RegistrationGone.into());
            }
            devices::revoke(w, member, None, None)?;
            w.end(Ending::Member(member));
            auth::credentials::store(w.tx(), member, &credentials, now)?;
            rows::mark_reset_used(w.tx(), &token, now)?;
            audit::record(w.tx(), now, Some(member), None, Deed::ResetUsed, "")?;
            Ok(auth::begin_login(w, member, Device { known: None, ..device }, expires_at)?)
        })
        .await
}
