//! The running server, from outside: memory, start, latencies, CPU of a turn, sizes.
//!
//! `KINSTEAD_BIN=target/release/kinstead cargo bench -p kinstead-tests`. Prints a table; see docs/performance.md.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints and stops when it cannot go on")]

use credentials::Bytes;
use credentials::client::SigningIn;
use futures_util::{SinkExt, StreamExt};
use kinstead_tests::scripted::{KEY, Script, ScriptedProvider};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Value, json};
use shared::frame::{ClientFrame, SUBPROTOCOL, ServerFrame, WatchFrom, decode, encode};
use shared::{DocumentKind, SessionId};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use sync::document::Document;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

const TURNS: u32 = 100;
const PASSWORD: &str = "correct horse battery";

struct Server {
    child: Child,
    base: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// User and system time so far, in milliseconds.
    fn cpu_ms(&self) -> f64 {
        let mut ns = 0.0;
        for task in std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap() {
            let text = std::fs::read_to_string(task.unwrap().path().join("schedstat")).unwrap_or_default();
            ns += text.split(' ').next().and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        }
        ns / 1e6
    }

    fn resident_mb(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
    }
}

fn row(what: &str, figure: &str, goal: &str) {
    println!("| {what} | {figure} | {goal} |");
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() - 1) * percent / 100]
}

/// Starts the binary; how long until it answers `/health`.
async fn start(bin: &str, data: &Path, http: &reqwest::Client) -> (Server, f64) {
    let begun = Instant::now();
    let mut child = Command::new(bin)
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let base = line.split_whitespace().find(|word| word.starts_with("http")).unwrap().trim_end_matches('/').to_owned();
    let server = Server { child, base };
    assert!(http.get(format!("{}/health", server.base)).send().await.unwrap().status().is_success());
    (server, begun.elapsed().as_secs_f64() * 1e3)
}

#[tokio::main]
async fn main() {
    let bin = std::env::var("KINSTEAD_BIN").expect("KINSTEAD_BIN names the kinstead binary");
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let http = reqwest::Client::new();
    println!("| what | measured | goal |\n| --- | --- | --- |");

    admin(&bin, &data);
    drop(start(&bin, &data, &http).await);
    let (server, started) = start(&bin, &data, &http).await;
    row("start to healthy", &format!("{started:.0} ms"), "≤ 300 ms");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let cpu = server.cpu_ms();
    tokio::time::sleep(Duration::from_secs(60)).await;
    // Threads that end take their time with them, so the sum may fall.
    row("idle: CPU in 60 s", &format!("{:.1} ms", (server.cpu_ms() - cpu).max(0.0)), "≤ 10 ms");
    row("idle: resident", &format!("{:.1} MB", server.resident_mb()), "≤ 30 MB");

    let token = Command::new(&bin)
        .args(["token", "create", "--member", "ada@house.test", "--scopes", "all", "--data"])
        .arg(&data)
        .output()
        .unwrap();
    let token = String::from_utf8(token.stdout).unwrap().trim().to_owned();
    let post = |path: String, body: Value| {
        let request = http.post(format!("{}{path}", server.base)).bearer_auth(&token).json(&body);
        async move {
            let answer = request.send().await.unwrap();
            assert!(answer.status().is_success(), "{}", answer.status());
            answer.json::<Value>().await.unwrap()
        }
    };

    let provider = ScriptedProvider::start().await;
    let made = json!({ "name": "S", "kind": "openai-compatible", "base_url": provider.url(), "api_key": KEY });
    let made = post("/api/providers".into(), made).await;
    let model = json!({ "provider_id": made["id"], "name": "gpt-4o" });
    let body = json!({ "name": "Basile", "role": "cook", "character": "calm", "expertise": "soups", "model": model });
    let kin = post("/api/kins".into(), body).await;
    let messages = format!("/api/kins/{}/messages", kin["id"].as_str().unwrap());

    // A device that watches the thread.
    let mut socket = device(&server, &http).await;
    let session = session(&mut socket).await;
    let watch = ClientFrame::Watch { sessions: vec![WatchFrom { session, have: None }] };
    socket.send(Message::Binary(encode(&watch).into())).await.unwrap();

    // Message in → request out; provider's byte → device's socket.
    let (mut out, mut down) = (Vec::new(), Vec::new());
    for turn in 1..=TURNS as usize {
        provider.push(Script::gated(["first piece ", "second piece"]));
        let sent = Instant::now();
        post(messages.clone(), json!({ "text": "Hello" })).await;
        let arrived = provider.wait_for_request(turn).await[turn - 1].arrived_at;
        out.push(arrived.saturating_duration_since(sent).as_secs_f64() * 1e3);
        let released = Instant::now();
        provider.release(1);
        frame(&mut socket, |frame| matches!(frame, ServerFrame::Live { text, .. } if text.contains("first"))).await;
        down.push(released.elapsed().as_secs_f64() * 1e3);
        provider.release(1);
        frame(&mut socket, |frame| matches!(frame, ServerFrame::LiveEnd { .. })).await;
    }
    out.sort_by(f64::total_cmp);
    down.sort_by(f64::total_cmp);
    let (p50, p95) = (percentile(&out, 50), percentile(&out, 95));
    row("message arrives → request leaves, p50 / p95", &format!("{p50:.1} / {p95:.1} ms"), "≤ 10 ms");
    let (p50, p95) = (percentile(&down, 50), percentile(&down, 95));
    row("provider's byte → device's socket, p50 / p95", &format!("{p50:.1} / {p95:.1} ms"), "≤ 5 ms");
    let hello = serde_json::to_vec(&provider.requests()[0].body).unwrap().len();
    row("request for \"Hello\" in a new thread", &format!("{hello} B"), "≤ 8 kB");

    // CPU of whole turns: admission, call, 20 pieces, answer, sync to one device.
    let cpu = server.cpu_ms();
    for _ in 0..TURNS {
        provider.push(Script::answer((0..20).map(|n| format!("piece {n} of an answer "))));
        post(messages.clone(), json!({ "text": "Hello again" })).await;
        frame(&mut socket, |frame| matches!(frame, ServerFrame::LiveEnd { .. })).await;
    }
    let each = (server.cpu_ms() - cpu) / f64::from(TURNS);
    row("CPU of a turn (20 pieces, one device)", &format!("{each:.1} ms"), "≤ 5 ms");
    row("resident after 200 turns", &format!("{:.1} MB", server.resident_mb()), "");
}

fn admin(bin: &str, data: &Path) {
    let mut child = Command::new(bin)
        .args(["admin", "create", "--email", "ada@house.test", "--first-name", "Ada", "--last-name", "L"])
        .args(["--nickname", "Ada", "--language", "en", "--password-stdin", "--data"])
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    assert!(child.wait().unwrap().success());
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

async fn device(server: &Server, http: &reqwest::Client) -> Socket {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).unwrap();
    let rng = &mut ChaCha20Rng::from_seed(seed);
    let (signing_in, request) = SigningIn::start(rng, PASSWORD).unwrap();
    let start = json!({ "email": "ada@house.test", "request": request });
    let challenge = http.post(format!("{}/api/auth/login/start", server.base)).json(&start).send().await.unwrap();
    let challenge: Value = challenge.json().await.unwrap();
    let response = Bytes::from_text(challenge["response"].as_str().unwrap()).unwrap();
    let argon2 = serde_json::from_value(challenge["argon2"].clone()).unwrap();
    let finalization = signing_in.finish(rng, &response, argon2).unwrap().finalization;
    let finish = json!({ "login": challenge["login"], "finalization": finalization });
    let answer = http.post(format!("{}/api/auth/login/finish", server.base)).json(&finish).send().await.unwrap();
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let mut request = format!("{}/api/sync", server.base.replacen("http", "ws", 1)).into_client_request().unwrap();
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    request.headers_mut().insert("sec-websocket-protocol", SUBPROTOCOL.parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    let hello = ClientFrame::Hello { epoch: None, positions: vec![] };
    socket.send(Message::Binary(encode(&hello).into())).await.unwrap();
    socket
}

/// The session of the only Kin, from the home document.
async fn session(socket: &mut Socket) -> SessionId {
    let is_home =
        |frame: &ServerFrame| matches!(frame, ServerFrame::Snapshot { document: shared::DocumentId::Home, .. });
    let ServerFrame::Snapshot { bytes, .. } = frame(socket, is_home).await else {
        unreachable!("asked for a snapshot")
    };
    Document::open(DocumentKind::Home, [bytes.as_slice()]).unwrap().kins()[0].session
}

async fn frame(socket: &mut Socket, wanted: impl Fn(&ServerFrame) -> bool) -> ServerFrame {
    loop {
        if let Message::Binary(bytes) = socket.next().await.unwrap().unwrap() {
            let frame = decode(&bytes).unwrap();
            if wanted(&frame) {
                return frame;
            }
        }
    }
}
