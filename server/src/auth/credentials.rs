//! The table `credential`: what sign-ins are checked with.

use super::AuthError;
use crate::clock::SystemRandom;
use crate::db::RowExt;
use credentials::server::{self, CREDENTIAL_ID_BYTES, ServerSecret};
use credentials::{Argon2Params, RecoveryCode, ReplicaKey, client, recovery};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use shared::{MemberId, UnixMillis};
use zeroize::Zeroizing;

/// Shortest password. The server sees only those made on its own command line; the app asks for the same.
pub const MIN_PASSWORD_CHARS: usize = 8;
/// Longest password.
pub const MAX_PASSWORD_BYTES: usize = 1024;

/// What a finished registration leaves with the server.
#[derive(Clone)]
pub struct Credentials {
    /// As drawn when it began.
    pub credential_id: [u8; CREDENTIAL_ID_BYTES],
    /// OPAQUE's record.
    pub record: Vec<u8>,
    /// As the client was told.
    pub argon2: Argon2Params,
    /// The replica key, wrapped.
    pub key_by_password: Vec<u8>,
    /// The recovery code's part; `None` leaves the one there is.
    pub recovery: Option<Recovery>,
}

/// What belongs to a recovery code.
#[derive(Clone)]
pub struct Recovery {
    /// The replica key, wrapped.
    pub key: Vec<u8>,
    /// SHA-256 of the proof.
    pub proof_hash: Vec<u8>,
}

/// What a sign-in needs.
pub(super) struct SignIn {
    pub(super) member: MemberId,
    pub(super) credential_id: Vec<u8>,
    pub(super) record: Vec<u8>,
    pub(super) argon2: Argon2Params,
    pub(super) key_by_password: Vec<u8>,
}

/// Writes a member's credentials, new or in place of what there was.
///
/// # Errors
/// [`AuthError::RecoveryMissing`] when the member has no recovery code and gets none.
pub fn store(
    tx: &Transaction<'_>,
    member: MemberId,
    credentials: &Credentials,
    now: UnixMillis,
) -> Result<(), AuthError> {
    let Credentials { credential_id, record, argon2, key_by_password, recovery } = credentials;
    let there = match recovery {
        Some(recovery) => Some(recovery.clone()),
        None => find_recovery(tx, member)?,
    };
    let recovery = there.ok_or(AuthError::RecoveryMissing)?;
    tx.prepare_cached(
        "insert or replace into credential (member_id, credential_id, record, memory_kib, passes, lanes,
                                            key_by_password, key_by_recovery, recovery_proof_hash, changed_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        member.to_string(),
        credential_id,
        record,
        argon2.memory_kib,
        argon2.passes,
        argon2.lanes,
        key_by_password,
        recovery.key,
        recovery.proof_hash,
        now.0
    ])?;
    Ok(())
}

/// The credentials of the account of an email, unless it is disabled.
pub(super) fn find_sign_in(connection: &Connection, email: &str) -> rusqlite::Result<Option<SignIn>> {
    connection
        .prepare_cached(
            "select member_id, credential_id, record, memory_kib, passes, lanes, key_by_password
               from credential join member on member.id = member_id
              where email = ?1 and disabled_at is null",
        )?
        .query_row([email], |row| {
            Ok(SignIn {
                member: row.id("member_id")?,
                credential_id: row.get("credential_id")?,
                record: row.get("record")?,
                argon2: Argon2Params {
                    memory_kib: row.get("memory_kib")?,
                    passes: row.get("passes")?,
                    lanes: row.get("lanes")?,
                },
                key_by_password: row.get("key_by_password")?,
            })
        })
        .optional()
}

/// What belongs to a member's recovery code.
pub fn find_recovery(connection: &Connection, member: MemberId) -> rusqlite::Result<Option<Recovery>> {
    connection
        .prepare_cached("select key_by_recovery, recovery_proof_hash from credential where member_id = ?1")?
        .query_row([member.to_string()], |row| {
            Ok(Recovery { key: row.get("key_by_recovery")?, proof_hash: row.get("recovery_proof_hash")? })
        })
        .optional()
}

/// Registers a password that was typed at the server itself; gives the recovery code, the only time it is seen.
///
/// # Errors
/// When it is too short or too long. Takes its time: not for async threads.
pub fn register_here(
    secret: &ServerSecret,
    password: &Zeroizing<String>,
    argon2: Argon2Params,
) -> Result<(Credentials, RecoveryCode), AuthError> {
    if password.chars().count() < MIN_PASSWORD_CHARS {
        return Err(AuthError::PasswordTooShort);
    }
    if password.len() > MAX_PASSWORD_BYTES {
        return Err(AuthError::PasswordTooLong);
    }
    let rng = &mut SystemRandom;
    let credential_id = crate::clock::random();
    let (registering, request) = client::Registering::start(rng, password)?;
    let response = secret.register(&request, &credential_id)?;
    let registered = registering.finish(rng, &response, argon2)?;
    let (key, code) = (ReplicaKey::generate(rng), RecoveryCode::generate(rng));
    let recovery =
        Recovery { key: key.wrap_by_recovery(rng, &code).0, proof_hash: recovery::proof_hash(&code.proof()).to_vec() };
    let credentials = Credentials {
        credential_id,
        record: server::record(&registered.upload)?,
        argon2,
        key_by_password: key.wrap_by_password(rng, &registered.export_key).0,
        recovery: Some(recovery),
    };
    Ok((credentials, code))
}
