//! The page's end of the replica: starts the worker, starts it again when it dies, and remembers what was asked.

mod memory;
mod restarts;

use crate::browser::{Timer, bytes_of, error_name, global, message_of, now, random, warn};
use crate::worker::message::{Errand, FromWorker, ToWorker, decode, encode};
use crate::worker::{FRESH_NAME, NAME};
use memory::Memory;
use restarts::Restarts;
use shared::MessageId;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use sync::port::{Event, Request};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Document, EventTarget, MessageEvent, Navigator, PageTransitionEvent, RequestInit, Response, StorageManager,
    VisibilityState, Window, Worker, WorkerOptions, WorkerType,
};

/// The page carries the address of the worker's script, which has its hash in its name.
const ADDRESS: &str = "meta[name=kinstead-worker]";

/// Why there is no replica.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BridgeError {
    /// The page is not the one the server gives out.
    #[error("the page does not name the worker's script")]
    NoAddress,
    /// The browser refuses.
    #[error("the worker could not be started: {0}")]
    Refused(String),
}

/// The way to the replica. One per page, for as long as the page lives; clones share it.
#[derive(Clone)]
pub struct Bridge(Rc<Inner>);

struct Inner {
    address: String,
    memory: RefCell<Memory>,
    restarts: RefCell<Restarts>,
    running: RefCell<Option<Running>>,
    /// Starts the next worker.
    restart: RefCell<Option<Timer>>,
    /// Whether tabs of a newer build have taken over: this page gets no worker again.
    paused: Cell<bool>,
    has_asked_to_persist: Cell<bool>,
    on_event: RefCell<Box<dyn FnMut(Event)>>,
}

impl Bridge {
    /// Starts the worker. `on_event` hears everything the replica says, always from a task of its own, never from
    /// within [`Bridge::send`]. Say [`Request::Attach`] first, also after a [`Event::SignedOut`] or [`Event::Wiped`].
    ///
    /// Besides the replica's own problems it hears of `storage_unavailable` (nothing is kept once the app is closed),
    /// `wipe_failed`, `request_failed` and `replica_crashed` (it is started again within a minute).
    ///
    /// # Errors
    /// Without the page's `kinstead-worker`, or when the browser refuses workers.
    pub fn start(on_event: impl FnMut(Event) + 'static) -> Result<Self, BridgeError> {
        let inner = Rc::new(Inner {
            address: address().ok_or(BridgeError::NoAddress)?,
            memory: RefCell::default(),
            restarts: RefCell::default(),
            running: RefCell::default(),
            restart: RefCell::default(),
            paused: Cell::new(false),
            has_asked_to_persist: Cell::new(false),
            on_event: RefCell::new(Box::new(on_event)),
        });
        inner.run(NAME)?;
        inner.watch_page();
        Ok(Self(inner))
    }

    /// Asks the replica for something. What it changes survives the worker's death and a change of leader.
    pub fn send(&self, request: Request) {
        if matches!(request, Request::Attach) && !self.0.has_asked_to_persist.replace(true) {
            spawn_local(ask_to_persist());
        }
        let errand = self.0.memory.borrow_mut().ask(request);
        if let Some(errand) = errand {
            self.0.tell(&ToWorker::Ask(errand));
        }
    }

    /// Tries to connect now.
    pub fn wake(&self) {
        self.0.tell(&ToWorker::Wake);
    }
}

/// A new id for a message of this moment.
pub fn fresh_message_id() -> MessageId {
    let mut bytes = [0; 10];
    random(&mut bytes);
    MessageId::new(now(), bytes)
}

impl Inner {
    fn run(self: &Rc<Self>, name: &str) -> Result<(), BridgeError> {
        let running = Running::start(self, name).map_err(|error| BridgeError::Refused(error_name(&error)))?;
        drop(self.restart.take());
        drop(self.running.replace(Some(running)));
        Ok(())
    }

    fn tell(&self, said: &ToWorker) {
        if let Some(running) = &*self.running.borrow() {
            let (bytes, transfer) = message_of(&encode(said));
            running.worker.post_message_with_transfer(&bytes, &transfer).expect("bytes can be sent");
        }
    }

    fn tell_screens(&self, event: Event) {
        (self.on_event.borrow_mut())(event);
    }

    fn hear(self: &Rc<Self>, data: &JsValue) {
        // The worker gives up.
        if data.is_null() {
            return self.died();
        }
        match bytes_of(data).and_then(|bytes| decode::<FromWorker>(&bytes)) {
            Some(FromWorker::Event(event)) => {
                self.memory.borrow_mut().event(&event);
                self.tell_screens(*event);
            }
            Some(FromWorker::Taken(number)) => self.memory.borrow_mut().taken(number),
            Some(FromWorker::Led) => {
                let (errands, problems): (Vec<Errand>, Vec<Event>) = self.memory.borrow_mut().led();
                for errand in errands {
                    self.tell(&ToWorker::Ask(errand));
                }
                for problem in problems {
                    self.tell_screens(problem);
                }
            }
            None => warn("the worker said something unknown", "ignored"),
        }
    }

    /// The worker has died. The next one drops the replica, which may be what killed it, and keeps the outbox.
    fn died(self: &Rc<Self>) {
        self.stop();
        spawn_local(tell_if_gone(self.address.clone()));
        let wait = self.restarts.borrow_mut().died(now());
        if wait > 0 {
            self.tell_screens(Event::Problem { code: "replica_crashed".into(), message: None });
        }
        let this = Rc::clone(self);
        let timer = Timer::new(wait, move || this.run_or_warn(FRESH_NAME));
        drop(self.restart.replace(Some(timer)));
    }

    fn run_or_warn(self: &Rc<Self>, name: &str) {
        if let Err(error) = self.run(name) {
            warn("no worker", error);
        }
    }

    /// Ends the worker, and with it its locks: another tab may lead.
    fn stop(&self) {
        drop(self.restart.take());
        drop(self.running.take());
        self.memory.borrow_mut().lost();
    }

    /// A page that is put aside keeps no connection and does not lead. What it asked for is asked again afterwards.
    fn watch_page(self: &Rc<Self>) {
        let (Some(window), Some(document)) = (global::<Window>("window"), global::<Document>("document")) else {
            return;
        };
        let this = Rc::clone(self);
        let shown = document.clone();
        on(&document, "visibilitychange", move |_| {
            if shown.visibility_state() == VisibilityState::Visible {
                this.tell(&ToWorker::Wake);
            }
        });
        let this = Rc::clone(self);
        on(&window, "online", move |_| this.tell(&ToWorker::Wake));
        let this = Rc::clone(self);
        on(&window, "offline", move |_| this.tell(&ToWorker::Doubt));
        // A page that is left for good needs nothing: the browser ends its worker.
        let this = Rc::clone(self);
        on(&window, "pagehide", move |event| {
            if is_kept(&event) {
                this.stop();
            }
        });
        let this = Rc::clone(self);
        on(&document, "freeze", move |_| this.stop());
        // What was asked for and is not taken yet is lost with this page; the fields still hold it.
        let this = Rc::clone(self);
        on(&window, "kinstead-pause", move |_| {
            this.paused.set(true);
            this.stop();
        });
        for (target, name) in [(window.unchecked_ref::<EventTarget>(), "pageshow"), (&document, "resume")] {
            let this = Rc::clone(self);
            on(target, name, move |_| {
                let runs = this.running.borrow().is_some() || this.restart.borrow().is_some();
                if !runs && !this.paused.get() {
                    this.run_or_warn(NAME);
                }
            });
        }
    }
}

/// A worker whose script the server no longer has is of a build before the server's: only a new page helps.
async fn tell_if_gone(address: String) {
    let Some(window) = global::<Window>("window") else { return };
    let init = RequestInit::new();
    init.set_method("HEAD");
    let Ok(response) = JsFuture::from(window.fetch_with_str_and_init(&address, &init)).await else { return };
    let is_gone = response.dyn_ref::<Response>().is_some_and(|response| response.status() == 404);
    if let (true, Ok(event)) = (is_gone, web_sys::Event::new("kinstead-gone")) {
        window.dispatch_event(&event).ok();
    }
}

/// A worker and who listens to it. Dropping it ends both.
struct Running {
    worker: Worker,
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _died: Closure<dyn FnMut(JsValue)>,
}

impl Running {
    fn start(inner: &Rc<Inner>, name: &str) -> Result<Self, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name(name);
        let worker = Worker::new_with_options(&inner.address, &options)?;
        let this = Rc::clone(inner);
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| this.hear(&event.data()));
        let this = Rc::clone(inner);
        let died = Closure::<dyn FnMut(JsValue)>::new(move |_| this.died());
        worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        worker.set_onerror(Some(died.as_ref().unchecked_ref()));
        Ok(Self { worker, _heard: heard, _died: died })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// Listens for as long as the page lives.
fn on(target: &EventTarget, name: &str, then: impl FnMut(web_sys::Event) + 'static) {
    let then = Closure::<dyn FnMut(web_sys::Event)>::new(then).into_js_value();
    target.add_event_listener_with_callback(name, then.unchecked_ref()).expect("a function can listen");
}

/// Whether the page may be shown again as it is.
fn is_kept(event: &web_sys::Event) -> bool {
    event.dyn_ref::<PageTransitionEvent>().is_some_and(PageTransitionEvent::persisted)
}

fn address() -> Option<String> {
    global::<Document>("document")?.query_selector(ADDRESS).ok()??.get_attribute("content")
}

/// Asks the browser not to throw the outbox away when space gets short. Some ask the member, so this waits until
/// someone is signed in: then there is something to lose.
async fn ask_to_persist() {
    // Absent in a page that was not loaded safely, whatever the type says.
    let Some(navigator) = global::<Navigator>("navigator") else { return };
    let storage: StorageManager = navigator.storage();
    if storage.is_undefined() {
        return;
    }
    if let Ok(asked) = storage.persist() {
        asked.await.ok();
    }
}
