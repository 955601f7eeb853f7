//! A new password: after proving the old one, or with the recovery code.

use super::registration::{self, FinishedRegistration, Purpose};
use super::{AuthError, Caller, Credentials, Device, SignedIn, Via, begin_login, credentials, logins};
use crate::app_state::AppState;
use crate::audit::{self, Deed};
use crate::clock;
use shared::{DeviceId, MemberId};

/// How old a sign-in may be that proves the old password.
const FRESH_MS: i64 = 5 * 60 * 1000;

/// Lets those pass who have proved their password in the last minutes, on this device.
///
/// # Errors
/// [`AuthError::FreshSignInNeeded`] for everyone else.
pub async fn must_be_fresh(state: &AppState, caller: &Caller) -> Result<(), AuthError> {
    let now = clock::now();
    let device = match (caller.via, caller.device) {
        (Via::Login, Some(device)) => device,
        (Via::Login, None) | (Via::Token(_), _) => return Err(AuthError::FreshSignInNeeded),
    };
    let began = state.db.read(move |conn| Ok::<_, AuthError>(logins::began_at(conn, device, now)?)).await?;
    // A sign-in from the future is of a clock that has been set back since: nobody knows how old it is.
    if began.is_some_and(|began| (0..=FRESH_MS).contains(&now.since(began))) {
        Ok(())
    } else {
        Err(AuthError::FreshSignInNeeded)
    }
}

/// Stores a signed-in member's new password. Other devices are locked until it is given there.
pub(super) async fn change_password(
    state: &AppState,
    caller: Caller,
    finished: &FinishedRegistration,
) -> Result<(), AuthError> {
    must_be_fresh(state, &caller).await?;
    let member = caller.viewer.member;
    let (purpose, new) = registration::take(state, finished)?;
    if purpose != Purpose::Password(member) {
        return Err(AuthError::RegistrationGone);
    }
    let ended = state.hub.write(move |w| replace(w, member, &new, caller.device)).await?;
    for device in ended {
        state.hub.drop_connections(device);
    }
    Ok(())
}

/// Stores a new password for whoever holds the recovery code, and signs them in.
pub(super) async fn recover(
    state: &AppState,
    finished: &FinishedRegistration,
    device: Device,
) -> Result<SignedIn, AuthError> {
    let (purpose, new) = registration::take(state, finished)?;
    let member = match purpose {
        Purpose::Recovery(member) => member,
        Purpose::Setup | Purpose::Password(_) | Purpose::Invitation(_) | Purpose::Reset(_) => {
            return Err(AuthError::RegistrationGone);
        }
    };
    let expires_at = state.login_expiry(clock::now());
    let (ended, signed_in) = state
        .hub
        .write(move |w| {
            let ended = replace(w, member, &new, None)?;
            Ok::<_, AuthError>((ended, begin_login(w, member, device, expires_at)?))
        })
        .await?;
    for device in ended.into_iter().filter(|device| *device != signed_in.device) {
        state.hub.drop_connections(device);
    }
    Ok(signed_in)
}

/// Writes new credentials and ends the logins of all devices but one.
pub(crate) fn replace(
    w: &mut crate::hub::HubWrite<'_>,
    member: MemberId,
    new: &Credentials,
    keep: Option<DeviceId>,
) -> Result<Vec<DeviceId>, AuthError> {
    let now = w.now();
    credentials::store(w.tx(), member, new, now)?;
    audit::record(w.tx(), now, Some(member), keep, Deed::PasswordChanged, "")?;
    Ok(logins::end_of_others(w.tx(), member, keep)?)
}
