//! Every check and test, and one line at the end that says how it went.

use std::time::{Duration, Instant};

use crate::counts::Counts;
use crate::places::Places;
use crate::{Profile, Result, browser_tests, console, rust_tests, web};

/// Runs everything, or only the tests whose name contains `filter`.
///
/// The last line printed is `N passed, N failed`. A check that is no test, such as the
/// formatting, counts as one failure when it fails and as nothing when it passes.
pub fn test(places: &Places, filter: Option<&str>) -> Result {
    let mut run = Run::default();
    if filter.is_none() {
        run.check("layers", || rust_tests::layers(places));
        run.check("formatting", || rust_tests::format(places));
    }
    let web = run.check("web app", || web::build(places, Profile::Dev));
    let native = run.check("programs and tests", || rust_tests::build(places));
    if native {
        run.tests("Rust tests", |counts| rust_tests::test(places, filter, counts));
        run.tests("examples in documentation", |counts| rust_tests::examples(places, filter, counts));
    }
    if filter.is_none() && native {
        run.check("lints", || rust_tests::lint(places));
    }
    if web && native {
        run.tests("browser tests", |counts| browser_tests::test(places, filter, counts));
    }
    run.end()
}

#[derive(Default)]
struct Run {
    counts: Counts,
    times: Vec<(&'static str, Duration)>,
    problems: Vec<String>,
}

impl Run {
    /// Does one step; gives whether it went well.
    fn check(&mut self, name: &'static str, work: impl FnOnce() -> Result) -> bool {
        self.tests(name, |_| work())
    }

    /// Does one step that counts tests; gives whether it went well.
    fn tests(&mut self, name: &'static str, work: impl FnOnce(&mut Counts) -> Result) -> bool {
        let start = Instant::now();
        let mut counts = Counts::default();
        let result = console::step(name, || work(&mut counts));
        self.times.push((name, start.elapsed()));
        let passed = result.is_ok();
        if let Err(problem) = result {
            console::problem(&problem);
            self.problems.push(format!("{name}: {problem}"));
            // What failed before it could count, such as a test that does not compile.
            counts.failed = counts.failed.max(1);
        }
        self.counts += counts;
        passed
    }

    fn end(self) -> Result {
        console::line("");
        for (name, time) in &self.times {
            console::line(&format!("{name:<28} {:>14}", console::seconds(*time)));
        }
        for problem in &self.problems {
            console::line(&format!("FAILED  {problem}"));
        }
        let Counts { passed, failed } = self.counts;
        if passed == 0 && failed == 0 {
            console::line("No test ran.");
        }
        console::line(&format!("{passed} passed, {failed} failed"));
        if failed == 0 && passed > 0 { Ok(()) } else { Err(String::new()) }
    }
}
