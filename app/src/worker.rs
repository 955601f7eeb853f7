//! The replica in a dedicated worker: the screens never wait for it, and if it dies the app does not.
//!
//! One worker per tab, and among them one leader ([`seat`]) that runs the replica ([`driver`]) on a store ([`store`],
//! [`jobs`], [`database`], [`crypto`]) and a connection ([`socket`], [`link`]). `link`, `seat`, `errands`, `message`
//! and the joining of jobs are plain Rust, tested natively.

mod crypto;
mod database;
mod driver;
mod errands;
mod jobs;
mod link;
pub mod message;
mod seat;
mod socket;
mod store;

pub use store::{lock_from_page, wipe_from_page};

use crate::browser::{Locks, bytes_of, error_name, message_of, random, warn};
use driver::{Driver, Report};
use message::{ClientId, Relay, ToWorker, decode, encode};
use seat::{Input, Output, Seat};
use std::cell::RefCell;
use std::panic::PanicHookInfo;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{BroadcastChannel, DedicatedWorkerGlobalScope, MessageEvent};

/// Name of a worker that takes up what is stored.
pub const NAME: &str = "kinstead-replica";
/// Name of a worker that first drops everything stored but the outbox: the one before it died.
pub const FRESH_NAME: &str = "kinstead-replica-fresh";
/// Held by the leader.
const LEADER_LOCK: &str = "kinstead-replica";
/// Followed by the address of the worker's script: tabs of another build speak another language. What they share is
/// the lock, so they take turns.
const CHANNEL: &str = "kinstead ";

struct Worker {
    me: ClientId,
    scope: DedicatedWorkerGlobalScope,
    /// Without locks each tab is on its own, and so has no channel either.
    locks: Option<Locks>,
    channel: Option<BroadcastChannel>,
    seat: RefCell<Seat>,
    driver: RefCell<Option<Driver>>,
}

/// Begins to serve the page.
pub fn start() {
    std::panic::set_hook(Box::new(tell_of_panic));
    let mut bytes = [0; 8];
    random(&mut bytes);
    let me = ClientId(u64::from_be_bytes(bytes) >> 11);
    let locks = Locks::find();
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let channel = format!("{CHANNEL}{}", scope.location().pathname());
    let channel = locks.as_ref().and_then(|_| BroadcastChannel::new(&channel).ok());
    let worker =
        Rc::new(Worker { me, scope, locks, channel, seat: RefCell::new(Seat::new(me)), driver: RefCell::default() });
    worker.listen();
    spawn_local(worker.take_part());
}

impl Worker {
    fn listen(self: &Rc<Self>) {
        let this = Rc::clone(self);
        let from_page = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(said) = bytes_of(&event.data()).and_then(|bytes| decode::<ToWorker>(&bytes)) {
                this.step(Input::Page(said));
            }
        });
        self.scope.set_onmessage(Some(from_page.into_js_value().unchecked_ref()));
        let Some(channel) = &self.channel else { return };
        let this = Rc::clone(self);
        let from_others = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(said) = bytes_of(&event.data()).and_then(|bytes| decode::<Relay>(&bytes)) {
                this.step(Input::Channel(said));
            }
        });
        channel.set_onmessage(Some(from_others.into_js_value().unchecked_ref()));
    }

    /// Follows until the lock of leaders is ours, which may be at once or when all other tabs are closed.
    async fn take_part(self: Rc<Self>) {
        if let Some(locks) = &self.locks {
            // Held before anybody hears of us, so that a leader who waits for its end cannot get it too early.
            hold(locks, &lock_of(self.me)).await;
            self.step(Input::Started);
            hold(locks, LEADER_LOCK).await;
        }
        self.step(Input::Elected);
    }

    fn step(self: &Rc<Self>, input: Input) {
        let outputs = self.seat.borrow_mut().step(input);
        for output in outputs {
            self.perform(output);
        }
    }

    fn perform(self: &Rc<Self>, output: Output) {
        match output {
            Output::Page(said) => {
                let (bytes, transfer) = message_of(&encode(&said));
                self.scope.post_message_with_transfer(&bytes, &transfer).expect("bytes can be sent");
            }
            Output::Channel(said) => {
                if let Some(channel) = &self.channel {
                    let (bytes, _) = message_of(&encode(&said));
                    channel.post_message(&bytes).expect("bytes can be sent");
                }
            }
            Output::Lead => {
                let this = Rc::clone(self);
                let fresh = self.scope.name() == FRESH_NAME;
                self.driver.replace(Some(Driver::open(fresh, move |report| this.hear(report))));
            }
            Output::Serve { client, errand } => {
                if let Some(driver) = self.driver() {
                    driver.serve(client, errand);
                }
            }
            Output::Watch(client) => spawn_local(Rc::clone(self).watch(client)),
            Output::Wake => drop(self.driver().map(|driver| driver.wake())),
            Output::Doubt => drop(self.driver().map(|driver| driver.doubt())),
        }
    }

    fn driver(&self) -> Option<Driver> {
        self.driver.borrow().clone()
    }

    fn hear(self: &Rc<Self>, report: Report) {
        match report {
            Report::Ready => self.step(Input::Ready),
            Report::Event(event) => self.step(Input::Event(event)),
            Report::Taken { client, number } => self.step(Input::Taken { client, number }),
            // `null` tells the page that this worker is at its end; it starts a fresh one.
            Report::Lost => drop(self.scope.post_message(&JsValue::NULL)),
        }
    }

    async fn watch(self: Rc<Self>, client: ClientId) {
        let Some(locks) = &self.locks else { return };
        match locks.gone(&lock_of(client)).await {
            Ok(()) => self.step(Input::Gone(client)),
            Err(error) => warn("cannot tell when another tab is closed", error_name(&error)),
        }
    }
}

async fn hold(locks: &Locks, name: &str) {
    if let Err(error) = locks.hold(name).await {
        warn("a lock was refused", error_name(&error));
    }
}

/// Held by a worker as long as it lives.
fn lock_of(client: ClientId) -> String {
    format!("kinstead-client-{}", client.0)
}

/// Says where, and what only if it is a text of the program's own: a built one may hold what members wrote.
fn tell_of_panic(info: &PanicHookInfo<'_>) {
    let what = info.payload().downcast_ref::<&'static str>().unwrap_or(&"…");
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    web_sys::console::error_1(&format!("kinstead: the replica stopped at {place}: {what}").into());
}
