//! How many tests passed and failed, read from what the test runners print.

use std::ops::AddAssign;

/// Tests that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl Counts {
    /// Adds what one line of cargo-nextest says, if it is its summary:
    /// `Summary [0.2s] 3 tests run: 2 passed, 1 failed, 0 skipped`.
    ///
    /// Not the summary of libtest, which nextest repeats for each test that failed.
    pub fn hear_nextest(&mut self, line: &str) {
        if line.trim_start().starts_with("Summary [")
            && let Some((_, parts)) = line.split_once("run: ")
        {
            self.add(parts);
        }
    }

    /// Adds what one line of libtest says, if it is the summary of a program:
    /// `test result: ok. 2 passed; 0 failed; …`.
    pub fn hear_libtest(&mut self, line: &str) {
        if line.starts_with("test result: ")
            && let Some((_, parts)) = line.split_once(". ")
        {
            self.add(parts);
        }
    }

    /// Adds `2 passed (1 slow), 1 failed, 1 timed out` or `2 passed; 1 failed`.
    fn add(&mut self, parts: &str) {
        for part in parts.split([',', ';']) {
            let Some((number, what)) = part.trim().split_once(' ') else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            if what.starts_with("passed") {
                self.passed += number;
            } else if ["failed", "timed out", "exec failed"].iter().any(|name| what.starts_with(name)) {
                self.failed += number;
            }
        }
    }

    /// Reads the last lines of TAP as Node writes it (`# pass 3`, `# fail 1`, `# cancelled 0`).
    pub fn from_node(tap: &str) -> Self {
        let number = |name: &str| {
            let line = tap.lines().rev().find_map(|line| line.strip_prefix("# ")?.strip_prefix(name));
            line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
        };
        Self { passed: number("pass "), failed: number("fail ") + number("cancelled ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(lines: &str, hear: fn(&mut Counts, &str)) -> Counts {
        let mut counts = Counts::default();
        lines.lines().for_each(|line| hear(&mut counts, line));
        counts
    }

    #[test]
    fn nextest_says_it_once() {
        let lines = "        FAIL [   0.003s] tests::it x\n    test result: FAILED. 0 passed; 1 failed; 0 ignored\n     \
                     Summary [   0.124s] 9 tests run: 6 passed (1 slow), 2 failed, 1 timed out, 0 skipped";
        assert_eq!(heard(lines, Counts::hear_nextest), Counts { passed: 6, failed: 3 });
    }

    #[test]
    fn libtest_says_it_for_each_program() {
        let lines = "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
                     test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(heard(lines, Counts::hear_libtest), Counts { passed: 5, failed: 1 });
    }

    #[test]
    fn node_counts_a_cancelled_test_as_failed() {
        let tap = "TAP version 13\nok 1 - a\n# tests 4\n# suites 0\n# pass 2\n# fail 1\n# cancelled 1\n# skipped 0\n";
        assert_eq!(Counts::from_node(tap), Counts { passed: 2, failed: 2 });
    }
}
