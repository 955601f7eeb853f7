//! `/api/audit`

use super::{Check, Entry, check, list};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::{Db, DbError};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use shared::{DeviceId, MemberId, Right, UnixMillis};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Rows of a page unless it asks for another number.
const PAGE: u32 = 50;
/// Most rows of a page.
const MAX_PAGE: u32 = 200;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_audit)).routes(routes!(check_audit))
}

/// Which page.
#[derive(Deserialize, IntoParams)]
struct AuditQuery {
    /// Rows older than this one, as `next` gave it.
    before: Option<i64>,
    /// 1 to 200, else 50.
    limit: Option<u32>,
}

/// One deed.
#[derive(Serialize, ToSchema)]
struct AuditView {
    id: i64,
    #[schema(value_type = i64)]
    at: UnixMillis,
    /// Who; null when nobody was signed in.
    #[schema(value_type = Option<String>)]
    member_id: Option<MemberId>,
    #[schema(value_type = Option<String>)]
    device_id: Option<DeviceId>,
    /// What: `member_disabled` …
    action: String,
    /// To whom or what: an id, a role, a code.
    detail: String,
    /// Under which right or proof.
    why: String,
}

impl From<Entry> for AuditView {
    fn from(entry: Entry) -> Self {
        let Entry { id, at, member, device, action, detail, why } = entry;
        Self { id, at, member_id: member, device_id: device, action, detail, why }
    }
}

/// A page of the audit log.
#[derive(Serialize, ToSchema)]
struct AuditPage {
    items: Vec<AuditView>,
    /// For the next page; null at the end.
    next: Option<i64>,
}

/// Whether the audit log is what was written.
#[derive(Serialize, ToSchema)]
struct AuditCheckView {
    whole: bool,
    /// The first row that does not follow from the one before.
    broken_at: Option<i64>,
}

/// Lists sensitive deeds, newest first.
///
/// 200 · 403 `admin_only`
#[utoipa::path(get, path = "/api/audit", tag = "household", params(AuditQuery), responses(
    (status = 200, body = AuditPage), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn list_audit(
    State(db): State<Db>,
    caller: Caller,
    Query(query): Query<AuditQuery>,
) -> Result<Json<AuditPage>, ApiError> {
    caller.must(Right::ManageServer)?;
    let (before, limit) = (query.before.unwrap_or(i64::MAX), query.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE));
    let entries = db.read(move |connection| Ok::<_, DbError>(list(connection, before, limit)?)).await?;
    let next = entries.last().filter(|last| entries.len() == limit as usize && last.id > 1).map(|last| last.id);
    Ok(Json(AuditPage { items: entries.into_iter().map(AuditView::from).collect(), next }))
}

/// Looks through the whole audit log for signs of tampering.
///
/// 200 · 403 `admin_only`
#[utoipa::path(get, path = "/api/audit/check", tag = "household", responses(
    (status = 200, body = AuditCheckView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn check_audit(State(db): State<Db>, caller: Caller) -> Result<Json<AuditCheckView>, ApiError> {
    caller.must(Right::ManageServer)?;
    let found = db.read(|connection| Ok::<_, DbError>(check(connection)?)).await?;
    let broken_at = match found {
        Check::Whole(_) => None,
        Check::Broken(id) => Some(id),
    };
    Ok(Json(AuditCheckView { whole: broken_at.is_none(), broken_at }))
}
