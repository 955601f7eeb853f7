//! The HTTP side as a whole: every route, and the layers around them.
//!
//! Routes are registered together with their OpenAPI description, so neither can exist without the other.

pub(crate) mod headers;
mod layers;
mod openapi;
pub mod serve;
mod sync_route;

use crate::app_state::AppState;
use crate::error::ApiError;
use crate::{
    audit, auth, events, health, household, invitations, kins, members, messages, pictures, providers, reach, setup,
    tokens, web,
};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

fn api() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(openapi::Description::openapi())
        .merge(health::router())
        .merge(reach::routes::router())
        .merge(setup::routes::router())
        .merge(auth::routes::router())
        .merge(members::routes::router())
        .merge(tokens::routes::router())
        .merge(invitations::routes::router())
        .merge(household::routes::router())
        .merge(audit::routes::router())
        .merge(providers::routes::router())
        .merge(kins::routes::router())
        .merge(pictures::routes::router())
        .merge(messages::routes::router())
        .merge(events::routes::router())
        .merge(sync_route::router())
        .merge(openapi::router())
}

/// The OpenAPI document of [`router`].
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().to_openapi()
}

/// Everything the server answers.
pub fn router(state: AppState) -> Router {
    let (routes, _) = api().split_for_parts();
    routes
        .fallback(web::serve)
        .method_not_allowed_fallback(async || {
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "this address does not take this method",
            )
        })
        .layer(from_fn_with_state(state.reach.clone(), auth::refuse_other_origins))
        .layer(CatchPanicLayer::custom(layers::panicked))
        .layer(from_fn_with_state(state.reach.clone(), auth::translate_local_cookie))
        .layer(from_fn_with_state(state.reach.clone(), reach::arrive))
        .layer(from_fn(layers::trace))
        .with_state(state)
}
