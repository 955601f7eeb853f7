//! `cargo xtask`: every set-up, build and test step of Kinstead, in plain Rust.
//!
//! Has no dependency, so that it builds in seconds on a machine with nothing but a Rust toolchain.
//! What needs libraries (wasm-bindgen, Brotli) is the crate in `bindgen/`, which this one builds
//! and calls.

mod browser_tests;
mod console;
mod counts;
mod install;
mod places;
mod process;
mod rust_tests;
mod server;
mod test;
mod toolchain;
mod web;

use std::process::ExitCode;

use places::Places;

/// What went wrong, in words that say what to do about it.
type Result<T = ()> = std::result::Result<T, String>;

const USAGE: &str = "\
Usage: cargo xtask <command>

  run [-- ARGUMENTS]  sets up, builds and starts Kinstead with its data in ./data;
                      ARGUMENTS go to `kinstead serve`
  test [FILTER]       sets up, builds and runs every check and test;
                      FILTER keeps the tests whose name contains it, and leaves the lints out
  web [--release]     builds the web app into app/dist/
  build [--release]   builds the web app and the server; the release is one file with both";

/// How much work the compiler puts in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Profile {
    Dev,
    Release,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            // `test` has said everything by then, and its last line stays the last.
            if !problem.is_empty() {
                console::problem(&problem);
            }
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let places = Places::find()?;
    places.claim()?;
    match arguments.as_slice() {
        ["run"] => server::run(&places, &[]),
        ["run", "--", rest @ ..] => server::run(&places, rest),
        ["web"] => console::step("web app", || web::build(&places, Profile::Dev)),
        ["web", "--release"] => console::step("web app", || web::build(&places, Profile::Release)),
        ["build"] => server::build(&places, Profile::Dev),
        ["build", "--release"] => server::build(&places, Profile::Release),
        ["test"] => test::test(&places, None),
        ["test", filter] if !filter.starts_with('-') => test::test(&places, Some(filter)),
        [] | ["help" | "--help" | "-h"] => {
            console::line(USAGE);
            Ok(())
        }
        _ => Err(format!("there is no command `{}`\n\n{USAGE}", arguments.join(" "))),
    }
}
