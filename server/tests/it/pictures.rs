use crate::support::{Answer, Call, House, Person, call, get, post, problem};
use axum::http::Method;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::json;
use shared::Role;
use std::io::Cursor;

const RED: Rgb<u8> = Rgb([220, 20, 20]);
const BLUE: Rgb<u8> = Rgb([20, 20, 220]);
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Left half red, right half blue.
fn flag(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, _| if x < width / 2 { RED } else { BLUE }).into()
}

fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn upload(person: &Person, kind: &str, bytes: Vec<u8>) -> Call {
    post("/api/pictures").by(person).header("content-type", kind).bytes(bytes)
}

/// Uploads, reads back and decodes.
async fn round_trip(house: &House, person: &Person, kind: &str, bytes: Vec<u8>) -> (Answer, RgbaImage) {
    let made = house.send(upload(person, kind, bytes)).await;
    assert_eq!(made.status, 201, "{:?}", made.json());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("pic_"), "{id}");
    let read = house.send(get(&format!("/api/pictures/{id}")).by(person)).await;
    assert_eq!(read.status, 200);
    let picture = image::load_from_memory(&read.bytes).unwrap().to_rgba8();
    (read, picture)
}

fn is_near(pixel: &Rgba<u8>, colour: Rgb<u8>) -> bool {
    pixel.0.iter().zip(colour.0).all(|(is, wanted)| is.abs_diff(wanted) < 40)
}

#[tokio::test]
async fn every_format_becomes_a_square_that_may_be_kept_for_ever() {
    let (house, admin) = House::with_admin().await;
    for (kind, format) in [
        ("image/png", ImageFormat::Png),
        ("image/jpeg", ImageFormat::Jpeg),
        ("image/webp", ImageFormat::WebP),
        ("IMAGE/GIF", ImageFormat::Gif),
    ] {
        let (read, picture) = round_trip(&house, &admin, kind, file(&flag(1600, 900), format)).await;
        assert_eq!(picture.dimensions(), (512, 512), "{kind}");
        assert!(is_near(picture.get_pixel(10, 500), RED) && is_near(picture.get_pixel(500, 10), BLUE), "{kind}");
        assert_eq!(read.header("content-type"), "image/jpeg");
        assert_eq!(read.header("cache-control"), "private, immutable, max-age=31536000");
        assert_eq!(read.header("x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn the_same_picture_is_the_same_and_known_by_its_tag() {
    let (house, admin) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let bytes = file(&flag(100, 100), ImageFormat::Png);
    let first = house.send(upload(&admin, "image/png", bytes.clone())).await.json();
    let second = house.send(upload(&bob, "image/png", bytes)).await.json();
    assert_eq!(first, second);
    assert_eq!(house.count("select count(*) from picture").await, 1);
    let path = format!("/api/pictures/{}", first["id"].as_str().unwrap());
    let read = house.send(get(&path).by(&bob)).await;
    let again = house.send(get(&path).by(&bob).header("if-none-match", read.header("etag"))).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    assert_eq!(again.header("cache-control"), read.header("cache-control"));
    assert_eq!(house.send(get(&path)).await.problem(), problem(401, "not_signed_in"));
    let none = format!("/api/pictures/pic_{}", "0".repeat(32));
    assert_eq!(house.send(get(&none).by(&bob)).await.problem(), problem(404, "picture_not_found"));
    assert_eq!(house.send(get("/api/pictures/kin_x").by(&bob)).await.problem(), problem(400, "path_invalid"));
}

#[tokio::test]
async fn small_pictures_stay_small_and_transparent_ones_transparent() {
    let (house, admin) = House::with_admin().await;
    let glass = RgbaImage::from_fn(40, 60, |x, _| if x < 20 { Rgba([9, 9, 9, 0]) } else { Rgba([0, 200, 0, 255]) });
    let (read, picture) = round_trip(&house, &admin, "image/png", file(&glass.into(), ImageFormat::Png)).await;
    assert_eq!(read.header("content-type"), "image/png");
    assert_eq!(picture.dimensions(), (40, 40));
    assert_eq!((picture.get_pixel(2, 2).0[3], picture.get_pixel(30, 30).0), (0, [0, 200, 0, 255]));
}

/// A JPEG file with an EXIF block that says how the camera was held, and where.
fn with_exif(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    exif.extend(b"home: 48.8566 N 2.3522 E");
    // A preview within the headers has an end mark of its own.
    exif.extend([0xff, 0xd9]);
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

#[tokio::test]
async fn a_turned_photo_stands_upright_and_tells_nothing_else() {
    let (house, admin) = House::with_admin().await;
    // Turned by a quarter clockwise, the red left half becomes the upper half.
    let photo = with_exif(&file(&flag(640, 480), ImageFormat::Jpeg), 6);
    let (read, picture) = round_trip(&house, &admin, "image/jpeg", photo).await;
    assert!(is_near(picture.get_pixel(400, 20), RED) && is_near(picture.get_pixel(100, 460), BLUE));
    for secret in [&b"48.8566"[..], b"Exif"] {
        assert!(!read.bytes.windows(secret.len()).any(|part| part == secret));
    }
}

#[tokio::test]
async fn print_colours_and_moving_pictures_are_read() {
    let (house, admin) = House::with_admin().await;
    let print = include_bytes!("files/cmyk.jpg").to_vec();
    let (_, picture) = round_trip(&house, &admin, "image/jpeg", print).await;
    assert!(is_near(picture.get_pixel(8, 8), Rgb([240, 20, 20])), "{:?}", picture.get_pixel(8, 8));
    // Its first frame is red.
    let moving = include_bytes!("files/moving.webp").to_vec();
    let (_, picture) = round_trip(&house, &admin, "image/webp", moving).await;
    assert!(is_near(picture.get_pixel(8, 8), Rgb([250, 10, 10])), "{:?}", picture.get_pixel(8, 8));
}

/// A PNG of a few bytes that claims a size.
fn claiming(width: u32, height: u32) -> Vec<u8> {
    let mut png = file(&flag(1, 1), ImageFormat::Png);
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let mut crc = !0_u32;
    for byte in &png[12..29] {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    png[29..33].copy_from_slice(&(!crc).to_be_bytes());
    png
}

#[tokio::test]
async fn what_is_no_picture_is_refused_with_a_reason_and_leaves_nothing() {
    let (house, admin) = House::with_admin().await;
    let noise = RgbImage::from_fn(300, 300, |x, y| Rgb([(x * y) as u8, (x ^ y) as u8, (x * 7 + y * 13) as u8]));
    let half = |format| {
        let whole = file(&noise.clone().into(), format);
        whole[..whole.len() / 2].to_vec()
    };
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".to_vec();
    for (what, kind, bytes, status, code) in [
        ("a bomb", "image/png", claiming(50_000, 50_000), 422, "picture_too_many_pixels"),
        ("a wide bomb", "image/png", claiming(u32::MAX >> 1, 1), 422, "picture_too_many_pixels"),
        ("a lie", "image/png", claiming(400, 400), 422, "picture_unreadable"),
        ("half a PNG", "image/png", half(ImageFormat::Png), 422, "picture_unreadable"),
        ("half a JPEG", "image/jpeg", half(ImageFormat::Jpeg), 422, "picture_unreadable"),
        ("half a GIF", "image/gif", half(ImageFormat::Gif), 422, "picture_unreadable"),
        ("half a WebP", "image/webp", half(ImageFormat::WebP), 422, "picture_unreadable"),
        ("SVG", "image/svg+xml", svg.clone(), 415, "picture_type_unsupported"),
        ("SVG called PNG", "image/png", svg, 422, "picture_unreadable"),
        ("a page called PNG", "image/png", b"<!doctype html><p>hello".to_vec(), 422, "picture_unreadable"),
        ("a BMP called PNG", "image/png", b"BM\x1e\0\0\0\0\0\0\0\x1a\0\0\0".to_vec(), 422, "picture_unreadable"),
        ("nothing", "image/png", Vec::new(), 422, "picture_unreadable"),
        ("no type", "", file(&flag(9, 9), ImageFormat::Png), 415, "picture_type_unsupported"),
        ("too much", "image/png", vec![0; 8_000_001], 413, "picture_too_large"),
    ] {
        let answer = house.send(upload(&admin, kind, bytes)).await;
        assert_eq!(answer.problem(), problem(status, code), "{what}");
    }
    assert_eq!(house.count("select count(*) from picture").await, 0);
    let stranger = post("/api/pictures").header("content-type", "image/png").bytes(claiming(1, 1));
    assert_eq!(house.send(stranger).await.problem(), problem(401, "not_signed_in"));
}

#[tokio::test]
async fn whoever_uploads_without_end_has_to_wait_and_others_do_not() {
    let (house, admin) = House::with_admin().await;
    let bob = house.person("bob@house.test", "Bob", Role::Member).await;
    let bytes = file(&flag(4, 4), ImageFormat::Png);
    let mut last = house.send(upload(&admin, "image/png", bytes.clone())).await;
    for _ in 0..40 {
        if last.status == 429 {
            break;
        }
        last = house.send(upload(&admin, "image/png", bytes.clone())).await;
    }
    assert_eq!(last.problem(), problem(429, "too_many_pictures"));
    assert!(last.header("retry-after").parse::<u64>().unwrap() > 0);
    assert_eq!(house.send(upload(&bob, "image/png", bytes)).await.status, 201);
}

#[tokio::test]
async fn a_picture_is_a_kins_face_and_goes_a_day_after_nobody_wears_it() {
    let (house, admin) = House::with_admin().await;
    let made = house.send(upload(&admin, "image/png", file(&flag(64, 64), ImageFormat::Png))).await.json();
    let picture = made["id"].as_str().unwrap();
    let body = json!({ "name": "Basile", "avatar": picture });
    let kin = house.send(post("/api/kins").by(&admin).json(&body)).await.json();
    assert_eq!((kin["avatar"].as_str(), kin["hue"].as_str()), (Some(picture), Some("pear")));
    let unknown = json!({ "name": "Lumen", "avatar": format!("pic_{}", "0".repeat(32)) });
    let refused = house.send(post("/api/kins").by(&admin).json(&unknown)).await;
    assert_eq!(refused.problem(), problem(422, "avatar_unknown"));

    house.sql(&format!("update picture set given_at = given_at - {}", DAY_MS + 1)).await;
    let clean = async || house.send(upload(&admin, "image/png", file(&flag(80, 80), ImageFormat::Png))).await;
    clean().await;
    assert_eq!(house.count(&format!("select count(*) from picture where id = '{picture}'")).await, 1);
    let path = format!("/api/kins/{}", kin["id"].as_str().unwrap());
    let bare = house.send(call(Method::PATCH, &path).by(&admin).json(&json!({ "avatar": "fable" }))).await;
    assert_eq!(bare.status, 200);
    clean().await;
    assert_eq!(house.count(&format!("select count(*) from picture where id = '{picture}'")).await, 0);
}
