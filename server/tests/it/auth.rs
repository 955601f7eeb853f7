use crate::support::{House, PASSWORD, bytes, call, cookie_digest, get, post, problem};
use axum::http::Method;
use credentials::client::SigningIn;
use serde_json::json;
use server::clock::SystemRandom;
use shared::Role;

#[tokio::test]
async fn the_cookie_is_for_our_pages_alone_and_its_secret_is_not_stored() {
    let (house, admin) = House::with_admin().await;
    let (answer, cookie) = house.sign_in("ADA@house.test ", PASSWORD, None).await;
    assert_eq!(answer.status, 200);
    let set = answer.header("set-cookie");
    let (name, rest) = set.split_once('=').unwrap();
    let (secret, flags) = rest.split_once("; ").unwrap();
    assert_eq!((name, flags), ("__Host-kinstead", "Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=34560000"));
    assert_eq!(secret.len(), 43);
    let kept = format!("select count(*) from login where hex(token_hash) = upper('{}')", cookie_digest(&cookie));
    assert_eq!(house.count(&kept).await, 1);

    let me = house.send(get("/api/me").cookie(&cookie)).await.json();
    assert_eq!(me["id"], json!(admin.id));
    assert_eq!(me["device_id"], answer.json()["device_id"]);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_email_answer_alike() {
    let (house, _) = House::with_admin().await;
    let (wrong, _) = house.sign_in("ada@house.test", "not the password", None).await;
    let (unknown, _) = house.sign_in("eve@house.test", PASSWORD, None).await;
    assert_eq!(wrong.problem(), problem(401, "sign_in_failed"));
    assert_eq!(wrong.bytes, unknown.bytes);
    // Nor do the first messages tell: same shape, same work asked for, and the same again when asked again.
    let (_, request) = SigningIn::start(&mut SystemRandom, "x").unwrap();
    let start = async |email: &str| {
        let body = json!({ "email": email, "request": request });
        let answer = house.send_from(post("/api/auth/login/start").json(&body), None).await;
        assert_eq!(answer.status, 200);
        // The first 32 bytes are the evaluation, which follows from the account and the request alone.
        let response = bytes(&answer.json()["response"]);
        (response[..32].to_vec(), response.len())
    };
    let (known, nobody) = (start("ada@house.test").await, start("eve@house.test").await);
    assert_eq!((&known, known.1), (&start("Ada@house.test").await, nobody.1));
    assert_eq!(nobody, start("EVE@house.test").await);
    assert!(wrong.headers.get("set-cookie").is_none());
}

#[tokio::test]
async fn attempts_on_one_account_are_limited_wherever_they_come_from() {
    let (house, _) = House::with_admin().await;
    house.person("bob@house.test", "Bob", Role::Member).await;
    for _ in 0..10 {
        let (answer, _) = house.sign_in("ada@house.test", "not the password", None).await;
        assert_eq!(answer.problem(), problem(401, "sign_in_failed"));
    }
    // The right password is not looked at any more, in whatever case the email is written.
    let (limited, _) = house.sign_in("Ada@House.test", PASSWORD, None).await;
    assert_eq!(limited.problem(), problem(429, "too_many_attempts"));
    assert!(limited.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert_eq!(house.sign_in("bob@house.test", PASSWORD, None).await.0.status, 200);
}

#[tokio::test]
async fn attempts_from_one_address_are_limited_whatever_the_account() {
    let (house, _) = House::with_admin().await;
    for n in 0..30 {
        let (answer, _) = house.sign_in(&format!("nobody{n}@house.test"), "x", Some(1)).await;
        assert_eq!(answer.problem(), problem(401, "sign_in_failed"));
    }
    let (limited, _) = house.sign_in("ada@house.test", PASSWORD, Some(1)).await;
    assert_eq!(limited.problem(), problem(429, "too_many_attempts"));
    assert_eq!(house.sign_in("ada@house.test", PASSWORD, Some(2)).await.0.status, 200);
}

#[tokio::test]
async fn signing_in_rightly_costs_no_attempts() {
    let (house, _) = House::with_admin().await;
    for _ in 0..35 {
        assert_eq!(house.sign_in("ada@house.test", PASSWORD, Some(3)).await.0.status, 200);
    }
}

#[tokio::test]
async fn another_sites_page_cannot_use_the_cookie() {
    let (house, _) = House::with_admin().await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let body = json!({ "name": "Basile" });
    let attempt = |name: &'static str, value: &'static str| {
        house.send(post("/api/kins").header("cookie", &cookie).header(name, value).json(&body))
    };
    for (name, value) in [
        ("origin", "https://evil.test"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("x-nothing", "at all"),
    ] {
        assert_eq!(attempt(name, value).await.problem(), problem(403, "other_origin"), "{name}: {value}");
    }
    assert_eq!(house.count("select count(*) from kin").await, 0);
    assert_eq!(attempt("sec-fetch-site", "same-origin").await.status, 201);
    assert_eq!(attempt("origin", "http://house.test").await.status, 201);
}

#[tokio::test]
async fn signing_out_ends_the_login_and_can_be_repeated() {
    let (house, _) = House::with_admin().await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let (_, other) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let out = house.send(post("/api/auth/logout").cookie(&cookie)).await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(house.send(get("/api/me").cookie(&cookie)).await.problem(), problem(401, "not_signed_in"));
    assert_eq!(house.send(post("/api/auth/logout").cookie(&cookie)).await.status, 204);
    assert_eq!(house.send(get("/api/me").cookie(&other)).await.status, 200);
}

#[tokio::test]
async fn logins_and_tokens_end_when_they_should() {
    let (house, admin) = House::with_admin().await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    let signed_in = async || {
        let by_cookie = house.send(get("/api/me").cookie(&cookie)).await.status == 200;
        let by_token = house.send(get("/api/me").by(&admin)).await.status == 200;
        (by_cookie, by_token)
    };
    assert_eq!(signed_in().await, (true, true));
    for (undo, redo, left) in [
        ("update login set expires_at = 1", "update login set expires_at = 9e15", (false, true)),
        ("update device set revoked_at = 1", "update device set revoked_at = null", (false, true)),
        ("update token set revoked_at = 1", "update token set revoked_at = null", (true, false)),
        ("update member set disabled_at = 1", "update member set disabled_at = null", (false, false)),
    ] {
        house.sql(undo).await;
        assert_eq!(signed_in().await, left, "{undo}");
        house.sql(&redo.replace("9e15", "9000000000000000")).await;
        assert_eq!(signed_in().await, (true, true), "{redo}");
    }
    house.sql("update member set disabled_at = 1").await;
    assert_eq!(house.sign_in("ada@house.test", PASSWORD, None).await.0.problem(), problem(401, "sign_in_failed"));
}

#[tokio::test]
async fn a_login_that_is_used_lasts_longer() {
    let (house, _) = House::with_admin().await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    house.sql("update device set last_seen_at = 1; update login set expires_at = expires_at - 1000000").await;
    let before = house.count("select expires_at from login").await;
    assert_eq!(house.send(get("/api/me").cookie(&cookie)).await.status, 200);
    assert!(house.count("select expires_at from login").await > before);
    assert!(house.count("select last_seen_at from device").await > 1);
}

#[tokio::test]
async fn a_client_that_was_here_before_keeps_its_device() {
    let (house, _) = House::with_admin().await;
    house.person("bob@house.test", "Bob", Role::Member).await;
    let sign_in = async |email: &str, device: &serde_json::Value| {
        let (answer, _) = house.sign_in_with(email, PASSWORD, None, json!({ "device": device })).await;
        answer.json()["device_id"].clone()
    };
    let device = sign_in("ada@house.test", &json!(null)).await;
    assert_eq!(sign_in("ada@house.test", &device).await, device);
    assert_ne!(sign_in("bob@house.test", &device).await, device);
}

#[tokio::test]
async fn a_bad_token_is_refused_even_beside_a_good_cookie() {
    let (house, admin) = House::with_admin().await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    for token in [format!("Bearer {}x", admin.token), format!("Basic {}", admin.token), String::new()] {
        let call = call(Method::GET, "/api/me").cookie(&cookie).header("authorization", &token);
        assert_eq!(house.send(call).await.problem(), problem(401, "not_signed_in"), "{token}");
    }
}
