//! Tests in a real browser, against the real server.

use std::fs;
use std::path::{Path, PathBuf};

use crate::counts::Counts;
use crate::places::Places;
use crate::process::{self, command};
use crate::{Profile, Result, console, install};

/// A file of tests that takes longer than this hangs, in milliseconds.
const TIMEOUT_MS: &str = "900000";

/// Runs `tests/e2e/*.test.mjs`, or the tests in them whose name contains `filter`.
///
/// They find the programs to start in `KINSTEAD_BIN` and `KINSTEAD_SCRIPTED`, the browsers in
/// `KINSTEAD_CHROMIUM`, `KINSTEAD_FIREFOX` and `KINSTEAD_WEBKIT`.
pub fn test(places: &Places, filter: Option<&str>, counts: &mut Counts) -> Result {
    let folder = places.root.join("tests/e2e");
    let files = test_files(&folder);
    if files.is_empty() {
        console::note("there are no tests in tests/e2e");
        return Ok(());
    }
    let browser = install::browser(places)?;
    let firefox = install::firefox(places)?;
    // Not every system has it; its test is skipped then.
    let webkit = install::webkit(places).inspect_err(|why| console::note(why)).ok();
    install::node_packages(places)?;

    // One report to read, one to count.
    let tap = places.target.join("browser-tests.tap");
    fs::remove_file(&tap).ok();
    let mut node = command("node", places);
    node.current_dir(&folder)
        .env("KINSTEAD_BIN", places.program("kinstead", Profile::Dev))
        .env("KINSTEAD_SCRIPTED", places.program("scripted-provider", Profile::Dev))
        .env("KINSTEAD_WEB_DIST", places.dist())
        .env("KINSTEAD_CHROMIUM", browser)
        .env("KINSTEAD_FIREFOX", firefox)
        .args(["--test", "--test-timeout", TIMEOUT_MS])
        .args(["--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=tap"])
        .arg(format!("--test-reporter-destination={}", tap.display()));
    if let Some(webkit) = webkit {
        node.env("KINSTEAD_WEBKIT", webkit);
    }
    if let Some(filter) = filter {
        node.arg(format!("--test-name-pattern={filter}"));
    }
    let result = process::run(node.args(files)).map_err(|_| "some tests failed".to_owned());
    *counts += Counts::from_node(&fs::read_to_string(&tap).unwrap_or_default());
    result
}

fn test_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<PathBuf> = entries
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|name| name.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    names.sort();
    names
}
