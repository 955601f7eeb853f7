//! Looking for words in the open thread: from one message that says them to the next, the newest first.

pub mod marks;

use crate::text;
use crate::ui::icon::{Icon, Windows};
use crate::ui::page::{self, Listener};
use crate::ui::replica::{Sought, replica};
use dioxus::prelude::*;
use shared::{MessageId, SessionId};
use sync::view::FoundView;
use wasm_bindgen::JsCast;

/// Words are looked for when nobody has typed for so long.
const FIND_MS: i32 = 120;
/// Messages of one page, and what going on adds.
const PAGE: u32 = 50;
/// The field, for keys that lead to it.
pub const FIELD: &str = "#thread-words";
/// What opens it.
pub const OPENER: &str = "#thread-search";

/// Which of the messages is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing is looked for.
    Idle,
    /// It goes on, and nothing is found yet.
    Looking,
    /// Nobody said it.
    Nothing,
    /// One of so many; of more, when not all are counted.
    At { at: usize, count: u32, is_counted: bool },
}

/// Opens the search with `Ctrl F` and `F3` while a thread is shown.
pub fn use_search_keys(mut is_open: Signal<bool>) {
    let handle = use_callback(move |event: web_sys::Event| {
        let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>() else { return };
        if event.default_prevented() || event.is_composing() || page::has_dialog() {
            return;
        }
        let command = (event.ctrl_key() || event.meta_key()) && !event.alt_key() && !event.shift_key();
        let opens = command && event.key().eq_ignore_ascii_case("f") || event.key() == "F3" && !*is_open.peek();
        if opens {
            event.prevent_default();
            if *is_open.peek() {
                page::focus(FIELD);
                page::select(FIELD);
            }
            is_open.set(true);
        }
    });
    use_hook(|| CopyValue::new(Listener::on_window("keydown", move |event| handle.call(event))));
}

/// Takes the place of the thread's bar.
#[component]
pub fn ThreadSearch(session: SessionId, name: String, on_close: EventHandler<()>) -> Element {
    let mut replica = replica();
    let writes = use_hook(|| page::has_focus_on("#composer"));
    let mut words = use_signal(String::new);
    let mut most = use_signal(|| PAGE);
    let mut current = use_signal(|| None::<MessageId>);
    // Towards the older ones, past those that are here: shown when they come.
    let mut goes_on = use_signal(|| false);
    use_hook(|| page::focus_soon(FIELD));
    use_drop(move || {
        replica.find(Some(session), String::new(), 0);
        replica.forget_found_here();
        marks::clear();
        page::focus_soon_anywhere(if writes { "#composer" } else { OPENER });
    });

    let mut show = move |found: &FoundView| {
        current.set(Some(found.message));
        replica.seek(Some(Sought { session, message: found.message, chapter: Some(found.chapter), keeps_focus: true }));
    };
    // The newest is shown as soon as it is found; what comes in while one is looked at changes nothing about that.
    use_effect(move || {
        let finds = replica.found_here();
        let finds = finds.read();
        if finds.session != Some(session) || finds.words != words.peek().trim() {
            return;
        }
        let now = *current.peek();
        let at = now.and_then(|now| finds.found.iter().position(|found| found.message == now));
        match at {
            None => {
                if let Some(found) = finds.found.first() {
                    show(found);
                } else if now.is_some() {
                    current.set(None);
                }
            }
            Some(at) if *goes_on.peek() => {
                if let Some(found) = finds.found.get(at + 1) {
                    goes_on.set(false);
                    show(found);
                } else if !finds.is_searching {
                    goes_on.set(false);
                }
            }
            Some(_) => {}
        }
    });
    let place = use_memo(move || {
        let finds = replica.found_here();
        let (finds, words) = (finds.read(), words.read());
        let wanted = words.trim();
        if wanted.is_empty() {
            return Place::Idle;
        }
        if finds.session != Some(session) || finds.words != wanted {
            return Place::Looking;
        }
        let at = current().and_then(|now| finds.found.iter().position(|found| found.message == now));
        match at {
            Some(at) => Place::At { at, count: finds.count, is_counted: finds.is_counted },
            None if finds.is_searching || !finds.found.is_empty() => Place::Looking,
            None => Place::Nothing,
        }
    });
    let look = move |typed: String| {
        let wanted = typed.trim().to_owned();
        words.set(typed);
        current.set(None);
        // What the words before have marked says nothing any more.
        marks::clear();
        goes_on.set(false);
        most.set(PAGE);
        spawn(async move {
            page::sleep(FIND_MS).await;
            if words.peek().trim() == wanted {
                replica.find(Some(session), wanted, PAGE);
            }
        });
    };
    let go = use_callback(move |older: bool| {
        let finds = replica.found_here();
        let finds = finds.peek();
        let Place::At { at, .. } = *place.peek() else { return };
        let last = finds.found.len().saturating_sub(1);
        let has_more = finds.is_searching || !finds.is_counted || finds.count as usize > finds.found.len();
        let next = match (older, at) {
            (true, at) if at < last => at + 1,
            (true, _) if has_more => {
                goes_on.set(true);
                let more = most.peek().saturating_add(PAGE);
                most.set(more);
                replica.find(Some(session), finds.words.clone(), more);
                return;
            }
            (true, _) => 0,
            (false, 0) if has_more => return,
            (false, 0) => last,
            (false, at) => at - 1,
        };
        if let Some(found) = finds.found.get(next) {
            show(found);
        }
    });
    // Wherever the focus is.
    let handle = use_callback(move |event: web_sys::Event| {
        let Ok(event) = event.dyn_into::<web_sys::KeyboardEvent>() else { return };
        if event.default_prevented() || event.is_composing() || page::has_dialog() {
            return;
        }
        match event.key().as_str() {
            "F3" => go.call(!event.shift_key()),
            "Escape" => on_close.call(()),
            _ => return,
        }
        event.prevent_default();
    });
    use_hook(|| CopyValue::new(Listener::on_window("keydown", move |event| handle.call(event))));
    let can_step = matches!(place(), Place::At { count, .. } if count > 1);
    rsx! {
        div { class: "k-bar k-findbar", role: "search", "aria-label": text!("find-in", name: &name),
            h1 { class: "k-vh", "{name}" }
            label { class: "k-findbar__field",
                Icon { name: "search" }
                input {
                    id: "thread-words",
                    r#type: "text",
                    autocomplete: "off",
                    spellcheck: "false",
                    enterkeyhint: "search",
                    "aria-label": text!("find-in", name: &name),
                    placeholder: text!("find-in", name: &name),
                    value: "{words}",
                    oninput: {
                        let mut look = look;
                        move |event: FormEvent| look(event.value())
                    },
                    onkeydown: move |event| {
                        if event.key() == Key::Enter && !event.is_composing() {
                            event.prevent_default();
                            go.call(!event.modifiers().shift());
                        }
                    },
                }
                Count { place }
            }
            button {
                r#type: "button",
                class: "k-iconbtn k-findbar__older",
                "aria-label": text!("find-older"),
                title: text!("find-older"),
                "aria-disabled": (!can_step).then_some("true"),
                onclick: move |_| go.call(true),
                Icon { name: "chevron-down" }
            }
            button {
                r#type: "button",
                class: "k-iconbtn",
                "aria-label": text!("find-newer"),
                title: text!("find-newer"),
                "aria-disabled": (!can_step).then_some("true"),
                onclick: move |_| go.call(false),
                Icon { name: "chevron-down" }
            }
            button {
                r#type: "button",
                class: "k-iconbtn",
                "aria-label": text!("find-close"),
                title: text!("find-close"),
                onclick: move |_| on_close.call(()),
                Icon { name: "x" }
            }
        }
    }
}

/// How far one is, in short and for those who listen.
#[component]
fn Count(place: ReadSignal<Place>) -> Element {
    let (short, long) = match place() {
        Place::Idle => (String::new(), String::new()),
        Place::Looking => {
            return rsx! {
                span { class: "k-findbar__count", Windows {} span { class: "k-vh", role: "status", {text!("find-looking")} } }
            };
        }
        Place::Nothing => (text!("find-none"), text!("find-none")),
        Place::At { at, count, is_counted } => {
            let more = if is_counted { "" } else { "+" };
            (format!("{}/{count}{more}", at + 1), text!("find-at", at: at + 1, count: count))
        }
    };
    rsx! {
        span { class: "k-findbar__count",
            span { "aria-hidden": "true", "{short}" }
            span { class: "k-vh", role: "status", "{long}" }
        }
    }
}
