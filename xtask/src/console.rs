//! What people see while they wait.

#![expect(clippy::print_stdout, reason = "this is a command-line tool")]

use std::io::Write;
use std::time::{Duration, Instant};

/// Prints one line as it is.
pub fn line(text: &str) {
    println!("{text}");
    // Children write to the same terminal or file: keep the order.
    std::io::stdout().flush().ok();
}

/// Says what is being done, within a step.
pub fn note(text: &str) {
    line(&format!("    {text}"));
}

/// Says why we stop.
pub fn problem(text: &str) {
    eprintln!("\nerror: {text}");
}

/// Announces a step, does it, says how long it took.
pub fn step<T>(name: &str, work: impl FnOnce() -> T) -> T {
    line(&format!("==> {name}"));
    let start = Instant::now();
    let result = work();
    note(&format!("{name}: {}", seconds(start.elapsed())));
    result
}

/// `3.2 s`, `4 min 05 s`
pub fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(60) {
        return format!("{:.1} s", time.as_secs_f64());
    }
    let seconds = time.as_secs();
    format!("{} min {:02} s", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_are_told_in_minutes() {
        assert_eq!(seconds(Duration::from_millis(3210)), "3.2 s");
        assert_eq!(seconds(Duration::from_secs(245)), "4 min 05 s");
    }
}
