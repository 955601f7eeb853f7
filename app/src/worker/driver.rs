//! Runs the replica: gives it what happened, does what it asks for.

use super::errands::{Asked, Errands};
use super::jobs::{Done, Job, Jobs};
use super::message::{ClientId, Errand};
use super::socket::{News, Socket};
use super::store::{Opening, Store};
use crate::browser::{Timer, now, random, warn};
use shared::UnixMillis;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};
use sync::port::{DeviceKey, Event, Request};
use sync::replica::{Input, OPEN_PREFIXES, Output, Replica};
use wasm_bindgen_futures::spawn_local;

/// What the driver has to say.
#[derive(Debug)]
pub enum Report {
    /// The replica is open.
    Ready,
    /// For the screens.
    Event(Box<Event>),
    /// A request with a number is done, or what it changed is durable.
    Taken {
        /// Whose.
        client: ClientId,
        /// Which.
        number: u64,
    },
    /// Stored rows were lost: everything must begin again.
    Lost,
}

/// The replica of this device at work; clones share it.
#[derive(Clone)]
pub struct Driver(Rc<Inner>);

struct Inner {
    phase: RefCell<Phase>,
    /// Inputs that came while another was being dealt with.
    inbox: RefCell<VecDeque<(Input, Option<Asked>)>>,
    busy: Cell<bool>,
    errands: RefCell<Errands>,
    socket: Socket,
    alarm: RefCell<Option<(UnixMillis, Timer)>>,
    report: Box<dyn Fn(Report)>,
}

enum Phase {
    /// The store opens; requests wait.
    Opening(Vec<(ClientId, Errand)>),
    /// The replica runs.
    Running { replica: Box<Replica>, jobs: Jobs },
    /// The store is being destroyed. Then `rest` is done, and the requests that came meanwhile.
    Wiping { rest: Vec<Output>, waiting: Vec<(ClientId, Errand)> },
    /// The store is being locked; requests wait.
    Locking(Vec<(ClientId, Errand)>),
    /// Locked; requests wait for the member's key.
    Locked(Vec<(ClientId, Errand)>),
    /// Destroyed. A screen that attaches again opens a new one.
    Wiped,
}

impl Driver {
    /// Opens the replica; `fresh` drops everything stored but the outbox.
    pub fn open(fresh: bool, report: impl Fn(Report) + 'static) -> Self {
        let inner = Rc::new_cyclic(|this: &Weak<Inner>| {
            let this = Weak::clone(this);
            let on_news = move |news| {
                if let Some(this) = this.upgrade() {
                    this.connection(news);
                }
            };
            Inner {
                phase: RefCell::new(Phase::Opening(Vec::new())),
                inbox: RefCell::default(),
                busy: Cell::new(false),
                errands: RefCell::default(),
                socket: Socket::new(on_news),
                alarm: RefCell::default(),
                report: Box::new(report),
            }
        });
        spawn_local(Rc::clone(&inner).open(fresh, None));
        Self(inner)
    }

    /// Hands a request to the replica.
    pub fn serve(&self, client: ClientId, errand: Errand) {
        self.0.serve(client, errand);
    }

    /// A good moment to connect.
    pub fn wake(&self) {
        self.0.socket.wake();
    }

    /// A moment to check the connection.
    pub fn doubt(&self) {
        self.0.socket.doubt();
    }
}

impl Inner {
    async fn open(self: Rc<Self>, fresh: bool, key: Option<DeviceKey>) {
        let (store, rows, lost) = match Store::open(OPEN_PREFIXES, fresh, key.as_ref()).await {
            Opening::Open { store, rows, lost } => (store, rows, lost),
            Opening::Locked => return self.found_locked(),
        };
        let durable = store.is_durable();
        let this = Rc::clone(&self);
        let jobs = Jobs::new(store, move |done| this.stored(done));
        let replica = Box::new(Replica::new(Box::new(random)));
        let opening = self.phase.replace(Phase::Running { replica, jobs });
        self.feed(Input::Opened { rows });
        (self.report)(Report::Ready);
        if !durable {
            self.tell(Event::Problem { code: "storage_unavailable".into(), message: None });
        }
        if lost {
            self.tell(Event::Problem { code: "locked_rows_lost".into(), message: None });
        }
        if let Some(key) = key {
            self.push(Job::PrepareLock { key });
        }
        if let Phase::Opening(waiting) = opening {
            self.serve_all(waiting);
        }
    }

    /// The store needs the member's key, which may be waiting already.
    fn found_locked(self: &Rc<Self>) {
        let Phase::Opening(mut waiting) = self.phase.replace(Phase::Locked(Vec::new())) else { return };
        (self.report)(Report::Ready);
        let key = waiting.iter().position(|(_, errand)| matches!(errand.request, Request::Unlock { .. }));
        let key = key.map(|at| waiting.remove(at));
        // A page that has the key says so once it hears that somebody leads; one that has none attaches.
        let attached = waiting.iter().any(|(_, errand)| errand.request == Request::Attach);
        self.phase.replace(Phase::Locked(waiting));
        match key {
            Some((client, errand)) => self.serve(client, errand),
            None if attached => self.tell(Event::Locked),
            None => {}
        }
    }

    /// The login has run out: what is stored is locked until the member gives the password again.
    fn lock(self: &Rc<Self>) {
        if !matches!(&*self.phase.borrow(), Phase::Running { .. }) {
            return;
        }
        self.push(Job::Lock);
        self.phase.replace(Phase::Locking(Vec::new()));
        self.errands.take();
        drop(self.alarm.take());
        self.socket.leave();
    }

    fn locked(self: &Rc<Self>) {
        if let Phase::Locking(waiting) = self.phase.replace(Phase::Opening(Vec::new())) {
            self.phase.replace(Phase::Locked(Vec::new()));
            self.tell(Event::Locked);
            self.serve_all(waiting);
        }
    }

    fn taken(&self, client: ClientId, errand: &Errand) {
        if let Some(number) = errand.number {
            (self.report)(Report::Taken { client, number });
        }
    }

    fn serve_all(self: &Rc<Self>, waiting: Vec<(ClientId, Errand)>) {
        for (client, errand) in waiting {
            self.serve(client, errand);
        }
    }

    fn serve(self: &Rc<Self>, client: ClientId, errand: Errand) {
        let mut phase = self.phase.borrow_mut();
        match &mut *phase {
            Phase::Running { jobs, .. } => {
                if let Request::Unlock { key } = &errand.request {
                    jobs.push(Job::PrepareLock { key: key.clone() });
                }
                drop(phase);
                let asked = errand.number.map(|number| (client, number));
                self.put(Input::Request(errand.request), asked);
            }
            Phase::Opening(waiting) | Phase::Locking(waiting) | Phase::Wiping { waiting, .. } => {
                waiting.push((client, errand));
            }
            Phase::Locked(waiting) => {
                let waiting = std::mem::take(waiting);
                if let Request::Unlock { key } = &errand.request {
                    let key = key.clone();
                    *phase = Phase::Opening(waiting);
                    drop(phase);
                    spawn_local(Rc::clone(self).open(false, Some(key)));
                    return self.taken(client, &errand);
                }
                // Whatever else is asked for waits; a screen is told why.
                let attaches = errand.request == Request::Attach;
                *phase = Phase::Locked(waiting);
                if let Phase::Locked(waiting) = &mut *phase {
                    waiting.push((client, errand));
                }
                drop(phase);
                if attaches {
                    self.tell(Event::Locked);
                }
            }
            Phase::Wiped => {
                if errand.request == Request::Attach {
                    *phase = Phase::Opening(vec![(client, errand)]);
                    spawn_local(Rc::clone(self).open(false, None));
                    return;
                }
                drop(phase);
                if errand.request == Request::Wipe {
                    self.tell(Event::Wiped);
                }
                self.taken(client, &errand);
            }
        }
    }

    fn feed(self: &Rc<Self>, input: Input) {
        self.put(input, None);
    }

    /// Gives inputs to the replica one after the other: what one asks for is done before the next.
    fn put(self: &Rc<Self>, input: Input, asked: Option<Asked>) {
        self.inbox.borrow_mut().push_back((input, asked));
        if self.busy.replace(true) {
            return;
        }
        loop {
            let Some((input, asked)) = self.inbox.borrow_mut().pop_front() else { break };
            let outputs = match &mut *self.phase.borrow_mut() {
                Phase::Running { replica, .. } => replica.step(now(), input),
                Phase::Opening(_) | Phase::Locking(_) | Phase::Locked(_) | Phase::Wiping { .. } | Phase::Wiped => {
                    continue;
                }
            };
            if let Some(asked) = asked {
                self.note(asked, &outputs);
            }
            self.perform(outputs);
        }
        self.busy.set(false);
    }

    /// Says that a request is taken, or remembers to once its stores have ended.
    fn note(&self, asked: Asked, outputs: &[Output]) {
        let token = |output: &Output| if let Output::Store { token, .. } = output { Some(*token) } else { None };
        let tokens: Vec<u64> = outputs.iter().filter_map(token).collect();
        if !self.errands.borrow_mut().wait(asked, &tokens) {
            let (client, number) = asked;
            (self.report)(Report::Taken { client, number });
        }
    }

    fn perform(self: &Rc<Self>, outputs: Vec<Output>) {
        let mut outputs = outputs.into_iter();
        while let Some(output) = outputs.next() {
            match output {
                Output::Connect => self.socket.want(),
                Output::Disconnect => self.socket.leave(),
                Output::Send(frame) => self.socket.send(&frame),
                Output::Store { token, batch } => self.push(Job::Store { token, batch }),
                Output::Load { prefix } => self.push(Job::Load { prefix }),
                Output::Event(event) => self.tell(event),
                Output::WakeAt(moment) => self.set_alarm(moment),
                Output::Wipe => return self.wipe(outputs.collect()),
            }
        }
    }

    fn set_alarm(self: &Rc<Self>, moment: UnixMillis) {
        // A replica asks for the same moment with every step until it has come.
        if self.alarm.borrow().as_ref().is_some_and(|(set, _)| *set == moment) {
            return;
        }
        let this = Rc::clone(self);
        let timer = Timer::at(moment, move || {
            drop(this.alarm.take());
            this.feed(Input::Tick);
        });
        drop(self.alarm.replace(Some((moment, timer))));
    }

    fn push(&self, job: Job) {
        if let Phase::Running { jobs, .. } = &*self.phase.borrow() {
            jobs.push(job);
        }
    }

    fn wipe(self: &Rc<Self>, rest: Vec<Output>) {
        self.push(Job::Wipe);
        self.phase.replace(Phase::Wiping { rest, waiting: Vec::new() });
        self.errands.take();
        drop(self.alarm.take());
        self.socket.leave();
    }

    fn wiped(self: &Rc<Self>, complete: bool) {
        if !complete {
            warn("the stored rows could not be destroyed", "wipe");
            self.tell(Event::Problem { code: "wipe_failed".into(), message: None });
        }
        let Phase::Wiping { rest, waiting } = self.phase.replace(Phase::Wiped) else { return };
        for output in rest {
            if let Output::Event(event) = output {
                self.tell(event);
            }
        }
        self.serve_all(waiting);
    }

    fn connection(self: &Rc<Self>, news: News) {
        self.feed(match news {
            News::Up => Input::Connected,
            News::Down => Input::Disconnected,
            News::Frame(frame) => Input::Frame(frame),
            News::LoginOver => return self.lock(),
        });
    }

    fn stored(self: &Rc<Self>, done: Done) {
        match done {
            Done::Stored { token } => {
                self.feed(Input::Stored { token });
                self.end_of(token);
            }
            Done::StoreFailed { token, full } => {
                self.feed(Input::StoreFailed { token, full });
                self.end_of(token);
            }
            Done::Loaded { prefix, rows } => self.feed(Input::Loaded { prefix, rows }),
            Done::Lost => (self.report)(Report::Lost),
            Done::Locked => self.locked(),
            Done::Wiped { complete } => self.wiped(complete),
        }
    }

    fn tell(&self, event: Event) {
        (self.report)(Report::Event(Box::new(event)));
    }

    fn end_of(&self, token: u64) {
        let taken = self.errands.borrow_mut().end(token);
        if let Some((client, number)) = taken {
            (self.report)(Report::Taken { client, number });
        }
    }
}
