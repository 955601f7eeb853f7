//! A household in a temporary folder, and requests to it.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use serde_json::{Value, json};
use server::app_state::AppState;
use server::auth::{Passwords, digest};
use server::clock;
use server::data_folder::DataFolder;
use server::db::DbError;
use server::http;
use server::members::{self, MemberError, NewMember};
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

/// A member and their token.
pub struct Person {
    pub id: MemberId,
    pub token: String,
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

    /// A member with a token.
    pub async fn person(&self, email: &str, nickname: &str, role: Role) -> Person {
        // One hash for all: it is not what these tests are about.
        static HASH: tokio::sync::OnceCell<String> = tokio::sync::OnceCell::const_new();
        let hash = HASH.get_or_init(async || Passwords::default().hash(PASSWORD.into(), [7; 16]).await.unwrap()).await;
        let new = NewMember::check(email, nickname, "Lovelace", nickname, "en", role).unwrap();
        let new = new.with_password_hash(hash.clone());
        let id =
            self.state.hub.write(move |w| members::create(w, &new)).await.map_err(|error: MemberError| error).unwrap();
        let token = server::tokens::create(&self.state, id.to_string(), "all", "test".into()).await.unwrap();
        Person { id, token }
    }

    pub async fn send(&self, call: Call) -> Answer {
        answer(self.router.clone().oneshot(call.request()).await.unwrap()).await
    }

    /// A sign-in from an address of its own unless `from` gives one, with its cookie.
    pub async fn sign_in(&self, email: &str, password: &str, from: Option<u8>) -> (Answer, String) {
        static NEXT: AtomicU16 = AtomicU16::new(0);
        let host = from.map_or_else(|| NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes(), |host| [200, host]);
        let address = SocketAddr::from(([10, 0, host[0], host[1]], 1234));
        let mut request = post("/api/auth/login").json(&json!({ "email": email, "password": password })).request();
        request.extensions_mut().insert(axum::extract::ConnectInfo(address));
        let answer = answer(self.router.clone().oneshot(request).await.unwrap()).await;
        let cookie = answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
        (answer, cookie)
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
