//! Ways in that work once: invitations for new members, reset links for members who cannot get in any more.
//!
//! A link's token is 32 random bytes. It is shown to the admin once, travels in the link's fragment, which no browser
//! sends in a request line, and is kept as its SHA-256. Whoever does not hold one learns nothing here; whoever holds
//! one that has run out is told so.

mod accept;
mod error;
mod reset;
pub mod routes;
mod rows;

pub use error::InvitationError;
pub use reset::offer_here;
pub use rows::{check_invitation, check_reset, end_of};

use crate::audit::{self, Deed};
use crate::auth::{Caller, digest};
use crate::clock::{self, fresh};
use crate::hub::Hub;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rows::Invitation;
use shared::profile::Language;
use shared::{InvitationId, Role};

/// How long a link works.
const LIFE_MS: i64 = 24 * 60 * 60 * 1000;
/// Open invitations at once.
const MAX_OPEN: usize = 50;

/// The token of a link, and what is kept of it.
fn new_token() -> (String, [u8; 32]) {
    let token = URL_SAFE_NO_PAD.encode(clock::random::<32>());
    let hash = digest(&token);
    (token, hash)
}

/// Writes an invitation; gives it with its token, the only time that is seen.
async fn invite(
    hub: &Hub,
    caller: Caller,
    role: Role,
    language: Option<Language>,
) -> Result<(Invitation, String), InvitationError> {
    if role == Role::Child {
        return Err(InvitationError::RoleUnknown);
    }
    let (token, hash) = new_token();
    let invitation = hub.write(move |w| {
        let now = w.now();
        caller.must_still_keep_the_keys(w.tx(), now)?;
        rows::forget_old(w.tx(), now)?;
        if rows::list_open(w.tx(), now)?.len() >= MAX_OPEN {
            return Err(InvitationError::TooManyOpen);
        }
        let invitation = Invitation {
            id: fresh::<InvitationId>(),
            role,
            language,
            created_by: caller.viewer.member,
            created_at: now,
            expires_at: now.plus_ms(LIFE_MS),
        };
        rows::insert(w.tx(), &invitation, &hash)?;
        let detail = format!("{} {}", invitation.id, role.as_str());
        audit::record(w.tx(), now, Some(caller.viewer.member), caller.device, Deed::InvitationCreated, &detail)?;
        Ok(invitation)
    });
    Ok((invitation.await?, token))
}

/// Takes an open invitation back.
async fn withdraw(hub: &Hub, caller: Caller, id: InvitationId) -> Result<(), InvitationError> {
    hub.write(move |w| {
        caller.must_still_keep_the_keys(w.tx(), w.now())?;
        if !rows::delete_open(w.tx(), id)? {
            return Err(InvitationError::NotFound);
        }
        let by = Some(caller.viewer.member);
        audit::record(w.tx(), w.now(), by, caller.device, Deed::InvitationWithdrawn, &id.to_string())?;
        Ok(())
    })
    .await
}
