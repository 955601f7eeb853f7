//! `/api/kins`.

use super::change::{KinChange, change};
use super::create::{NewKin, create};
use super::remove::remove;
use super::{KinError, KinRecord, rows};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::Db;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path};
use crate::hub::Hub;
use crate::providers::Providers;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};
use shared::profile::ModelChoice;
use shared::{KinId, MemberId, ProviderId, Right, SessionId, UnixMillis};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_kins, create_kin))
        .routes(routes!(get_kin, change_kin, delete_kin))
        .merge(super::care_routes::router())
        .merge(super::draw_routes::router())
}

/// Which model a Kin thinks with.
#[derive(Serialize, Deserialize, ToSchema)]
struct ModelView {
    #[schema(value_type = String)]
    provider_id: ProviderId,
    /// As the provider lists it.
    name: String,
}

impl From<ModelView> for ModelChoice {
    fn from(ModelView { provider_id, name }: ModelView) -> Self {
        Self { provider_id, name }
    }
}

/// A Kin.
#[derive(Serialize, ToSchema)]
pub(super) struct KinView {
    #[schema(value_type = String)]
    id: KinId,
    slug: String,
    name: String,
    role: String,
    character: String,
    expertise: String,
    /// Null until one is chosen, or when its provider was removed.
    model: Option<ModelView>,
    /// Name of a built-in illustration, or a picture's id.
    avatar: String,
    hue: String,
    position: i64,
    /// Put away: not in lists, not written to.
    archived: bool,
    /// Its household thread.
    #[schema(value_type = String)]
    session_id: SessionId,
    #[schema(value_type = String)]
    created_by: MemberId,
    #[schema(value_type = i64)]
    created_at: UnixMillis,
}

impl From<KinRecord> for KinView {
    fn from(kin: KinRecord) -> Self {
        Self {
            id: kin.id,
            slug: kin.slug,
            name: kin.name,
            role: kin.role,
            character: kin.character,
            expertise: kin.expertise,
            model: kin.model.map(|ModelChoice { provider_id, name }| ModelView { provider_id, name }),
            avatar: kin.avatar,
            hue: kin.hue,
            position: kin.position,
            archived: kin.archived,
            session_id: kin.session,
            created_by: kin.created_by,
            created_at: kin.created_at,
        }
    }
}

/// Every Kin.
#[derive(Serialize, ToSchema)]
pub(super) struct KinsView {
    pub(super) items: Vec<KinView>,
}

/// A Kin to make.
#[derive(Deserialize, ToSchema)]
struct CreateKinRequest {
    name: String,
    #[serde(default)]
    role: String,
    #[serde(default)]
    character: String,
    #[serde(default)]
    expertise: String,
    #[serde(default)]
    model: Option<ModelView>,
    /// A built-in illustration or a picture's id; else the next illustration in turn.
    #[serde(default)]
    avatar: Option<String>,
    /// A hue; else the illustration's own.
    #[serde(default)]
    hue: Option<String>,
}

/// What to change; fields left out stay as they are.
#[derive(Deserialize, ToSchema)]
struct ChangeKinRequest {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    character: Option<String>,
    #[serde(default)]
    expertise: Option<String>,
    /// Null takes the model away.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<ModelView>)]
    model: Option<Option<ModelView>>,
    #[serde(default)]
    avatar: Option<String>,
    #[serde(default)]
    hue: Option<String>,
    #[serde(default)]
    position: Option<i64>,
}

/// Tells null from absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<ModelView>>, D::Error> {
    Option::<ModelView>::deserialize(deserializer).map(Some)
}

/// Changes whenever anything a client can read of the Kin does.
fn tag(kin: &KinRecord) -> String {
    let text = serde_json::to_vec(&KinView::from(kin.clone())).expect("a Kin is plain data");
    format!("\"{}\"", hex::encode(&Sha256::digest(text)[..12]))
}

pub(super) fn answer(status: StatusCode, kin: KinRecord) -> Response {
    let tag = HeaderValue::from_str(&tag(&kin)).expect("a tag is plain ASCII");
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"))];
    (status, headers, Json(KinView::from(kin))).into_response()
}

/// Whether a header such as `If-Match` names this tag.
fn names(headers: &HeaderMap, name: header::HeaderName, tag: &str) -> bool {
    let lines = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|one| matches!(one.trim(), "*") || one.trim() == tag)
}

/// Lists the household's Kins, in its order.
///
/// 200
#[utoipa::path(get, path = "/api/kins", tag = "kins", responses((status = 200, body = KinsView),
    (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn list_kins(State(db): State<Db>, caller: Caller) -> Result<Json<KinsView>, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let kins = db.read(|connection| Ok::<_, KinError>(rows::list(connection)?)).await?;
    Ok(Json(KinsView { items: kins.into_iter().map(KinView::from).collect() }))
}

/// Makes a Kin.
///
/// 201 · 422 `name_empty` `name_too_long` `role_too_long` `text_too_long` `avatar_unknown` `hue_unknown`
/// `provider_not_found` `model_unknown`
#[utoipa::path(post, path = "/api/kins", tag = "kins", request_body = CreateKinRequest, responses(
    (status = 201, body = KinView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 422, body = Problem)))]
async fn create_kin(
    State(hub): State<Hub>,
    State(providers): State<Providers>,
    caller: Caller,
    Json(body): Json<CreateKinRequest>,
) -> Result<Response, ApiError> {
    caller.must(Right::CareForKins)?;
    let CreateKinRequest { name, role, character, expertise, model, avatar, hue } = body;
    let new = NewKin { name, role, character, expertise, model: model.map(ModelChoice::from), avatar, hue };
    let kin = create(&hub, &providers, caller.viewer, new).await?;
    Ok(answer(StatusCode::CREATED, kin))
}

/// Reads a Kin.
///
/// 200 with an ETag · 304 · 404 `kin_not_found`
#[utoipa::path(get, path = "/api/kins/{id}", tag = "kins", params(("id" = String, Path)), responses(
    (status = 200, body = KinView), (status = 304), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn get_kin(
    State(db): State<Db>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<KinId>,
) -> Result<Response, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let kin = db.read(move |connection| Ok::<_, KinError>(rows::find(connection, id)?)).await?;
    let kin = kin.ok_or(KinError::NotFound(id))?;
    if names(&headers, header::IF_NONE_MATCH, &tag(&kin)) {
        return Ok(StatusCode::NOT_MODIFIED.into_response());
    }
    Ok(answer(StatusCode::OK, kin))
}

/// Changes a Kin. With `If-Match`, only if nobody has changed it since.
///
/// 200 · 404 `kin_not_found` · 412 `changed_meanwhile` · 422 as when making one
#[utoipa::path(patch, path = "/api/kins/{id}", tag = "kins", params(("id" = String, Path)),
    request_body = ChangeKinRequest, responses(
    (status = 200, body = KinView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
    (status = 412, body = Problem), (status = 422, body = Problem)))]
async fn change_kin(
    State(hub): State<Hub>,
    State(providers): State<Providers>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<KinId>,
    Json(body): Json<ChangeKinRequest>,
) -> Result<Response, ApiError> {
    caller.must(Right::CareForKins)?;
    let ChangeKinRequest { name, role, character, expertise, model, avatar, hue, position } = body;
    let model = model.map(|model| model.map(ModelChoice::from));
    let wanted = KinChange { name, role, character, expertise, model, avatar, hue, position };
    let unchanged =
        move |kin: &KinRecord| !headers.contains_key(header::IF_MATCH) || names(&headers, header::IF_MATCH, &tag(kin));
    let kin = change(&hub, &providers, caller.viewer, id, wanted, unchanged).await?;
    Ok(answer(StatusCode::OK, kin))
}

/// Removes a Kin and its thread from everyone's sight. For 30 days it can be brought back, then nothing of it is left.
///
/// 204 · 404 `kin_not_found`
#[utoipa::path(delete, path = "/api/kins/{id}", tag = "kins", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete_kin(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<KinId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::CareForKins)?;
    remove(&state.hub, &state.engine, caller, id).await?;
    state.kin_purge.note();
    Ok(StatusCode::NO_CONTENT)
}
