//! `kinstead doctor`: looks whether a server could run here, and says what to do where it could not.
//!
//! It changes nothing, and works beside a running server.

use super::print;
use crate::data_folder::{control_socket, holds_a_household};
use crate::db;
use crate::error::chain;
use crate::health::{LOW_DISK_BYTES, disk};
use crate::reach::{PublicUrl, without_port};
use crate::settings::Settings;
use crate::tls::{self, Certificate, TlsError};
use crate::{clock, control};
use anyhow::bail;
use std::fmt::Write;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// What was found, line by line.
#[derive(Default)]
struct Findings {
    text: String,
    failures: usize,
}

impl Findings {
    fn ok(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.text, "ok    {line}");
    }

    fn warn(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.text, "warn  {line}");
    }

    fn fail(&mut self, line: impl std::fmt::Display) {
        self.failures += 1;
        let _ = writeln!(self.text, "FAIL  {line}");
    }
}

pub(super) fn run(settings: &Settings) -> anyhow::Result<()> {
    let mut findings = Findings::default();
    let data = settings.data.as_path();
    let running = control::client::is_answered(&control_socket(data));
    folder(&mut findings, data, running);
    if holds_a_household(data) {
        key(&mut findings, data);
        database(&mut findings, &data.join(crate::data_folder::DATABASE));
    }
    room(&mut findings, data);
    certificate(&mut findings, settings);
    ports(&mut findings, settings, running);
    print(&findings.text);
    match findings.failures {
        0 => Ok(()),
        1 => bail!("one thing is wrong"),
        count => bail!("{count} things are wrong"),
    }
}

fn folder(findings: &mut Findings, data: &Path, running: bool) {
    let shown = data.display();
    match std::fs::metadata(data) {
        Ok(about) if !about.is_dir() => findings.fail(format!("{shown} is no folder: choose another with --data")),
        Ok(about) => {
            if !holds_a_household(data) {
                findings.warn(format!("{shown} holds no household yet"));
            } else if running {
                findings.ok(format!("data folder {shown}, in use by a running Kinstead"));
            } else {
                findings.ok(format!("data folder {shown}, no Kinstead running"));
            }
            private(findings, data, &about);
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            findings.warn(format!("{shown} does not exist yet; the first start makes it"));
        }
        Err(error) => findings.fail(format!("{shown} cannot be read: {error}")),
    }
}

/// Whether nobody else on the machine may look in.
fn private(findings: &mut Findings, path: &Path, about: &std::fs::Metadata) {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o777;
        if mode & 0o077 != 0 {
            let shown = path.display();
            findings.fail(format!("others on this machine may read {shown} ({mode:o}): chmod go= {shown}"));
        }
    }
}

fn key(findings: &mut Findings, data: &Path) {
    let path = data.join("key");
    match std::fs::metadata(&path) {
        Ok(about) => {
            private(findings, &path, &about);
            findings.ok("master key in its file; keep a copy elsewhere than the database's");
        }
        Err(_) if std::env::var_os("KINSTEAD_MASTER_KEY").is_some() => {
            findings.ok("master key from KINSTEAD_MASTER_KEY");
        }
        Err(error) => findings.fail(format!("the master key {} cannot be read: {error}", path.display())),
    }
}

fn database(findings: &mut Findings, path: &Path) {
    match db::inspect(path) {
        Ok(found) if found.schema > found.known => findings.fail(format!(
            "the database has schema {}, this Kinstead knows {}: use the newer Kinstead again",
            found.schema, found.known
        )),
        Ok(found) if found.problems.is_empty() => {
            findings.ok(format!("database, schema {}, is sound", found.schema));
        }
        Ok(found) => {
            for problem in found.problems {
                findings.fail(format!("database: {problem}; restore the last good backup"));
            }
        }
        Err(error) => findings.fail(format!("database: {}", chain(&error))),
    }
}

fn room(findings: &mut Findings, data: &Path) {
    let existing = data.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let Some(room) = disk::room(existing) else {
        return findings.warn("the system does not tell how much disk is free");
    };
    let megabytes = room.free_bytes / 1_000_000;
    if room.free_bytes < LOW_DISK_BYTES {
        findings.fail(format!("only {megabytes} MB are free on the disk"));
    } else {
        findings.ok(format!("{megabytes} MB are free on the disk"));
    }
}

fn certificate(findings: &mut Findings, settings: &Settings) {
    if let (Some(cert), Some(key)) = (settings.tls_cert.get(), settings.tls_key.get()) {
        match tls::read_files(cert, key) {
            Ok(certificate) => judge(findings, settings, &certificate),
            Err(error) => findings.fail(format!("TLS: {}", chain(&error))),
        }
    } else if !settings.acme_domain.is_empty() {
        let stored: Result<Option<Certificate>, TlsError> =
            tls::acme::Store::at(tls::acme::folder(settings)).certificate();
        match stored {
            Ok(Some(certificate)) => judge(findings, settings, &certificate),
            Ok(None) => findings.warn("no certificate by ACME yet; the running server gets one"),
            Err(error) => findings.fail(format!("TLS: {}", chain(&error))),
        }
    } else if settings.public_url.get().is_some_and(|url| !is_local(url)) && settings.trusted_proxies.is_empty() {
        findings.warn("public_url is set, but neither a certificate nor trusted_proxies: nobody encrypts");
    } else if !settings.listen.ip().is_loopback() && settings.trusted_proxies.is_empty() {
        findings.warn("others can reach this address, but nothing encrypts: they get a page that says so");
    }
}

fn is_local(url: &PublicUrl) -> bool {
    crate::reach::is_local_name(url.host())
}

fn judge(findings: &mut Findings, settings: &Settings, certificate: &Certificate) {
    let (now, names) = (clock::now(), certificate.names.join(", "));
    let days = (certificate.until.0 - now.0).div_euclid(DAY_MS);
    if certificate.from.0 > now.0 {
        findings.fail(format!("the certificate for {names} is not valid yet: check the machine's clock"));
    } else if certificate.until.0 < now.0 {
        findings.fail(format!("the certificate for {names} ended {} days ago", -days));
    } else if days < 8 {
        findings.warn(format!("the certificate for {names} ends in {days} days"));
    } else {
        findings.ok(format!("certificate for {names}, {days} days left"));
    }
    let wanted = settings.public_url.get().map(|url| without_port(url.host()));
    let wanted = wanted.into_iter().chain(settings.acme_domain.as_slice().iter().map(String::as_str));
    for name in wanted {
        let wildcard = name.split_once('.').map(|(_, rest)| format!("*.{rest}"));
        let fits = certificate.names.iter().any(|known| known == name || Some(known) == wildcard.as_ref());
        if !fits {
            findings.fail(format!("the certificate is not for {name}"));
        }
    }
}

fn ports(findings: &mut Findings, settings: &Settings, running: bool) {
    for address in [Some(settings.listen), settings.listen_http.get().copied()].into_iter().flatten() {
        port(findings, address, running);
    }
}

fn port(findings: &mut Findings, address: SocketAddr, running: bool) {
    match TcpListener::bind(address) {
        Ok(_) if running => findings.warn(format!("the running Kinstead does not listen on {address}")),
        Ok(_) => findings.ok(format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse && running => {
            findings.ok(format!("{address} is listened at"));
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            findings.fail(format!("another program listens on {address}: stop it, or change the setting"));
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => findings.fail(format!(
            "{address} is not allowed: ports below 1024 need CAP_NET_BIND_SERVICE (see docs/running.md)"
        )),
        Err(error) => findings.fail(format!("{address}: {error}")),
    }
}
