use crate::support::{House, PASSWORD, get, post, problem};
use credentials::RecoveryCode;
use serde_json::json;
use shared::Role;

const NEW: &str = "a kettle that sings";

#[tokio::test]
async fn a_new_password_needs_a_fresh_proof_of_the_old_one_and_locks_other_devices() {
    let (house, ada) = House::with_admin().await;
    let (_, here) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let (_, there) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let purpose = || json!({ "kind": "password" });
    let change = async |cookie: &str, body: &serde_json::Value| {
        house.send(post("/api/auth/password").cookie(cookie).json(&json!({ "registration": body }))).await
    };

    let stranger = house.register(purpose(), NEW, "").await.err().unwrap();
    assert_eq!(stranger.problem(), problem(401, "not_signed_in"));
    let registered = house.register(purpose(), NEW, &here).await.ok().unwrap();
    house.sql("update login set created_at = created_at - 301000").await;
    let stale = house.register(purpose(), NEW, &here).await.err().unwrap();
    assert_eq!(stale.problem(), problem(403, "fresh_sign_in_needed"));
    assert_eq!(change(&here, &registered.body).await.problem(), problem(403, "fresh_sign_in_needed"));
    let by_token = post("/api/auth/password").by(&ada).json(&json!({ "registration": registered.body }));
    assert_eq!(house.send(by_token).await.problem(), problem(403, "device_required"));
    house.sql("update login set created_at = created_at + 301000").await;

    // Another member's registration is not mine to finish.
    house.person("bob@house.test", "Bob", Role::Member).await;
    let (_, bobs) = house.sign_in("bob@house.test", PASSWORD, None).await;
    let bobs_registration = house.register(purpose(), NEW, &bobs).await.ok().unwrap();
    assert_eq!(change(&here, &bobs_registration.body).await.problem(), problem(409, "registration_gone"));

    assert_eq!(change(&here, &registered.body).await.status, 204);
    assert_eq!(change(&here, &registered.body).await.problem(), problem(409, "registration_gone"));
    assert_eq!(house.sign_in("ada@house.test", PASSWORD, None).await.0.problem(), problem(401, "sign_in_failed"));
    assert_eq!(house.sign_in("ada@house.test", NEW, None).await.0.status, 200);
    assert_eq!(house.send(get("/api/me").cookie(&here)).await.status, 200);
    // Locked, not revoked: what waits there to be sent is not lost.
    assert_eq!(house.send(get("/api/me").cookie(&there)).await.problem(), problem(401, "not_signed_in"));
}

#[tokio::test]
async fn the_recovery_code_lets_a_member_in_who_forgot_the_password() {
    let (house, ada) = House::with_admin().await;
    let purpose =
        |email: &str, code: &RecoveryCode| json!({ "kind": "recovery", "email": email, "proof": code.proof() });
    let mut registered = house.register(purpose(" ADA@house.test", &ada.recovery_code), NEW, "").await.ok().unwrap();
    // The key it opens comes along, and the code stays good.
    assert!(registered.begun["key_by_recovery"].is_string());
    let body = registered.body.as_object_mut().unwrap();
    body.remove("key_by_recovery");
    body.remove("recovery_proof_hash");
    let recover =
        async || house.send(post("/api/auth/recovery").json(&json!({ "registration": registered.body }))).await;
    let answer = recover().await;
    assert_eq!(answer.status, 200);
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    assert_eq!(house.send(get("/api/me").cookie(&cookie)).await.json()["id"], json!(ada.id));
    assert_eq!(recover().await.problem(), problem(409, "registration_gone"));
    assert_eq!(house.sign_in("ada@house.test", NEW, None).await.0.status, 200);
    assert!(house.register(purpose("ada@house.test", &ada.recovery_code), NEW, "").await.is_ok());
    let twice = house.register(json!({ "kind": "password" }), PASSWORD, &cookie).await.ok().unwrap();
    let wrong_place = house.send(post("/api/auth/recovery").json(&json!({ "registration": twice.body }))).await;
    assert_eq!(wrong_place.problem(), problem(409, "registration_gone"));
}

#[tokio::test]
async fn wrong_recovery_codes_tell_nothing_and_are_limited() {
    let (house, ada) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let attempt = async |email: &str, code: &RecoveryCode| {
        let purpose = json!({ "kind": "recovery", "email": email, "proof": code.proof() });
        house.register(purpose, NEW, "").await.err()
    };
    let unknown = attempt("eve@house.test", &ada.recovery_code).await.unwrap();
    for _ in 0..10 {
        let wrong = attempt("ada@house.test", &bob.recovery_code).await.unwrap();
        assert_eq!(wrong.problem(), problem(401, "recovery_failed"));
        assert_eq!(wrong.bytes, unknown.bytes);
    }
    let limited = attempt("ada@house.test", &ada.recovery_code).await.unwrap();
    assert_eq!(limited.problem(), problem(429, "too_many_attempts"));
    // One account, one count: sign-ins wait as well.
    assert_eq!(house.sign_in("ada@house.test", PASSWORD, None).await.0.problem(), problem(429, "too_many_attempts"));
}

#[tokio::test]
async fn a_sign_in_is_proved_once() {
    let (house, _) = House::with_admin().await;
    let body = json!({ "login": "forgotten", "finalization": "AAAA" });
    let gone = house.send(post("/api/auth/login/finish").json(&body)).await;
    assert_eq!(gone.problem(), problem(409, "sign_in_gone"));
    for request in ["", "AAAA", "not base64!"] {
        let body = json!({ "email": "ada@house.test", "request": request });
        let answer = house.send(post("/api/auth/login/start").json(&body)).await;
        assert_eq!(answer.status, 422, "{request}");
    }
}
