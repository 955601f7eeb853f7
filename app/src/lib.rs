//! The Kinstead app: screens in the page, the replica in a dedicated worker.
//!
//! Three programs come of it. The page (`app`) draws and needs no document; the worker (`replica`) keeps them; another
//! (`keys`) stretches passwords and runs only where one is typed. So the first screen waits for neither, and each module
//! holds only what it runs.

mod api;
mod bridge;
mod browser;
mod i18n;
mod keys;
mod markdown;
mod ui;
mod worker;

/// Runs the screens in this page.
pub fn run_page() {
    ui::launch();
}

/// Stretches passwords in this dedicated worker.
pub fn run_keys() {
    keys::work::start();
}

/// Runs the replica in this dedicated worker.
pub fn run_replica() {
    worker::start();
}
