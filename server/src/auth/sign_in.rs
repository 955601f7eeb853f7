//! Signing in and out.

use super::limits::address_key;
use super::{AuthError, digest, logins};
use crate::app_state::AppState;
use crate::audit::{self, Deed};
use crate::clock::{self, fresh};
use crate::hub::HubWrite;
use crate::members;
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
    /// For the cookie, and nowhere else.
    pub secret: String,
    /// Who.
    pub member: MemberId,
    /// On which device.
    pub device: DeviceId,
}

/// Checks email and password and begins a login.
pub(super) async fn sign_in(
    state: &AppState,
    email: String,
    password: String,
    device: Device,
    address: IpAddr,
) -> Result<SignedIn, AuthError> {
    let now = clock::now();
    let (account, address) = (digest(&email.trim().to_lowercase()), address_key(address));
    let too_many = |retry_after_s| AuthError::TooMany { retry_after_s };
    state.limits.address.take(address, now).map_err(too_many)?;
    state.limits.account.take(account, now).map_err(too_many)?;

    let found = state.db.read(move |connection| Ok::<_, AuthError>(members::find_sign_in(connection, &email)?)).await?;
    let (member, hash) = found.map_or((None, None), |(member, hash)| (Some(member), Some(hash)));
    let fits = state.passwords.verify(password, hash).await?;
    let Some(member) = member.filter(|_| fits) else {
        tracing::warn!("a sign-in failed");
        return Err(AuthError::SignInFailed);
    };
    state.limits.address.give_back(address);
    state.limits.account.give_back(account);

    let expires_at = state.login_expiry(now);
    state.hub.write(move |w| begin_login(w, member, device, expires_at)).await
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
    let known = match device.known {
        Some(id) if logins::owns_device(w.tx(), id, member)? => Some(id),
        Some(_) | None => None,
    };
    let id = match known {
        Some(id) => id,
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
    let Some(found) = found else { return Ok(()) };
    state
        .hub
        .write(move |w| {
            logins::delete(w.tx(), &hash)?;
            audit::record(w.tx(), w.now(), Some(found.member), found.device, Deed::SignedOut, "")?;
            let data = json!({ "member_id": found.member, "device_id": found.device });
            w.event("user.logout", Audience::Member(found.member), data)?;
            Ok::<_, AuthError>(())
        })
        .await?;
    if let Some(device) = found.device {
        state.hub.sign_out(device);
    }
    Ok(())
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
