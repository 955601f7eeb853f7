//! What a page has asked for, so that it can be said again when another worker takes over.
//!
//! What is shown (`Attach`, open threads, what is looked for) is said to every new leader. A message is kept until an event says that it is
//! queued or why not; every other request until a leader has taken it, that is until what it changed is durable.

use crate::worker::message::Errand;
use shared::{MessageId, SessionId};
use std::collections::{BTreeMap, BTreeSet};
use sync::port::{Event, Request};

/// A request is given to so many leaders before it is given up: it may be what kills them.
const MAX_DELIVERIES: u32 = 3;

/// Requests of one page.
#[derive(Debug, Default)]
pub struct Memory {
    /// Whether a leader is there to hear us.
    led: bool,
    attached: bool,
    threads: BTreeSet<SessionId>,
    /// What is looked for, by where: the words, and how many messages are wanted.
    finds: BTreeMap<Option<SessionId>, (String, u32)>,
    /// By number, in the order they were made.
    waiting: BTreeMap<u64, Waiting>,
    last: u64,
}

#[derive(Debug)]
struct Waiting {
    request: Request,
    deliveries: u32,
}

impl Memory {
    /// Notes a request; gives what to tell the worker now.
    pub fn ask(&mut self, request: Request) -> Option<Errand> {
        match request {
            Request::Attach => self.attached = true,
            Request::OpenThread { session } => {
                self.threads.insert(session);
            }
            Request::CloseThread { session } => {
                self.threads.remove(&session);
            }
            Request::Find { session, ref words, most } => {
                if words.trim().is_empty() {
                    self.finds.remove(&session);
                } else {
                    self.finds.insert(session, (words.clone(), most));
                }
            }
            Request::Settle => {}
            Request::LoadOlder { .. }
            | Request::LoadBack { .. }
            | Request::Send { .. }
            | Request::React { .. }
            | Request::Pin { .. }
            | Request::KeepDraft { .. }
            | Request::Discard { .. }
            | Request::Resend { .. }
            | Request::Withdraw { .. }
            | Request::Redact { .. }
            | Request::Stop { .. }
            | Request::Retry { .. }
            | Request::MarkRead { .. }
            | Request::OpenKin { .. }
            | Request::EditKinText { .. }
            | Request::SetPreference { .. }
            | Request::Unlock { .. }
            | Request::Wipe => {
                self.last += 1;
                let waiting = Waiting { request, deliveries: u32::from(self.led) };
                let errand = self.led.then(|| waiting.errand(self.last));
                self.waiting.insert(self.last, waiting);
                return errand;
            }
        }
        // `Settle` is of the moment: a leader that comes later need not hear of it.
        self.led.then_some(Errand { number: None, request })
    }

    /// A leader is there that knows nothing of this page: gives what to tell it, and what the screens must hear.
    pub fn led(&mut self) -> (Vec<Errand>, Vec<Event>) {
        self.led = true;
        let mut errands: Vec<Errand> = Vec::new();
        let shown = self.attached.then_some(Request::Attach).into_iter();
        let threads = self.threads.iter().map(|session| Request::OpenThread { session: *session });
        let finds = self.finds.iter().map(|(session, (words, most))| Request::Find {
            session: *session,
            words: words.clone(),
            most: *most,
        });
        errands.extend(shown.chain(threads).chain(finds).map(|request| Errand { number: None, request }));

        let mut problems = Vec::new();
        self.waiting.retain(|number, waiting| {
            if waiting.deliveries >= most_deliveries(&waiting.request) {
                problems.push(failed(&waiting.request));
                return false;
            }
            waiting.deliveries += 1;
            errands.push(waiting.errand(*number));
            true
        });
        // What is shown can be shown only once the store is open.
        errands.sort_by_key(|errand| !matches!(errand.request, Request::Unlock { .. }));
        (errands, problems)
    }

    /// There is no worker any more; another will be started.
    pub fn lost(&mut self) {
        self.led = false;
    }

    /// A leader has done what was asked, or made it durable.
    pub fn taken(&mut self, number: u64) {
        self.waiting.remove(&number);
    }

    /// Forgets what the event answers. The end of a login is the end of everything asked under it.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Queued { message: done } | Event::Problem { message: Some(done), .. } => {
                self.waiting
                    .retain(|_, waiting| !matches!(&waiting.request, Request::Send { message, .. } if message == done));
            }
            Event::SignedOut | Event::Locked | Event::Wiped => {
                self.attached = false;
                self.threads.clear();
                self.finds.clear();
                self.waiting.clear();
            }
            Event::Home(_)
            | Event::Thread(_)
            | Event::ThreadChanged { .. }
            | Event::Live { .. }
            | Event::LiveText { .. }
            | Event::Queue { .. }
            | Event::Own { .. }
            | Event::Found { .. }
            | Event::Sync(_)
            | Event::Problem { message: None, .. }
            | Event::KinTexts { .. } => {}
        }
    }
}

impl Waiting {
    fn errand(&self, number: u64) -> Errand {
        let answered_by_event = matches!(self.request, Request::Send { .. });
        Errand { number: (!answered_by_event).then_some(number), request: self.request.clone() }
    }
}

fn most_deliveries(request: &Request) -> u32 {
    // The same difference applied twice is another text; everything else may happen twice.
    if matches!(request, Request::EditKinText { .. }) { 1 } else { MAX_DELIVERIES }
}

fn failed(request: &Request) -> Event {
    let message: Option<MessageId> = match request {
        Request::Send { message, .. }
        | Request::Discard { message }
        | Request::Resend { message }
        | Request::Withdraw { message }
        | Request::Redact { message } => Some(*message),
        Request::Attach
        | Request::OpenThread { .. }
        | Request::CloseThread { .. }
        | Request::LoadOlder { .. }
        | Request::LoadBack { .. }
        | Request::React { .. }
        | Request::Pin { .. }
        | Request::KeepDraft { .. }
        | Request::Settle
        | Request::Find { .. }
        | Request::Stop { .. }
        | Request::Retry { .. }
        | Request::MarkRead { .. }
        | Request::OpenKin { .. }
        | Request::EditKinText { .. }
        | Request::SetPreference { .. }
        | Request::Unlock { .. }
        | Request::Wipe => None,
    };
    Event::Problem { code: "request_failed".into(), message }
}

#[cfg(test)]
mod tests;
