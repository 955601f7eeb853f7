//! The people of the house: members, invitations, one's own account.

use super::{ApiError, Items, SignedIn, body, call, post, read};
use crate::keys::Registration;
use serde::{Deserialize, Serialize};
use shared::profile::{Language, Standing};
use shared::{DeviceId, InvitationId, MemberId, Role, TokenId, UnixMillis};

/// A member.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Member {
    /// Who.
    pub id: MemberId,
    /// As the household calls them.
    pub nickname: String,
    /// Their face.
    pub avatar: String,
    /// Admin or member.
    pub role: Role,
    /// Active or disabled.
    pub standing: Standing,
    /// What admins see besides.
    #[serde(default)]
    pub account: Option<MemberAccount>,
}

/// What admins see besides.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct MemberAccount {
    /// To sign in with.
    pub email: String,
    /// Theirs.
    pub language: Language,
    /// How many are signed in.
    pub devices: u32,
    /// When one of them was last used.
    pub last_seen_at: Option<UnixMillis>,
}

/// What to change of a member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MemberPatch {
    /// Admin or member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Active or disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
}

/// An invitation nobody has used.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Invitation {
    /// Which.
    pub id: InvitationId,
    /// What it makes of whoever accepts.
    pub role: Role,
    /// When it ends.
    pub expires_at: UnixMillis,
    /// For the link; only of one just written.
    #[serde(default)]
    pub token: String,
}

/// What an invitation leads to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct InvitationLook {
    /// Who invites.
    pub inviter: String,
    /// May be empty.
    pub household: String,
    /// What to greet in.
    #[serde(default)]
    pub language: Option<Language>,
}

/// Whose password a reset link sets.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ResetLook {
    /// As the household calls them.
    pub nickname: String,
    /// To sign in with.
    pub email: String,
}

/// The household.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Household {
    /// Empty until it has one.
    pub name: String,
    /// Where it is reached from outside, if somebody said.
    #[serde(default)]
    pub public_url: Option<String>,
}

/// One's own account, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Account {
    /// To sign in with.
    pub email: String,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// As the household calls them.
    pub nickname: String,
    /// Their face.
    pub avatar: String,
}

/// What to change of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AccountPatch {
    /// To sign in with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Given name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    /// Family name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// As the household calls them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
    /// Their face.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
}

/// One of the member's devices.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Device {
    /// Which.
    pub id: DeviceId,
    /// Browser and system.
    pub name: String,
    /// To the hour.
    pub last_seen_at: UnixMillis,
    /// This one.
    pub current: bool,
}

/// A personal access token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Token {
    /// Which.
    pub id: TokenId,
    /// As its member calls it.
    pub name: String,
    /// `read`, `talk`, `manage`.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created_at: UnixMillis,
    /// Only of one just made.
    #[serde(default)]
    pub secret: String,
}

/// Who comes in by an invitation.
#[derive(Clone, PartialEq, Serialize)]
pub struct AcceptRequest {
    /// From the link.
    pub token: String,
    /// To sign in with.
    pub email: String,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// As Kins will call them.
    pub nickname: String,
    /// Their language.
    pub language: Language,
    /// A built-in portrait, or empty.
    pub avatar: String,
    /// Their password.
    pub registration: Registration,
}

#[derive(Serialize)]
struct OfToken<'a> {
    token: &'a str,
}

/// Everyone with an account.
pub async fn members() -> Result<Vec<Member>, ApiError> {
    let items: Items<Member> = read(call("GET", "/api/members", None).await?)?;
    Ok(items.items)
}

/// Changes a member's role or standing.
pub async fn change_member(id: MemberId, patch: &MemberPatch) -> Result<(), ApiError> {
    call("PATCH", &format!("/api/members/{id}"), Some(body(patch)?)).await.map(drop)
}

/// Deletes a member's account.
pub async fn delete_member(id: MemberId) -> Result<(), ApiError> {
    call("DELETE", &format!("/api/members/{id}"), None).await.map(drop)
}

/// Makes a member the admin instead of oneself.
pub async fn hand_over(id: MemberId) -> Result<(), ApiError> {
    call("POST", &format!("/api/members/{id}/hand-over"), None).await.map(drop)
}

/// Writes a reset link; gives its token.
pub async fn reset_member(id: MemberId) -> Result<String, ApiError> {
    #[derive(Deserialize)]
    struct Reset {
        token: String,
    }
    let reset: Reset = read(call("POST", &format!("/api/members/{id}/reset"), None).await?)?;
    Ok(reset.token)
}

/// Invitations nobody has used.
pub async fn invitations() -> Result<Vec<Invitation>, ApiError> {
    let items: Items<Invitation> = read(call("GET", "/api/invitations", None).await?)?;
    Ok(items.items)
}

/// Writes an invitation.
pub async fn invite(role: Role, language: Language) -> Result<Invitation, ApiError> {
    #[derive(Serialize)]
    struct Invite {
        role: Role,
        language: Language,
    }
    post("/api/invitations", &Invite { role, language }).await
}

/// Takes an invitation back.
pub async fn withdraw_invitation(id: InvitationId) -> Result<(), ApiError> {
    call("DELETE", &format!("/api/invitations/{id}"), None).await.map(drop)
}

/// Reads what a link invites to.
pub async fn look_at_invitation(token: &str) -> Result<InvitationLook, ApiError> {
    post("/api/invitations/look", &OfToken { token }).await
}

/// Makes the account and signs in.
pub async fn accept_invitation(request: &AcceptRequest) -> Result<SignedIn, ApiError> {
    post("/api/invitations/accept", request).await
}

/// Reads whose password a link sets.
pub async fn look_at_reset(token: &str) -> Result<ResetLook, ApiError> {
    post("/api/resets/look", &OfToken { token }).await
}

/// Sets the password and signs in.
pub async fn accept_reset(token: &str, registration: &Registration) -> Result<SignedIn, ApiError> {
    #[derive(Serialize)]
    struct Accept<'a> {
        token: &'a str,
        registration: &'a Registration,
    }
    post("/api/resets/accept", &Accept { token, registration }).await
}

/// The household's name and address.
pub async fn household() -> Result<Household, ApiError> {
    read(call("GET", "/api/household", None).await?)
}

/// Names the household.
pub async fn name_household(name: &str) -> Result<(), ApiError> {
    #[derive(Serialize)]
    struct Name<'a> {
        name: &'a str,
    }
    call("PATCH", "/api/household", Some(body(&Name { name })?)).await.map(drop)
}

/// One's own account.
pub async fn account() -> Result<Account, ApiError> {
    read(call("GET", "/api/me", None).await?)
}

/// Changes it.
pub async fn change_account(patch: &AccountPatch) -> Result<Account, ApiError> {
    read(call("PATCH", "/api/me", Some(body(patch)?)).await?)
}

/// Deletes it, within minutes of a sign-in.
pub async fn delete_account() -> Result<(), ApiError> {
    call("DELETE", "/api/me", None).await.map(drop)
}

/// One's own devices, last seen first.
pub async fn devices() -> Result<Vec<Device>, ApiError> {
    let items: Items<Device> = read(call("GET", "/api/me/devices", None).await?)?;
    Ok(items.items)
}

/// Signs a device out; it wipes itself.
pub async fn revoke_device(id: DeviceId) -> Result<(), ApiError> {
    call("DELETE", &format!("/api/me/devices/{id}"), None).await.map(drop)
}

/// Signs all other devices out.
pub async fn revoke_others() -> Result<(), ApiError> {
    call("POST", "/api/auth/logout-everywhere", Some("{\"keep_this\":true}".to_owned())).await.map(drop)
}

/// One's own tokens.
pub async fn tokens() -> Result<Vec<Token>, ApiError> {
    let items: Items<Token> = read(call("GET", "/api/me/tokens", None).await?)?;
    Ok(items.items)
}

/// Makes a token; the answer holds its secret.
pub async fn add_token(name: &str, scopes: &[&str]) -> Result<Token, ApiError> {
    #[derive(Serialize)]
    struct New<'a> {
        name: &'a str,
        scopes: &'a [&'a str],
    }
    post("/api/me/tokens", &New { name, scopes }).await
}

/// Takes a token back.
pub async fn revoke_token(id: TokenId) -> Result<(), ApiError> {
    call("DELETE", &format!("/api/me/tokens/{id}"), None).await.map(drop)
}
