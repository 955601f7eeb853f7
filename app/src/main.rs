//! The Kinstead app. One module runs twice: in the page it draws the screens, in a dedicated worker it keeps the replica.

mod api;
mod bridge;
mod browser;
mod i18n;
mod markdown;
mod ui;
mod worker;

fn main() {
    if worker::is_here() {
        worker::start();
    } else {
        ui::launch();
    }
}
