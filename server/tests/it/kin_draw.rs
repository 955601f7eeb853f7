//! Faces that an image provider draws.

use crate::support::{House, Person, post, problem};
use axum::routing::{get, post as on_post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A provider that draws what it is told to; gives its address and what it was asked.
async fn painter(drawn: Vec<u8>) -> (String, Arc<Mutex<Vec<Value>>>) {
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let (seen, picture) = (Arc::clone(&asked), STANDARD.encode(drawn));
    let router = Router::new()
        .route(
            "/v1/models",
            get(async || Json(json!({ "object": "list", "data": [{ "id": "gpt-image-1", "object": "model" }] }))),
        )
        .route(
            "/v1/images/generations",
            on_post(move |Json(body): Json<Value>| {
                seen.lock().unwrap().push(body);
                let picture = picture.clone();
                async move { Json(json!({ "data": [{ "b64_json": picture }] })) }
            }),
        );
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}/v1/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, asked)
}

async fn connect(house: &House, admin: &Person, address: &str) {
    let body = json!({ "name": "Painter", "kind": "openai-compatible", "base_url": address, "api_key": "k" });
    let made = house.send(post("/api/providers").by(admin).json(&body)).await;
    assert_eq!(made.status, 201, "{:?}", made.json());
}

fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(600, 400, image::Rgb([9, 99, 9]))
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

#[tokio::test]
async fn a_face_is_drawn_from_the_description_or_a_wish_and_can_be_worn() {
    let (house, admin) = House::with_admin().await;
    let (address, asked) = painter(png()).await;
    let draw = async |body: &Value| house.send(post("/api/kins/avatar-drafts").by(&admin).json(body)).await;
    assert_eq!(draw(&json!({ "name": "Basile" })).await.problem(), problem(409, "image_provider_missing"));
    connect(&house, &admin, &address).await;
    let kin = house.kin(&admin, "Basile").await;
    let drawn = draw(&json!({ "kin": kin, "role": "Soups" })).await;
    assert_eq!(drawn.status, 201, "{:?}", drawn.json());
    let long = draw(&json!({ "prompt": "x".repeat(1_001) })).await;
    assert_eq!(long.problem(), problem(422, "wish_too_long"));
    assert_eq!(draw(&json!({ "prompt": "a blue teapot" })).await.status, 201);
    let prompts: Vec<String> =
        asked.lock().unwrap().iter().map(|body| body["prompt"].as_str().unwrap().to_owned()).collect();
    assert!(prompts[0].contains("Basile") && prompts[0].contains("Soups"), "{prompts:?}");
    assert!(prompts[1].contains("a blue teapot") && !prompts[1].contains("Basile"), "{prompts:?}");
    let avatar = drawn.json()["id"].clone();
    let worn = house.send(post("/api/kins").by(&admin).json(&json!({ "name": "Lumen", "avatar": avatar }))).await;
    assert_eq!((worn.status.as_u16(), &worn.json()["avatar"]), (201, &avatar));
}

#[tokio::test]
async fn what_is_no_picture_is_not_kept() {
    let (house, admin) = House::with_admin().await;
    let (address, _) = painter(b"<svg/>".to_vec()).await;
    connect(&house, &admin, &address).await;
    let drawn = house.send(post("/api/kins/avatar-drafts").by(&admin).json(&json!({ "name": "Basile" }))).await;
    assert_eq!(drawn.problem(), problem(422, "picture_unreadable"));
    assert_eq!(house.count("select count(*) from picture").await, 0);
}
