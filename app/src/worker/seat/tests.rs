use super::*;
use shared::UnixMillis;
use std::collections::VecDeque;

const ONE: ClientId = ClientId(1);
const TWO: ClientId = ClientId(2);
const THREE: ClientId = ClientId(3);

fn session(n: u8) -> SessionId {
    SessionId::new(UnixMillis(1), [n; 10])
}

fn open(n: u8) -> Request {
    Request::OpenThread { session: session(n) }
}

fn close(n: u8) -> Request {
    Request::CloseThread { session: session(n) }
}

/// Several tabs of one browser: everything said on the channel reaches all others, in order.
#[derive(Default)]
struct Browser {
    seats: BTreeMap<ClientId, Seat>,
    pages: BTreeMap<ClientId, Vec<FromWorker>>,
    /// What the replica of the leader was asked.
    served: Vec<(ClientId, Request)>,
    opening: Option<ClientId>,
}

impl Browser {
    fn start(&mut self, client: ClientId) {
        self.seats.insert(client, Seat::new(client));
        self.give(client, Input::Started);
    }

    fn lead(&mut self, client: ClientId) {
        self.give(client, Input::Elected);
        assert_eq!(self.opening.take(), Some(client));
        self.give(client, Input::Ready);
    }

    /// A tab is closed.
    fn end(&mut self, client: ClientId) {
        self.seats.remove(&client);
    }

    fn ask(&mut self, client: ClientId, number: u64, request: Request) {
        self.give(client, Input::Page(ToWorker::Ask(Errand { number: Some(number), request })));
    }

    fn give(&mut self, client: ClientId, input: Input) {
        let mut inputs = VecDeque::from([(client, input)]);
        while let Some((client, input)) = inputs.pop_front() {
            let Some(seat) = self.seats.get_mut(&client) else { continue };
            for output in seat.step(input) {
                match output {
                    Output::Page(said) => self.pages.entry(client).or_default().push(said),
                    Output::Channel(relay) => {
                        let others = self.seats.keys().filter(|other| **other != client);
                        inputs.extend(others.map(|other| (*other, Input::Channel(relay.clone()))));
                    }
                    Output::Lead => self.opening = Some(client),
                    Output::Serve { client: whose, errand } => {
                        self.served.push((whose, errand.request));
                        if let Some(number) = errand.number {
                            inputs.push_back((client, Input::Taken { client: whose, number }));
                        }
                    }
                    Output::Watch(_) | Output::Wake | Output::Doubt => {}
                }
            }
        }
    }

    fn heard(&mut self, client: ClientId) -> Vec<FromWorker> {
        self.pages.remove(&client).unwrap_or_default()
    }
}

fn two_tabs() -> Browser {
    let mut browser = Browser::default();
    browser.start(ONE);
    browser.lead(ONE);
    browser.start(TWO);
    assert_eq!(browser.heard(ONE), [FromWorker::Led]);
    assert_eq!(browser.heard(TWO), [FromWorker::Led]);
    browser
}

#[test]
fn a_follower_serves_its_page_through_the_leader() {
    let mut browser = two_tabs();
    browser.ask(TWO, 5, Request::Attach);
    assert_eq!(browser.served, [(TWO, Request::Attach)]);
    assert_eq!(browser.heard(TWO), [FromWorker::Taken(5)]);
    assert_eq!(browser.heard(ONE), []);
}

#[test]
fn events_reach_every_page() {
    let mut browser = two_tabs();
    browser.give(ONE, Input::Event(Box::new(Event::Wiped)));
    assert_eq!(browser.heard(ONE), [FromWorker::Event(Box::new(Event::Wiped))]);
    assert_eq!(browser.heard(TWO), [FromWorker::Event(Box::new(Event::Wiped))]);
}

#[test]
fn a_leader_alone_says_nothing_on_the_channel() {
    let mut seat = Seat::new(ONE);
    seat.step(Input::Elected);
    seat.step(Input::Ready);
    assert_eq!(
        seat.step(Input::Event(Box::new(Event::Wiped))),
        [Output::Page(FromWorker::Event(Box::new(Event::Wiped)))]
    );
}

#[test]
fn a_worker_that_starts_while_the_leader_opens_hears_of_it_later() {
    let mut browser = Browser::default();
    browser.start(ONE);
    browser.give(ONE, Input::Elected);
    browser.start(TWO);
    browser.ask(TWO, 1, Request::Attach);
    assert_eq!(browser.heard(TWO), []);
    browser.give(ONE, Input::Ready);
    assert_eq!(browser.heard(TWO), [FromWorker::Led]);
}

#[test]
fn when_the_leader_goes_a_follower_takes_over_and_every_page_is_told() {
    let mut browser = two_tabs();
    browser.start(THREE);
    browser.end(ONE);
    browser.ask(THREE, 1, Request::Attach);
    assert_eq!(browser.served, []);
    browser.lead(TWO);
    assert_eq!(browser.heard(TWO), [FromWorker::Led]);
    assert_eq!(browser.heard(THREE), [FromWorker::Led, FromWorker::Led]);
    browser.ask(THREE, 1, Request::Attach);
    assert_eq!(browser.heard(THREE), [FromWorker::Taken(1)]);
}

#[test]
fn a_known_leader_that_repeats_itself_is_no_news() {
    let mut browser = two_tabs();
    browser.start(THREE);
    assert_eq!(browser.heard(TWO), []);
}

#[test]
fn a_thread_stays_open_while_one_page_shows_it() {
    let mut browser = two_tabs();
    browser.ask(ONE, 1, open(1));
    browser.ask(TWO, 1, open(1));
    browser.ask(TWO, 2, open(2));
    browser.served.clear();
    browser.ask(ONE, 2, close(1));
    assert_eq!(browser.served, []);
    browser.give(ONE, Input::Gone(TWO));
    assert_eq!(browser.served, [(TWO, close(1)), (TWO, close(2))]);
}

#[test]
fn a_leader_watches_each_worker_once() {
    let mut seat = Seat::new(ONE);
    seat.step(Input::Elected);
    seat.step(Input::Ready);
    let asked = Relay::Ask { client: TWO, errand: Errand { number: None, request: Request::Attach } };
    assert!(seat.step(Input::Channel(asked.clone())).contains(&Output::Watch(TWO)));
    assert!(!seat.step(Input::Channel(asked)).contains(&Output::Watch(TWO)));
}
