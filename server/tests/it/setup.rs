use crate::support::{Answer, House, PASSWORD, get, post, problem};
use serde_json::{Value, json};

fn form(email: &str) -> Value {
    json!({ "email": email, "first_name": "Ada", "last_name": "Lovelace", "nickname": "Ada", "language": "fr" })
}

/// Registers with the code, then sends the form.
async fn set_up(house: &House, code: &str, form: &Value) -> Answer {
    match house.register(json!({ "kind": "setup", "code": code }), PASSWORD, "").await {
        Ok(registered) => {
            let mut body = form.clone();
            body["registration"] = registered.body;
            house.send(post("/api/setup").json(&body)).await
        }
        Err(refused) => refused,
    }
}

#[tokio::test]
async fn of_setups_at_once_one_wins_and_is_signed_in() {
    let house = House::empty();
    assert_eq!(house.send(get("/api/setup")).await.json(), json!({ "needed": true }));
    let code = house.state.setup_code.as_str().to_owned();
    let mut forms = Vec::new();
    for n in 0..4 {
        let registered = house.register(json!({ "kind": "setup", "code": code }), PASSWORD, "").await;
        let mut form = form(&format!("ada{n}@house.test"));
        form["registration"] = registered.ok().unwrap().body;
        forms.push(form);
    }
    let sent = forms.iter().map(|form| house.send(post("/api/setup").json(form)));
    let answers = futures_util::future::join_all(sent).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(won.len(), 1);
    assert!(lost.iter().all(|answer| answer.problem() == problem(409, "setup_done")));
    assert_eq!(house.count("select count(*) from member").await, 1);
    assert_eq!(house.send(get("/api/setup")).await.json(), json!({ "needed": false }));

    let cookie = won[0].header("set-cookie").split(';').next().unwrap().to_owned();
    let me = house.send(get("/api/me").cookie(&cookie)).await.json();
    assert_eq!((me["role"].as_str(), me["language"].as_str()), (Some("admin"), Some("fr")));
    assert_eq!(me["device_id"], won[0].json()["device_id"]);
}

#[tokio::test]
async fn a_setup_cannot_be_repeated_even_with_the_right_code() {
    let (house, _) = House::with_admin().await;
    let code = house.state.setup_code.as_str().to_owned();
    let again = set_up(&house, &code, &form("eve@house.test")).await;
    assert_eq!(again.problem(), problem(409, "setup_done"));
    assert_eq!(house.count("select count(*) from member").await, 1);
}

#[tokio::test]
async fn wrong_codes_are_refused_and_then_not_even_looked_at() {
    let house = House::empty();
    for _ in 0..10 {
        let wrong = set_up(&house, &"0".repeat(32), &form("eve@house.test")).await;
        assert_eq!(wrong.problem(), problem(403, "setup_code_wrong"));
    }
    let code = house.state.setup_code.as_str().to_owned();
    let limited = set_up(&house, &code, &form("ada@house.test")).await;
    assert_eq!(limited.problem(), problem(429, "too_many_attempts"));
    assert!(limited.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert_eq!(house.count("select count(*) from member").await, 0);
}

#[tokio::test]
async fn a_field_that_will_not_do_is_named_and_the_code_stays_good() {
    let house = House::empty();
    let code = house.state.setup_code.as_str().to_owned();
    for (field, value, code_of_error) in [
        ("email", "nobody", "email_invalid"),
        ("first_name", " ", "first_name_empty"),
        ("nickname", &"x".repeat(61), "nickname_too_long"),
        ("language", "tlh", "language_unknown"),
    ] {
        let mut form = form("ada@house.test");
        form[field] = json!(value);
        assert_eq!(set_up(&house, &code, &form).await.problem(), problem(422, code_of_error));
    }
    assert_eq!(set_up(&house, &code, &form("ada@house.test")).await.status, 201);
}

#[tokio::test]
async fn a_registration_is_for_its_purpose_and_for_once() {
    let house = House::empty();
    let code = house.state.setup_code.as_str().to_owned();
    let registered = house.register(json!({ "kind": "setup", "code": code }), PASSWORD, "").await.ok().unwrap();
    let mut body = form("ada@house.test");
    body["registration"] = registered.body.clone();
    // As after a restart: the server has forgotten it. Nothing was changed, and the app begins again.
    body["registration"]["id"] = json!("forgotten");
    assert_eq!(house.send(post("/api/setup").json(&body)).await.problem(), problem(409, "registration_gone"));
    body["registration"]["id"] = registered.body["id"].clone();
    body["registration"]["upload"] = json!("AAAA");
    assert_eq!(house.send(post("/api/setup").json(&body)).await.problem(), problem(422, "message_invalid"));
    body["registration"] = registered.body;
    assert_eq!(house.send(post("/api/setup").json(&body)).await.problem(), problem(409, "registration_gone"));
    assert_eq!(house.count("select count(*) from member").await, 0);
    assert_eq!(set_up(&house, &code, &form("ada@house.test")).await.status, 201);
    assert_eq!(house.sign_in("ada@house.test", PASSWORD, None).await.0.status, 200);
}
