//! Who may use which route: a table of every route there is, asked by everyone there can be.

use crate::support::{Call, House, PASSWORD, Person, answer, call, get};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use shared::Role;
use std::collections::BTreeSet;
use tower::ServiceExt;

/// Whom a route is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    /// Anyone who can reach the server.
    Anyone,
    /// Members, and tokens that may read.
    Readers,
    /// Members, and tokens that may talk.
    Talkers,
    /// Members, and tokens that may manage.
    Carers,
    /// Admins, and their tokens that may manage.
    Admins,
    /// Members on a device they are signed in on; no token.
    Oneself,
}

/// Who asks. The tokens are an admin's: they show what a scope lacks, not what a role does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Stranger,
    Member,
    Admin,
    Disabled,
    Deleted,
    ReadToken,
    TalkToken,
    ManageToken,
    MembersToken,
}

const EVERYONE: [Who; 9] = [
    Who::Stranger,
    Who::Member,
    Who::Admin,
    Who::Disabled,
    Who::Deleted,
    Who::ReadToken,
    Who::TalkToken,
    Who::ManageToken,
    Who::MembersToken,
];

/// What the policy has to say; what comes of it then is other tests' business.
const PASSES: &str = "passes";
const UNKNOWN: &str = "not_signed_in";
const REVOKED: &str = "device_revoked";
const ROLE: &str = "admin_only";
const SCOPE: &str = "scope_missing";
const DEVICE: &str = "device_required";

impl For {
    /// The answers to [`EVERYONE`], in that order.
    const fn answers(self) -> [&'static str; 9] {
        match self {
            Self::Anyone => [PASSES; 9],
            Self::Readers => [UNKNOWN, PASSES, PASSES, REVOKED, REVOKED, PASSES, SCOPE, SCOPE, PASSES],
            Self::Talkers => [UNKNOWN, PASSES, PASSES, REVOKED, REVOKED, SCOPE, PASSES, SCOPE, PASSES],
            Self::Carers => [UNKNOWN, PASSES, PASSES, REVOKED, REVOKED, SCOPE, SCOPE, PASSES, PASSES],
            Self::Admins => [UNKNOWN, ROLE, PASSES, REVOKED, REVOKED, SCOPE, SCOPE, PASSES, ROLE],
            Self::Oneself => [UNKNOWN, PASSES, PASSES, REVOKED, REVOKED, SCOPE, SCOPE, DEVICE, DEVICE],
        }
    }
}

/// A route, whom it is for, and a body it understands.
struct Row(&'static str, For, fn() -> Value);

fn nothing() -> Value {
    Value::Null
}

fn empty() -> Value {
    json!({})
}

fn registration() -> Value {
    json!({ "registration": { "id": "gone", "upload": "", "key_by_password": "" } })
}

fn newcomer() -> Value {
    let mut body = registration();
    for (field, value) in [
        ("token", "x"),
        ("email", "new@house.test"),
        ("first_name", "N"),
        ("last_name", "N"),
        ("nickname", "N"),
        ("language", "en"),
    ] {
        body[field] = json!(value);
    }
    body
}

fn with_token() -> Value {
    let mut body = registration();
    body["token"] = json!("x");
    body
}

/// Ids in paths are of nothing that exists: whoever passes hears 404, and nothing is changed for those who ask next.
const TABLE: &[Row] = &[
    Row("GET /health", For::Anyone, nothing),
    Row("GET /api/health/ready", For::Anyone, nothing),
    Row("GET /api/openapi.json", For::Anyone, nothing),
    Row("GET /api/server", For::Admins, nothing),
    Row("GET /api/setup", For::Anyone, nothing),
    Row("POST /api/setup", For::Anyone, newcomer),
    Row("GET /api/setup/progress", For::Admins, nothing),
    Row("PUT /api/setup/progress", For::Admins, || json!({ "step": "providers" })),
    Row(
        "POST /api/auth/registration",
        For::Anyone,
        || json!({ "purpose": { "kind": "setup", "code": "x" }, "request": "" }),
    ),
    Row("POST /api/auth/login/start", For::Anyone, || json!({ "email": "x@house.test", "request": "" })),
    Row("POST /api/auth/login/finish", For::Anyone, || json!({ "login": "gone", "finalization": "" })),
    Row("POST /api/auth/password", For::Oneself, registration),
    Row("POST /api/auth/recovery", For::Anyone, registration),
    Row("POST /api/invitations/look", For::Anyone, || json!({ "token": "x" })),
    Row("POST /api/invitations/accept", For::Anyone, newcomer),
    Row("POST /api/resets/look", For::Anyone, || json!({ "token": "x" })),
    Row("POST /api/resets/accept", For::Anyone, with_token),
    Row("GET /api/me", For::Readers, nothing),
    Row("PATCH /api/me", For::Oneself, empty),
    Row("GET /api/me/export", For::Oneself, nothing),
    Row("GET /api/me/devices", For::Oneself, nothing),
    Row("PATCH /api/me/devices/{id}", For::Oneself, || json!({ "name": "Kitchen" })),
    Row("DELETE /api/me/devices/{id}", For::Oneself, nothing),
    Row("GET /api/me/tokens", For::Oneself, nothing),
    Row("POST /api/me/tokens", For::Oneself, || json!({ "name": "lamp", "scopes": ["read"] })),
    Row("DELETE /api/me/tokens/{id}", For::Oneself, nothing),
    Row("GET /api/household", For::Readers, nothing),
    Row("PATCH /api/household", For::Admins, || json!({ "name": "Chez nous" })),
    Row("GET /api/members", For::Readers, nothing),
    Row("PATCH /api/members/{id}", For::Admins, empty),
    Row("DELETE /api/members/{id}", For::Admins, nothing),
    Row("POST /api/members/{id}/hand-over", For::Admins, nothing),
    Row("POST /api/members/{id}/reset", For::Admins, nothing),
    Row("GET /api/invitations", For::Admins, nothing),
    Row("POST /api/invitations", For::Admins, || json!({ "role": "member", "language": "en" })),
    Row("DELETE /api/invitations/{id}", For::Admins, nothing),
    Row("GET /api/audit", For::Admins, nothing),
    Row("GET /api/audit/check", For::Admins, nothing),
    Row("POST /api/pictures", For::Carers, nothing),
    Row("GET /api/pictures/{id}", For::Readers, nothing),
    Row("GET /api/providers", For::Readers, nothing),
    Row("POST /api/providers", For::Admins, || json!({ "name": "", "kind": "demo" })),
    Row("GET /api/providers/found", For::Admins, nothing),
    Row("GET /api/providers/defaults", For::Readers, nothing),
    Row("PUT /api/providers/defaults", For::Admins, empty),
    Row("GET /api/providers/{id}", For::Readers, nothing),
    Row("PATCH /api/providers/{id}", For::Admins, empty),
    Row("DELETE /api/providers/{id}", For::Admins, nothing),
    Row("POST /api/providers/{id}/test", For::Admins, empty),
    Row("GET /api/providers/{id}/models", For::Readers, nothing),
    Row("PUT /api/providers/{id}/models", For::Admins, || json!({ "name": "x" })),
    Row("GET /api/kins", For::Readers, nothing),
    Row("POST /api/kins", For::Carers, || json!({ "name": "Basile" })),
    Row("PUT /api/kins/order", For::Carers, || json!({ "ids": [] })),
    Row("GET /api/kins/deleted", For::Carers, nothing),
    Row("POST /api/kins/avatar-drafts", For::Carers, empty),
    Row("GET /api/kins/{id}", For::Readers, nothing),
    Row("PATCH /api/kins/{id}", For::Carers, empty),
    Row("DELETE /api/kins/{id}", For::Carers, nothing),
    Row("GET /api/kins/{id}/summary", For::Readers, nothing),
    Row("POST /api/kins/{id}/archive", For::Carers, nothing),
    Row("POST /api/kins/{id}/unarchive", For::Carers, nothing),
    Row("POST /api/kins/{id}/restore", For::Carers, nothing),
    Row("GET /api/kins/{id}/messages", For::Readers, nothing),
    Row("POST /api/kins/{id}/messages", For::Talkers, || json!({ "text": "hello" })),
    Row("POST /api/kins/{id}/stop", For::Talkers, nothing),
    Row("POST /api/messages/{id}/retry", For::Talkers, nothing),
    Row("POST /api/messages/{id}/withdraw", For::Talkers, nothing),
    Row("POST /api/messages/{id}/redact", For::Talkers, nothing),
    Row("GET /api/events", For::Readers, nothing),
    Row("GET /api/sync", For::Oneself, nothing),
    // Whoever passes these is out afterwards: they come last, those that end a login each by somebody new.
    Row("POST /api/auth/logout-everywhere", For::Oneself, || json!({ "keep_this": true })),
    Row("POST /api/auth/logout", For::Anyone, nothing),
    Row("DELETE /api/me", For::Oneself, nothing),
];

/// Those after which one is signed out.
const ENDS: [&str; 2] = ["POST /api/auth/logout", "DELETE /api/me"];

impl Row {
    fn call(&self) -> Call {
        let (method, path) = self.0.split_once(' ').unwrap();
        const PREFIXES: [(&str, &str); 8] = [
            ("/devices/", "dev"),
            ("/tokens/", "tok"),
            ("/members/", "mbr"),
            ("/invitations/", "inv"),
            ("/pictures/", "pic"),
            ("/providers/", "prv"),
            ("/kins/", "kin"),
            ("/messages/", "msg"),
        ];
        let prefix = PREFIXES.iter().find(|(part, _)| path.contains(&format!("{part}{{id}}"))).map_or("", |(_, id)| id);
        let call = call(method.parse::<Method>().unwrap(), &path.replace("{id}", &format!("{prefix}_{:032}", 7)));
        let body = (self.2)();
        if body.is_null() { call } else { call.json(&body) }
    }
}

/// What somebody's requests carry.
type Headers = Vec<(&'static str, String)>;

fn page(cookie: String) -> Headers {
    vec![("cookie", cookie), ("origin", "http://house.test".to_owned())]
}

/// Somebody new.
async fn somebody(house: &House, role: Role) -> (Person, Headers) {
    let email = format!("{}@house.test", house.count("select count(*) from member").await);
    let person = house.person(&email, "Somebody", role).await;
    let cookie = house.sign_in(&email, PASSWORD, None).await.1;
    (person, page(cookie))
}

/// Somebody new as `who`.
async fn come(house: &House, admin: &Person, who: Who) -> Headers {
    let token = async |scopes: &str| {
        let secret = server::tokens::create(&house.state, admin.id.to_string(), scopes, "t".into()).await.unwrap();
        vec![("authorization", format!("Bearer {secret}"))]
    };
    match who {
        Who::Stranger => Vec::new(),
        Who::Member => somebody(house, Role::Member).await.1,
        Who::Admin => somebody(house, Role::Admin).await.1,
        Who::Disabled => {
            let (person, headers) = somebody(house, Role::Admin).await;
            let disable = call(Method::PATCH, &format!("/api/members/{}", person.id)).by(admin);
            assert_eq!(house.send(disable.json(&json!({ "standing": "disabled" }))).await.status, 200);
            headers
        }
        Who::Deleted => {
            let (person, headers) = somebody(house, Role::Admin).await;
            let delete = call(Method::DELETE, &format!("/api/members/{}", person.id)).by(admin);
            assert_eq!(house.send(delete).await.status, 204);
            headers
        }
        Who::ReadToken => token("read").await,
        Who::TalkToken => token("talk").await,
        Who::ManageToken => token("manage").await,
        Who::MembersToken => {
            let (person, _) = somebody(house, Role::Member).await;
            vec![("authorization", format!("Bearer {}", person.token))]
        }
    }
}

/// What the policy said to a request: the body of a stream that was let in is not waited for.
async fn policy(house: &House, call: Call) -> &'static str {
    let response = house.router.clone().oneshot(call.request()).await.unwrap();
    if response.status() != StatusCode::UNAUTHORIZED && response.status() != StatusCode::FORBIDDEN {
        return PASSES;
    }
    let (_, code) = answer(response).await.problem();
    [UNKNOWN, REVOKED, ROLE, SCOPE, DEVICE].into_iter().find(|known| *known == code).unwrap_or(PASSES)
}

#[tokio::test]
async fn every_route_is_in_the_table() {
    let document = House::empty().send(get("/api/openapi.json")).await.json();
    let mut described = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        described.extend(methods.as_object().unwrap().keys().map(|method| format!("{} {path}", method.to_uppercase())));
    }
    let listed: BTreeSet<String> = TABLE.iter().map(|row| row.0.to_owned()).collect();
    assert_eq!(listed.len(), TABLE.len(), "a route stands in the table of route_table.rs twice");
    let missing: Vec<_> = described.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "nobody has said whom these routes are for: let their handlers begin with `caller.must(Right::…)?` and add \
         them to TABLE in server/tests/it/route_table.rs: {missing:?}"
    );
    let gone: Vec<_> = listed.difference(&described).collect();
    assert!(gone.is_empty(), "these routes are no more: take them out of TABLE in route_table.rs: {gone:?}");
}

#[tokio::test]
async fn every_route_answers_everyone_as_the_table_says() {
    let mut wrong = Vec::new();
    for (who, column) in EVERYONE.into_iter().zip(0..) {
        let (house, admin) = House::with_admin().await;
        let mut headers = come(&house, &admin, who).await;
        for row in TABLE {
            if ENDS.contains(&row.0) {
                headers = come(&house, &admin, who).await;
            }
            let call = headers.iter().fold(row.call(), |call, (name, value)| call.header(name, value));
            let said = policy(&house, call).await;
            let expected = row.1.answers()[column];
            if said != expected {
                wrong.push(format!("{} by {who:?}: {said}, not {expected}", row.0));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
