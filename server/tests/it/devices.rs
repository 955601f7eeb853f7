use crate::support::{House, PASSWORD, call, get, post, problem};
use axum::http::Method;
use serde_json::json;
use shared::Role;

#[tokio::test]
async fn a_revoked_device_is_told_so_and_stays_out() {
    let (house, _) = House::with_admin().await;
    let (_, phone) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let (laptop_login, laptop) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let laptop_id = laptop_login.json()["device_id"].clone();
    let listed = house.send(get("/api/me/devices").cookie(&phone)).await.json();
    let current =
        |item: &serde_json::Value| (item["id"] == laptop_id, item["current"].clone(), item["signed_in"].clone());
    let mut found: Vec<_> = listed["items"].as_array().unwrap().iter().map(current).collect();
    found.sort_by_key(|(laptop, ..)| *laptop);
    assert_eq!(found, [(false, json!(true), json!(true)), (true, json!(false), json!(true))]);

    let path = format!("/api/me/devices/{}", laptop_id.as_str().unwrap());
    let named = house.send(call(Method::PATCH, &path).cookie(&phone).json(&json!({ "name": " Kitchen " }))).await;
    assert_eq!(named.json()["name"], "Kitchen");
    let unnamed = house.send(call(Method::PATCH, &path).cookie(&phone).json(&json!({ "name": " " }))).await;
    assert_eq!(unnamed.problem(), problem(422, "name_invalid"));

    let revoke = || house.send(call(Method::DELETE, &path).cookie(&phone));
    assert_eq!(revoke().await.status, 204);
    assert_eq!(revoke().await.problem(), problem(404, "device_not_found"));
    assert_eq!(house.send(get("/api/me").cookie(&laptop)).await.problem(), problem(401, "device_revoked"));
    // However late it comes back, and although its login has run out meanwhile.
    house.sql("update login set expires_at = created_at").await;
    let (_, phone) = house.sign_in("ada@house.test", PASSWORD, None).await;
    assert_eq!(house.send(get("/api/me").cookie(&laptop)).await.problem(), problem(401, "device_revoked"));
    assert_eq!(house.send(get("/api/me").cookie(&phone)).await.status, 200);
    assert_eq!(house.count("select count(*) from audit where action = 'device_revoked'").await, 1);

    // Whoever was signed out and knows the password comes in as another device.
    let (again, _) = house.sign_in_with("ada@house.test", PASSWORD, None, json!({ "device": laptop_id })).await;
    assert_ne!(again.json()["device_id"], laptop_id);
}

#[tokio::test]
async fn nobody_sees_or_revokes_anothers_devices() {
    let (house, _) = House::with_admin().await;
    house.person("bob@house.test", "Bob", Role::Member).await;
    let (bobs_login, bob) = house.sign_in("bob@house.test", PASSWORD, None).await;
    let (login, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let bobs = house.send(get("/api/me/devices").cookie(&bob)).await.json();
    let ids: Vec<_> = bobs["items"].as_array().unwrap().iter().map(|item| &item["id"]).collect();
    assert_eq!(ids, [&bobs_login.json()["device_id"]]);
    let path = format!("/api/me/devices/{}", login.json()["device_id"].as_str().unwrap());
    for attempt in [call(Method::DELETE, &path), call(Method::PATCH, &path).json(&json!({ "name": "mine" }))] {
        assert_eq!(house.send(attempt.cookie(&bob)).await.problem(), problem(404, "device_not_found"));
    }
    assert_eq!(house.send(get("/api/me").cookie(&cookie)).await.status, 200);
}

#[tokio::test]
async fn signing_out_everywhere_may_spare_this_device() {
    let (house, _) = House::with_admin().await;
    let (_, here) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let (_, there) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let everywhere = async |keep: bool| {
        let call = post("/api/auth/logout-everywhere").cookie(&here).json(&json!({ "keep_this": keep }));
        house.send(call).await.status
    };
    assert_eq!(everywhere(true).await, 204);
    assert_eq!(house.send(get("/api/me").cookie(&here)).await.status, 200);
    assert_eq!(house.send(get("/api/me").cookie(&there)).await.problem(), problem(401, "device_revoked"));
    assert_eq!(everywhere(false).await, 204);
    assert_eq!(house.send(get("/api/me").cookie(&here)).await.problem(), problem(401, "device_revoked"));
}

#[tokio::test]
async fn a_native_client_gets_a_token_that_is_a_login() {
    let (house, _) = House::with_admin().await;
    let more = json!({ "token": true, "device_name": "Ada's phone" });
    let (answer, cookie) = house.sign_in_with("ada@house.test", PASSWORD, None, more).await;
    assert_eq!(cookie, "");
    let bearer = format!("Bearer {}", answer.json()["token"].as_str().unwrap());
    let me = async || house.send(get("/api/me").header("authorization", &bearer)).await;
    assert_eq!(me().await.json()["device_id"], answer.json()["device_id"]);
    let devices = house.send(get("/api/me/devices").header("authorization", &bearer)).await.json();
    assert_eq!(devices["items"][0]["name"], "Ada's phone");
    assert_eq!(house.send(post("/api/auth/logout").header("authorization", &bearer)).await.status, 204);
    assert_eq!(me().await.problem(), problem(401, "not_signed_in"));
}
