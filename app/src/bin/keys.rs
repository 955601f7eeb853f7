//! The worker that stretches passwords: see the library.

fn main() {
    app::run_keys();
}
