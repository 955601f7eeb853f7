//! Which worker of a browser leads, and what follows from it.
//!
//! One worker, the leader, owns store, connection and replica. The others pass the requests of their pages to it and
//! its events to their pages. A page that is told [`FromWorker::Led`] says everything again, so a change of leader
//! loses nothing. The leader keeps a thread open as long as one page shows it.

use super::message::{ClientId, Errand, FromWorker, Relay, ToWorker};
use shared::SessionId;
use std::collections::{BTreeMap, BTreeSet};
use sync::port::{Event, Request};

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The worker is known to the others (its own lock is held) and wants to lead.
    Started,
    /// The page said something.
    Page(ToWorker),
    /// Another worker said something.
    Channel(Relay),
    /// The lock of leaders is ours.
    Elected,
    /// The replica is open.
    Ready,
    /// The replica has news for the screens.
    Event(Box<Event>),
    /// An errand is done.
    Taken {
        /// Whose.
        client: ClientId,
        /// Which.
        number: u64,
    },
    /// A worker has ended.
    Gone(ClientId),
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Tell the page.
    Page(FromWorker),
    /// Tell the other workers.
    Channel(Relay),
    /// Open the replica; answered by [`Input::Ready`].
    Lead,
    /// Hand a request to the replica; answered by [`Input::Taken`] if it has a number.
    Serve {
        /// Whose.
        client: ClientId,
        /// What.
        errand: Errand,
    },
    /// Wait for the end of a worker; answered by [`Input::Gone`].
    Watch(ClientId),
    /// Reconnect now.
    Wake,
    /// Check the connection.
    Doubt,
}

/// One worker's part.
#[derive(Debug)]
pub struct Seat {
    me: ClientId,
    role: Role,
}

#[derive(Debug)]
enum Role {
    Following { leader: Option<ClientId> },
    Opening,
    Leading(Pages),
}

impl Seat {
    /// A worker that has just started: it follows nobody.
    pub fn new(me: ClientId) -> Self {
        Self { me, role: Role::Following { leader: None } }
    }

    /// Advances by one input.
    pub fn step(&mut self, input: Input) -> Vec<Output> {
        let me = self.me;
        match &mut self.role {
            Role::Following { leader } => match input {
                Input::Started => vec![Output::Channel(Relay::WhoLeads { client: me })],
                Input::Elected => {
                    self.role = Role::Opening;
                    vec![Output::Lead]
                }
                // Without a leader nobody would hear it; the page says it again once there is one.
                Input::Page(_) if leader.is_none() => Vec::new(),
                Input::Page(said) => vec![Output::Channel(match said {
                    ToWorker::Ask(errand) => Relay::Ask { client: me, errand },
                    ToWorker::Wake => Relay::Wake,
                    ToWorker::Doubt => Relay::Doubt,
                })],
                Input::Channel(relay) => follow(me, leader, relay),
                Input::Ready | Input::Event(_) | Input::Taken { .. } | Input::Gone(_) => Vec::new(),
            },
            Role::Opening => match input {
                Input::Ready => {
                    self.role = Role::Leading(Pages::default());
                    vec![Output::Channel(Relay::Leading { leader: me }), Output::Page(FromWorker::Led)]
                }
                // Everyone says everything again as soon as they hear of the new leader.
                Input::Started
                | Input::Page(_)
                | Input::Channel(_)
                | Input::Elected
                | Input::Event(_)
                | Input::Taken { .. }
                | Input::Gone(_) => Vec::new(),
            },
            Role::Leading(pages) => match input {
                Input::Page(ToWorker::Ask(errand)) => pages.serve(me, errand),
                Input::Page(ToWorker::Wake) | Input::Channel(Relay::Wake) => vec![Output::Wake],
                Input::Page(ToWorker::Doubt) | Input::Channel(Relay::Doubt) => vec![Output::Doubt],
                Input::Channel(Relay::WhoLeads { client }) => {
                    let mut outputs = pages.meet(client);
                    outputs.push(Output::Channel(Relay::Leading { leader: me }));
                    outputs
                }
                Input::Channel(Relay::Ask { client, errand }) => {
                    let mut outputs = pages.meet(client);
                    outputs.extend(pages.serve(client, errand));
                    outputs
                }
                Input::Event(event) => pages.tell(event),
                Input::Taken { client, number } if client == me => vec![Output::Page(FromWorker::Taken(number))],
                Input::Taken { client, number } => vec![Output::Channel(Relay::Taken { client, number })],
                Input::Gone(client) => pages.lose(client),
                Input::Started
                | Input::Elected
                | Input::Ready
                | Input::Channel(Relay::Leading { .. } | Relay::Taken { .. } | Relay::Event(_)) => Vec::new(),
            },
        }
    }
}

fn follow(me: ClientId, leader: &mut Option<ClientId>, relay: Relay) -> Vec<Output> {
    match relay {
        Relay::Leading { leader: new } if *leader == Some(new) => Vec::new(),
        Relay::Leading { leader: new } => {
            *leader = Some(new);
            vec![Output::Page(FromWorker::Led)]
        }
        Relay::Event(event) => vec![Output::Page(FromWorker::Event(event))],
        Relay::Taken { client, number } if client == me => vec![Output::Page(FromWorker::Taken(number))],
        Relay::Taken { .. } | Relay::WhoLeads { .. } | Relay::Ask { .. } | Relay::Wake | Relay::Doubt => Vec::new(),
    }
}

/// What a leader knows of the pages.
#[derive(Debug, Default)]
struct Pages {
    /// Workers other than the leader.
    others: BTreeSet<ClientId>,
    /// Who shows a thread; never an empty set.
    threads: BTreeMap<SessionId, BTreeSet<ClientId>>,
}

impl Pages {
    fn meet(&mut self, client: ClientId) -> Vec<Output> {
        if self.others.insert(client) { vec![Output::Watch(client)] } else { Vec::new() }
    }

    fn serve(&mut self, client: ClientId, errand: Errand) -> Vec<Output> {
        if let Request::OpenThread { session } = errand.request {
            self.threads.entry(session).or_default().insert(client);
        }
        if let Request::CloseThread { session } = errand.request
            && !self.leave(client, session)
        {
            return Vec::new();
        }
        vec![Output::Serve { client, errand }]
    }

    /// Whether nobody shows the thread any more.
    fn leave(&mut self, client: ClientId, session: SessionId) -> bool {
        let Some(clients) = self.threads.get_mut(&session) else { return true };
        clients.remove(&client);
        let empty = clients.is_empty();
        if empty {
            self.threads.remove(&session);
        }
        empty
    }

    fn tell(&mut self, event: Box<Event>) -> Vec<Output> {
        if matches!(*event, Event::SignedOut | Event::Locked | Event::Wiped) {
            self.threads.clear();
        }
        let mut outputs = Vec::new();
        if !self.others.is_empty() {
            outputs.push(Output::Channel(Relay::Event(event.clone())));
        }
        outputs.push(Output::Page(FromWorker::Event(event)));
        outputs
    }

    fn lose(&mut self, client: ClientId) -> Vec<Output> {
        self.others.remove(&client);
        let shown: Vec<SessionId> = self.threads.keys().copied().collect();
        let left = shown.into_iter().filter(|session| {
            let showed = self.threads.get(session).is_some_and(|clients| clients.contains(&client));
            showed && self.leave(client, *session)
        });
        left.map(|session| Output::Serve {
            client,
            errand: Errand { number: None, request: Request::CloseThread { session } },
        })
        .collect()
    }
}

#[cfg(test)]
mod tests;
