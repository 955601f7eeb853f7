//! Running other programs.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use crate::console;
use crate::places::Places;

/// What `cargo run` tells us about ourselves. Passed on to another cargo, it would make build
/// scripts that watch these variables run again.
const OURS: &[&str] = &["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_", "CARGO_PRIMARY_"];

/// A command that starts in the repository, in the environment `cargo xtask` was called in.
pub fn command(program: impl AsRef<OsStr>, places: &Places) -> Command {
    let mut command = Command::new(program);
    command.current_dir(&places.root).env_remove("CARGO");
    for (name, _) in env::vars_os() {
        let Some(text) = name.to_str() else { continue };
        if OURS.iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    // `cargo run` puts the libraries of its own toolchain first; another compiler must not see them.
    if let Some(paths) = env::var_os("LD_LIBRARY_PATH") {
        let added = |path: &PathBuf| path.starts_with(&places.target) || path.iter().any(|part| part == "toolchains");
        let kept: Vec<_> = env::split_paths(&paths).filter(|path| !added(path) && path.as_os_str() != "").collect();
        match env::join_paths(&kept) {
            Ok(paths) if !kept.is_empty() => command.env("LD_LIBRARY_PATH", paths),
            Ok(_) | Err(_) => command.env_remove("LD_LIBRARY_PATH"),
        };
    }
    command
}

/// The cargo of this machine, with its target folder.
pub fn cargo(places: &Places) -> Command {
    let mut cargo = command("cargo", places);
    cargo.env("CARGO_TARGET_DIR", &places.target);
    cargo
}

/// Runs to the end, showing the command and all it prints.
///
/// # Errors
/// When the program is missing or ends with anything but success.
pub fn run(command: &mut Command) -> Result {
    console::note(&format!("$ {}", shown(command)));
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", shown(command))) }
}

/// Runs to the end, showing all it prints, and hands each line to `hear` as well.
///
/// Gives whether the program ended with success.
pub fn run_and_hear(command: &mut Command, mut hear: impl FnMut(&str)) -> Result<bool> {
    console::note(&format!("$ {}", shown(command)));
    let (reader, writer) = std::io::pipe().map_err(|error| format!("could not open a pipe: {error}"))?;
    let other = writer.try_clone().map_err(|error| format!("could not open a pipe: {error}"))?;
    // One pipe for both streams keeps their order.
    let mut child = command
        .stdout(Stdio::from(writer))
        .stderr(Stdio::from(other))
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    // Our own ends of the pipe would keep it open for ever.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for line in BufReader::new(reader).split(b'\n') {
        let line = line.map_err(|error| format!("could not read what {} said: {error}", shown(command)))?;
        let line = String::from_utf8_lossy(&line);
        console::line(&line);
        hear(&line);
    }
    let status = child.wait().map_err(|error| cannot_start(command, &error))?;
    Ok(status.success())
}

/// What a program prints, when it ends with success.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The full path of a program that can be called by name.
pub fn find_program(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let parts = std::iter::once(program).chain(command.get_args());
    parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("could not start `{}`: {error}", command.get_program().to_string_lossy())
}
