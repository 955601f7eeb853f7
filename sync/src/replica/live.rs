//! Running answers and queues: ephemeral, never stored.
//!
//! A piece is applied only where it continues what is here; an overlap is cut, a gap asks again from here, and a higher
//! attempt voids the text of the lower one.

use super::{Output, Replica};
use crate::port::Event;
use crate::view::{LiveView, QueueView};
use shared::frame::{ClientFrame, MAX_WATCHED, RunningTurn, WatchFrom};
use shared::{KinId, MessageId, SessionId, TurnId};
use std::collections::HashMap;

/// What is known of queues and running answers.
#[derive(Debug, Default)]
pub(super) struct LiveState {
    answers: HashMap<SessionId, LiveView>,
    queues: HashMap<SessionId, QueueView>,
}

/// One piece of a running answer.
pub(super) struct Piece {
    pub turn: TurnId,
    pub kin: KinId,
    pub answers: MessageId,
    pub attempt: u32,
    pub offset: u64,
    pub text: String,
}

impl LiveState {
    pub fn answer(&self, session: SessionId) -> Option<&LiveView> {
        self.answers.get(&session)
    }

    pub fn queue(&self, session: SessionId) -> QueueView {
        self.queues.get(&session).cloned().unwrap_or_default()
    }

    /// Nobody knows what runs now. The text so far stays, to go on from.
    pub fn disconnected(&mut self) {
        self.queues.clear();
    }

    /// The server tells every queue that is not empty after this.
    pub fn welcome(&mut self) {
        self.queues.clear();
    }

    /// Answers whose turn no longer runs have become messages while this device was away.
    pub fn drop_ended_while_away(&mut self) {
        let queues = &self.queues;
        self.answers.retain(|session, live| {
            queues.get(session).and_then(|queue| queue.running.as_ref()).is_some_and(|run| run.turn == live.turn)
        });
    }
}

impl Replica {
    /// Tells the server which running answers to stream, and from where.
    pub(super) fn watch(&mut self) {
        if !self.connected {
            return;
        }
        let sessions = self
            .threads
            .keys()
            .take(MAX_WATCHED)
            .map(|session| WatchFrom {
                session: *session,
                have: self.live.answers.get(session).map(|live| (live.turn, live.attempt, live.text.len() as u64)),
            })
            .collect();
        self.out.push(Output::Send(ClientFrame::Watch { sessions }));
    }

    pub(super) fn live_piece(&mut self, session: SessionId, piece: Piece) {
        if !self.threads.contains_key(&session) || self.has_answer_of(session, piece.turn) {
            return;
        }
        let current = self.live.answers.get_mut(&session).filter(|live| live.turn == piece.turn);
        match current {
            Some(live) if piece.attempt < live.attempt => {}
            Some(live) if piece.attempt == live.attempt => {
                let have = live.text.len() as u64;
                if piece.offset > have {
                    return self.watch();
                }
                let skip = usize::try_from(have - piece.offset).unwrap_or(usize::MAX);
                // Offsets are bytes; one that would cut a character is a fault of the sender and is ignored.
                if let Some(rest) = piece.text.get(skip..).filter(|rest| !rest.is_empty()) {
                    live.text.push_str(rest);
                    let text = rest.to_owned();
                    self.event(Event::LiveText { session, text });
                }
            }
            _ if piece.offset > 0 => {
                self.live.answers.remove(&session);
                self.watch();
            }
            _ => {
                let live = LiveView {
                    turn: piece.turn,
                    kin: piece.kin,
                    answers: piece.answers,
                    attempt: piece.attempt,
                    text: piece.text,
                };
                self.live.answers.insert(session, live.clone());
                self.event(Event::Live { session, live: Some(live) });
            }
        }
    }

    /// The turn is over. The text stays until its message is here, so that nothing flickers.
    pub(super) fn live_ended(&mut self, session: SessionId, turn: TurnId) {
        if self.has_answer_of(session, turn) {
            self.drop_answer(session, turn);
        }
    }

    /// Shows the message instead of the running text.
    pub(super) fn drop_answer(&mut self, session: SessionId, turn: TurnId) {
        if self.live.answers.get(&session).is_some_and(|live| live.turn == turn) {
            self.live.answers.remove(&session);
            self.event(Event::Live { session, live: None });
        }
    }

    pub(super) fn forget_answer(&mut self, session: SessionId) {
        self.live.answers.remove(&session);
    }

    pub(super) fn queue_changed(&mut self, session: SessionId, running: Option<RunningTurn>, waiting: Vec<MessageId>) {
        let queue = QueueView { running, waiting };
        if queue == QueueView::default() {
            self.live.queues.remove(&session);
        } else {
            self.live.queues.insert(session, queue.clone());
        }
        if self.threads.contains_key(&session) {
            self.event(Event::Queue { session, queue });
        }
    }
}
