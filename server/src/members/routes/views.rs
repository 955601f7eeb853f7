//! What the routes take and give.

use crate::members::MemberError;
use crate::members::rows::{MemberRecord, Presence};
use serde::{Deserialize, Serialize};
use shared::profile::Standing;
use shared::{DeviceId, MemberId, Role, UnixMillis};
use utoipa::ToSchema;

/// A member.
#[derive(Serialize, ToSchema)]
pub(super) struct MemberView {
    #[schema(value_type = String)]
    id: MemberId,
    nickname: String,
    /// Name of a built-in portrait, a picture's id, or empty.
    avatar: String,
    /// `admin` or `member`.
    role: &'static str,
    /// `active` or `disabled`.
    standing: &'static str,
    /// The rest is for admins.
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<AccountView>,
}

/// What admins see besides.
#[derive(Serialize, ToSchema)]
struct AccountView {
    email: String,
    first_name: String,
    last_name: String,
    /// `en` or `fr`.
    language: &'static str,
    /// How many devices are signed in.
    devices: u32,
    /// When one of them was last used, to the hour; null when none ever was.
    #[schema(value_type = Option<i64>)]
    last_seen_at: Option<UnixMillis>,
    #[schema(value_type = i64)]
    created_at: UnixMillis,
}

impl MemberView {
    /// With what admins see if `presence` is given.
    pub fn new(member: MemberRecord, presence: Option<Presence>) -> Self {
        let (id, role, standing) = (member.id, member.role.as_str(), member.standing.as_str());
        let account = presence.map(|Presence { devices, last_seen_at }| AccountView {
            email: member.email,
            first_name: member.first_name,
            last_name: member.last_name,
            language: member.language.as_str(),
            devices,
            last_seen_at,
            created_at: member.created_at,
        });
        Self { id, nickname: member.nickname, avatar: member.avatar, role, standing, account }
    }
}

/// Everyone with an account.
#[derive(Serialize, ToSchema)]
pub(super) struct MembersView {
    pub items: Vec<MemberView>,
}

/// What to change; fields left out stay as they are.
#[derive(Deserialize, ToSchema)]
pub(super) struct ChangeMemberRequest {
    /// `admin` or `member`.
    #[serde(default)]
    role: Option<String>,
    /// `active` or `disabled`.
    #[serde(default)]
    standing: Option<String>,
}

impl ChangeMemberRequest {
    pub fn role(&self) -> Result<Option<Role>, MemberError> {
        self.role.as_deref().map(|role| role.parse().map_err(|_| MemberError::RoleUnknown)).transpose()
    }

    pub fn standing(&self) -> Result<Option<Standing>, MemberError> {
        let read = |text: &str| match text {
            "active" => Ok(Standing::Active),
            "disabled" => Ok(Standing::Disabled),
            _ => Err(MemberError::StandingUnknown),
        };
        self.standing.as_deref().map(read).transpose()
    }
}

/// One's own account.
#[derive(Serialize, ToSchema)]
pub(super) struct MeView {
    #[schema(value_type = String)]
    pub id: MemberId,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub nickname: String,
    /// Name of a built-in portrait, a picture's id, or empty.
    pub avatar: String,
    /// `en` or `fr`.
    pub language: &'static str,
    /// `admin` or `member`.
    pub role: &'static str,
    /// The device of this login; null for a personal access token.
    #[schema(value_type = Option<String>)]
    pub device_id: Option<DeviceId>,
}

impl MeView {
    pub fn new(member: MemberRecord, device_id: Option<DeviceId>) -> Self {
        let (language, role) = (member.language.as_str(), member.role.as_str());
        let MemberRecord { id, email, first_name, last_name, nickname, avatar, .. } = member;
        Self { id, email, first_name, last_name, nickname, avatar, language, role, device_id }
    }
}
