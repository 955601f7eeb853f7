//! Registrations: a password of one's choice, in two messages, for one of several purposes.
//!
//! The first message says what for and is answered; the second comes inside the request that the purpose leads to
//! (setup, a new password, …), which takes the registration and stores its credentials in its own transaction.

use super::credentials::{Credentials, Recovery};
use super::limits::address_key;
use super::{AuthError, credentials, digest};
use crate::app_state::AppState;
use crate::clock;
use ::credentials::server::{self, CREDENTIAL_ID_BYTES};
use ::credentials::{Argon2Params, Bytes, keys, recovery};
use serde::{Deserialize, Serialize};
use shared::{InvitationId, MemberId};
use std::net::IpAddr;
use utoipa::ToSchema;

/// What a registration is for, checked when it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// The first account.
    Setup,
    /// A signed-in member's new password.
    Password(MemberId),
    /// A member who has forgotten the password and holds the recovery code.
    Recovery(MemberId),
    /// The account of whoever holds an invitation.
    Invitation(InvitationId),
    /// A member who holds a reset link.
    Reset(MemberId),
}

/// A registration that waits for its second message.
pub struct Begun {
    purpose: Purpose,
    credential_id: [u8; CREDENTIAL_ID_BYTES],
    argon2: Argon2Params,
}

/// The answer to the first message.
#[derive(Serialize, ToSchema)]
pub struct RegistrationView {
    /// To be named in the second message.
    pub registration: String,
    /// OPAQUE's registration response, base64url.
    #[schema(value_type = String)]
    pub response: Bytes,
    /// How to stretch the password.
    #[schema(value_type = Argon2View)]
    pub argon2: Argon2Params,
    /// The replica key as the recovery code opens it, where there is one to keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub key_by_recovery: Option<Bytes>,
}

/// Parameters of Argon2id.
#[derive(Serialize, ToSchema)]
pub struct Argon2View {
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

/// The second message: part of the request that the registration is for.
#[derive(Deserialize, ToSchema)]
pub struct FinishedRegistration {
    /// As answered to the first.
    pub id: String,
    /// OPAQUE's registration record, base64url.
    #[schema(value_type = String)]
    pub upload: Bytes,
    /// The replica key, wrapped by the export key.
    #[schema(value_type = String)]
    pub key_by_password: Bytes,
    /// The replica key, wrapped by the recovery code; left out where the code stays.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub key_by_recovery: Option<Bytes>,
    /// SHA-256 of the recovery code's proof; with `key_by_recovery`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub recovery_proof_hash: Option<Bytes>,
}

/// Answers the first message. The caller has checked the purpose.
///
/// # Errors
/// [`AuthError::MessageInvalid`] when the request is no OPAQUE message.
pub async fn start(state: &AppState, purpose: Purpose, request: &Bytes) -> Result<RegistrationView, AuthError> {
    let (credential_id, argon2) = (clock::random(), Argon2Params::DEFAULT);
    let response = state.opaque.secret().await?.register(request, &credential_id)?;
    let known = match purpose {
        // After a reset nothing opens the old replica key any more: another one is drawn, with another code.
        Purpose::Setup | Purpose::Invitation(_) | Purpose::Reset(_) => None,
        Purpose::Password(member) | Purpose::Recovery(member) => Some(member),
    };
    let recovery = match known {
        Some(member) => {
            state.db.read(move |conn| Ok::<_, AuthError>(credentials::find_recovery(conn, member)?)).await?
        }
        None => None,
    };
    let registration = state.registrations.put(clock::now(), Begun { purpose, credential_id, argon2 });
    let key_by_recovery = recovery.map(|recovery| Bytes(recovery.key));
    Ok(RegistrationView { registration, response, argon2, key_by_recovery })
}

/// Takes a registration, once; gives what it was for and what to store.
///
/// # Errors
/// [`AuthError::RegistrationGone`] when it has run out, was taken, or began before the server did: begin again.
pub fn take(state: &AppState, finished: &FinishedRegistration) -> Result<(Purpose, Credentials), AuthError> {
    let begun = state.registrations.take(clock::now(), &finished.id).ok_or(AuthError::RegistrationGone)?;
    let recovery = match (&finished.key_by_recovery, &finished.recovery_proof_hash) {
        (Some(key), Some(hash)) => {
            if key.len() != keys::WRAPPED_BYTES || hash.len() != recovery::PROOF_HASH_BYTES {
                return Err(AuthError::MessageInvalid);
            }
            Some(Recovery { key: key.to_vec(), proof_hash: hash.to_vec() })
        }
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => return Err(AuthError::MessageInvalid),
    };
    if finished.key_by_password.len() != keys::WRAPPED_BYTES {
        return Err(AuthError::MessageInvalid);
    }
    let credentials = Credentials {
        credential_id: begun.credential_id,
        record: server::record(&finished.upload)?,
        argon2: begun.argon2,
        key_by_password: finished.key_by_password.to_vec(),
        recovery,
    };
    Ok((begun.purpose, credentials))
}

/// Whether somebody holds the recovery code of the account of an email. Counts as an attempt at the account.
///
/// # Errors
/// [`AuthError::RecoveryFailed`] when the proof is wrong or there is no such account: one answer for both.
pub(super) async fn check_recovery(
    state: &AppState,
    email: &str,
    proof: Bytes,
    address: IpAddr,
) -> Result<MemberId, AuthError> {
    let email = email.trim().to_lowercase();
    let (now, account, address) = (clock::now(), digest(&email), address_key(address));
    state.limits.try_account(account, address, now)?;
    let found = state.db.read(move |conn| {
        let Some(sign_in) = credentials::find_sign_in(conn, &email)? else { return Ok::<_, AuthError>(None) };
        Ok(credentials::find_recovery(conn, sign_in.member)?.map(|recovery| (sign_in.member, recovery.proof_hash)))
    });
    let (member, hash) = found.await?.map_or((None, vec![0; 32]), |(member, hash)| (Some(member), hash));
    let fits = recovery::is_proof_of(&proof, &hash);
    let Some(member) = member.filter(|_| fits) else {
        tracing::warn!("a recovery code was refused");
        return Err(AuthError::RecoveryFailed);
    };
    state.limits.give_account_back(account, address);
    Ok(member)
}
