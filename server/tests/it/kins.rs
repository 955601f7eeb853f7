use crate::support::{House, Person, call, get, post, problem};
use axum::http::Method;
use serde_json::{Value, json};
use shared::Role;

async fn patch(house: &House, person: &Person, kin: &str, body: &Value) -> crate::support::Answer {
    house.send(call(Method::PATCH, &format!("/api/kins/{kin}")).by(person).json(body)).await
}

#[tokio::test]
async fn a_kin_is_made_read_changed_and_removed() {
    let (house, admin) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let body = json!({
        "name": " Chef  Basile ", "role": "cook\nof soups", "character": "warm\n", "expertise": "soups", "unknown": 1,
    });
    let made = house.send(post("/api/kins").by(&bob).json(&body)).await;
    assert_eq!(made.status, 201);
    let kin = made.json();
    let id = kin["id"].as_str().unwrap();
    for (field, value) in [
        ("name", json!("Chef Basile")),
        ("role", json!("cook of soups")),
        ("character", json!("warm\n")),
        ("expertise", json!("soups")),
        ("slug", json!("chef-basile")),
        ("avatar", json!("basile")),
        ("hue", json!("pear")),
        ("model", json!(null)),
        ("position", json!(1)),
        ("created_by", json!(bob.id)),
    ] {
        assert_eq!(kin[field], value, "{field}");
    }
    assert_eq!(house.send(get(&format!("/api/kins/{id}")).by(&admin)).await.json(), kin);
    assert_eq!(house.send(get("/api/kins").by(&admin)).await.json(), json!({ "items": [kin] }));

    let changed = patch(&house, &admin, id, &json!({ "character": "calm", "hue": "sky" })).await;
    assert_eq!(changed.status, 200);
    let mut expected = kin.clone();
    expected["character"] = json!("calm");
    expected["hue"] = json!("sky");
    assert_eq!(changed.json(), expected);
    assert_eq!(house.send(get(&format!("/api/kins/{id}")).by(&bob)).await.json(), expected);

    assert_eq!(house.send(call(Method::DELETE, &format!("/api/kins/{id}")).by(&bob)).await.status, 204);
    for call in [get(&format!("/api/kins/{id}")), call(Method::DELETE, &format!("/api/kins/{id}"))] {
        assert_eq!(house.send(call.by(&admin)).await.problem(), problem(404, "kin_not_found"));
    }
    assert_eq!(house.send(get("/api/kins").by(&admin)).await.json(), json!({ "items": [] }));
    let sent = post(&format!("/api/kins/{id}/messages")).by(&admin).json(&json!({ "text": "still there?" }));
    assert_eq!(house.send(sent).await.problem(), problem(404, "kin_not_found"));
}

#[tokio::test]
async fn what_a_kin_cannot_be_is_named_and_makes_none() {
    let (house, admin) = House::with_admin().await;
    let provider = json!({ "provider_id": format!("prv_{}", "0".repeat(32)), "name": "x" });
    for (field, value, code) in [
        ("name", json!("  "), "name_empty"),
        ("name", json!("x".repeat(61)), "name_too_long"),
        ("role", json!("x".repeat(121)), "role_too_long"),
        ("character", json!("x".repeat(32_769)), "text_too_long"),
        ("expertise", json!("é".repeat(16_385)), "text_too_long"),
        ("avatar", json!("nobody"), "avatar_unknown"),
        ("hue", json!("#fff"), "hue_unknown"),
        ("model", provider, "provider_not_found"),
        ("model", json!({ "provider_id": "prv_x", "name": "x" }), "json_invalid"),
    ] {
        let mut body = json!({ "name": "Basile" });
        body[field] = value;
        let answer = house.send(post("/api/kins").by(&admin).json(&body)).await;
        assert_eq!(answer.problem(), problem(422, code), "{field}");
    }
    assert_eq!(house.count("select count(*) from kin").await, 0);

    let kin = house.kin(&admin, "Basile").await;
    let before = house.send(get(&format!("/api/kins/{kin}")).by(&admin)).await.json();
    let answer = patch(&house, &admin, &kin, &json!({ "role": "new", "name": "" })).await;
    assert_eq!(answer.problem(), problem(422, "name_empty"));
    assert_eq!(house.send(get(&format!("/api/kins/{kin}")).by(&admin)).await.json(), before);
}

#[tokio::test]
async fn the_model_must_be_one_the_provider_has_and_can_be_taken_away() {
    let (house, admin) = House::with_admin().await;
    let demo =
        house.send(post("/api/providers").by(&admin).json(&json!({ "name": "Demo", "kind": "demo" }))).await.json();
    let choice = |name: &Value| json!({ "name": "Basile", "model": { "provider_id": demo["id"], "name": name } });
    let unknown = house.send(post("/api/kins").by(&admin).json(&choice(&json!("no-such-model")))).await;
    assert_eq!(unknown.problem(), problem(422, "model_unknown"));
    let made = house.send(post("/api/kins").by(&admin).json(&choice(&demo["models"][0]["name"]))).await.json();
    assert_eq!(made["model"], json!({ "provider_id": demo["id"], "name": demo["models"][0]["name"] }));
    let id = made["id"].as_str().unwrap();
    let kept = patch(&house, &admin, id, &json!({ "role": "cook" })).await.json();
    assert_eq!(kept["model"], made["model"]);
    let taken = patch(&house, &admin, id, &json!({ "model": null })).await.json();
    assert_eq!(taken["model"], json!(null));
}

#[tokio::test]
async fn tags_tell_a_changed_kin_from_an_unchanged_one() {
    let (house, admin) = House::with_admin().await;
    let kin = house.kin(&admin, "Basile").await;
    let path = format!("/api/kins/{kin}");
    let first = house.send(get(&path).by(&admin)).await;
    let tag = first.header("etag").to_owned();
    assert_eq!(house.send(get(&path).by(&admin).header("if-none-match", &tag)).await.status, 304);

    let change = |tag: &str, role: &str| {
        house.send(call(Method::PATCH, &path).by(&admin).header("if-match", tag).json(&json!({ "role": role })))
    };
    let changed = change(&tag, "cook").await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), tag);
    assert_eq!(change(&tag, "gardener").await.problem(), problem(412, "changed_meanwhile"));
    let now = house.send(get(&path).by(&admin).header("if-none-match", &tag)).await;
    assert_eq!((now.status.as_u16(), now.json()["role"].as_str()), (200, Some("cook")));
    assert_eq!(now.header("etag"), changed.header("etag"));
    assert_eq!(change("*", "gardener").await.status, 200);
}

#[tokio::test]
async fn kins_take_the_illustrations_in_turn_and_slugs_of_their_own() {
    let (house, admin) = House::with_admin().await;
    let mut seen = Vec::new();
    for name in ["Café", "Cafe", "猫"] {
        let kin = house.send(post("/api/kins").by(&admin).json(&json!({ "name": name }))).await.json();
        seen.push(format!("{} {} {}", kin["slug"].as_str().unwrap(), kin["avatar"].as_str().unwrap(), kin["position"]));
    }
    assert_eq!(seen, ["cafe basile 1", "cafe-2 lumen 2", "kin zephyr 3"]);
    let first = house.send(get("/api/kins").by(&admin)).await.json()["items"][0]["id"].as_str().unwrap().to_owned();
    house.send(call(Method::DELETE, &format!("/api/kins/{first}")).by(&admin)).await;
    // A slug is not given again: links to the old Kin must not lead to another.
    let kin = house.send(post("/api/kins").by(&admin).json(&json!({ "name": "Café", "avatar": "fable" }))).await.json();
    assert_eq!((kin["slug"].as_str(), kin["hue"].as_str()), (Some("cafe-3"), Some("fox")));
}
