//! The web app: compile, link with wasm-bindgen, name by content, compress.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::places::Places;
use crate::process::{cargo, command, run};
use crate::{Profile, Result, console, toolchain};

/// Builds `app/dist/`, doing again only what changed since last time.
pub fn build(places: &Places, profile: Profile) -> Result {
    let toolchain = toolchain::get(places, profile)?;
    let modules = compile(places, toolchain, profile)?;
    let linker = build_linker(places)?;
    let inputs = Inputs { modules, linker, profile };
    let stamp = inputs.stamp(places);
    let stamp_file = places.dist().join(".stamp");
    if fs::read_to_string(&stamp_file).is_ok_and(|done| done == stamp) {
        console::note("app/dist/ is up to date");
        return Ok(());
    }
    inputs.link(places)?;
    fs::write(&stamp_file, stamp).map_err(|error| format!("could not write {}: {error}", stamp_file.display()))
}

/// The web app's programs: the page, the worker that keeps the replica, and the one that stretches passwords.
const PROGRAMS: [&str; 3] = ["app", "replica", "keys"];

fn compile(places: &Places, toolchain: toolchain::Toolchain, profile: Profile) -> Result<[PathBuf; 3]> {
    let name = match profile {
        Profile::Dev => "web-dev",
        Profile::Release => "web-release",
    };
    run(toolchain.cargo_build(places, profile).args(["--package", "app", "--bins", "--profile", name]))?;
    let folder = places.web_target.join(toolchain::TARGET).join(name);
    Ok(PROGRAMS.map(|program| folder.join(program).with_extension("wasm")))
}

/// Builds the crate that links wasm-bindgen.
fn build_linker(places: &Places) -> Result<PathBuf> {
    run(cargo(places).args(["build", "--package", "xtask-bindgen"]))?;
    Ok(places.program("xtask-bindgen", Profile::Dev))
}

/// Everything `app/dist/` is made from.
struct Inputs {
    modules: [PathBuf; 3],
    linker: PathBuf,
    profile: Profile,
}

impl Inputs {
    fn link(&self, places: &Places) -> Result {
        // Brotli's last two levels take ten times as long for some percent.
        let (quality, names) = match self.profile {
            Profile::Dev => ("9", "keep"),
            Profile::Release => ("11", "drop"),
        };
        let mut linker = command(&self.linker, places);
        for (option, module) in ["--wasm", "--replica", "--keys"].iter().zip(&self.modules) {
            linker.arg(option).arg(module);
        }
        linker
            .arg("--public")
            .arg(places.app().join("public"))
            .arg("--page")
            .arg(places.app().join("index.html"))
            .arg("--out")
            .arg(places.dist())
            .arg("--cache")
            .arg(places.web_target.join("brotli"))
            .args(["--quality", quality, "--names", names]);
        run(&mut linker)
    }

    /// Changes whenever one of the files is another than last time.
    fn stamp(&self, places: &Places) -> String {
        let mut hasher = DefaultHasher::new();
        let files = [&self.linker, &places.app().join("index.html"), &places.app().join("public")];
        for path in self.modules.iter().chain(files) {
            add(path, &mut hasher);
        }
        format!("{:016x}", hasher.finish())
    }
}

/// Adds the name, size and age of a file, or of all files in a folder.
fn add(path: &Path, hasher: &mut impl Hasher) {
    path.hash(hasher);
    if let Ok(entries) = fs::read_dir(path) {
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            add(&path, hasher);
        }
    } else if let Ok(metadata) = fs::metadata(path) {
        metadata.len().hash(hasher);
        metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH).hash(hasher);
    }
}
