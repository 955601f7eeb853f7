//! `/api/me`.

use super::{MemberError, MemberRecord, rows};
use crate::app_state::AppState;
use crate::auth::{AuthError, Caller};
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use axum::extract::State;
use serde::Serialize;
use shared::{DeviceId, MemberId};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_me))
}

/// One's own account.
#[derive(Serialize, ToSchema)]
struct MeView {
    #[schema(value_type = String)]
    id: MemberId,
    email: String,
    first_name: String,
    last_name: String,
    nickname: String,
    /// Name of a built-in portrait, or empty.
    avatar: String,
    /// `en` or `fr`.
    language: &'static str,
    /// `admin` or `member`.
    role: &'static str,
    /// The device of this login; null for a personal access token.
    #[schema(value_type = Option<String>)]
    device_id: Option<DeviceId>,
}

/// Tells who is signed in.
///
/// 200 one's own account · 401 `not_signed_in`
#[utoipa::path(get, path = "/api/me", tag = "me", responses((status = 200, body = MeView), (status = 401, body = Problem)))]
async fn get_me(State(db): State<Db>, caller: Caller) -> Result<Json<MeView>, ApiError> {
    let id = caller.viewer.member;
    let member = db.read(move |connection| Ok::<_, MemberError>(rows::find(connection, id)?)).await?;
    let member = member.ok_or(AuthError::NotSignedIn)?;
    let MemberRecord { id, email, first_name, last_name, nickname, avatar, language, role } = member;
    let (language, role) = (language.as_str(), role.as_str());
    let device_id = caller.device;
    Ok(Json(MeView { id, email, first_name, last_name, nickname, avatar, language, role, device_id }))
}
