use crate::support::{Answer, House, get, post, problem};
use serde_json::{Value, json};

fn form(code: &str, email: &str) -> Value {
    json!({
        "code": code, "email": email, "password": "correct horse battery", "first_name": "Ada",
        "last_name": "Lovelace", "nickname": "Ada", "language": "fr",
    })
}

async fn set_up(house: &House, body: &Value) -> Answer {
    house.send(post("/api/setup").json(body)).await
}

#[tokio::test]
async fn of_setups_at_once_one_wins_and_is_signed_in() {
    let house = House::empty();
    assert_eq!(house.send(get("/api/setup")).await.json(), json!({ "needed": true }));
    let code = house.state.setup_code.as_str().to_owned();
    let forms: Vec<Value> = (0..4).map(|n| form(&code, &format!("ada{n}@house.test"))).collect();
    let answers = futures_util::future::join_all(forms.iter().map(|form| set_up(&house, form))).await;
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
    let again = set_up(&house, &form(&code, "eve@house.test")).await;
    assert_eq!(again.problem(), problem(409, "setup_done"));
    assert_eq!(house.count("select count(*) from member").await, 1);
}

#[tokio::test]
async fn wrong_codes_are_refused_and_then_not_even_looked_at() {
    let house = House::empty();
    for _ in 0..10 {
        let wrong = set_up(&house, &form(&"0".repeat(32), "eve@house.test")).await;
        assert_eq!(wrong.problem(), problem(403, "setup_code_wrong"));
    }
    let code = house.state.setup_code.as_str().to_owned();
    let limited = set_up(&house, &form(&code, "ada@house.test")).await;
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
        ("password", "short", "password_too_short"),
        ("first_name", " ", "first_name_empty"),
        ("nickname", &"x".repeat(61), "nickname_too_long"),
        ("language", "tlh", "language_unknown"),
    ] {
        let mut body = form(&code, "ada@house.test");
        body[field] = json!(value);
        assert_eq!(set_up(&house, &body).await.problem(), problem(422, code_of_error));
    }
    assert_eq!(set_up(&house, &form(&code, "ada@house.test")).await.status, 201);
}
