//! Keys that work wherever nothing else takes them, and the map of all keys.

use super::{OVERLAY, Overlay, open};
use crate::text;
use crate::ui::dialog::Dialog;
use crate::ui::page::{self, Listener};
use crate::ui::replica::Replica;
use crate::ui::routes::Route;
use dioxus::prelude::*;
use shared::KinId;
use wasm_bindgen::JsCast;

/// `G` waits so long for what follows.
const THEN_MS: f64 = 1500.0;

/// `⌘K` or `Ctrl K`.
pub fn with_command(key: &str) -> String {
    if page::is_mac() { format!("⌘{key}") } else { format!("Ctrl {key}") }
}

/// Keys of the whole page.
pub fn use_keys(replica: Replica) {
    let navigator = use_navigator();
    let route = use_route::<Route>();
    let mut current = use_signal(|| route.clone());
    if *current.peek() != route {
        current.set(route);
    }
    // When `G` was pressed.
    let mut going = use_hook(|| CopyValue::new(None::<f64>));
    let handle = use_callback(move |event: web_sys::Event| {
        let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>() else { return };
        if event.default_prevented() || event.is_composing() {
            return;
        }
        let command = (event.ctrl_key() || event.meta_key()) && !event.alt_key() && !event.shift_key();
        if command && event.key().eq_ignore_ascii_case("k") {
            let is_open = OVERLAY.peek().is_some();
            if is_open || !page::has_dialog() {
                event.prevent_default();
                if is_open { *OVERLAY.write() = None } else { open() }
            }
            return;
        }
        if page::has_dialog() {
            return;
        }
        let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key();
        let letter = plain && !page::is_typing();
        let goes = going.take().is_some_and(|at| event.time_stamp() - at < THEN_MS);
        match event.key().as_str() {
            "h" if letter && goes => {
                event.prevent_default();
                navigator.push(Route::Home {});
            }
            "s" if letter && goes => {
                event.prevent_default();
                open();
            }
            "g" if letter => going.set(Some(event.time_stamp())),
            "?" if letter => {
                event.prevent_default();
                *OVERLAY.write() = Some(Overlay::Keys);
            }
            "j" | "k" if letter => {
                // From outside of the log; within it the log itself goes on.
                if let Some(article) = page::last_element("#log > .k-logrow article") {
                    event.prevent_default();
                    page::focus_element(&article);
                }
            }
            "/" if letter => {
                event.prevent_default();
                page::focus("#composer");
            }
            // A search that is open takes it.
            "Escape" if plain && page::element(super::super::thread::search::FIELD).is_none() => replica.stop_running(),
            key @ ("ArrowUp" | "ArrowDown") if event.alt_key() && !event.ctrl_key() && !event.meta_key() => {
                event.prevent_default();
                let named = current.peek().kin().map(str::to_owned);
                if let Some(next) = neighbour(replica, named.as_deref(), key == "ArrowDown") {
                    navigator.push(Route::thread(next));
                }
            }
            _ => {}
        }
    });
    use_hook(|| CopyValue::new(Listener::on_window("keydown", move |event| handle.call(event))));
}

/// The Kin after or before the open one, round and round.
fn neighbour(replica: Replica, named: Option<&str>, next: bool) -> Option<KinId> {
    let open = named.and_then(|named| replica.find_kin(named)).map(|kin| kin.profile.id);
    let home = replica.home();
    let home = home.peek();
    let kins: Vec<KinId> =
        home.as_ref()?.kins.iter().filter(|kin| !kin.profile.archived).map(|kin| kin.profile.id).collect();
    let count = kins.len().max(1);
    let at = kins.iter().position(|kin| Some(*kin) == open);
    let to = match (at, next) {
        (Some(at), true) => (at + 1) % count,
        (Some(at), false) => (at + count - 1) % count,
        (None, true) => 0,
        (None, false) => count - 1,
    };
    kins.get(to).copied()
}

/// Every key, in words.
#[component]
pub fn KeyMap(on_close: EventHandler<()>) -> Element {
    let option = if page::is_mac() { "⌥" } else { "Alt" };
    let one = |key: &str| vec![key.to_owned()];
    let then = |first: &str, second: &str| vec![text!("keys-then", first: first, second: second)];
    let parts = [
        (
            text!("keys-everywhere"),
            vec![
                (text!("keys-palette"), vec![with_command("K")]),
                (text!("keys-kins"), vec![format!("{option} ↑"), format!("{option} ↓")]),
                (text!("keys-home"), then("G", "H")),
                (text!("search"), then("G", "S")),
                (text!("keys-help"), one("?")),
            ],
        ),
        (
            text!("keys-in-thread"),
            vec![
                (text!("find"), vec![with_command("F")]),
                (text!("keys-find-steps"), vec!["Enter".to_owned(), "Shift Enter".to_owned()]),
                (text!("keys-composer"), one("/")),
                (text!("keys-send"), one("Enter")),
                (text!("keys-line"), vec!["Shift Enter".to_owned()]),
                (text!("keys-edit"), one("↑")),
                (text!("keys-messages"), vec!["J".to_owned(), "K".to_owned()]),
                (text!("keys-actions"), one("Enter")),
                (text!("keys-close"), one("Esc")),
            ],
        ),
    ];
    rsx! {
        Dialog { title: text!("keys-title"), on_close,
            for (title, keys) in parts {
                h3 { class: "k-keys__title", "{title}" }
                dl { class: "k-keys",
                    for (does, keys) in keys {
                        div {
                            dt { "{does}" }
                            dd {
                                for key in keys { kbd { "{key}" } }
                            }
                        }
                    }
                }
            }
            div { class: "k-dialog__actions",
                button { r#type: "button", class: "k-btn", onclick: move |_| on_close.call(()), {text!("close")} }
            }
        }
    }
}
