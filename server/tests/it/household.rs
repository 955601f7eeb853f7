use crate::support::{Answer, House, PASSWORD, Person, call, get, post, problem};
use axum::http::Method;
use serde_json::{Value, json};
use shared::Role;

/// A house with an admin who is signed in on a device.
async fn signed_in() -> (House, Person, String) {
    let (house, admin) = House::with_admin().await;
    let (_, cookie) = house.sign_in("ada@house.test", PASSWORD, None).await;
    (house, admin, cookie)
}

async fn invite(house: &House, admin: &Person, role: &str) -> Value {
    let answer = house.send(post("/api/invitations").by(admin).json(&json!({ "role": role, "language": "fr" }))).await;
    assert_eq!(answer.status, 201, "{:?}", answer.json());
    answer.json()
}

async fn look(house: &House, token: &Value) -> Answer {
    house.send_from(post("/api/invitations/look").json(&json!({ "token": token })), None).await
}

fn newcomer(token: &Value, email: &str, registration: &Value) -> Value {
    json!({ "token": token, "email": email, "first_name": "Inès", "last_name": "Moreau", "nickname": "Inès",
        "language": "fr", "avatar": "ines", "registration": registration })
}

async fn accept(house: &House, token: &Value, email: &str) -> Answer {
    let purpose = json!({ "kind": "invitation", "token": token });
    match house.register(purpose, "une longue phrase", "").await {
        Ok(registered) => {
            let body = newcomer(token, email, &registered.body);
            house.send_from(post("/api/invitations/accept").json(&body), None).await
        }
        Err(refused) => refused,
    }
}

fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
}

async fn patch(house: &House, by: &Person, id: &str, body: Value) -> Answer {
    house.send(call(Method::PATCH, &format!("/api/members/{id}")).by(by).json(&body)).await
}

#[tokio::test]
async fn an_invitation_lets_one_person_in_once() {
    let (house, admin) = House::with_admin().await;
    house.send(call(Method::PATCH, "/api/household").by(&admin).json(&json!({ "name": "Chez Moreau" }))).await;
    let invitation = invite(&house, &admin, "member").await;
    let token = &invitation["token"];
    assert_eq!(token.as_str().map(str::len), Some(43));
    let seen = look(&house, token).await.json();
    assert_eq!((&seen["inviter"], &seen["household"]), (&json!("Ada"), &json!("Chez Moreau")));
    assert_eq!((&seen["role"], &seen["language"]), (&json!("member"), &json!("fr")));

    // A mistake in the form does not cost the link.
    let taken = accept(&house, token, "ada@house.test").await;
    assert_eq!(taken.problem(), problem(409, "email_taken"));
    let answer = accept(&house, token, "ines@house.test").await;
    assert_eq!(answer.status, 201, "{:?}", answer.json());
    let me = house.send(get("/api/me").cookie(&cookie_of(&answer))).await.json();
    assert_eq!((&me["role"], &me["language"], &me["avatar"]), (&json!("member"), &json!("fr"), &json!("ines")));
    assert_eq!(house.sign_in("ines@house.test", "une longue phrase", None).await.0.status, 200);

    assert_eq!(look(&house, token).await.problem(), problem(410, "invitation_used"));
    assert_eq!(accept(&house, token, "eve@house.test").await.problem(), problem(410, "invitation_used"));
    assert_eq!(house.send(get("/api/invitations").by(&admin)).await.json()["items"], json!([]));
    assert_eq!(house.count("select count(*) from member").await, 2);
}

#[tokio::test]
async fn two_who_hold_the_same_link_race_and_one_comes_in() {
    let (house, admin) = House::with_admin().await;
    let token = invite(&house, &admin, "member").await["token"].clone();
    let (a, b) = tokio::join!(accept(&house, &token, "a@house.test"), accept(&house, &token, "b@house.test"));
    let mut statuses = [a.status.as_u16(), b.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 410]);
    assert_eq!(house.count("select count(*) from member").await, 2);
}

#[tokio::test]
async fn links_that_are_wrong_expired_or_withdrawn_lead_nowhere_and_guessing_is_limited() {
    let (house, admin) = House::with_admin().await;
    let open = invite(&house, &admin, "admin").await;
    let withdrawn = invite(&house, &admin, "member").await;
    let path = format!("/api/invitations/{}", withdrawn["id"].as_str().unwrap());
    assert_eq!(house.send(call(Method::DELETE, &path).by(&admin)).await.status, 204);
    assert_eq!(
        house.send(call(Method::DELETE, &path).by(&admin)).await.problem(),
        problem(404, "invitation_not_found")
    );
    assert_eq!(look(&house, &withdrawn["token"]).await.problem(), problem(404, "invitation_invalid"));
    assert_eq!(look(&house, &json!("made up")).await.problem(), problem(404, "invitation_invalid"));
    house.sql("update invitation set expires_at = 1").await;
    assert_eq!(look(&house, &open["token"]).await.problem(), problem(410, "invitation_expired"));
    assert_eq!(accept(&house, &open["token"], "x@house.test").await.problem(), problem(410, "invitation_expired"));

    let guess = || house.send_from(post("/api/invitations/look").json(&json!({ "token": "guess" })), Some(9));
    for _ in 0..20 {
        assert_eq!(guess().await.problem(), problem(404, "invitation_invalid"));
    }
    assert_eq!(guess().await.problem(), problem(429, "too_many_attempts"));
}

#[tokio::test]
async fn a_registration_for_one_link_is_none_for_another() {
    let (house, admin) = House::with_admin().await;
    let (one, other) = (invite(&house, &admin, "member").await, invite(&house, &admin, "admin").await);
    let purpose = json!({ "kind": "invitation", "token": one["token"] });
    let Ok(registered) = house.register(purpose, "une longue phrase", "").await else { panic!("refused") };
    let body = newcomer(&other["token"], "x@house.test", &registered.body);
    let answer = house.send_from(post("/api/invitations/accept").json(&body), None).await;
    assert_eq!(answer.problem(), problem(409, "registration_gone"));
}

#[tokio::test]
async fn a_disabled_member_is_out_at_once_and_comes_back_only_by_signing_in() {
    let (house, admin) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let (_, cookie) = house.sign_in("bob@house.test", PASSWORD, None).await;
    let listed = house.send(get("/api/members").by(&admin)).await.json();
    assert_eq!(listed["items"][1]["account"]["devices"], json!(1));
    assert_eq!(patch(&house, &admin, &bob.id.to_string(), json!({ "standing": "disabled" })).await.status, 200);
    assert_eq!(house.send(get("/api/me").cookie(&cookie)).await.problem(), problem(401, "device_revoked"));
    assert_eq!(house.send(get("/api/me").by(&bob)).await.problem(), problem(401, "not_signed_in"));
    let (refused, _) = house.sign_in("bob@house.test", PASSWORD, None).await;
    let (unknown, _) = house.sign_in("nobody@house.test", PASSWORD, None).await;
    assert_eq!((refused.problem(), &refused.bytes), (problem(401, "sign_in_failed"), &unknown.bytes));

    assert_eq!(patch(&house, &admin, &bob.id.to_string(), json!({ "standing": "active" })).await.status, 200);
    assert_eq!(house.send(get("/api/me").cookie(&cookie)).await.problem(), problem(401, "device_revoked"));
    assert_eq!(house.sign_in("bob@house.test", PASSWORD, None).await.0.status, 200);
}

#[tokio::test]
async fn somebody_always_keeps_the_keys() {
    let (house, ada) = House::with_admin().await;
    let (ada_id, last) = (ada.id.to_string(), problem(409, "last_admin"));
    let path = format!("/api/members/{ada_id}");
    assert_eq!(patch(&house, &ada, &ada_id, json!({ "role": "member" })).await.problem(), last);
    assert_eq!(patch(&house, &ada, &ada_id, json!({ "standing": "disabled" })).await.problem(), last);
    assert_eq!(house.send(call(Method::DELETE, &path).by(&ada)).await.problem(), last);

    // Two admins who take the keys from each other at once: one comes too late.
    let bob = house.person("bob@house.test", "Bob", Role::Admin).await;
    let bob_id = bob.id.to_string();
    let down = || json!({ "role": "member" });
    let (a, b) = tokio::join!(patch(&house, &ada, &bob_id, down()), patch(&house, &bob, &ada_id, down()));
    assert!([a.status.as_u16(), b.status.as_u16()].contains(&200));
    assert_eq!(house.count("select count(*) from member where role = 'admin'").await, 1);
}

#[tokio::test]
async fn the_keys_are_handed_over_in_one_step() {
    let (house, ada) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let give = |to: String| post(&format!("/api/members/{to}/hand-over")).by(&ada);
    assert_eq!(house.send(give(ada.id.to_string())).await.problem(), problem(422, "oneself"));
    assert_eq!(house.send(give(bob.id.to_string())).await.status, 204);
    assert_eq!(house.send(get("/api/audit").by(&ada)).await.problem(), problem(403, "admin_only"));
    assert_eq!(house.send(get("/api/audit").by(&bob)).await.status, 200);
}

#[tokio::test]
async fn a_deleted_member_leaves_their_words_and_nothing_else() {
    let (house, ada) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let (_, cookie) = house.sign_in("bob@house.test", PASSWORD, None).await;
    let kin = house.kin(&ada, "Basile").await;
    let said = house.send(post(&format!("/api/kins/{kin}/messages")).by(&bob).json(&json!({ "text": "hello" }))).await;
    assert_eq!(said.status, 202, "{:?}", said.json());
    let path = format!("/api/members/{}", bob.id);
    assert_eq!(house.send(call(Method::DELETE, &path).by(&ada)).await.status, 204);
    assert_eq!(house.send(call(Method::DELETE, &path).by(&ada)).await.problem(), problem(404, "member_not_found"));

    // A device that was offline meanwhile is told to wipe itself.
    assert_eq!(house.send(get("/api/me").cookie(&cookie)).await.problem(), problem(401, "device_revoked"));
    let thread = house.send(get(&format!("/api/kins/{kin}/messages")).by(&ada)).await.json();
    assert_eq!(thread["items"][0]["text"], json!("hello"));
    let id = bob.id.to_string();
    for (table, column) in [
        ("credential", "member_id"),
        ("token", "member_id"),
        ("idempotency", "member_id"),
        ("change", "audience"),
        ("event", "audience"),
        ("audience_log", "audience"),
        ("document", "audience"),
    ] {
        let left = format!("select count(*) from {table} where {column} = '{id}'");
        assert_eq!(house.count(&left).await, 0, "{table}");
    }
    let named = "select count(*) from member where nickname = 'Bob' or email like '%bob%' or first_name = 'Bob'";
    assert_eq!(house.count(named).await, 0);
    // Their address is free again, and setup stays closed.
    house.person("bob@house.test", "Robert", Role::Member).await;
    assert_eq!(house.send(get("/api/setup")).await.json()["needed"], json!(false));
}

#[tokio::test]
async fn a_reset_link_sets_a_password_once_and_signs_every_other_device_out() {
    let (house, ada) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let (_, before) = house.sign_in("bob@house.test", PASSWORD, None).await;
    let path = format!("/api/members/{}/reset", bob.id);
    let first = house.send(post(&path).by(&ada)).await.json();
    let second = house.send(post(&path).by(&ada)).await.json();
    let look = |token: &Value| house.send(post("/api/resets/look").json(&json!({ "token": token })));
    assert_eq!(look(&first["token"]).await.problem(), problem(404, "reset_invalid"));
    assert_eq!(look(&second["token"]).await.json()["nickname"], json!("Bob"));

    let purpose = json!({ "kind": "reset", "token": second["token"] });
    let Ok(registered) = house.register(purpose, "another long phrase", "").await else { panic!("refused") };
    let body = json!({ "token": second["token"], "registration": registered.body });
    let answer = house.send(post("/api/resets/accept").json(&body)).await;
    assert_eq!(answer.status, 200, "{:?}", answer.json());
    assert_eq!(house.send(get("/api/me").cookie(&cookie_of(&answer))).await.json()["nickname"], json!("Bob"));
    assert_eq!(house.send(get("/api/me").cookie(&before)).await.problem(), problem(401, "device_revoked"));
    assert_eq!(look(&second["token"]).await.problem(), problem(410, "reset_used"));
    assert_eq!(house.sign_in("bob@house.test", PASSWORD, None).await.0.problem(), problem(401, "sign_in_failed"));
    assert_eq!(house.sign_in("bob@house.test", "another long phrase", None).await.0.status, 200);
}

#[tokio::test]
async fn ones_own_account_is_changed_on_a_device_and_the_language_has_one_truth() {
    let (house, ada, cookie) = signed_in().await;
    let change = |body: Value| house.send(call(Method::PATCH, "/api/me").cookie(&cookie).json(&body));
    let by_token = house.send(call(Method::PATCH, "/api/me").by(&ada).json(&json!({ "nickname": "A" }))).await;
    assert_eq!(by_token.problem(), problem(403, "device_required"));
    house.person("bob@house.test", "Bob", Role::Member).await;
    assert_eq!(change(json!({ "email": "BOB@house.test" })).await.problem(), problem(409, "email_taken"));
    assert_eq!(change(json!({ "avatar": "nobody" })).await.problem(), problem(422, "avatar_unknown"));
    assert_eq!(change(json!({ "nickname": " " })).await.problem(), problem(422, "nickname_empty"));
    let me = change(json!({ "nickname": "Ada L", "email": "l@house.test", "language": "fr", "avatar": "jo" })).await;
    assert_eq!(me.status, 200, "{:?}", me.json());
    let me = house.send(get("/api/me").cookie(&cookie)).await.json();
    assert_eq!(
        (&me["nickname"], &me["email"], &me["language"]),
        (&json!("Ada L"), &json!("l@house.test"), &json!("fr"))
    );
    // What other devices are told to prefer is the same.
    let told = format!("select count(*) from change where audience = '{}'", ada.id);
    assert!(house.count(&told).await > 0);
    let export = house.send(get("/api/me/export").cookie(&cookie)).await;
    let lines: Vec<Value> =
        String::from_utf8(export.bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.contains(&json!({ "kind": "preference", "key": "language", "value": "fr" })), "{lines:?}");
}

#[tokio::test]
async fn an_export_holds_ones_own_words_and_nobody_elses() {
    let (house, ada, cookie) = signed_in().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let kin = house.kin(&ada, "Basile").await;
    for (person, text) in [(&ada, "mine"), (&bob, "his"), (&ada, "mine too")] {
        house.send(post(&format!("/api/kins/{kin}/messages")).by(person).json(&json!({ "text": text }))).await;
    }
    let export = house.send(get("/api/me/export").cookie(&cookie)).await;
    assert_eq!(export.header("content-disposition"), "attachment; filename=\"kinstead.jsonl\"");
    let text = String::from_utf8(export.bytes).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said: Vec<&str> =
        lines.iter().filter(|line| line["kind"] == "message").map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(said, ["mine", "mine too"]);
    assert_eq!(lines[0]["kind"], json!("account"));
    assert!(!text.contains(&ada.token) && !text.contains("bob@house.test"));
}

#[tokio::test]
async fn tokens_are_made_on_a_device_shown_once_and_do_only_what_they_are_for() {
    let (house, ada, cookie) = signed_in().await;
    let make = |scopes: Value| {
        house.send(post("/api/me/tokens").cookie(&cookie).json(&json!({ "name": "lamp", "scopes": scopes })))
    };
    assert_eq!(make(json!([])).await.problem(), problem(422, "scopes_unknown"));
    assert_eq!(make(json!(["write"])).await.problem(), problem(422, "scopes_unknown"));
    let made = make(json!(["read"])).await.json();
    let reader =
        Person { id: ada.id, token: made["secret"].as_str().unwrap().to_owned(), recovery_code: ada.recovery_code };
    assert_eq!(house.send(get("/api/me").by(&reader)).await.status, 200);
    assert_eq!(house.send(get("/api/audit").by(&reader)).await.problem(), problem(403, "scope_missing"));
    let listed = house.send(get("/api/me/tokens").cookie(&cookie)).await.json();
    assert!(!listed.to_string().contains("kst_"));
    let path = format!("/api/me/tokens/{}", made["id"].as_str().unwrap());
    assert_eq!(house.send(call(Method::DELETE, &path).cookie(&cookie)).await.status, 204);
    assert_eq!(
        house.send(call(Method::DELETE, &path).cookie(&cookie)).await.problem(),
        problem(404, "token_not_found")
    );
    assert_eq!(house.send(get("/api/me").by(&reader)).await.problem(), problem(401, "not_signed_in"));
}

#[tokio::test]
async fn leaving_needs_the_password_and_somebody_who_keeps_the_keys() {
    let (house, _ada, cookie) = signed_in().await;
    house.person("bob@house.test", "Bob", Role::Member).await;
    let leave = |cookie: String| house.send(call(Method::DELETE, "/api/me").cookie(&cookie));
    assert_eq!(leave(cookie.clone()).await.problem(), problem(409, "last_admin"));
    let (_, bob) = house.sign_in("bob@house.test", PASSWORD, None).await;
    house.sql("update login set created_at = created_at - 600000").await;
    assert_eq!(leave(bob).await.problem(), problem(403, "fresh_sign_in_needed"));
    let (_, bob) = house.sign_in("bob@house.test", PASSWORD, None).await;
    assert_eq!(leave(bob).await.status, 204);
    // Alone, the last admin may leave too; the door stays shut for strangers.
    let (_, ada) = house.sign_in("ada@house.test", PASSWORD, None).await;
    assert_eq!(leave(ada).await.status, 204);
    assert_eq!(house.send(get("/api/setup")).await.json()["needed"], json!(false));
}

#[tokio::test]
async fn sensitive_deeds_are_written_down_in_an_unbroken_chain_without_secrets() {
    let (house, ada) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let token = invite(&house, &ada, "member").await["token"].as_str().unwrap().to_owned();
    patch(&house, &ada, &bob.id.to_string(), json!({ "role": "admin" })).await;
    patch(&house, &ada, &bob.id.to_string(), json!({ "standing": "disabled" })).await;
    let page = house.send(get("/api/audit?limit=3").by(&ada)).await.json();
    assert_eq!(page["items"].as_array().unwrap().len(), 3);
    assert_eq!(page["items"][0]["action"], json!("member_disabled"));
    assert_eq!(page["items"][0]["member_id"], json!(ada.id));
    let mut all = page["items"].to_string();
    let mut next = page["next"].as_i64();
    while let Some(before) = next {
        let page = house.send(get(&format!("/api/audit?limit=3&before={before}")).by(&ada)).await.json();
        all += &page["items"].to_string();
        next = page["next"].as_i64();
    }
    for deed in ["invitation_created", "member_role_changed", "member_created", "token_created"] {
        assert!(all.contains(deed), "{deed}");
    }
    assert!(!all.contains(&token) && !all.contains("house.test") && !all.contains("Bob"));
    assert_eq!(house.send(get("/api/audit/check").by(&ada)).await.json(), json!({ "whole": true, "broken_at": null }));
    let broken =
        house.state.db.write(|tx| Ok::<_, server::db::DbError>(tx.execute("update audit set detail = 'x'", [])?));
    assert!(broken.await.is_err());
}
