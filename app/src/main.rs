//! The page: see the library.

fn main() {
    app::run_page();
}
