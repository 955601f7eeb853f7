//! Getting what a machine lacks, or saying what to get.

use std::fs;
use std::path::PathBuf;

use crate::places::Places;
use crate::process::{self, command, find_program};
use crate::{Result, console};

/// Installs Debian packages.
///
/// # Errors
/// Says what to install by hand where there is no apt, no right to use it, or no such package.
pub fn packages(places: &Places, names: &[&str], purpose: &str) -> Result {
    let by_hand = format!("{purpose} needs, under Debian's names: {}. Install it, then try again", names.join(" "));
    if find_program("apt-get").is_none() {
        return Err(by_hand);
    }
    let root = process::output(command("id", places).arg("-u")).is_some_and(|id| id == "0");
    if !root && find_program("sudo").is_none() {
        return Err(by_hand);
    }
    let apt = || {
        let mut apt = command(if root { "apt-get" } else { "sudo" }, places);
        if !root {
            apt.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        }
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    console::note(&format!("installing {} ({purpose})", names.join(" ")));
    process::run(apt().args(["-q", "update"]))
        .and_then(|()| process::run(apt().args(["-q", "-y", "--no-install-recommends", "install"]).args(names)))
        .map_err(|error| format!("{error}\n{by_hand}"))
}

/// A C compiler, for SQLite and some cryptography.
pub fn c_compiler(places: &Places) -> Result {
    match find_program("cc") {
        Some(_) => Ok(()),
        None => packages(places, &["build-essential"], "building the server"),
    }
}

/// A browser for the tests: `KINSTEAD_CHROMIUM`, or one that is installed, or Debian's.
pub fn browser(places: &Places) -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("KINSTEAD_CHROMIUM") {
        return Ok(path.into());
    }
    let find = || ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|name| find_program(name));
    if let Some(path) = find() {
        return Ok(path);
    }
    packages(places, &["chromium"], "testing in a browser")?;
    find().ok_or_else(|| "chromium was installed but is not in PATH; set KINSTEAD_CHROMIUM".to_owned())
}

/// Firefox for the tests: `KINSTEAD_FIREFOX`, or one that is installed, or Debian's.
pub fn firefox(places: &Places) -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("KINSTEAD_FIREFOX") {
        return Ok(path.into());
    }
    let find = || ["firefox-esr", "firefox"].iter().find_map(|name| find_program(name));
    if let Some(path) = find() {
        return Ok(path);
    }
    packages(places, &["firefox-esr"], "testing in Firefox")?;
    find().ok_or_else(|| "firefox-esr was installed but is not in PATH; set KINSTEAD_FIREFOX".to_owned())
}

/// WebKitGTK's driver for the tests: `KINSTEAD_WEBKIT`, or one that is installed, or Debian's, with a screen for it.
pub fn webkit(places: &Places) -> Result<PathBuf> {
    let find = || find_program("WebKitWebDriver");
    let given = std::env::var_os("KINSTEAD_WEBKIT").map(PathBuf::from);
    if let (Some(path), Some(_)) = (given.or_else(find), find_program("Xvfb")) {
        return Ok(path);
    }
    packages(places, &["webkit2gtk-driver", "xvfb"], "testing in WebKit")?;
    find().ok_or_else(|| "webkit2gtk-driver was installed but is not in PATH; set KINSTEAD_WEBKIT".to_owned())
}

/// Node and the packages of the browser tests, as their lock file names them.
pub fn node_packages(places: &Places) -> Result {
    if find_program("node").is_none() || find_program("npm").is_none() {
        packages(places, &["nodejs", "npm"], "testing in a browser")?;
    }
    let folder = places.root.join("tests/e2e");
    let read = |path: PathBuf| fs::read(&path).map_err(|error| format!("could not read {}: {error}", path.display()));
    let wanted = read(folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    process::run(command("npm", places).args(["ci", "--ignore-scripts"]).current_dir(&folder))?;
    fs::write(&stamp, wanted).map_err(|error| format!("could not write {}: {error}", stamp.display()))
}

/// Installs cargo-nextest where it is missing. Gives whether it can be used.
///
/// It is worth minutes of compiling once: a test that hangs is stopped and named, and each test
/// has a process of its own. Without it `cargo test` runs the same tests.
pub fn nextest(places: &Places) -> bool {
    let usable = || process::output(process::cargo(places).args(["nextest", "--version"])).is_some();
    if usable() {
        return true;
    }
    console::note("installing cargo-nextest, which takes some minutes, once");
    // The debug build compiles in half the time and runs tests no slower.
    let mut install = process::cargo(places);
    install.args(["install", "--quiet", "--locked", "--debug", "cargo-nextest"]).env_remove("CARGO_TARGET_DIR");
    if let Err(error) = process::run(&mut install) {
        console::note(&format!("{error}; using `cargo test` instead"));
    }
    usable()
}
