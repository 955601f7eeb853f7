//! The server: build it, start it.

use std::os::unix::process::CommandExt;

use crate::places::Places;
use crate::process::{cargo, command, run as run_to_the_end};
use crate::{Profile, Result, console, install, web};

/// Builds everything, then becomes `kinstead serve`.
///
/// `arguments` follow `serve`; the data folder is `./data` unless they name another.
pub fn run(places: &Places, arguments: &[&str]) -> Result {
    build(places, Profile::Dev)?;
    let mut server = command(places.program("kinstead", Profile::Dev), places);
    server.arg("serve").env("KINSTEAD_WEB_DIST", places.dist());
    if !arguments.iter().any(|argument| argument.starts_with("--data")) {
        server.args(["--data", "./data"]);
    }
    server.args(arguments);
    console::line("==> kinstead serve (Ctrl-C stops it)");
    // Replacing ourselves hands the terminal and its signals to the server.
    Err(format!("could not start the server: {}", server.exec()))
}

/// Builds the web app, then the server, which embeds it in a release.
pub fn build(places: &Places, profile: Profile) -> Result {
    install::c_compiler(places)?;
    console::step("web app", || web::build(places, profile))?;
    console::step("server", || {
        let mut build = cargo(places);
        build.args(["build", "--package", "server", "--bin", "kinstead"]);
        if profile == Profile::Release {
            build.arg("--release");
        }
        run_to_the_end(&mut build)
    })?;
    console::note(&format!("built {}", places.program("kinstead", profile).display()));
    Ok(())
}
