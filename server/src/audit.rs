//! Sensitive deeds, written down once and never changed. Ids and codes only: no text of a member, no email, no secret.

use rusqlite::{Transaction, params};
use shared::{DeviceId, MemberId, UnixMillis};

/// What is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// An account was made.
    MemberCreated,
    /// A login began.
    SignedIn,
    /// A login ended.
    SignedOut,
    /// A device was signed out from afar.
    DeviceRevoked,
    /// A password was changed.
    PasswordChanged,
    /// A personal access token was made.
    TokenCreated,
    /// A Kin was removed.
    KinDeleted,
    /// It was brought back in time.
    KinRestored,
    /// It was not: nothing of it is left.
    KinPurged,
}

impl Deed {
    /// The form kept in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MemberCreated => "member_created",
            Self::SignedIn => "signed_in",
            Self::SignedOut => "signed_out",
            Self::DeviceRevoked => "device_revoked",
            Self::PasswordChanged => "password_changed",
            Self::TokenCreated => "token_created",
            Self::KinDeleted => "kin_deleted",
            Self::KinRestored => "kin_restored",
            Self::KinPurged => "kin_purged",
        }
    }
}

/// Writes a deed down in the transaction that does it.
///
/// # Errors
/// What SQLite says.
pub fn record(
    tx: &Transaction<'_>,
    at: UnixMillis,
    member: Option<MemberId>,
    device: Option<DeviceId>,
    deed: Deed,
    detail: &str,
) -> rusqlite::Result<()> {
    tx.prepare_cached("insert into audit (at, member_id, device_id, action, detail) values (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![
            at.0,
            member.map(|id| id.to_string()),
            device.map(|id| id.to_string()),
            deed.as_str(),
            detail
        ])?;
    Ok(())
}
