//! Checks and tests of the Rust crates.

use std::process::Command;

use crate::counts::Counts;
use crate::places::Places;
use crate::process::{self, cargo, output, run};
use crate::{Result, console, install};

/// Crates that `shared` must stay free of, so that it fits in a browser and a phone.
const NOT_IN_SHARED: &[&str] = &["tokio", "axum", "rusqlite", "dioxus"];

/// Every crate that runs on this machine.
const NATIVE: &[&str] = &["--workspace", "--exclude", "app"];
/// The app runs in the browser, but what it decides without one is tested here. Apart from the
/// others, or its features for the browser would be theirs too.
const APP: &[&str] = &["--package", "app"];

/// Checks that dependencies between crates point the right way.
pub fn layers(places: &Places) -> Result {
    let tree = output(cargo(places).args(["tree", "-p", "shared", "-e", "normal", "--prefix", "none"]))
        .ok_or("`cargo tree -p shared` failed; run it by hand to see why")?;
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    match tree.lines().map(name).find(|name| NOT_IN_SHARED.contains(&name.as_str())) {
        Some(name) => Err(format!("`shared` depends on {name}; `cargo tree -p shared -i {name}` says through what")),
        None => Ok(()),
    }
}

/// Checks the formatting, where rustfmt is installed.
pub fn format(places: &Places) -> Result {
    if !is_usable(cargo(places).args(["fmt", "--version"])) {
        console::note("rustfmt is not installed: skipped");
        return Ok(());
    }
    run(cargo(places).args(["fmt", "--all", "--check"])).map_err(|_| "run `cargo fmt --all`".to_owned())
}

/// Runs the lints, where clippy is installed.
pub fn lint(places: &Places) -> Result {
    if !is_usable(cargo(places).args(["clippy", "--version"])) {
        console::note("clippy is not installed: skipped");
        return Ok(());
    }
    let lint =
        |crates: &[&str]| run(cargo(places).args(["clippy", "--quiet"]).args(crates).args(["--", "-D", "warnings"]));
    lint(NATIVE).and(lint(APP))
}

/// Builds all programs and tests.
///
/// In one go: built apart, programs and tests would each choose features of their own for the
/// crates they share, and those would be compiled twice.
pub fn build(places: &Places) -> Result {
    install::c_compiler(places)?;
    run(cargo(places).arg("build").args(NATIVE).args(["--lib", "--bins", "--tests"]))?;
    run(cargo(places).args(["test", "--no-run", "--quiet"]).args(APP))
}

/// Runs all tests, or those whose name contains `filter`.
pub fn test(places: &Places, filter: Option<&str>, counts: &mut Counts) -> Result {
    let (arguments, hear): (&[&str], Hear) = if install::nextest(places) {
        (&["nextest", "run", "--no-fail-fast", "--no-tests=pass"], Counts::hear_nextest)
    } else {
        // `--tests` leaves out the examples, which have a step of their own.
        (&["test", "--no-fail-fast", "--tests"], Counts::hear_libtest)
    };
    let mut test = |crates: &[&str]| count(cargo(places).args(arguments).args(crates).args(filter), counts, hear);
    let native = test(NATIVE);
    let app = test(APP);
    native.and(app)
}

/// Runs the examples in the documentation, which no other runner knows.
pub fn examples(places: &Places, filter: Option<&str>, counts: &mut Counts) -> Result {
    let mut tests = cargo(places);
    tests.args(["test", "--quiet", "--doc", "--no-fail-fast"]).args(NATIVE).args(filter);
    count(&mut tests, counts, Counts::hear_libtest)
}

/// Reads counts from one line of a runner's output.
type Hear = fn(&mut Counts, &str);

fn count(tests: &mut Command, counts: &mut Counts, hear: Hear) -> Result {
    if process::run_and_hear(tests, |line| hear(counts, line))? { Ok(()) } else { Err("some tests failed".to_owned()) }
}

fn is_usable(command: &mut Command) -> bool {
    output(command).is_some()
}
