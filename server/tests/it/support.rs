//! A household in a temporary folder, and requests to it.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use credentials::client::{Registering, SigningIn};
use credentials::{Argon2Params, Bytes, RecoveryCode, ReplicaKey, recovery};
use serde_json::{Value, json};
use server::app_state::AppState;
use server::auth::credentials::{register_here, store};
use server::auth::digest;
use server::clock::{self, SystemRandom};
use server::data_folder::DataFolder;
use server::db::DbError;
use server::error::ApiError;
use server::http;
use server::members::{self, NewMember};
use server::settings::{SettingFlags, Settings, variable};
use shared::{MemberId, Role};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, Ordering};
use tempfile::TempDir;
use tower::ServiceExt;

/// Everybody's password.
pub const PASSWORD: &str = "correct horse battery";

/// A server without a listener.
pub struct House {
    pub state: AppState,
    pub router: Router,
    _folder: TempDir,
    _lock: DataFolder,
}

/// A member, their token and their recovery code.
pub struct Person {
    pub id: MemberId,
    pub token: String,
    pub recovery_code: RecoveryCode,
}

/// A registration that is ready to be finished.
pub struct Registered {
    /// For the member `registration` of the request it is for.
    pub body: Value,
    /// The answer to the first message.
    pub begun: Value,
}

/// So much work costs nothing; only for tests.
const LIGHT: Argon2Params = Argon2Params { memory_kib: 64, passes: 1, lanes: 1 };

/// Bytes that travelled.
pub fn bytes(value: &Value) -> Vec<u8> {
    Bytes::from_text(value.as_str().unwrap()).unwrap().0
}

fn params(answer: &Value) -> Argon2Params {
    serde_json::from_value(answer["argon2"].clone()).unwrap()
}

/// What a request was answered with.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body as JSON, null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }

    /// Status and code of a problem.
    pub fn problem(&self) -> (u16, String) {
        (self.status.as_u16(), self.json()["code"].as_str().unwrap_or_default().to_owned())
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// `(409, "setup_done")` as [`Answer::problem`] gives it.
pub fn problem(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

/// A request to be.
pub struct Call {
    request: axum::http::request::Builder,
    body: Vec<u8>,
}

pub fn call(method: Method, path: &str) -> Call {
    Call { request: Request::builder().method(method).uri(path).header(header::HOST, "house.test"), body: Vec::new() }
}

pub fn get(path: &str) -> Call {
    call(Method::GET, path)
}

pub fn post(path: &str) -> Call {
    call(Method::POST, path)
}

impl Call {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    pub fn by(self, person: &Person) -> Self {
        let bearer = format!("Bearer {}", person.token);
        self.header("authorization", &bearer)
    }

    /// As a page of our own would send it.
    pub fn cookie(self, cookie: &str) -> Self {
        self.header("cookie", cookie).header("origin", "http://house.test")
    }

    pub fn json(self, body: &Value) -> Self {
        self.bytes(body.to_string().into_bytes()).header("content-type", "application/json")
    }

    pub fn bytes(mut self, body: Vec<u8>) -> Self {
        self.body = body;
        self
    }

    pub fn request(self) -> Request<Body> {
        self.request.body(Body::from(self.body)).unwrap()
    }
}

impl House {
    /// A house with nobody in it and no engine running.
    pub fn empty() -> Self {
        Self::empty_with(&[])
    }

    /// The same, with these settings.
    pub fn empty_with(set: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let lock = DataFolder::open(&data).unwrap();
        let flags = SettingFlags { data: Some(data.display().to_string()), ..SettingFlags::default() };
        let set =
            |name: &str| set.iter().find(|(known, _)| variable(known) == name).map(|(_, value)| (*value).to_owned());
        let settings = Settings::resolve(&flags, set).unwrap();
        let state = AppState::open(settings, &lock).unwrap();
        Self { router: http::router(state.clone()), state, _folder: folder, _lock: lock }
    }

    /// A house with an admin.
    pub async fn with_admin() -> (Self, Person) {
        let house = Self::empty();
        let admin = house.person("ada@house.test", "Ada", Role::Admin).await;
        (house, admin)
    }

    /// A member with a token, and [`PASSWORD`].
    pub async fn person(&self, email: &str, nickname: &str, role: Role) -> Person {
        let new = NewMember::check(email, nickname, "Lovelace", nickname, "en", role).unwrap();
        let secret = self.state.opaque.secret().await.unwrap();
        // Little work: how hard guessing is, is not what these tests are about.
        let (credentials, code) = register_here(secret, &PASSWORD.to_owned().into(), LIGHT).unwrap();
        let written = self.state.hub.write(move |w| {
            let id = members::create(w, &new)?;
            let now = w.now();
            store(w.tx(), id, &credentials, now)?;
            Ok::<_, ApiError>(id)
        });
        let id = written.await.unwrap();
        let token = server::tokens::create(&self.state, id.to_string(), "all", "test".into()).await.unwrap();
        Person { id, token, recovery_code: code }
    }

    pub async fn send(&self, call: Call) -> Answer {
        answer(self.router.clone().oneshot(call.request()).await.unwrap()).await
    }

    /// A sign-in from an address of its own unless `from` gives one, with its cookie.
    pub async fn sign_in(&self, email: &str, password: &str, from: Option<u8>) -> (Answer, String) {
        self.sign_in_with(email, password, from, json!({})).await
    }

    /// The same with more in the second message.
    pub async fn sign_in_with(&self, email: &str, password: &str, from: Option<u8>, more: Value) -> (Answer, String) {
        let (signing_in, request) = SigningIn::start(&mut SystemRandom, password).unwrap();
        let body = json!({ "email": email, "request": request });
        let challenge = self.send_from(post("/api/auth/login/start").json(&body), from).await;
        if challenge.status != 200 {
            return (challenge, String::new());
        }
        let challenge = challenge.json();
        let (argon2, response) = (params(&challenge), bytes(&challenge["response"]));
        // Who does not know the password has nothing to prove it with, and makes something up.
        let finalization = match signing_in.finish(&mut SystemRandom, &response, argon2) {
            Ok(signed_in) => signed_in.finalization,
            Err(_) => Bytes(vec![7; 64]),
        };
        let mut body = more;
        body["login"] = challenge["login"].clone();
        body["finalization"] = json!(finalization);
        let answer = self.send_from(post("/api/auth/login/finish").json(&body), from).await;
        let cookie = answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
        (answer, cookie)
    }

    /// Both messages of a registration: gives what belongs in the request it is for, or the refusal of the first.
    pub async fn register(&self, purpose: Value, password: &str, cookie: &str) -> Result<Registered, Answer> {
        let rng = &mut SystemRandom;
        let (registering, request) = Registering::start(rng, password).unwrap();
        let call = post("/api/auth/registration").json(&json!({ "purpose": purpose, "request": request }));
        let begun = self.send_from(call.cookie(cookie), None).await;
        if begun.status != 200 {
            return Err(begun);
        }
        let begun = begun.json();
        let registered = registering.finish(rng, &bytes(&begun["response"]), params(&begun)).unwrap();
        let (key, code) = (ReplicaKey::generate(rng), RecoveryCode::generate(rng));
        let body = json!({
            "id": begun["registration"], "upload": registered.upload,
            "key_by_password": key.wrap_by_password(rng, &registered.export_key),
            "key_by_recovery": key.wrap_by_recovery(rng, &code),
            "recovery_proof_hash": Bytes::from(&recovery::proof_hash(&code.proof())),
        });
        Ok(Registered { body, begun })
    }

    /// Sends a request from an address of its own, unless `from` gives one.
    pub async fn send_from(&self, call: Call, from: Option<u8>) -> Answer {
        static NEXT: AtomicU16 = AtomicU16::new(0);
        let host = from.map_or_else(|| NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes(), |host| [200, host]);
        let address = SocketAddr::from(([10, 0, host[0], host[1]], 1234));
        let mut request = call.request();
        request.extensions_mut().insert(axum::extract::ConnectInfo(address));
        answer(self.router.clone().oneshot(request).await.unwrap()).await
    }

    /// A Kin without a model.
    pub async fn kin(&self, person: &Person, name: &str) -> String {
        let answer = self.send(post("/api/kins").by(person).json(&json!({ "name": name }))).await;
        assert_eq!(answer.status, 201, "{:?}", answer.json());
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Runs plain SQL, for what no route does yet.
    pub async fn sql(&self, sql: &str) {
        let sql = sql.to_owned();
        self.state.db.write(move |tx| Ok::<_, DbError>(tx.execute_batch(&sql)?)).await.unwrap();
    }

    /// A number the database holds.
    pub async fn count(&self, sql: &str) -> i64 {
        let sql = sql.to_owned();
        let read = self.state.db.read(move |conn| Ok::<_, DbError>(conn.query_row(&sql, [], |row| row.get(0))?));
        read.await.unwrap()
    }
}

pub async fn answer(response: axum::response::Response) -> Answer {
    let (parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
    Answer { status: parts.status, headers: parts.headers, bytes }
}

/// The digest kept of a cookie's secret, in hex.
pub fn cookie_digest(cookie: &str) -> String {
    hex::encode(digest(cookie.split_once('=').unwrap().1))
}

/// Waits for a condition.
pub async fn until<F: Future<Output = bool>>(what: &str, mut condition: impl FnMut() -> F) {
    for _ in 0..400 {
        if condition().await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("never happened: {what}");
}

pub fn now() -> i64 {
    clock::now().0
}
