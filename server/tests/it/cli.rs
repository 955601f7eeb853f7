//! The real binary.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn kinstead() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinstead"));
    command.env_clear();
    command
}

/// A running server of its own.
pub struct Server {
    child: Child,
    folder: TempDir,
    /// What it printed first.
    pub address: String,
    out: BufReader<std::process::ChildStdout>,
}

impl Server {
    pub fn start_with(environment: &[(&str, &str)]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), environment)
    }

    pub fn start_in(folder: TempDir, environment: &[(&str, &str)]) -> Self {
        Self::start_at("127.0.0.1:0", folder, environment)
    }

    pub fn start_at(listen: &str, folder: TempDir, environment: &[(&str, &str)]) -> Self {
        let log = File::options().create(true).append(true).open(folder.path().join("log")).unwrap();
        let mut child = kinstead()
            .args(["serve", "--listen", listen, "--log", "debug", "--data"])
            .arg(folder.path().join("data"))
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("Kinstead is at ").unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Self { child, folder, address, out }
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address.trim_end_matches('/'))
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    pub fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: &str) {
        Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
    }

    /// Asks it to stop; its exit code, what else it printed, and its folder.
    pub fn stop(mut self, signal: &str) -> (Option<i32>, String, TempDir) {
        self.signal(signal);
        let code = self.child.wait().unwrap().code();
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        (code, rest, folder)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn run(data: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = kinstead()
        .args(arguments)
        .arg("--data")
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub fn create_admin(data: &Path, email: &str) -> Output {
    let arguments = [
        "admin",
        "create",
        "--email",
        email,
        "--first-name",
        "Ada",
        "--last-name",
        "Lovelace",
        "--nickname",
        "Ada",
        "--language",
        "en",
        "--password-stdin",
    ];
    run(data, &arguments, "correct horse battery\n")
}

pub fn create_token(data: &Path, member: &str) -> Output {
    run(data, &["token", "create", "--member", member, "--scopes", "all"], "")
}

pub fn text(output: &Output) -> (bool, String, String) {
    let read = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.success(), read(&output.stdout), read(&output.stderr))
}

async fn me(server: &Server, token: &str) -> Value {
    let request = reqwest::Client::new().get(server.url("/api/me")).bearer_auth(token);
    serde_json::from_str(&request.send().await.unwrap().text().await.unwrap()).unwrap()
}

fn assert_is_token(printed: &str) -> &str {
    let token = printed.strip_suffix('\n').unwrap();
    assert!(token.starts_with("kst_") && token.len() == 47 && !token.contains(char::is_whitespace), "{printed:?}");
    token
}

#[tokio::test]
async fn admins_and_tokens_are_made_whether_the_server_runs_or_not() {
    let mut server = Server::start_with(&[]);
    let line = server.next_line();
    let code = line.trim().strip_prefix(&format!("Set it up at {}#setup=", server.address)).unwrap().to_owned();
    assert_eq!(code.len(), 32);

    let (ok, id, _) = text(&create_admin(&server.data(), "ada@house.test"));
    let (id, recovery) = id.split_once('\n').unwrap();
    assert!(ok && id.starts_with("mbr_") && recovery.starts_with("Recovery code"), "{recovery}");
    let (ok, printed, _) = text(&create_token(&server.data(), "Ada@house.test"));
    assert!(ok);
    let running = assert_is_token(&printed).to_owned();
    assert_eq!(me(&server, &running).await["id"], id);
    let (ok, _, error) = text(&create_admin(&server.data(), "ada@house.test"));
    assert!(!ok && error.contains("email_taken"), "{error}");

    // The log tells what happened and nobody's secrets.
    let log = server.log();
    assert!(log.contains("listening"));
    for secret in [&code, &running, "ada@house.test", "correct horse"] {
        assert!(!log.contains(secret), "the log holds {secret}");
    }

    let (code, rest, folder) = server.stop("-TERM");
    assert_eq!((code, rest.as_str()), (Some(0), ""));
    let data = folder.path().join("data");
    let (ok, _, _) = text(&create_admin(&data, "bob@house.test"));
    assert!(ok);
    let (ok, printed, _) = text(&create_token(&data, "bob@house.test"));
    assert!(ok);
    let stopped = assert_is_token(&printed).to_owned();
    let (ok, out, error) = text(&create_token(&data, "eve@house.test"));
    assert!(!ok && out.is_empty() && error.contains("member_not_found"), "{error}");
    let (ok, _, error) = text(&run(&data, &["token", "create", "--member", "bob@house.test", "--scopes", "some"], ""));
    assert!(!ok && error.contains("scopes_unknown"), "{error}");

    let server = Server::start_in(folder, &[]);
    for token in [&running, &stopped] {
        assert_eq!(me(&server, token).await["role"], "admin");
    }
    let (code, rest, _folder) = server.stop("-INT");
    // Nobody is asked to set up what has an admin.
    assert_eq!((code, rest.as_str()), (Some(0), ""));
}

#[tokio::test]
async fn one_folder_has_one_server() {
    let server = Server::start_with(&[]);
    let second = kinstead().args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(server.data()).output().unwrap();
    let (ok, out, error) = text(&second);
    assert!(!ok && out.is_empty() && error.contains("another Kinstead is using"), "{error}");
    let health = reqwest::get(server.url("/health")).await.unwrap().text().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&health).unwrap()["status"], "ok");
    #[cfg(unix)]
    for (name, mode) in [("", 0o700), ("key", 0o600), ("kinstead.db", 0o600), ("control.sock", 0o600)] {
        use std::os::unix::fs::PermissionsExt;
        let found = std::fs::metadata(server.data().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{name:?} has {found:o}");
    }
}

#[test]
fn a_server_is_ready_soon_and_stops_with_a_stream_open() {
    let begun = Instant::now();
    let server = Server::start_with(&[]);
    assert!(begun.elapsed() < Duration::from_secs(3), "took {:?}", begun.elapsed());
    create_admin(&server.data(), "ada@house.test");
    let token = text(&create_token(&server.data(), "ada@house.test")).1;
    let address = server.address.trim_start_matches("http://localhost").trim_end_matches('/');
    let mut stream = std::net::TcpStream::connect(format!("127.0.0.1{address}")).unwrap();
    let request =
        format!("GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n", token.trim());
    stream.write_all(request.as_bytes()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    let begun = Instant::now();
    assert_eq!(server.stop("-TERM").0, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(4), "took {:?}", begun.elapsed());
}

#[test]
fn settings_are_listed_with_their_source_and_unknown_ones_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    std::fs::write(data.join("kinstead.toml"), "login_days = 7\n").unwrap();
    let (ok, out, _) = text(&run(data, &["settings"], ""));
    assert!(ok);
    assert!(out.contains("listen = 127.0.0.1:4270\n"));
    assert!(
        out.contains("login_days = 7\n") && out.contains(&format!("from {}", data.join("kinstead.toml").display()))
    );
    assert!(out.contains("default 90; --login-days, KINSTEAD_LOGIN_DAYS"));
    std::fs::write(data.join("kinstead.toml"), "lissen = 1\n").unwrap();
    let (ok, _, error) = text(&run(data, &["settings"], ""));
    assert!(!ok && error.contains("unknown settings: lissen"), "{error}");
}

#[tokio::test]
async fn a_folder_too_deep_for_a_socket_works_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a".repeat(100)).join("b".repeat(100));
    let mut child = kinstead()
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(&deep)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (ok, id, error) = text(&create_admin(&deep, "ada@house.test"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(ok && id.starts_with("mbr_"), "{error}");
}

#[tokio::test]
async fn a_killed_server_has_kept_what_it_answered() {
    let server = Server::start_with(&[]);
    create_admin(&server.data(), "ada@house.test");
    let token = text(&create_token(&server.data(), "ada@house.test")).1;
    let client = reqwest::Client::new();
    let made = client.post(server.url("/api/kins")).bearer_auth(token.trim()).json(&json!({ "name": "Basile" }));
    let made: Value = serde_json::from_str(&made.send().await.unwrap().text().await.unwrap()).unwrap();
    let (code, _, folder) = server.stop("-KILL");
    assert_eq!(code, None);
    let server = Server::start_in(folder, &[]);
    let kept =
        client.get(server.url("/api/kins")).bearer_auth(token.trim()).send().await.unwrap().text().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap()["items"], json!([made]));
}

#[test]
fn a_token_for_a_mistyped_folder_makes_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("typo");
    let (ok, out, error) = text(&create_token(&data, "ada@house.test"));
    assert!(!ok && out.is_empty() && error.contains("there is no Kinstead in"), "{error}");
    assert!(!data.exists());
}
