//! `/api/kins/{id}/messages`, `/api/kins/{id}/stop`, `/api/messages/*`.

use super::idempotency::Key;
use super::list::{Listed, list};
use super::send::send;
use super::{MessageError, ask};
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::db::Db;
use crate::engine::Engine;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path, Query};
use crate::hub::Hub;
use crate::kins::{self, KinError};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use shared::{Author, Failure, KinId, MemberId, MessageId, Right, TurnId, UnixMillis};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const PAGE: usize = 50;
const MAX_PAGE: usize = 200;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(send_message, list_messages))
        .routes(routes!(stop_turn))
        .routes(routes!(retry_answer))
        .routes(routes!(withdraw_message))
        .routes(routes!(redact_message))
}

/// A message to send.
#[derive(Deserialize, ToSchema)]
struct SendMessageRequest {
    /// Markdown.
    text: String,
    /// A message of the same thread that this one quotes.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reply_to: Option<MessageId>,
}

/// A message that was admitted.
#[derive(Serialize, ToSchema)]
struct SentView {
    #[schema(value_type = String)]
    id: MessageId,
}

/// Which page.
#[derive(Deserialize, IntoParams)]
struct PageQuery {
    /// Messages of the page, at most 200; 50 by default.
    #[serde(default)]
    limit: Option<usize>,
    /// The `next` of the page before.
    #[serde(default)]
    before: Option<String>,
}

/// Who wrote a message.
#[derive(Serialize, ToSchema)]
struct AuthorView {
    /// `member` or `kin`.
    kind: &'static str,
    id: String,
    name: String,
}

/// Why an answer failed.
#[derive(Serialize, ToSchema)]
struct FailureView {
    /// E.g. `rate_limited`, `unreachable`, `unauthorized`.
    kind: &'static str,
    /// The provider's own words; may be empty.
    detail: String,
    /// When the provider says it may be asked again.
    #[schema(value_type = Option<i64>)]
    retry_at: Option<UnixMillis>,
}

/// One member's reaction.
#[derive(Serialize, ToSchema)]
struct ReactionView {
    #[schema(value_type = String)]
    member_id: MemberId,
    /// One emoji.
    emoji: String,
}

/// A message.
#[derive(Serialize, ToSchema)]
struct MessageView {
    #[schema(value_type = String)]
    id: MessageId,
    /// Its number in the thread, ascending.
    seq: i64,
    author: AuthorView,
    /// Markdown; empty for what somebody else took back.
    text: String,
    /// Of a member's message: `waiting`, `running`, `done` or `withdrawn`; of an answer: `done`, `stopped` or `failed`; of
    /// either `redacted` when its words were taken away.
    state: &'static str,
    #[schema(value_type = i64)]
    sent_at: UnixMillis,
    /// The message this one answers.
    #[schema(value_type = Option<String>)]
    answers: Option<MessageId>,
    /// The turn that made this answer.
    #[schema(value_type = Option<String>)]
    turn_id: Option<TurnId>,
    /// The message this one quotes.
    #[schema(value_type = Option<String>)]
    reply_to: Option<MessageId>,
    /// How members reacted to it.
    reactions: Vec<ReactionView>,
    failure: Option<FailureView>,
}

/// A page of messages, newest first.
#[derive(Serialize, ToSchema)]
struct MessagesView {
    items: Vec<MessageView>,
    /// For `before`, to get the page of older ones; null when there are none.
    next: Option<String>,
}

impl From<Listed> for MessageView {
    fn from(message: Listed) -> Self {
        let kind = match message.author {
            Author::Member(_) => "member",
            Author::Kin(_) => "kin",
        };
        let failure = message.failure.map(|Failure { kind, detail, retry_at }| FailureView {
            kind: kind.as_str(),
            detail,
            retry_at,
        });
        Self {
            id: message.id,
            seq: message.seq,
            author: AuthorView { kind, id: message.author.to_string(), name: message.author_name },
            text: message.text,
            state: message.state,
            sent_at: message.sent_at,
            answers: message.answers,
            turn_id: message.turn,
            reply_to: message.reply_to,
            reactions: message
                .reactions
                .into_iter()
                .map(|(member_id, emoji)| ReactionView { member_id, emoji })
                .collect(),
            failure,
        }
    }
}

/// Sends a message to a Kin. It is admitted when this answers; the Kin's answer comes later.
///
/// 202 · 404 `kin_not_found` · 413 `message_too_large` `body_too_large` · 422 `message_empty` `reply_to_unknown`
/// `idempotency_key_reused` `idempotency_key_invalid`
#[utoipa::path(post, path = "/api/kins/{id}/messages", tag = "messages",
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header,
        description = "A repeat with the same key gets the same answer and sends nothing.")),
    request_body = SendMessageRequest, responses(
    (status = 202, body = SentView), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
    (status = 413, body = Problem), (status = 422, body = Problem)))]
#[tracing::instrument(skip_all, fields(kin.id = %kin))]
async fn send_message(
    State(hub): State<Hub>,
    caller: Caller,
    headers: HeaderMap,
    Path(kin): Path<KinId>,
    Json(body): Json<SendMessageRequest>,
) -> Result<(StatusCode, Json<SentView>), ApiError> {
    caller.must(Right::Talk)?;
    let quoted = body.reply_to.map(|id| id.to_string()).unwrap_or_default();
    let key = Key::of(&headers, &["send_message", &kin.to_string(), &body.text, &quoted])?;
    let id = send(&hub, caller.viewer, kin, body.text, body.reply_to, key).await?;
    Ok((StatusCode::ACCEPTED, Json(SentView { id })))
}

/// Lists a Kin's household thread, newest first.
///
/// 200 · 400 `cursor_invalid` · 404 `kin_not_found`
#[utoipa::path(get, path = "/api/kins/{id}/messages", tag = "messages", params(("id" = String, Path), PageQuery), responses(
    (status = 200, body = MessagesView), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem),
    (status = 404, body = Problem)))]
async fn list_messages(
    State(db): State<Db>,
    caller: Caller,
    Path(kin): Path<KinId>,
    Query(page): Query<PageQuery>,
) -> Result<Json<MessagesView>, ApiError> {
    caller.must(Right::ReadHousehold)?;
    let limit = page.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
    let before =
        page.before.map(|before| before.parse::<i64>().map_err(|_| MessageError::CursorInvalid)).transpose()?;
    let viewer = caller.viewer;
    let mut found = db
        .read(move |connection| {
            let session = kins::find(connection, kin)?.ok_or(KinError::NotFound(kin))?.session;
            Ok::<_, MessageError>(list(connection, viewer, session, before.unwrap_or(i64::MAX), limit + 1)?)
        })
        .await?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|last| last.seq.to_string());
    Ok(Json(MessagesView { items: found.into_iter().map(MessageView::from).collect(), next }))
}

/// Stops the Kin's running answer; what came so far is kept.
///
/// 204 · 404 `kin_not_found` · 409 `turn_not_running`
#[utoipa::path(post, path = "/api/kins/{id}/stop", tag = "messages", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem)))]
#[tracing::instrument(skip_all, fields(kin.id = %kin))]
async fn stop_turn(
    State(db): State<Db>,
    State(engine): State<Engine>,
    caller: Caller,
    Path(kin): Path<KinId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::Talk)?;
    ask::stop(&db, &engine, caller.viewer, kin).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tries a failed or stopped answer again. The id is the answer's, or that of the message it answers.
///
/// 204 · 404 `not_found` · 409 `not_retryable`
#[utoipa::path(post, path = "/api/messages/{id}/retry", tag = "messages", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem)))]
async fn retry_answer(
    State(db): State<Db>,
    State(engine): State<Engine>,
    caller: Caller,
    Path(message): Path<MessageId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::Talk)?;
    ask::retry(&db, &engine, caller.viewer, message).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes back one's own message while it waits.
///
/// 204 · 403 `not_yours` · 404 `not_found` · 409 `not_waiting`
#[utoipa::path(post, path = "/api/messages/{id}/withdraw", tag = "messages", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem)))]
async fn withdraw_message(
    State(engine): State<Engine>,
    caller: Caller,
    Path(message): Path<MessageId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::Talk)?;
    ask::withdraw(&engine, caller.viewer, message).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a message's words away, for everybody and for good. Its author may, an admin, and of an answer whoever asked.
///
/// 204 · 403 `not_yours` · 404 `not_found` · 409 `still_running`
#[utoipa::path(post, path = "/api/messages/{id}/redact", tag = "messages", params(("id" = String, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem)))]
async fn redact_message(
    State(engine): State<Engine>,
    caller: Caller,
    Path(message): Path<MessageId>,
) -> Result<StatusCode, ApiError> {
    caller.must(Right::Talk)?;
    ask::redact(&engine, caller.viewer, message).await?;
    Ok(StatusCode::NO_CONTENT)
}
