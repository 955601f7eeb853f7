//! The palette: one field that finds Kins, people, screens, words said before, and runs commands. And the keyboard map.

mod entries;
mod keys;

pub use keys::use_keys;

use super::account::SignOut;
use super::avatar::{FaceSize, KinFace, MemberFace};
use super::icon::{Icon, Windows};
use super::page;
use super::replica::{Sought, replica};
use super::routes::Route;
use crate::text;
use dioxus::prelude::*;
use dioxus::web::WebEventExt;
use entries::{Choice, Deed, Entry, Face, Group, Piece, cut, found, list, pieces};
use keys::KeyMap;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

/// What lies over the screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// The palette.
    Palette,
    /// The keyboard map.
    Keys,
    /// The question before signing out.
    SignOut,
}

/// What is open.
pub static OVERLAY: GlobalSignal<Option<Overlay>> = Signal::global(|| None);

/// Opens the palette.
pub fn open() {
    *OVERLAY.write() = Some(Overlay::Palette);
}

/// Whatever is open, over every screen.
#[component]
pub fn Overlays() -> Element {
    let close = move |()| *OVERLAY.write() = None;
    match OVERLAY() {
        Some(Overlay::Palette) => rsx! { Palette { on_close: close } },
        Some(Overlay::Keys) => rsx! { KeyMap { on_close: close } },
        Some(Overlay::SignOut) => rsx! { SignOut { on_close: close } },
        None => rsx! {},
    }
}

/// Opens the palette, in the sidebar.
#[component]
pub fn SearchField() -> Element {
    rsx! {
        button { r#type: "button", class: "k-nav k-side__search", "aria-keyshortcuts": "Control+K Meta+K", onclick: |_| open(),
            Icon { name: "search" }
            span { {text!("search")} }
            kbd { "aria-hidden": "true", {keys::with_command("K")} }
        }
    }
}

/// Words are looked for when nobody has typed for so long.
const FIND_MS: i32 = 120;
/// Messages of one page, and what going on adds.
const PAGE: u32 = 20;

/// How far the search in what was said is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// It goes on.
    Looking,
    /// Nobody said it.
    Nothing,
    /// There are more than are shown.
    More(u32),
    /// Everything is shown, or nothing was looked for.
    All,
}

#[component]
fn Palette(on_close: EventHandler<()>) -> Element {
    let replica = replica();
    let navigator = use_navigator();
    let opener = use_hook(|| CopyValue::new(page::focused()));
    let mut element = use_hook(|| CopyValue::new(None::<HtmlDialogElement>));
    let mut words = use_signal(String::new);
    let mut active = use_signal(|| 0_usize);
    let mut goes_elsewhere = use_hook(|| CopyValue::new(false));
    use_drop(move || {
        if let Some(dialog) = element.peek().as_ref() {
            dialog.close();
        }
        if let Some(opener) = opener.peek().as_ref().filter(|_| !*goes_elsewhere.peek()) {
            opener.focus().ok();
        }
        let mut replica = replica;
        replica.find(None, String::new(), 0);
        replica.forget_found();
    });
    let entries = use_memo(move || {
        let words = words.read();
        let mut entries = list(replica, &words);
        let said = replica.found();
        let said = said.read();
        if !said.words.is_empty() && said.words == words.trim() {
            // Behind the people, before the screens.
            let at = entries.iter().position(|entry| entry.group > Group::Said).unwrap_or(entries.len());
            entries.splice(at..at, found(replica, &said));
        }
        entries
    });
    let run = use_callback(move |choice: Choice| {
        goes_elsewhere.set(true);
        on_close.call(());
        match choice {
            Choice::Go(route) => drop(navigator.push(route)),
            Choice::Show { kin, session, message, chapter } => {
                let mut replica = replica;
                replica.seek(Some(Sought { session, message, chapter: Some(chapter), keeps_focus: false }));
                navigator.push(Route::thread(kin));
            }
            Choice::Do(deed) => {
                // The focus stays where it was, or in what opens.
                goes_elsewhere.set(matches!(deed, Deed::Keys | Deed::SignOut));
                entries::perform(replica, deed);
            }
        }
    });
    let mut look = move |typed: String| {
        active.set(0);
        let wanted = typed.trim().to_owned();
        words.set(typed);
        if wanted.chars().count() < 2 {
            return;
        }
        spawn(async move {
            page::sleep(FIND_MS).await;
            if words.peek().trim() == wanted {
                replica.find(None, wanted, PAGE);
            }
        });
    };
    let said_state = use_memo(move || {
        let (words, said) = (words.read(), replica.found());
        let (wanted, said) = (words.trim(), said.read());
        if wanted.chars().count() < 2 {
            return Said::All;
        }
        if said.words != wanted || said.is_searching {
            return Said::Looking;
        }
        let shown = u32::try_from(said.found.len()).unwrap_or(u32::MAX);
        match (shown, said.count.saturating_sub(shown)) {
            (0, 0) => Said::Nothing,
            (_, 0) => Said::All,
            (_, more) => Said::More(more),
        }
    });
    let go_on = move |()| {
        let most = u32::try_from(replica.found().peek().found.len()).unwrap_or(u32::MAX).saturating_add(PAGE);
        replica.find(None, words.peek().trim().to_owned(), most);
        page::focus("#palette");
    };
    let count = entries.read().len();
    let chosen = active().min(count.saturating_sub(1));
    let step = move |by: isize| {
        let count = entries.peek().len();
        if count > 0 {
            let now = active.peek().min(count - 1);
            active.set(now.checked_add_signed(by).map_or(count - 1, |next| next % count));
            scroll_soon();
        }
    };
    rsx! {
        dialog {
            class: "k-palette",
            "aria-label": text!("palette"),
            onmounted: move |event| {
                if let Some(dialog) = event.data().try_as_web_event() {
                    let dialog: HtmlDialogElement = dialog.unchecked_into();
                    dialog.show_modal().ok();
                    element.set(Some(dialog));
                    page::focus("#palette");
                }
            },
            oncancel: move |event| {
                event.prevent_default();
                on_close.call(());
            },
            // Beside it.
            onclick: move |event| {
                if is_beside(&event) {
                    on_close.call(());
                }
            },
            div { class: "k-palette__input",
                Icon { name: "search" }
                input {
                    id: "palette",
                    r#type: "text",
                    role: "combobox",
                    autocomplete: "off",
                    spellcheck: "false",
                    enterkeyhint: "go",
                    "aria-label": text!("palette-field"),
                    placeholder: text!("palette-field"),
                    "aria-expanded": if count > 0 { "true" } else { "false" },
                    "aria-controls": "palette-list",
                    "aria-autocomplete": "list",
                    "aria-activedescendant": (count > 0).then(|| format!("palette-{chosen}")),
                    value: "{words}",
                    oninput: move |event| look(event.value()),
                    onkeydown: {
                        let mut step = step;
                        move |event: KeyboardEvent| {
                            if event.is_composing() {
                                return;
                            }
                            let key = event.key();
                            if key == Key::ArrowDown {
                                step(1);
                            } else if key == Key::ArrowUp {
                                step(-1);
                            } else if key == Key::Enter {
                                let entries = entries.peek();
                                let at = active.peek().min(entries.len().saturating_sub(1));
                                let choice = entries.get(at).map(|entry| entry.choice.clone());
                                drop(entries);
                                if let Some(choice) = choice {
                                    run.call(choice);
                                }
                            } else {
                                return;
                            }
                            event.prevent_default();
                        }
                    },
                }
                button { r#type: "button", "aria-label": text!("close"), onclick: move |_| on_close.call(()), kbd { "aria-hidden": "true", "esc" } }
            }
            div { id: "palette-list", class: "k-palette__list", role: "listbox", "aria-label": text!("palette"),
                for group in Group::ALL {
                    Part { key: "{group:?}", group, entries, chosen, words, on_choose: move |choice| run.call(choice) }
                }
                match said_state() {
                    Said::Looking => rsx! { p { class: "k-palette__none", role: "status", Windows {} {text!("said-looking")} } },
                    Said::Nothing => rsx! { p { class: "k-palette__none", {text!("said-none", words: words.read().trim())} } },
                    Said::More(more) => rsx! {
                        p { class: "k-palette__none",
                            button {
                                r#type: "button",
                                class: "k-btn k-btn--ghost k-btn--sm",
                                onclick: move |_| go_on(()),
                                {text!("said-more", count: more)}
                            }
                        }
                    },
                    Said::All => rsx! {
                        if count == 0 && !words.read().trim().is_empty() {
                            p { class: "k-palette__none", {text!("palette-none", words: words.read().trim())} }
                        }
                    },
                }
            }
            p { class: "k-vh", role: "status",
                if !words.read().trim().is_empty() { {text!("palette-results", count: count)} }
            }
            div { class: "k-palette__foot", "aria-hidden": "true",
                span { kbd { "↑" } kbd { "↓" } {text!("palette-choose")} }
                span { kbd { "↵" } {text!("palette-open")} }
            }
        }
    }
}

/// The entries of one kind, under its name.
#[component]
fn Part(
    group: Group,
    entries: ReadSignal<Vec<Entry>>,
    chosen: usize,
    words: ReadSignal<String>,
    on_choose: EventHandler<Choice>,
) -> Element {
    let entries = entries.read();
    let mine: Vec<(usize, Entry)> =
        entries.iter().cloned().enumerate().filter(|(_, entry)| entry.group == group).collect();
    rsx! {
        if !mine.is_empty() {
            div { class: "k-palette__group", role: "group", "aria-labelledby": "palette-{group:?}",
                span { class: "k-eyebrow", id: "palette-{group:?}", {group.name()} }
                for (at, entry) in mine {
                    Item { key: "{at}", at, entry, active: at == chosen, words, on_choose }
                }
            }
        }
    }
}

#[component]
fn Item(at: usize, entry: Entry, active: bool, words: ReadSignal<String>, on_choose: EventHandler<Choice>) -> Element {
    let Entry { face, title, sub, marks, choice, .. } = entry;
    let is_said = marks.is_some();
    let (title, sub) = match marks {
        Some(marks) => (cut(&title, &marks), cut(&sub, &[])),
        None => pieces(&title, &sub, &words.read()),
    };
    rsx! {
        div {
            id: "palette-{at}",
            class: if active { "k-palette__item is-active" } else { "k-palette__item" },
            role: "option",
            "aria-selected": if active { "true" } else { "false" },
            onclick: move |_| on_choose.call(choice.clone()),
            match face {
                Face::Icon(name) => rsx! { span { class: "k-tile k-tile--sm", Icon { name } } },
                Face::Kin { avatar, hue } => rsx! { KinFace { avatar, hue, size: FaceSize::Sm } },
                Face::Member { avatar, name } => rsx! { MemberFace { avatar, name, size: FaceSize::Sm } },
            }
            if is_said {
                span { class: "k-palette__said",
                    span { Pieces { pieces: title } }
                    small { Pieces { pieces: sub } }
                }
            } else {
                span {
                    Pieces { pieces: title }
                    if !sub.is_empty() {
                        " "
                        small { Pieces { pieces: sub } }
                    }
                }
            }
            kbd { "aria-hidden": "true", "↵" }
        }
    }
}

/// Text with what was looked for marked.
#[component]
fn Pieces(pieces: Vec<Piece>) -> Element {
    rsx! {
        for piece in pieces {
            if piece.marked { mark { "{piece.text}" } } else { "{piece.text}" }
        }
    }
}

fn scroll_soon() {
    spawn(async {
        page::sleep(0).await;
        if let Some(item) = page::element(".k-palette__item.is-active") {
            page::show_nearest(&item);
        }
    });
}

/// Whether a press was on the dark around the palette.
fn is_beside(event: &MouseEvent) -> bool {
    let target = event.data().try_as_web_event().and_then(|event| event.target());
    target
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .is_some_and(|target| target.matches("dialog.k-palette").unwrap_or(false))
}
