//! The log of a thread: a scroller that draws only what is near its window (S-6).
//!
//! Scrolling starts from the end. While the member reads further up, nothing that comes in moves what they read;
//! a pill says that there is more below. Heights are measured by the browser as rows are drawn; see [`super::geometry`].

use super::actions::{ActionSheet, Subject};
use super::geometry::{Geometry, Window, guess};
use super::rows::{Rows, given};
use super::search::marks;
use super::state::{Row, RowKey, Thread};
use super::status::MessageAction;
use crate::text;
use crate::ui::avatar::KinPicture;
use crate::ui::icon::{Icon, IconSize, Windows};
use crate::ui::page::{self, Listener};
use crate::ui::replica::{Older, Replica, Sought, replica};
use dioxus::prelude::*;
use dioxus::web::WebEventExt;
use shared::policy::Right;
use shared::{Author, MessageId};
use sync::view::{KinView, MessageView};
use web_sys::Element as DomElement;

/// Nearer to the end than this counts as being there.
const AT_END: f64 = 48.0;
/// Older messages are asked for when fewer rows than this are left above.
const OLDER_ROWS: usize = 12;

/// Everything about scrolling that drawing does not depend on.
#[derive(Default)]
pub struct Scroll {
    /// Heights of all rows.
    pub geometry: Geometry,
    window: Window,
    element: Option<DomElement>,
    /// To be scrolled by, once what was just drawn is in the page.
    owed: f64,
    /// The newest message when rows were last counted.
    newest: Option<RowKey>,
}

impl Scroll {
    fn is_at_end(&self) -> bool {
        self.window.from_end < AT_END
    }

    /// Keeps what is in the window in its place.
    fn scroll_by(&mut self, distance: f64) {
        if distance.abs() < 0.5 {
            return;
        }
        if let Some(element) = &self.element {
            // From the end, upwards is negative.
            let top = f64::from(element.scroll_top()) - distance;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a log is far shorter than two thousand million pixels"
            )]
            element.set_scroll_top(top.round() as i32);
            self.window.from_end += distance;
        }
    }

    /// Brings a row to the middle of the window, as far as heights are known.
    fn go_to(&mut self, key: RowKey) {
        let Some(from_end) = self.geometry.middle(key, self.window.height) else { return };
        if let Some(element) = &self.element {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a log is far shorter than two thousand million pixels"
            )]
            element.set_scroll_top(-from_end.round() as i32);
        }
        self.window.from_end = from_end;
    }

    fn go_to_end(&mut self) {
        if let Some(element) = &self.element {
            element.set_scroll_top(0);
        }
        self.window.from_end = 0.0;
    }
}

/// The rows near the window, and what is asked of them.
#[component]
pub fn Log(kin: ReadSignal<KinView>) -> Element {
    let mut replica = replica();
    let thread = replica.thread();
    let mut scroll = use_hook(|| CopyValue::new(Scroll::default()));
    let mut drawn = use_signal(|| 0..0_usize);
    let mut at_end = use_signal(|| true);
    let mut has_news = use_signal(|| false);
    // Counts the lists that the geometry has taken: the room around the drawn rows is another with each.
    let mut taken = use_signal(|| 0_u64);

    let look = use_callback(move |()| {
        let (range, is_at_end) = {
            let scroll = scroll.read();
            (scroll.geometry.visible(scroll.window), scroll.is_at_end())
        };
        if *drawn.peek() != range {
            drawn.set(range.clone());
        }
        if *at_end.peek() != is_at_end {
            at_end.set(is_at_end);
        }
        if is_at_end && *has_news.peek() {
            has_news.set(false);
        }
        let wants_older = thread.peek().as_ref().is_some_and(|thread| thread.has_older && range.start < OLDER_ROWS);
        if wants_older {
            replica.load_older();
        }
    });

    // Rows came, went or changed place.
    use_effect(move || {
        let thread = thread.read();
        let Some(thread) = thread.as_ref() else { return };
        let came_below = {
            let mut scroll = scroll.write();
            let window = scroll.window;
            let moved = scroll.geometry.set_rows(guesses(thread), window);
            let newest = thread.len().checked_sub(1).and_then(|at| thread.key(at));
            let came_below = newest != scroll.newest && scroll.newest.is_some();
            scroll.newest = newest;
            if came_below && thread.ends_with_unsent() {
                scroll.go_to_end();
            } else if !scroll.is_at_end() {
                scroll.owed += moved;
            }
            came_below && !scroll.is_at_end()
        };
        if came_below && !*has_news.peek() {
            has_news.set(true);
        }
        let next = taken.peek().wrapping_add(1);
        taken.set(next);
        look.call(());
    });
    // What is owed is paid when the new rows and their room are in the page, and before they are painted.
    use_effect(move || {
        let _ = taken.read();
        let mut scroll = scroll.write();
        let owed = std::mem::take(&mut scroll.owed);
        scroll.scroll_by(owed);
    });
    use_read_marker(replica, at_end.into());

    let mut asked = use_signal(|| None::<(MessageId, bool)>);
    use_seek(replica, scroll, look);
    let on_action = use_callback(move |action| match action {
        MessageAction::Discard(message) => replica.discard(message),
        MessageAction::Resend(message) => replica.resend(message),
        MessageAction::Withdraw(message) => replica.withdraw(message),
        MessageAction::Retry(answer) => replica.retry(kin.peek().profile.session, answer),
        MessageAction::Reply(message) => {
            replica.reply_to(kin.peek().profile.session, Some(message));
            page::focus("#composer");
        }
        MessageAction::ChooseReaction(message) => asked.set(Some((message, true))),
        MessageAction::More(message) => asked.set(Some((message, false))),
    });
    let measured = use_callback(move |(key, height): (RowKey, f64)| {
        {
            let mut scroll = scroll.write();
            let window = scroll.window;
            let grown = scroll.geometry.measure(key, height, window);
            if !scroll.is_at_end() {
                scroll.scroll_by(grown);
            }
        }
        look.call(());
    });

    let subject = asked().and_then(|(id, only_reactions)| {
        let thread = thread.read();
        let thread = thread.as_ref()?;
        let message = thread.find(id)?;
        Some(Subject {
            session: kin.read().profile.session,
            message: id,
            text: message.text.clone(),
            given: given(replica, &kin.read(), message),
            pinned: replica.pins().read().iter().any(|pin| pin.message == id),
            may_redact: may_redact(replica, thread, message),
            only_reactions,
        })
    });
    let name = kin.read().profile.name.clone();
    let loaded = thread.read().as_ref().is_some_and(|thread| thread.loaded);
    let is_empty = thread.read().as_ref().is_some_and(|thread| thread.len() == 0);
    rsx! {
        div { class: "k-logframe",
            div {
                class: "k-scroll k-scroll--end",
                onmounted: move |event| scroll.write().element = event.data().try_as_web_event(),
                onresize: move |event| {
                    if let Ok(size) = event.get_border_box_size() {
                        scroll.write().window.height = size.height;
                        look.call(());
                    }
                },
                onscroll: move |event| {
                    scroll.write().window.from_end = -event.scroll_top();
                    look.call(());
                },
                div {
                    id: "log",
                    class: "k-log k-log--rows",
                    role: "log",
                    tabindex: "0",
                    // Rows that scrolling brings back are no news.
                    "aria-live": if at_end() { "polite" } else { "off" },
                    "aria-label": text!("log-of", name: &name),
                    "aria-busy": (!loaded).then_some("true"),
                    onkeydown: move |event| move_between(&event),
                    if !loaded {
                        div { class: "k-logstate", Windows {} span { class: "k-vh", {text!("loading")} } }
                    } else if is_empty {
                        Hello { kin }
                    } else {
                        Rows { kin, thread, drawn: drawn(), taken, scroll, on_action, measured }
                    }
                }
            }
            if let Some(subject) = subject {
                ActionSheet { subject, on_close: move |()| asked.set(None) }
            }
            if has_news() && !at_end() {
                button {
                    r#type: "button",
                    class: "k-btn k-btn--primary k-btn--sm k-pill",
                    onclick: move |_| {
                        scroll.write().go_to_end();
                        look.call(());
                    },
                    {text!("new-messages")}
                    Icon { name: "chevron-down", size: IconSize::Sm }
                }
            }
        }
    }
}

/// How long a message that was looked for is marked.
const FLASH_MS: i32 = 1700;
/// Rows have been drawn and measured by then.
const DRAWN_MS: i32 = 80;

/// Shows the message that somebody looks for: scrolls to it, loads older ones until it is there, and marks it.
fn use_seek(replica: Replica, mut scroll: CopyValue<Scroll>, look: Callback<()>) {
    let mut replica = replica;
    let thread = replica.thread();
    let sought = replica.sought();
    // What the thread was brought back for: if it is not there then, it is nowhere.
    let mut asked = use_hook(|| CopyValue::new(None::<Sought>));
    use_effect(move || {
        let Some(wanted) = sought() else { return };
        let Sought { session, message, chapter, keeps_focus } = wanted;
        let thread = thread.read();
        let open = thread.as_ref().filter(|thread| thread.loaded && thread.session == session);
        let Some(thread) = open else { return };
        let Some(found) = thread.find(message) else {
            match (replica.older(), chapter) {
                // Asked for; the thread comes anew.
                (Older::Loading, _) => {}
                (Older::Still, Some(chapter)) if thread.has_older && *asked.peek() != Some(wanted) => {
                    asked.set(Some(wanted));
                    replica.load_back(chapter);
                }
                (Older::Still, None) if thread.has_older => replica.load_older(),
                (Older::Still | Older::Offline, _) => replica.seek(None),
            }
            return;
        };
        asked.set(None);
        let key = RowKey::of(found);
        spawn(async move {
            // The second time its height, and those of the rows around, are known.
            for _ in 0..2 {
                scroll.write().go_to(key);
                look.call(());
                page::sleep(DRAWN_MS).await;
            }
            // Somebody may have gone on to another one meanwhile.
            if *sought.peek() != Some(wanted) {
                return;
            }
            replica.seek(None);
            let Some(row) = page::element(&format!("[id='row-{key}']")) else { return };
            page::show_in_the_middle(&row);
            let Some(article) = row.query_selector("article").ok().flatten() else { return };
            if !keeps_focus {
                page::focus_element(&article);
            }
            let bubble = article.query_selector(".k-bubble").ok().flatten().unwrap_or(article);
            if keeps_focus {
                marks::mark(&bubble, &replica.found_here().peek().words);
            }
            bubble.class_list().add_1("is-flash").ok();
            page::sleep(FLASH_MS).await;
            bubble.class_list().remove_1("is-flash").ok();
        });
    });
}

fn guesses(thread: &Thread) -> impl Iterator<Item = (RowKey, f64)> {
    (0..thread.len()).filter_map(|at| {
        let guessed = match thread.row(at)? {
            Row::Message(message) => guess(&message.text),
            Row::Running(_) => guess(""),
        };
        Some((thread.key(at)?, guessed))
    })
}

/// A thread without a word yet.
/// Its author may, an admin, and of an answer whoever asked.
fn may_redact(replica: Replica, thread: &Thread, message: &MessageView) -> bool {
    let home = replica.home();
    let home = home.read();
    let Some(home) = home.as_ref() else { return false };
    let me = Author::Member(home.me);
    let asked = message.answers.and_then(|asked| thread.find(asked)).map(|asked| asked.author);
    let is_admin = home.members.iter().any(|member| member.id == home.me && member.role.may(Right::ManageMembers));
    message.seq.is_some() && (message.author == me || asked == Some(me) || is_admin)
}

#[component]
fn Hello(kin: ReadSignal<KinView>) -> Element {
    let kin = kin.read();
    rsx! {
        div { class: "k-empty",
            KinPicture { avatar: kin.profile.avatar.clone(), size: Some(120) }
            h2 { {text!("thread-empty-title", name: &kin.profile.name)} }
            if !kin.profile.role.is_empty() {
                p { "{kin.profile.role}" }
            }
            p { {text!("thread-empty-lead")} }
        }
    }
}

/// Arrow keys, and J and K, go from message to message.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other key of every keyboard")]
fn move_between(event: &KeyboardEvent) {
    let next = match event.key() {
        Key::ArrowDown => true,
        Key::ArrowUp => false,
        Key::Character(letter) if event.modifiers().is_empty() && letter == "j" => true,
        Key::Character(letter) if event.modifiers().is_empty() && letter == "k" => false,
        _ => return,
    };
    let modified = event.modifiers().intersects(Modifiers::ALT | Modifiers::CONTROL | Modifiers::META);
    if modified || page::is_typing() {
        return;
    }
    event.prevent_default();
    let Some(focused) = page::focused() else { return };
    let row = if focused.id() == "log" {
        page::last_element("#log > .k-logrow")
    } else {
        page::neighbour(&focused, ".k-logrow", next)
    };
    let article = row.and_then(|row| row.query_selector("article").ok().flatten());
    if let Some(article) = article {
        page::focus_element(&article);
    }
}

/// Tells the replica what has been read: what is in the window while someone looks at the page.
fn use_read_marker(mut replica: Replica, at_end: ReadSignal<bool>) {
    let mut is_looking = use_signal(page::has_focus);
    let check = use_callback(move |_: web_sys::Event| {
        if *is_looking.peek() != page::has_focus() {
            is_looking.set(page::has_focus());
        }
    });
    use_hook(|| {
        ["focus", "blur", "visibilitychange"]
            .map(|name| CopyValue::new(Listener::on_window(name, move |event| check.call(event))))
    });
    let mut told = use_signal(|| 0_u64);
    use_drop(move || replica.set_reading(None));
    let thread = replica.thread();
    use_effect(move || {
        let thread = thread.read();
        let Some(thread) = thread.as_ref() else { return };
        let is_reading = at_end() && is_looking();
        replica.set_reading(is_reading.then_some(thread.session));
        let Some(newest) = thread.newest_seq() else { return };
        if is_reading && newest > *told.peek() {
            told.set(newest);
            replica.mark_read(thread.session, newest);
        }
    });
}
