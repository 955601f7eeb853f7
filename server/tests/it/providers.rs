use crate::support::{House, call, get, post, problem};
use axum::http::Method;
use serde_json::json;
use shared::Role;

#[tokio::test]
async fn demo_is_added_read_and_removed_and_kins_lose_it() {
    let (house, admin) = House::with_admin().await;
    let made = house.send(post("/api/providers").by(&admin).json(&json!({ "name": "Demo", "kind": "demo" }))).await;
    assert_eq!(made.status, 201);
    let demo = made.json();
    assert_eq!(demo["capabilities"], json!(["llm"]));
    let (id, model) = (demo["id"].as_str().unwrap(), &demo["models"][0]["name"]);
    let path = format!("/api/providers/{id}");
    assert_eq!(house.send(get(&format!("{path}/models")).by(&admin)).await.json()["models"], demo["models"]);
    assert_eq!(house.send(get("/api/providers").by(&admin)).await.json()["items"][0]["id"], demo["id"]);

    let body = json!({ "name": "Basile", "model": { "provider_id": id, "name": model } });
    let kin = house.send(post("/api/kins").by(&admin).json(&body)).await.json()["id"].clone();
    let users = house.send(get(&path).by(&admin)).await.json()["kins"].clone();
    assert_eq!(users, json!([{ "id": kin, "name": "Basile" }]));

    assert_eq!(house.send(call(Method::DELETE, &path).by(&admin)).await.status, 204);
    let kin = house.send(get(&format!("/api/kins/{}", kin.as_str().unwrap())).by(&admin)).await.json();
    assert_eq!(kin["model"], json!(null));
    for call in [get(&path), get(&format!("{path}/models")), call(Method::DELETE, &path)] {
        assert_eq!(house.send(call.by(&admin)).await.problem(), problem(404, "provider_not_found"));
    }
}

#[tokio::test]
async fn a_provider_that_does_not_work_is_not_stored() {
    let (house, admin) = House::with_admin().await;
    // A port that was free a moment ago, so nobody answers there.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (body, code) in [
        (
            json!({ "name": "x", "kind": "openai-compatible", "base_url": format!("http://{closed}/v1") }),
            "provider_unreachable",
        ),
        (json!({ "name": "x", "kind": "openai-compatible", "base_url": "ftp://x" }), "address_invalid"),
        (json!({ "name": "x", "kind": "openai-compatible" }), "address_missing"),
        (json!({ "name": "x", "kind": "anthropic" }), "key_missing"),
        (json!({ "name": "x", "kind": "anthropic", "api_key": "a b" }), "key_invalid"),
        (json!({ "name": " ", "kind": "demo" }), "name_invalid"),
        (json!({ "name": "x", "kind": "oracle" }), "json_invalid"),
    ] {
        let answer = house.send(post("/api/providers").by(&admin).json(&body)).await;
        assert_eq!(answer.problem(), problem(422, code), "{body}");
    }
    assert_eq!(house.count("select count(*) from provider").await, 0);
}

#[tokio::test]
async fn only_admins_manage_providers() {
    let (house, admin) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let body = json!({ "name": "Demo", "kind": "demo" });
    let refused = house.send(post("/api/providers").by(&bob).json(&body)).await;
    assert_eq!(refused.problem(), problem(403, "admin_only"));
    let id = house.send(post("/api/providers").by(&admin).json(&body)).await.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/providers/{id}");
    assert_eq!(house.send(call(Method::DELETE, &path).by(&bob)).await.problem(), problem(403, "admin_only"));
    let rename = call(Method::PATCH, &path).by(&bob).json(&json!({ "name": "Mine" }));
    assert_eq!(house.send(rename).await.problem(), problem(403, "admin_only"));
    assert_eq!(house.send(get(&path).by(&bob)).await.status, 200);
}
