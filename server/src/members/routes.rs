//! `/api/members` and `/api/me`.

mod me;
mod views;

use super::change::{MemberChange, change, hand_over};
use super::remove::remove;
use super::{MemberError, rows};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::clock;
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path};
use crate::hub::Hub;
use axum::extract::State;
use axum::http::StatusCode;
use shared::{MemberId, Right};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use views::{ChangeMemberRequest, MemberView, MembersView};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_members))
        .routes(routes!(change_member, delete_member))
        .routes(routes!(hand_over_admin))
        .merge(me::router())
}

/// Lists who lives here. Admins see addresses and devices too.
///
/// 200
#[utoipa::path(get, path = "/api/members", tag = "members", responses(
    (status = 200, body = MembersView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn list_members(State(db): State<Db>, caller: Caller) -> Result<Json<MembersView>, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let sees_all = caller.must(Right::ManageMembers).is_ok();
    let now = clock::now();
    let items = db.read(move |connection| {
        let members = rows::list(connection)?;
        let with_presence = members.into_iter().map(|member| {
            let presence = if sees_all { Some(rows::presence(connection, member.id, now)?) } else { None };
            Ok(MemberView::new(member, presence))
        });
        with_presence.collect::<Result<Vec<_>, MemberError>>()
    });
    Ok(Json(MembersView { items: items.await? }))
}

/// Changes a member's role, or whether they may come in. Who is disabled is signed out everywhere, at once.
///
/// 200 · 403 `admin_only` · 404 `member_not_found` · 409 `last_admin` · 422 `role_unknown` `standing_unknown`
#[utoipa::path(patch, path = "/api/members/{id}", tag = "members", params(("id" = String, Path)),
    request_body = ChangeMemberRequest, responses((status = 200, body = MemberView), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 422, body = Problem)))]
async fn change_member(
    State(hub): State<Hub>,
    State(db): State<Db>,
    caller: Caller,
    Path(id): Path<MemberId>,
    Json(body): Json<ChangeMemberRequest>,
) -> Result<Json<MemberView>, ApiError> {
    caller.must(Right::ManageMembers)?;
    let wanted = MemberChange { role: body.role()?, standing: body.standing()? };
    let member = change(&hub, caller, id, wanted).await?;
    let now = clock::now();
    let presence = db.read(move |connection| Ok::<_, MemberError>(rows::presence(connection, id, now)?)).await?;
    Ok(Json(MemberView::new(member, Some(presence))))
}

/// Deletes a member's account for good: their devices wipe themselves, their own data goes. What they wrote in the
/// household's threads stays, without their name.
///
/// 204 · 403 `admin_only` · 404 `member_not_found` · 409 `last_admin`
#[utoipa::path(delete, path = "/api/members/{id}", tag = "members", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem)))]
async fn delete_member(
    State(hub): State<Hub>,
    caller: Caller,
    Path(id): Path<MemberId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::ManageMembers)?;
    remove(&hub, caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes another member an admin and oneself a member, in one step.
///
/// 204 · 403 `admin_only` · 404 `member_not_found` · 422 `oneself`
#[utoipa::path(post, path = "/api/members/{id}/hand-over", tag = "members", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 422, body = Problem)))]
async fn hand_over_admin(
    State(hub): State<Hub>,
    caller: Caller,
    Path(id): Path<MemberId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::ManageMembers)?;
    hand_over(&hub, caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
