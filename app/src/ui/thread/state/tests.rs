use super::*;
use shared::{KinId, UnixMillis};

fn me() -> MemberId {
    MemberId::new(UnixMillis(1), [1; 10])
}

fn message_id(number: u8) -> MessageId {
    MessageId::new(UnixMillis(1), [number; 10])
}

fn turn_id(number: u8) -> TurnId {
    TurnId::new(UnixMillis(1), [number; 10])
}

fn session() -> SessionId {
    SessionId::new(UnixMillis(1), [9; 10])
}

fn question(number: u8, seq: Option<u64>) -> MessageView {
    MessageView {
        id: message_id(number),
        author: Author::Member(me()),
        text: String::new(),
        sent_at: UnixMillis(i64::from(number)),
        seq,
        order: (seq.unwrap_or(u64::MAX), 0),
        answers: None,
        turn: None,
        reply_to: None,
        reactions: Vec::new(),
        status: if seq.is_some() { MessageStatus::Done } else { MessageStatus::Unsent },
    }
}

fn answer(number: u8, seq: u64, turn: u8, to: u8, to_seq: u64) -> MessageView {
    MessageView {
        author: Author::Kin(KinId::new(UnixMillis(1), [1; 10])),
        order: (to_seq, 1),
        answers: Some(message_id(to)),
        turn: Some(turn_id(turn)),
        ..question(number, Some(seq))
    }
}

fn view(messages: Vec<MessageView>, read_up_to: u64) -> ThreadView {
    ThreadView {
        session: session(),
        messages,
        has_older: false,
        loaded: true,
        read_up_to,
        live: None,
        queue: QueueView::default(),
    }
}

fn running(turn: u8, answers: u8) -> QueueView {
    let running = RunningTurn { turn: turn_id(turn), answers: message_id(answers), retrying: None };
    QueueView { running: Some(running), waiting: Vec::new() }
}

fn keys(thread: &Thread) -> Vec<RowKey> {
    (0..thread.len()).filter_map(|at| thread.key(at)).collect()
}

#[test]
fn the_running_answer_stands_behind_what_it_answers_and_keeps_its_key() {
    let mut thread = Thread::new(view(vec![question(1, Some(1)), question(2, Some(2)), question(3, None)], 0), me());
    thread.set_queue(running(7, 1));
    let expected = [
        RowKey::Message(message_id(1)),
        RowKey::Turn(turn_id(7)),
        RowKey::Message(message_id(2)),
        RowKey::Message(message_id(3)),
    ];
    assert_eq!(keys(&thread), expected);
    assert_eq!(thread.row(1), Some(Row::Running(turn_id(7))));
    assert!(thread.is_taken_up(message_id(1)));

    // The message arrives before the queue says that the turn is over: it is not shown twice.
    thread.change(vec![answer(4, 3, 7, 1, 1)], &[]);
    assert_eq!(keys(&thread), expected);
    thread.set_queue(QueueView::default());
    assert_eq!(keys(&thread), expected);
}

#[test]
fn an_admitted_message_moves_to_its_place() {
    let mut thread = Thread::new(view(vec![question(2, Some(5)), question(1, None)], 0), me());
    assert_eq!(keys(&thread), [RowKey::Message(message_id(2)), RowKey::Message(message_id(1))]);
    thread.change(vec![question(1, Some(4))], &[]);
    assert_eq!(keys(&thread), [RowKey::Message(message_id(1)), RowKey::Message(message_id(2))]);
    thread.change(Vec::new(), &[message_id(1)]);
    assert_eq!(keys(&thread), [RowKey::Message(message_id(2))]);
    assert_eq!(thread.newest_seq(), Some(5));
}

#[test]
fn the_divider_marks_what_came_before_coming_in_and_not_after() {
    let messages = vec![question(1, Some(1)), answer(2, 2, 1, 1, 1)];
    let mut thread = Thread::new(view(messages.clone(), 1), me());
    assert_eq!(thread.divider, Some(message_id(2)));
    thread.replace(view(messages.clone(), 2));
    assert_eq!(thread.divider, Some(message_id(2)));

    let mut read = Thread::new(view(messages, 2), me());
    read.change(vec![question(3, Some(3)), answer(4, 4, 2, 3, 3)], &[]);
    assert_eq!(read.divider, None);
}

#[test]
fn a_thread_that_loads_later_has_its_divider_too() {
    let mut thread = Thread::new(ThreadView { loaded: false, ..view(Vec::new(), 1) }, me());
    thread.replace(view(vec![question(1, Some(1)), answer(2, 2, 1, 1, 1)], 1));
    assert_eq!(thread.divider, Some(message_id(2)));
}

#[test]
fn queue_places_count_from_one() {
    let mut thread = Thread::new(view(vec![question(1, Some(1)), question(2, Some(2))], 0), me());
    thread.set_queue(QueueView { running: None, waiting: vec![message_id(2), message_id(1)] });
    assert_eq!(thread.waiting_place(message_id(1)), Some(2));
    assert_eq!(thread.waiting_place(message_id(3)), None);
}
