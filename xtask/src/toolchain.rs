//! A compiler for the browser.
//!
//! Rustup's target where it can be had. Else Debian's packages: their rustc has no compiled
//! standard library for this target but comes with its source, which cargo then builds.

use std::path::Path;
use std::process::Command;

use crate::places::Places;
use crate::process::{command, find_program, output, run};
use crate::{Result, console, install};

pub const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's names. The compiler is packaged for building browsers, hence `-web`.
const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld"];
/// The oldest minor version of Rust 1 that builds the app; `rust-version` in `Cargo.toml`.
const MIN_MINOR: u32 = 95;

/// Which compiler builds the web app.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Toolchain {
    /// The one that runs everything else, with the target added.
    Usual,
    /// Debian's, building the standard library itself.
    Debian,
}

/// Finds a compiler, or installs one.
pub fn get(places: &Places) -> Result<Toolchain> {
    if usual_is_ready(places) {
        return Ok(Toolchain::Usual);
    }
    if debian_is_ready(places) {
        return Ok(Toolchain::Debian);
    }
    console::note(&format!("adding the target {TARGET}"));
    if find_program("rustup").is_some() {
        let added = run(command("rustup", places).args(["target", "add", TARGET]));
        if added.is_ok() && usual_is_ready(places) {
            return Ok(Toolchain::Usual);
        }
        console::note("rustup could not add it; trying Debian's compiler");
    }
    install::packages(places, PACKAGES, "building the web app")
        .map_err(|error| format!("{error}, or run `rustup target add {TARGET}` with a network"))?;
    if debian_is_ready(places) {
        return Ok(Toolchain::Debian);
    }
    Err(format!("Debian's rustc cannot build the web app; run `rustup target add {TARGET}` with a network"))
}

impl Toolchain {
    /// `cargo build` for the browser, with its target folder.
    pub fn cargo_build(self, places: &Places) -> Command {
        let mut cargo = match self {
            Self::Usual => command("cargo", places),
            Self::Debian => command("/usr/bin/cargo", places),
        };
        cargo.arg("build").env("CARGO_TARGET_DIR", &places.web_target);
        if self == Self::Debian {
            cargo
                .env_remove("RUSTUP_TOOLCHAIN")
                .env("RUSTC", "/usr/bin/rustc")
                // `-Zbuild-std` is not stable; Debian's release compiler allows it only this way.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "/usr/bin/wasm-ld")
                .arg("-Zbuild-std=std,panic_abort");
        }
        cargo.args(["--target", TARGET]);
        cargo
    }
}

fn usual_is_ready(places: &Places) -> bool {
    let folder = output(command("rustc", places).args(["--print", "target-libdir", "--target", TARGET]));
    folder.is_some_and(|folder| Path::new(&folder).is_dir())
}

fn debian_is_ready(places: &Places) -> bool {
    let rustc = || {
        let mut rustc = command("/usr/bin/rustc", places);
        rustc.env_remove("RUSTUP_TOOLCHAIN");
        rustc
    };
    let recent = output(rustc().arg("--version")).and_then(|text| minor(&text)).is_some_and(|minor| minor >= MIN_MINOR);
    let source = output(rustc().args(["--print", "sysroot"]))
        .is_some_and(|sysroot| Path::new(&sysroot).join("lib/rustlib/src/rust/library/Cargo.lock").is_file());
    let tools = ["/usr/bin/cargo", "/usr/bin/wasm-ld"].iter().all(|tool| Path::new(tool).is_file());
    recent && source && tools
}

/// `rustc 1.96.0 (…)` → 96
fn minor(version: &str) -> Option<u32> {
    version.strip_prefix("rustc 1.")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minor_version_is_read_from_what_rustc_says() {
        assert_eq!(minor("rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)"), Some(96));
        assert_eq!(minor("error"), None);
    }
}
