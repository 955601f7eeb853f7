//! Kins: order, putting away, deleting and bringing back.

use super::{ApiError, Items, body, call, read};
use serde::{Deserialize, Serialize};
use shared::{KinId, MemberId, PictureId, ProviderId, UnixMillis};

/// How much there is of a Kin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct KinSummary {
    /// Messages of its thread.
    pub messages: u32,
    /// When it moved in.
    pub created_at: UnixMillis,
}

/// A Kin that was deleted and can be brought back.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DeletedKin {
    /// Which.
    pub id: KinId,
    /// As it was called.
    pub name: String,
    /// Its face.
    pub avatar: String,
    /// Its colour.
    pub hue: String,
    /// Messages that come back with it.
    pub messages: u32,
    /// Who deleted it, if that is known.
    pub deleted_by: Option<MemberId>,
    /// When.
    pub deleted_at: UnixMillis,
    /// When nothing of it is left.
    pub ends_at: UnixMillis,
}

/// Who is to be drawn, or what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DrawRequest {
    /// Display name.
    pub name: String,
    /// One line.
    pub role: String,
    /// Tone and personality.
    pub character: String,
    /// The member's own words instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

/// What draws.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ImageChoice {
    /// Which provider.
    pub provider_id: ProviderId,
    /// Which of its models.
    #[serde(default)]
    pub model: Option<String>,
}

/// The provider that draws for this household, if there is one.
pub async fn image_choice() -> Option<ImageChoice> {
    #[derive(Deserialize)]
    struct Defaults {
        image: Option<ImageChoice>,
    }
    let text = call("GET", "/api/providers/defaults", None).await.ok()?;
    read::<Defaults>(text).ok()?.image
}

/// Has a face drawn and kept.
pub async fn draw_face(request: &DrawRequest) -> Result<PictureId, ApiError> {
    #[derive(Deserialize)]
    struct Drawn {
        id: PictureId,
    }
    let drawn: Drawn = read(call("POST", "/api/kins/avatar-drafts", Some(body(request)?)).await?)?;
    Ok(drawn.id)
}

/// How much there is of a Kin.
pub async fn kin_summary(id: KinId) -> Result<KinSummary, ApiError> {
    read(call("GET", &format!("/api/kins/{id}/summary"), None).await?)
}

/// The Kins that can be brought back.
pub async fn deleted_kins() -> Result<Vec<DeletedKin>, ApiError> {
    let items: Items<DeletedKin> = read(call("GET", "/api/kins/deleted", None).await?)?;
    Ok(items.items)
}

/// Puts a Kin away.
pub async fn archive_kin(id: KinId) -> Result<(), ApiError> {
    call("POST", &format!("/api/kins/{id}/archive"), None).await.map(drop)
}

/// Brings one back that was put away.
pub async fn unarchive_kin(id: KinId) -> Result<(), ApiError> {
    call("POST", &format!("/api/kins/{id}/unarchive"), None).await.map(drop)
}

/// Brings one back that was deleted.
pub async fn restore_kin(id: KinId) -> Result<(), ApiError> {
    call("POST", &format!("/api/kins/{id}/restore"), None).await.map(drop)
}

/// Puts the Kins in order, for everybody.
pub async fn order_kins(ids: &[KinId]) -> Result<(), ApiError> {
    #[derive(Serialize)]
    struct Order<'a> {
        ids: &'a [KinId],
    }
    call("PUT", "/api/kins/order", Some(body(&Order { ids })?)).await.map(drop)
}
