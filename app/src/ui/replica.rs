//! What the screens know of the replica, and what they may ask of it.

mod own;

pub use own::{Finds, Sought};

use super::drafts::Drafts;
use super::login;
use super::page::{self, Listener};
use super::thread::state::Thread;
use crate::bridge::{Bridge, fresh_message_id};
use crate::keys::KeyOfDevice;
use dioxus::prelude::*;
use futures_util::StreamExt;
use own::forget_news;
use shared::operation::PreferenceKey;
use shared::{KinId, MemberId, MessageId, SessionId, TextField, TurnId};
use sync::port::{DeviceKey, Event, Request};
use sync::view::{Connection, HomeView, KinView, LiveView, Pin, SyncView};

/// A Kin's two texts, as the replica has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KinTexts {
    /// Whose.
    pub kin: KinId,
    /// Tone and personality.
    pub character: String,
    /// Goal and knowledge.
    pub expertise: String,
}

/// Something the member asked for did not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Has words as `problem-…`.
    pub code: String,
    /// The thread whose composer still holds the text it is about.
    pub composer: Option<SessionId>,
}

/// What is known about messages before the oldest loaded one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Older {
    /// Nobody has asked, or the answer has come.
    Still,
    /// On their way.
    Loading,
    /// Not on this device, and there is no network.
    Offline,
}

/// A message on its way into the replica; until that says it is safe, the composer keeps its text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outgoing {
    session: SessionId,
    message: MessageId,
    text: String,
}

/// The replica as screens see it: state to read, verbs to call. Copies are the same replica.
#[derive(Clone, Copy, PartialEq)]
pub struct Replica {
    bridge: Signal<Option<Bridge>>,
    home: Signal<Option<HomeView>>,
    archived: Signal<Vec<KinView>>,
    sync: Signal<SyncView>,
    thread: Signal<Option<Thread>>,
    live: Signal<Option<LiveView>>,
    texts: Signal<Option<KinTexts>>,
    /// The session a screen wants to see; other threads' events are late.
    wanted: Signal<Option<SessionId>>,
    older: Signal<Older>,
    outgoing: Signal<Vec<Outgoing>>,
    drafts: CopyValue<Drafts>,
    /// Counts the changes of drafts that composers must show.
    drafts_shown: Signal<u64>,
    /// Somebody will tell the replica what was typed.
    keeping: CopyValue<bool>,
    pins: Signal<Vec<Pin>>,
    found: Signal<Finds>,
    found_here: Signal<Finds>,
    /// The message to show in the open thread.
    sought: Signal<Option<Sought>>,
    /// The thread whose end somebody is looking at: nothing of it is news.
    reading: Signal<Option<SessionId>>,
    refusal: Signal<Option<Refusal>>,
    broken: Signal<bool>,
}

/// Starts the replica for the screens below, once.
pub fn use_replica() -> Replica {
    let replica = use_hook(|| Replica {
        bridge: Signal::new(None),
        home: Signal::new(None),
        archived: Signal::new(Vec::new()),
        sync: Signal::new(SyncView::default()),
        thread: Signal::new(None),
        live: Signal::new(None),
        texts: Signal::new(None),
        wanted: Signal::new(None),
        older: Signal::new(Older::Still),
        outgoing: Signal::new(Vec::new()),
        drafts: CopyValue::new(Drafts::default()),
        drafts_shown: Signal::new(0),
        keeping: CopyValue::new(false),
        pins: Signal::new(Vec::new()),
        found: Signal::new(Finds::default()),
        found_here: Signal::new(Finds::default()),
        sought: Signal::new(None),
        reading: Signal::new(None),
        refusal: Signal::new(None),
        broken: Signal::new(false),
    });
    // Events come from outside Dioxus; the channel brings them in, and joins those of one moment into one redraw.
    let events = use_coroutine(move |mut events: UnboundedReceiver<Event>| async move {
        while let Some(event) = events.next().await {
            replica.take(event);
        }
    });
    let mut login = login::login();
    use_hook(move || {
        let sender = events.tx();
        let started = Bridge::start(move |event| {
            sender.unbounded_send(event).ok();
        });
        let mut replica = replica;
        match started {
            Ok(bridge) => {
                if let Some(KeyOfDevice(key)) = login.take_key() {
                    bridge.send(Request::Unlock { key: DeviceKey(key) });
                }
                bridge.send(Request::Attach);
                replica.bridge.set(Some(bridge));
            }
            Err(_) => replica.broken.set(true),
        }
    });
    // A page that is hidden may be gone the next moment.
    use_hook(|| {
        ["visibilitychange", "pagehide"].map(|name| {
            CopyValue::new(Listener::on_window(name, move |_| {
                if page::is_hidden() {
                    replica.settle();
                }
            }))
        })
    });
    use_context_provider(|| replica)
}

/// The replica of the screens around.
pub fn replica() -> Replica {
    use_context()
}

/// What is kept up to date.
impl Replica {
    /// Kins that were put away.
    pub fn archived(&self) -> ReadSignal<Vec<KinView>> {
        self.archived.into()
    }

    /// Household, Kins (but those that were put away), members, settings; `None` until the replica has opened.
    pub fn home(&self) -> ReadSignal<Option<HomeView>> {
        self.home.into()
    }

    /// Where the connection stands.
    pub fn sync(&self) -> ReadSignal<SyncView> {
        self.sync.into()
    }

    /// The open thread.
    pub fn thread(&self) -> ReadSignal<Option<Thread>> {
        self.thread.into()
    }

    /// The running answer of the open thread.
    pub fn live(&self) -> ReadSignal<Option<LiveView>> {
        self.live.into()
    }

    /// The texts last asked for.
    pub fn texts(&self) -> ReadSignal<Option<KinTexts>> {
        self.texts.into()
    }

    /// What did not happen, until someone has read it.
    pub fn refusal(&self) -> ReadSignal<Option<Refusal>> {
        self.refusal.into()
    }

    /// Whether the replica could not be started at all.
    pub fn is_broken(&self) -> bool {
        (self.broken)()
    }

    /// What is known about older messages of the open thread.
    pub fn older(&self) -> Older {
        (self.older)()
    }

    /// Who looks.
    pub fn me(&self) -> Option<MemberId> {
        self.home.read().as_ref().map(|home| home.me)
    }

    /// The Kin that an address names, by id or by name; put away or not.
    pub fn find_kin(&self, named: &str) -> Option<KinView> {
        let (home, archived) = (self.home.read(), self.archived.read());
        let mut kins = home.as_ref()?.kins.iter().chain(archived.iter());
        match named.parse::<KinId>() {
            Ok(id) => kins.find(|kin| kin.profile.id == id).cloned(),
            Err(_) => kins.find(|kin| slug(&kin.profile.name) == named).cloned(),
        }
    }
}

/// What can be asked for.
impl Replica {
    fn ask(&self, request: Request) {
        if let Some(bridge) = self.bridge.peek().as_ref() {
            bridge.send(request);
        }
    }

    /// Shows a thread; the one before is closed.
    pub fn open(&mut self, session: SessionId) {
        if *self.wanted.peek() == Some(session) {
            return;
        }
        if let Some(before) = self.wanted.take() {
            self.tell_draft(before);
            self.ask(Request::CloseThread { session: before });
        }
        self.forget_thread();
        self.wanted.set(Some(session));
        self.ask(Request::OpenThread { session });
    }

    /// A screen no longer shows a thread. The next one may have opened its own before that.
    pub fn close(&mut self, session: SessionId) {
        if *self.wanted.peek() == Some(session) {
            self.wanted.set(None);
            self.tell_draft(session);
            self.ask(Request::CloseThread { session });
            self.forget_thread();
        }
    }

    fn forget_thread(&mut self) {
        self.thread.set(None);
        self.live.set(None);
        self.pins.set(Vec::new());
        self.older.set(Older::Still);
    }

    /// Brings older messages of the open thread, once at a time.
    pub fn load_older(&mut self) {
        let Some(session) = *self.wanted.peek() else { return };
        if *self.older.peek() == Older::Still {
            self.older.set(Older::Loading);
            self.ask(Request::LoadOlder { session });
        }
    }

    /// Brings the open thread back to a chapter.
    pub fn load_back(&mut self, chapter: u32) {
        let Some(session) = *self.wanted.peek() else { return };
        if *self.older.peek() == Older::Still {
            self.older.set(Older::Loading);
            self.ask(Request::LoadBack { session, chapter });
        }
    }

    /// Sends a message. Its text stays the draft until the replica has it.
    pub fn send(&mut self, session: SessionId, text: String) {
        // Asked again while the first has no answer: the same id, so that it is sent once.
        let again =
            self.outgoing.peek().iter().find(|out| out.session == session && out.text == text).map(|out| out.message);
        let message = again.unwrap_or_else(fresh_message_id);
        if again.is_none() {
            self.outgoing.write().push(Outgoing { session, message, text: text.clone() });
        }
        self.refusal.set(None);
        self.tell_draft(session);
        let reply_to = self.drafts.peek().get(session).reply_to;
        self.ask(Request::Send { session, message, text, reply_to });
    }

    /// Tries to reach the server now.
    pub fn wake(&self) {
        if let Some(bridge) = self.bridge.peek().as_ref() {
            bridge.wake();
        }
    }

    /// Forgets an unsent or refused message.
    pub fn discard(&self, message: MessageId) {
        self.ask(Request::Discard { message });
    }

    /// Tries a refused message again.
    pub fn resend(&self, message: MessageId) {
        self.ask(Request::Resend { message });
    }

    /// Takes a waiting message back.
    pub fn withdraw(&self, message: MessageId) {
        self.ask(Request::Withdraw { message });
    }

    /// Takes a message's words away, for everybody and for good.
    pub fn redact(&self, message: MessageId) {
        self.ask(Request::Redact { message });
    }

    /// Stops a running turn.
    pub fn stop(&self, session: SessionId, turn: TurnId) {
        self.ask(Request::Stop { session, turn });
    }

    /// Stops the running turn of the open thread, if there is one.
    pub fn stop_running(&self) {
        let thread = self.thread.peek();
        if let Some((session, turn)) = thread.as_ref().and_then(|thread| Some((thread.session, thread.running_turn()?)))
        {
            self.stop(session, turn);
        }
    }

    /// Tries a failed or stopped answer again.
    pub fn retry(&self, session: SessionId, answer: MessageId) {
        self.ask(Request::Retry { session, answer });
    }

    /// Everything up to `seq` has been seen.
    pub fn mark_read(&self, session: SessionId, seq: u64) {
        self.ask(Request::MarkRead { session, seq });
    }

    /// Asks for a Kin's texts.
    pub fn open_kin(&mut self, kin: KinId) {
        self.texts.set(None);
        self.ask(Request::OpenKin { kin });
    }

    /// Edits one of a Kin's texts.
    pub fn edit_text(&self, kin: KinId, field: TextField, from: String, to: String) {
        self.ask(Request::EditKinText { kin, field, from, to });
    }

    /// Sets a preference, here at once and on the member's other devices when they can be reached.
    pub fn prefer(&self, key: PreferenceKey, value: &str) {
        page::remember(key.as_str(), Some(value));
        self.ask(Request::SetPreference { key, value: value.to_owned() });
    }

    /// Wipes this device; the page starts anew when that is done.
    pub fn wipe(&self) {
        self.ask(Request::Wipe);
    }

    /// The member has read what did not happen.
    pub fn dismiss_refusal(&mut self) {
        self.refusal.set(None);
    }
}

/// What the replica says.
impl Replica {
    fn take(mut self, event: Event) {
        match event {
            Event::Home(home) => self.take_home(home),
            Event::Sync(sync) => {
                // A server that was away may have come back as a newer one.
                let was_offline = self.sync.peek().connection == Connection::Offline;
                if was_offline && sync.connection != Connection::Offline {
                    page::announce("kinstead-connected");
                }
                if sync.connection != Connection::Offline && *self.older.peek() == Older::Offline {
                    self.older.set(Older::Still);
                }
                self.sync.set(sync);
            }
            Event::Thread(view) => self.take_thread(view),
            Event::ThreadChanged { session, upserts, removed } => {
                self.with_thread(session, |thread| thread.change(upserts, &removed));
            }
            Event::Live { session, live } => {
                self.with_thread(session, |thread| thread.set_live(live.as_ref()));
                if *self.wanted.peek() == Some(session) {
                    self.live.set(live);
                }
            }
            Event::LiveText { session, text } => {
                if *self.wanted.peek() == Some(session)
                    && let Some(live) = self.live.write().as_mut()
                {
                    live.text.push_str(&text);
                }
            }
            Event::Queue { session, queue } => self.with_thread(session, |thread| thread.set_queue(queue)),
            Event::Own { session, own } => self.take_own(session, own),
            Event::Found { session, words, found, count, is_counted, is_searching } => {
                let mut finds = if session.is_some() { self.found_here } else { self.found };
                finds.set(Finds { session, words, found, count, is_counted, is_searching });
            }
            Event::Queued { message } => self.take_queued(message),
            // Scrolling asked, not the member: the log says it, quietly, and asks again when there is a network.
            Event::Problem { code, message: None } if code == "older_offline" => self.older.set(Older::Offline),
            Event::Problem { code, message } => {
                let composer = self.take_outgoing(message).map(|out| out.session);
                if let Some(session) = composer {
                    // The replica has let go of these words; the composer still has them.
                    self.drafts.write().retell(session);
                    self.tell_draft(session);
                }
                self.refusal.set(Some(Refusal { code, composer }));
            }
            Event::KinTexts { kin, character, expertise } => {
                self.texts.set(Some(KinTexts { kin, character, expertise }));
            }
            Event::Locked => {
                login::note_locked();
                page::restart();
            }
            Event::SignedOut => {
                login::farewell_after_wipe();
                page::restart();
            }
            Event::Wiped => {
                login::forget_member();
                page::restart();
            }
        }
    }

    fn take_home(&mut self, mut home: HomeView) {
        let (archived, present) = std::mem::take(&mut home.kins).into_iter().partition(|kin| kin.profile.archived);
        home.kins = present;
        forget_news(&mut home, *self.reading.peek());
        if *self.archived.peek() != archived {
            self.archived.set(archived);
        }
        self.home.set(Some(home));
    }

    fn take_thread(&mut self, view: sync::view::ThreadView) {
        if *self.wanted.peek() != Some(view.session) {
            return;
        }
        let Some(me) = self.home.peek().as_ref().map(|home| home.me) else { return };
        self.older.set(Older::Still);
        self.live.set(view.live.clone());
        let mut thread = self.thread.write();
        match thread.as_mut() {
            Some(thread) => thread.replace(view),
            None => *thread = Some(Thread::new(view, me)),
        }
    }

    fn with_thread(&mut self, session: SessionId, change: impl FnOnce(&mut Thread)) {
        if let Some(thread) = self.thread.write().as_mut().filter(|thread| thread.session == session) {
            change(thread);
        }
    }

    /// The message is safe: what is left of the draft is what was written since.
    fn take_queued(&mut self, message: MessageId) {
        if let Some(sent) = self.take_outgoing(Some(message)) {
            self.drafts.write().forget_sent(sent.session, &sent.text);
            self.drafts_shown += 1;
            self.tell_draft(sent.session);
        }
    }

    fn take_outgoing(&mut self, message: Option<MessageId>) -> Option<Outgoing> {
        let mut outgoing = self.outgoing.write();
        let at = outgoing.iter().position(|out| Some(out.message) == message)?;
        Some(outgoing.remove(at))
    }
}

/// A name as it may stand in an address.
pub fn slug(name: &str) -> String {
    let words: Vec<&str> =
        name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}
