use crate::support::{House, call, get};
use axum::http::Method;
use serde_json::Value;

/// Every operation with whether it wants a signed-in caller.
fn operations(document: &Value) -> Vec<(Method, String, bool)> {
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let open = operation["security"]
                .as_array()
                .is_some_and(|ways| ways.iter().any(|way| way == &serde_json::json!({})));
            all.push((method.to_uppercase().parse().unwrap(), path.clone(), !open));
        }
    }
    all
}

#[tokio::test]
async fn the_document_and_the_router_agree() {
    let house = House::empty();
    let document = house.send(get("/api/openapi.json")).await.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let found: Vec<String> = operations(&document).iter().map(|(method, path, _)| format!("{method} {path}")).collect();
    // Routes are registered with their description, so this list is what REST promises to scripts.
    for promised in [
        "GET /health",
        "GET /api/openapi.json",
        "GET /api/setup",
        "POST /api/setup",
        "POST /api/auth/registration",
        "POST /api/auth/login/start",
        "POST /api/auth/login/finish",
        "POST /api/auth/password",
        "POST /api/auth/recovery",
        "POST /api/auth/logout-everywhere",
        "GET /api/me/devices",
        "PATCH /api/me/devices/{id}",
        "DELETE /api/me/devices/{id}",
        "POST /api/auth/logout",
        "GET /api/me",
        "GET /api/providers",
        "POST /api/providers",
        "GET /api/providers/{id}",
        "PATCH /api/providers/{id}",
        "DELETE /api/providers/{id}",
        "GET /api/providers/{id}/models",
        "GET /api/kins",
        "POST /api/kins",
        "GET /api/kins/{id}",
        "PATCH /api/kins/{id}",
        "DELETE /api/kins/{id}",
        "GET /api/kins/{id}/messages",
        "POST /api/kins/{id}/messages",
        "POST /api/kins/{id}/stop",
        "POST /api/messages/{id}/retry",
        "POST /api/messages/{id}/withdraw",
        "GET /api/events",
        "GET /api/sync",
    ] {
        assert!(found.iter().any(|found| found == promised), "{promised} is not described");
    }
    let ids = [("/devices/", "dev"), ("/kins/", "kin"), ("/messages/", "msg"), ("/providers/", "prv")];
    for (method, path, closed) in operations(&document) {
        let prefix =
            ids.iter().find(|(part, _)| path.contains(&format!("{part}{{id}}"))).map_or("", |(_, prefix)| prefix);
        let address = path.replace("{id}", &format!("{prefix}_{}", "0".repeat(32)));
        let answer = house.send(call(method.clone(), &address)).await;
        assert!(
            !matches!(answer.problem().1.as_str(), "not_found" | "method_not_allowed"),
            "{method} {path} is not routed"
        );
        if closed {
            assert_eq!(answer.problem(), (401, "not_signed_in".into()), "{method} {path} answers strangers");
        }
    }
}

#[tokio::test]
async fn references_within_the_document_lead_somewhere() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| match value.as_str() {
                Some(text) if key == "$ref" => found.push(text),
                _ => references(value, found),
            }),
            Value::Array(list) => list.iter().for_each(|value| references(value, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let document = House::empty().send(get("/api/openapi.json")).await.json();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 20);
    for reference in found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}
