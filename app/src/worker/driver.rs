//! Runs the replica: gives it what happened, does what it asks for.

use super::errands::{Asked, Errands};
use super::jobs::{Done, Job, Jobs};
use super::message::{ClientId, Errand};
use super::socket::{News, Socket};
use super::store::Store;
use crate::browser::{Timer, now, random, warn};
use shared::UnixMillis;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};
use sync::port::{Event, Request};
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
        spawn_local(Rc::clone(&inner).open(fresh));
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
    async fn open(self: Rc<Self>, fresh: bool) {
        let (store, rows) = Store::open(OPEN_PREFIXES, fresh).await;
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
        if let Phase::Opening(waiting) = opening {
            self.serve_all(waiting);
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
            Phase::Running { .. } => {
                drop(phase);
                let asked = errand.number.map(|number| (client, number));
                self.put(Input::Request(errand.request), asked);
            }
            Phase::Opening(waiting) | Phase::Wiping { waiting, .. } => waiting.push((client, errand)),
            Phase::Wiped => {
                if errand.request == Request::Attach {
                    *phase = Phase::Opening(vec![(client, errand)]);
                    spawn_local(Rc::clone(self).open(false));
                    return;
                }
                drop(phase);
                if errand.request == Request::Wipe {
                    self.tell(Event::Wiped);
                }
                if let Some(number) = errand.number {
                    (self.report)(Report::Taken { client, number });
                }
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
                Phase::Opening(_) | Phase::Wiping { .. } | Phase::Wiped => continue,
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
