//! A compiler for the browser.
//!
//! Rustup's target where it can be had. Else Debian's packages: their rustc has no compiled
//! standard library for this target but comes with its source, which cargo then builds.
//!
//! A release builds the standard library in any case, with panics that stop at once: no message,
//! no formatting of one, and so a good deal less to load. What handles a panic, the restart of the
//! worker, needs the trap only. See docs/performance.md.

use std::path::Path;
use std::process::Command;

use crate::places::Places;
use crate::process::{command, find_program, output, run};
use crate::{Profile, Result, console, install};

pub const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's names. The compiler is packaged for building browsers, hence `-web`.
const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld"];
/// The oldest minor version of Rust 1 that builds the app; `rust-version` in `Cargo.toml`.
const MIN_MINOR: u32 = 95;

/// What makes the module smaller and is not stable or needs the standard library's source.
///
/// `fmt-debug` stays at `shallow`: with `none`, `{:?}` of a text is empty, and Dioxus sets the page's title that way.
/// And no `-Zlocation-detail=none`: Dioxus tells global signals apart by the places that make them.
const SMALL: &[&str] = &[
    "-Zbuild-std-features=optimize_for_size",
    "-Zpanic-immediate-abort",
    "--config",
    "profile.web-release.panic='immediate-abort'",
    "--config",
    "target.wasm32-unknown-unknown.rustflags=['-Zfmt-debug=shallow']",
];

/// Which compiler builds the web app.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Toolchain {
    /// The one that runs everything else, with the target added.
    Usual,
    /// The same, building the standard library itself.
    UsualWithSource,
    /// Debian's, building the standard library itself.
    Debian,
}

/// Finds a compiler, or installs one.
pub fn get(places: &Places, profile: Profile) -> Result<Toolchain> {
    let any = || get_any(places);
    match profile {
        Profile::Dev => any(),
        Profile::Release => get_with_source(places).map_or_else(any, Ok),
    }
}

/// One that has the standard library's source. Without, the app is heavier but works as well.
fn get_with_source(places: &Places) -> Option<Toolchain> {
    if !usual_has_source(places) && find_program("rustup").is_some() {
        console::note("adding the standard library's source");
        // Its failure shows in what is asked next.
        run(command("rustup", places).args(["component", "add", "rust-src"])).ok();
    }
    if usual_has_source(places) {
        return Some(Toolchain::UsualWithSource);
    }
    if !debian_is_ready(places)
        && let Err(error) = install::packages(places, PACKAGES, "building a small web app")
    {
        console::note(&error);
    }
    if debian_is_ready(places) {
        return Some(Toolchain::Debian);
    }
    console::note("the standard library's source cannot be had: the web app will be a good deal heavier");
    None
}

/// Any that can build for the browser.
fn get_any(places: &Places) -> Result<Toolchain> {
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
    pub fn cargo_build(self, places: &Places, profile: Profile) -> Command {
        let mut cargo = match self {
            Self::Usual | Self::UsualWithSource => command("cargo", places),
            Self::Debian => command("/usr/bin/cargo", places),
        };
        cargo.arg("build").env("CARGO_TARGET_DIR", &places.web_target);
        if self == Self::Debian {
            cargo
                .env_remove("RUSTUP_TOOLCHAIN")
                .env("RUSTC", "/usr/bin/rustc")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "/usr/bin/wasm-ld");
        }
        if self != Self::Usual {
            // `-Zbuild-std` is not stable; a release compiler allows it only this way.
            cargo.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort");
            if profile == Profile::Release {
                cargo.args(SMALL);
            }
        }
        cargo.args(["--target", TARGET]);
        cargo
    }
}

fn usual_is_ready(places: &Places) -> bool {
    let folder = output(command("rustc", places).args(["--print", "target-libdir", "--target", TARGET]));
    folder.is_some_and(|folder| Path::new(&folder).is_dir())
}

/// Whether the usual compiler can build the standard library.
fn usual_has_source(places: &Places) -> bool {
    let recent = output(command("rustc", places).arg("--version")).and_then(|text| minor(&text));
    recent.is_some_and(|minor| minor >= MIN_MINOR) && has_source(command("rustc", places))
}

fn has_source(mut rustc: Command) -> bool {
    output(rustc.args(["--print", "sysroot"]))
        .is_some_and(|sysroot| Path::new(&sysroot).join("lib/rustlib/src/rust/library/Cargo.lock").is_file())
}

fn debian_is_ready(places: &Places) -> bool {
    let rustc = || {
        let mut rustc = command("/usr/bin/rustc", places);
        rustc.env_remove("RUSTUP_TOOLCHAIN");
        rustc
    };
    let recent = output(rustc().arg("--version")).and_then(|text| minor(&text)).is_some_and(|minor| minor >= MIN_MINOR);
    let tools = ["/usr/bin/cargo", "/usr/bin/wasm-ld"].iter().all(|tool| Path::new(tool).is_file());
    recent && has_source(rustc()) && tools
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
