//! Coming in by an invitation.

use super::error::Kind;
use super::{InvitationError, rows};
use crate::app_state::AppState;
use crate::audit::{self, Deed};
use crate::auth::{self, AuthError, Device, FinishedRegistration, Purpose, SignedIn};
use crate::clock;
use crate::household;
use crate::members::{self, NewMember};
use rusqlite::Connection;
use shared::profile::Language;
use shared::{Role, UnixMillis};

/// What whoever holds the link is told.
pub(super) struct Look {
    pub inviter: String,
    pub household: String,
    pub role: Role,
    pub language: Option<Language>,
    pub expires_at: UnixMillis,
}

/// Reads what a link invites to.
pub(super) fn look(connection: &Connection, token: &str, now: UnixMillis) -> Result<Look, InvitationError> {
    let invitation = rows::check_invitation(connection, token, now)?;
    let inviter = members::find_any(connection, invitation.created_by)?;
    let inviter = inviter.ok_or(InvitationError::Invalid(Kind::Invitation))?.nickname;
    let household = household::name(connection)?;
    let (role, language, expires_at) = (invitation.role, invitation.language, invitation.expires_at);
    Ok(Look { inviter, household, role, language, expires_at })
}

/// Makes the account and signs it in. Of two who hold the same link, one comes in: account, link and login are one
/// transaction, and writes run one after the other.
pub(super) async fn accept(
    state: &AppState,
    token: String,
    new: impl FnOnce(Role) -> Result<NewMember, members::MemberError>,
    registration: &FinishedRegistration,
    device: Device,
) -> Result<SignedIn, InvitationError> {
    let invitation = {
        let token = token.clone();
        state.db.read(move |connection| rows::check_invitation(connection, &token, clock::now())).await?
    };
    // Mistakes in the form must not cost the registration: it works once.
    let new = new(invitation.role)?;
    let (purpose, credentials) = auth::registration::take(state, registration)?;
    if purpose != Purpose::Invitation(invitation.id) {
        return Err(AuthError::RegistrationGone.into());
    }
    let expires_at = state.login_expiry(clock::now());
    let login = state
        .hub
        .write(move |w| {
            let now = w.now();
            let invitation = rows::check_invitation(w.tx(), &token, now)?;
            let member = members::create(w, &new)?;
            auth::credentials::store(w.tx(), member, &credentials, now)?;
            rows::mark_used(w.tx(), invitation.id, member, now)?;
            audit::record(w.tx(), now, Some(member), None, Deed::InvitationUsed, &invitation.id.to_string())?;
            Ok::<_, InvitationError>(auth::begin_login(w, member, device, expires_at)?)
        })
        .await?;
    tracing::info!(member.id = %login.member, "an invitation was accepted");
    Ok(login)
}
