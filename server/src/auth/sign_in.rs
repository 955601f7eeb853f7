//! Signing in and out.

use super::credentials::find_sign_in;
use super::limits::address_key;
use super::{AuthError, digest, logins};
use crate::app_state::AppState;
use crate::audit::{self, Deed};
use crate::clock::{self, SystemRandom, fresh};
use crate::hub::{Ending, HubWrite};
use crate::members;
use credentials::{Argon2Params, Bytes};
use serde_json::json;
use shared::{Audience, DeviceId, MemberId, UnixMillis};
use std::net::IpAddr;

/// The device that signs in.
#[derive(Debug, Clone)]
pub struct Device {
    /// The one this client was before, if it remembers: its unsent changes stay valid.
    pub known: Option<DeviceId>,
    /// A name for the list of devices.
    pub name: String,
}

/// A login that has begun.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// For the cookie or the native client, and nowhere else.
    pub secret: String,
    /// Who.
    pub member: MemberId,
    /// On which device.
    pub device: DeviceId,
}

/// A sign-in that waits for its proof. One that is made up for an account that does not exist never gets a right one.
pub struct LoggingIn {
    state: credentials::server::LoggingIn,
    account: [u8; 32],
    address: IpAddr,
    found: Option<(MemberId, Bytes)>,
}

/// The answer to the first message of a sign-in.
pub(super) struct Challenge {
    pub(super) login: String,
    pub(super) response: Bytes,
    pub(super) argon2: Argon2Params,
}

/// Answers the first message. It counts as an attempt: with the answer a client can check one guess.
pub(super) async fn start(
    state: &AppState,
    email: &str,
    request: &Bytes,
    address: IpAddr,
) -> Result<Challenge, AuthError> {
    let email = email.trim().to_lowercase();
    let (now, account, address) = (clock::now(), digest(&email), address_key(address));
    state.limits.try_account(account, address, now)?;
    let secret = state.opaque.secret().await?;
    // Drawn for everyone, so that it takes the same time whether there is an account or not.
    let nobody = secret.stand_in(&email);
    let found = state.db.read(move |conn| Ok::<_, AuthError>(find_sign_in(conn, &email)?)).await?;
    let (record, id) = match &found {
        Some(found) => (Some(found.record.as_slice()), found.credential_id.as_slice()),
        None => (None, nobody.as_slice()),
    };
    let (logging_in, response) = secret.log_in(&mut SystemRandom, record, request, id)?;
    let argon2 = found.as_ref().map_or(Argon2Params::DEFAULT, |found| found.argon2);
    let found = found.map(|found| (found.member, Bytes(found.key_by_password)));
    let login = state.sign_ins.put(now, LoggingIn { state: logging_in, account, address, found });
    Ok(Challenge { login, response, argon2 })
}

/// Checks the proof and begins a login; gives the wrapped replica key with it.
pub(super) async fn finish(
    state: &AppState,
    login: &str,
    finalization: &Bytes,
    device: Device,
) -> Result<(SignedIn, Bytes), AuthError> {
    let now = clock::now();
    let begun = state.sign_ins.take(now, login).ok_or(AuthError::SignInGone)?;
    let LoggingIn { state: logging_in, account, address, found } = begun;
    let proved = logging_in.finish(finalization).is_ok();
    let Some((member, key)) = found.filter(|_| proved) else {
        tracing::warn!("a sign-in failed");
        return Err(AuthError::SignInFailed);
    };
    state.limits.give_account_back(account, address);
    let expires_at = state.login_expiry(now);
    let signed_in = state.hub.write(move |w| begin_login(w, member, device, expires_at)).await?;
    Ok((signed_in, key))
}

/// Writes the login of a member who has proved who they are.
///
/// # Errors
/// When the database fails.
pub fn begin_login(
    w: &mut HubWrite<'_>,
    member: MemberId,
    device: Device,
    expires_at: UnixMillis,
) -> Result<SignedIn, AuthError> {
    let now = w.now();
    let secret = logins::new_secret(clock::random());
    // The account may have been disabled between the two messages.
    if members::find(w.tx(), member)?.is_none() {
        return Err(AuthError::SignInFailed);
    }
    let known = match device.known {
        Some(id) if logins::owns_device(w.tx(), id, member)? => Some(id),
        Some(_) | None => None,
    };
    let id = match known {
        Some(id) => {
            // A device has one login; proving the password again replaces it.
            logins::end_of_device(w.tx(), id)?;
            logins::see_device(w.tx(), id, now)?;
            id
        }
        None => {
            let id = fresh();
            logins::insert_device(w.tx(), id, member, &device.name, now)?;
            id
        }
    };
    logins::insert_login(w.tx(), &digest(&secret), member, id, now, expires_at)?;
    audit::record(w.tx(), now, Some(member), Some(id), Deed::SignedIn, "")?;
    w.event("user.login", Audience::Member(member), json!({ "member_id": member, "device_id": id }))?;
    Ok(SignedIn { secret, member, device: id })
}

/// Ends the login behind a cookie, if there is one.
pub(super) async fn sign_out(state: &AppState, secret: &str) -> Result<(), AuthError> {
    let (hash, now) = (digest(secret), clock::now());
    let found =
        state.db.read(move |connection| Ok::<_, AuthError>(logins::find_by_login(connection, &hash, now)?)).await?;
    let logins::Login::Here(found) = found else { return Ok(()) };
    state
        .hub
        .write(move |w| {
            logins::delete(w.tx(), &hash)?;
            audit::record(w.tx(), w.now(), Some(found.member), found.device, Deed::SignedOut, "")?;
            let data = json!({ "member_id": found.member, "device_id": found.device });
            w.event("user.logout", Audience::Member(found.member), data)?;
            if let Some(device) = found.device {
                w.end(Ending::Device(device));
            }
            Ok::<_, AuthError>(())
        })
        .await
}

/// A name for a device from what its browser calls itself, e.g. `Firefox, Linux`.
pub(super) fn device_name(user_agent: &str) -> String {
    let first = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    let browser = first(&[
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "Mac"),
        ("Linux", "Linux"),
    ]);
    let words: Vec<_> = browser.into_iter().chain(system).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::device_name;

    #[test]
    fn devices_are_named_by_browser_and_system() {
        let chrome =
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
        assert_eq!(device_name(chrome), "Chrome, Linux");
        assert_eq!(
            device_name("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1"),
            "Safari, iPhone"
        );
        assert_eq!(device_name("curl/8"), "");
    }
}
