//! The worker: see the library.

fn main() {
    app::run_replica();
}
