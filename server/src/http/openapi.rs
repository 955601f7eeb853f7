//! The OpenAPI document.

use crate::app_state::AppState;
use axum::http::header;
use axum::response::IntoResponse;
use std::sync::OnceLock;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Kinstead",
        description = "The API of a household's Kinstead. Failed requests answer with problem details (RFC 9457) \
            and a stable `code`. Moments are milliseconds since 1970 UTC.",
        license(name = "AGPL-3.0-or-later", identifier = "AGPL-3.0-or-later")
    ),
    security(("token" = []), ("cookie" = [])),
    modifiers(&Schemes)
)]
pub(super) struct Description;

struct Schemes;

impl Modify for Schemes {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let token = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("A personal access token, `kst_…`."))
            .build();
        components.add_security_scheme("token", SecurityScheme::Http(token));
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
            crate::auth::COOKIE,
            "Set by signing in. Requests that change something must come from Kinstead's own pages.",
        ));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
    }
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_openapi))
}

/// This document.
///
/// 200
#[utoipa::path(get, path = "/api/openapi.json", tag = "about", security(()), responses((status = 200, body = serde_json::Value)))]
async fn get_openapi() -> impl IntoResponse {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| super::openapi().to_json().expect("the document is plain data"));
    ([(header::CONTENT_TYPE, "application/json")], text.as_str())
}
