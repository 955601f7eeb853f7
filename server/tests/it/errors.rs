use crate::support::{House, call, get, post, problem};
use axum::http::Method;
use serde_json::json;

#[tokio::test]
async fn every_failure_has_the_one_shape() {
    let (house, admin) = House::with_admin().await;
    let kin = format!("/api/kins/kin_{}", "0".repeat(32));
    let json_type = "application/json";
    let send = |call: crate::support::Call| house.send(call.by(&admin));
    for (call, expected) in [
        (get("/api/nothing"), problem(404, "not_found")),
        (call(Method::PUT, "/api/kins"), problem(405, "method_not_allowed")),
        (call(Method::DELETE, "/somewhere"), problem(405, "method_not_allowed")),
        (get("/api/kins/tsk_1"), problem(400, "path_invalid")),
        (get(&kin), problem(404, "kin_not_found")),
        (get(&format!("{kin}/messages?limit=many")), problem(400, "query_invalid")),
        (post("/api/kins").bytes(b"{}".to_vec()), problem(415, "not_json")),
        (
            post("/api/kins").bytes(b"{\"name\": ".to_vec()).header("content-type", json_type),
            problem(400, "json_malformed"),
        ),
        (post("/api/kins").bytes(b"\xff".to_vec()).header("content-type", json_type), problem(400, "json_malformed")),
        (post("/api/kins").json(&json!({})), problem(422, "json_invalid")),
        (post("/api/kins").json(&json!({ "name": 7 })), problem(422, "json_invalid")),
    ] {
        let answer = send(call).await;
        assert_eq!(answer.problem(), expected);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(answer.header("cache-control"), "no-store");
        let body = answer.json();
        assert_eq!(
            (body["type"].as_str(), body["status"].as_u64()),
            (Some("about:blank"), Some(u64::from(expected.0)))
        );
        assert!(!body["title"].as_str().unwrap().is_empty() && !body["detail"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_and_changes_nothing() {
    let (house, admin) = House::with_admin().await;
    let kin = house.kin(&admin, "Basile").await;
    let path = format!("/api/kins/{kin}/messages");
    for bytes in [300_000, 10_000_000, 40_000_000] {
        let answer = house.send(post(&path).by(&admin).json(&json!({ "text": "a".repeat(bytes) }))).await;
        assert_eq!(answer.problem(), problem(413, "body_too_large"));
        assert!(answer.json()["detail"].as_str().unwrap().contains("262144"));
    }
    let answer = house.send(post(&path).by(&admin).json(&json!({ "text": "a".repeat(65_537) }))).await;
    assert_eq!(answer.problem(), problem(413, "message_too_large"));
    let answer = house.send(post(&path).by(&admin).json(&json!({ "text": " \n\t" }))).await;
    assert_eq!(answer.problem(), problem(422, "message_empty"));
    assert_eq!(house.count("select count(*) from message").await, 0);
    let answer = house.send(post(&path).by(&admin).json(&json!({ "text": "a".repeat(65_536) }))).await;
    assert_eq!(answer.status, 202);
}

#[tokio::test]
async fn a_full_disk_is_told_as_such_and_reading_goes_on() {
    let (house, admin) = House::with_admin().await;
    let kin = house.kin(&admin, "Basile").await;
    let pages = house.count("select page_count from pragma_page_count").await;
    house.sql(&format!("pragma max_page_count = {pages}")).await;
    let path = format!("/api/kins/{kin}/messages");
    let answer = house.send(post(&path).by(&admin).json(&json!({ "text": "a".repeat(60_000) }))).await;
    assert_eq!(answer.problem(), problem(507, "disk_full"));
    assert_eq!(house.count("select (select count(*) from message) + (select count(*) from queue_entry)").await, 0);
    assert_eq!(house.send(get(&path).by(&admin)).await.json()["items"], json!([]));
    house.sql("pragma max_page_count = 1000000").await;
    let answer = house.send(post(&path).by(&admin).json(&json!({ "text": "a".repeat(60_000) }))).await;
    assert_eq!(answer.status, 202);
}
