//! The Kinstead app: screens in the page, the replica in a dedicated worker.
//!
//! Two programs come of it. The page (`app`) draws and needs no document; the worker (`replica`) keeps them. So the first
//! screen does not wait for the sync engine, and each module holds only what it runs.

mod api;
mod bridge;
mod browser;
mod i18n;
mod markdown;
mod ui;
mod worker;

/// Runs the screens in this page.
pub fn run_page() {
    ui::launch();
}

/// Runs the replica in this dedicated worker.
pub fn run_replica() {
    worker::start();
}
