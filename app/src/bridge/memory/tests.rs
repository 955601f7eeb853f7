use super::*;
use shared::{KinId, TextField, UnixMillis};

fn session(n: u8) -> SessionId {
    SessionId::new(UnixMillis(1), [n; 10])
}

fn message(n: u8) -> MessageId {
    MessageId::new(UnixMillis(1), [n; 10])
}

fn open(n: u8) -> Request {
    Request::OpenThread { session: session(n) }
}

fn send(n: u8) -> Request {
    Request::Send { session: session(1), message: message(n), text: "salut".into(), reply_to: None }
}

fn mark(seq: u64) -> Request {
    Request::MarkRead { session: session(1), seq }
}

fn numbered(number: u64, request: Request) -> Errand {
    Errand { number: Some(number), request }
}

fn plain(request: Request) -> Errand {
    Errand { number: None, request }
}

fn failed(message: Option<MessageId>) -> Event {
    Event::Problem { code: "request_failed".into(), message }
}

#[test]
fn requests_without_a_leader_wait_for_one_and_keep_their_order() {
    let mut memory = Memory::default();
    for request in [mark(5), send(1), open(1), Request::Attach, mark(6)] {
        assert_eq!(memory.ask(request), None);
    }
    let errands =
        vec![plain(Request::Attach), plain(open(1)), numbered(1, mark(5)), plain(send(1)), numbered(3, mark(6))];
    assert_eq!(memory.led(), (errands, vec![]));
}

#[test]
fn requests_with_a_leader_leave_at_once_and_are_said_again_until_taken() {
    let mut memory = Memory::default();
    memory.led();
    assert_eq!(memory.ask(mark(5)), Some(numbered(1, mark(5))));
    assert_eq!(memory.ask(mark(6)), Some(numbered(2, mark(6))));
    memory.taken(1);
    memory.lost();
    assert_eq!(memory.ask(mark(7)), None);
    assert_eq!(memory.led(), (vec![numbered(2, mark(6)), numbered(3, mark(7))], vec![]));
}

#[test]
fn what_is_looked_for_is_said_to_every_leader_until_nobody_looks_any_more() {
    let find = |session, words: &str, most| Request::Find { session, words: words.into(), most };
    let here = Some(session(1));
    let mut memory = Memory::default();
    memory.led();
    assert_eq!(memory.ask(find(None, "cle", 20)), Some(plain(find(None, "cle", 20))));
    memory.ask(find(here, "cave", 50));
    memory.ask(find(None, "cle", 40));
    memory.lost();
    assert_eq!(memory.led(), (vec![plain(find(None, "cle", 40)), plain(find(here, "cave", 50))], vec![]));
    memory.ask(find(None, " ", 0));
    assert_eq!(memory.led(), (vec![plain(find(here, "cave", 50))], vec![]));
    memory.event(&Event::SignedOut);
    assert_eq!(memory.led(), (vec![], vec![]));
}

#[test]
fn a_message_is_said_again_until_an_event_is_about_it() {
    let mut memory = Memory::default();
    memory.led();
    assert_eq!(memory.ask(send(1)), Some(plain(send(1))));
    memory.ask(send(2));
    memory.ask(send(3));
    memory.event(&Event::Queued { message: message(1) });
    memory.event(&Event::Problem { code: "storage_full".into(), message: Some(message(2)) });
    assert_eq!(memory.led(), (vec![plain(send(3))], vec![]));
}

#[test]
fn closed_threads_are_not_opened_again() {
    let mut memory = Memory::default();
    memory.ask(open(1));
    memory.ask(open(2));
    memory.ask(Request::CloseThread { session: session(1) });
    assert_eq!(memory.led(), (vec![plain(open(2))], vec![]));
}

#[test]
fn a_request_that_no_leader_survives_is_given_up_and_said_so() {
    let mut memory = Memory::default();
    memory.led();
    memory.ask(send(1));
    for _ in 1..MAX_DELIVERIES {
        assert_eq!(memory.led(), (vec![plain(send(1))], vec![]));
    }
    assert_eq!(memory.led(), (vec![], vec![failed(Some(message(1)))]));
    assert_eq!(memory.led(), (vec![], vec![]));
}

#[test]
fn an_edit_is_never_made_twice() {
    let edit = Request::EditKinText {
        kin: KinId::new(UnixMillis(1), [1; 10]),
        field: TextField::Character,
        from: String::new(),
        to: "calm".into(),
    };
    let mut memory = Memory::default();
    memory.ask(edit.clone());
    assert_eq!(memory.led(), (vec![numbered(1, edit)], vec![]));
    assert_eq!(memory.led(), (vec![], vec![failed(None)]));
}

#[test]
fn the_end_of_a_login_forgets_everything() {
    let mut memory = Memory::default();
    for request in [Request::Attach, open(1), send(1), mark(5)] {
        memory.ask(request);
    }
    memory.event(&Event::SignedOut);
    assert_eq!(memory.led(), (vec![], vec![]));
}
