//! Who is connected, and what they are to be told.
//!
//! A connection's mailbox has three lanes. Control frames are few and go first. Deltas are pushed as bytes shared by all
//! connections; past a budget nothing more is kept and the connection reads the log again from where it stood. Running
//! answers and queues are not queued at all: the mailbox holds the names of what changed and the connection reads the
//! present state when it has room, so a slow client costs a bounded buffer and never sees a gap.

use super::Ending;
use serde_bytes::ByteBuf;
use shared::frame::{CloseCode, RunningTurn, ServerFrame, encode};
use shared::{Audience, DeviceId, KinId, MemberId, MessageId, SessionId, TurnId, Viewer};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use sync::hub::Delta;
use tokio::sync::{Notify, broadcast};

/// Bytes of deltas one connection may have waiting.
const DELTA_BUDGET: usize = 1024 * 1024;
/// Control frames one connection may have waiting; past it the client does not read and is let go.
const CONTROL_BUDGET: usize = 4096;
/// Events kept for slow streams before they re-read the table.
const EVENT_BUFFER: usize = 1024;

/// What outside tools hear.
#[derive(Debug, Clone)]
pub enum HubEvent {
    /// An event has been stored under this row id.
    Stored {
        /// Row id in `event`.
        id: i64,
        /// Who may see it.
        audience: Audience,
    },
    /// A piece of a running answer.
    Live {
        /// The session.
        session: SessionId,
        /// Who may see it.
        audience: Audience,
        /// The turn.
        turn: TurnId,
        /// Who writes.
        kin: KinId,
        /// The attempt.
        attempt: u32,
        /// Where the piece begins, in bytes.
        offset: u64,
        /// The piece.
        text: Arc<str>,
    },
    /// Somebody is let in no longer.
    Ended(Ending),
}

/// A running answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveTurn {
    /// Who may see it.
    pub audience: Audience,
    /// The turn.
    pub turn: TurnId,
    /// Who writes.
    pub kin: KinId,
    /// What it answers.
    pub answers: MessageId,
    /// The attempt.
    pub attempt: u32,
    /// Everything so far.
    pub text: String,
}

#[derive(Debug, Clone, Default)]
struct QueueState {
    running: Option<RunningTurn>,
    waiting: Vec<MessageId>,
}

/// A delta frame as all connections send it.
pub(super) struct SharedDelta {
    pub audience: Audience,
    pub from: u64,
    pub to: u64,
    pub bytes: Vec<u8>,
}

/// What waits for one connection.
#[derive(Default)]
pub(super) struct Lanes {
    pub control: VecDeque<Vec<u8>>,
    pub deltas: VecDeque<Arc<SharedDelta>>,
    delta_bytes: usize,
    /// Deltas were dropped: read the log again.
    pub behind: bool,
    pub live: BTreeSet<SessionId>,
    pub queues: BTreeSet<SessionId>,
    watched: BTreeSet<SessionId>,
    pub closing: Option<CloseCode>,
    /// Whoever is connected is let in no longer.
    ended: bool,
}

/// One connection's mailbox.
pub(super) struct Mailbox {
    pub viewer: Viewer,
    pub device: DeviceId,
    lanes: Mutex<Lanes>,
    pub wake: Notify,
}

impl Mailbox {
    fn lanes(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes everything that waits.
    pub fn take(&self) -> Lanes {
        let mut lanes = self.lanes();
        let (watched, ended) = (lanes.watched.clone(), lanes.ended);
        std::mem::replace(&mut *lanes, Lanes { watched, ended, ..Lanes::default() })
    }

    /// Puts a frame into the control lane.
    pub fn control(&self, frame: &ServerFrame) {
        let mut lanes = self.lanes();
        if lanes.ended {
            return;
        }
        if lanes.control.len() >= CONTROL_BUDGET {
            lanes.closing.get_or_insert(CloseCode::Protocol);
        } else {
            lanes.control.push_back(encode(frame));
        }
        drop(lanes);
        self.wake.notify_one();
    }

    /// Sets the sessions whose running answers it wants, and marks them all as changed.
    pub fn watch(&self, sessions: BTreeSet<SessionId>) {
        let mut lanes = self.lanes();
        lanes.live.extend(sessions.iter().copied());
        lanes.watched = sessions;
        drop(lanes);
        self.wake.notify_one();
    }

    /// Makes the connection read the log again.
    pub fn fall_behind(&self) {
        self.lanes().behind = true;
        self.wake.notify_one();
    }

    pub fn close(&self, code: CloseCode) {
        self.lanes().closing.get_or_insert(code);
        self.wake.notify_one();
    }

    /// Ends it at once: nothing that waits is sent any more, only why.
    pub fn end(&self) {
        let ended = Lanes { ended: true, closing: Some(CloseCode::SignedOut), ..Lanes::default() };
        *self.lanes() = ended;
        self.wake.notify_one();
    }

    /// Whether it was ended.
    pub fn is_ended(&self) -> bool {
        self.lanes().ended
    }

    fn delta(&self, delta: &Arc<SharedDelta>) {
        let mut lanes = self.lanes();
        if lanes.behind || lanes.ended {
            return;
        }
        if lanes.delta_bytes + delta.bytes.len() > DELTA_BUDGET {
            lanes.deltas.clear();
            lanes.delta_bytes = 0;
            lanes.behind = true;
        } else {
            lanes.delta_bytes += delta.bytes.len();
            lanes.deltas.push_back(Arc::clone(delta));
        }
        drop(lanes);
        self.wake.notify_one();
    }
}

pub(super) struct Fanout {
    mailboxes: Mutex<HashMap<u64, Arc<Mailbox>>>,
    next: std::sync::atomic::AtomicU64,
    live: Mutex<HashMap<SessionId, LiveTurn>>,
    queues: Mutex<HashMap<SessionId, (Audience, QueueState)>>,
    events: broadcast::Sender<HubEvent>,
}

impl Default for Fanout {
    fn default() -> Self {
        Self {
            mailboxes: Mutex::default(),
            next: std::sync::atomic::AtomicU64::new(0),
            live: Mutex::default(),
            queues: Mutex::default(),
            events: broadcast::Sender::new(EVENT_BUFFER),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Fanout {
    /// Opens a mailbox; it takes deltas from this moment on.
    pub fn open(&self, viewer: Viewer, device: DeviceId) -> (u64, Arc<Mailbox>) {
        let id = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mailbox = Arc::new(Mailbox { viewer, device, lanes: Mutex::default(), wake: Notify::new() });
        lock(&self.mailboxes).insert(id, Arc::clone(&mailbox));
        (id, mailbox)
    }

    pub fn leave(&self, id: u64) {
        lock(&self.mailboxes).remove(&id);
    }

    pub fn connections(&self) -> usize {
        lock(&self.mailboxes).len()
    }

    fn each(&self, audience: Audience, tell: impl Fn(&Mailbox)) {
        for mailbox in lock(&self.mailboxes).values() {
            if mailbox.viewer.may_see(audience) {
                tell(mailbox);
            }
        }
    }

    /// Sends what a commit appended. Called in commit order.
    pub fn publish(&self, deltas: Vec<Delta>, events: &[(i64, Audience)]) {
        for delta in join(deltas) {
            let delta = Arc::new(delta);
            self.each(delta.audience, |mailbox| mailbox.delta(&delta));
        }
        for (id, audience) in events {
            let _ = self.events.send(HubEvent::Stored { id: *id, audience: *audience });
        }
    }

    pub fn subscribe(&self) -> broadcast::Receiver<HubEvent> {
        self.events.subscribe()
    }

    pub fn live_begin(&self, session: SessionId, turn: LiveTurn) {
        let audience = turn.audience;
        self.tell_live(session, &turn, 0, &turn.text);
        lock(&self.live).insert(session, turn);
        self.mark_live(session, audience);
    }

    pub fn live_text(&self, session: SessionId, piece: &str) {
        let mut live = lock(&self.live);
        let Some(turn) = live.get_mut(&session) else { return };
        let offset = turn.text.len() as u64;
        turn.text.push_str(piece);
        let audience = turn.audience;
        self.tell_live(session, turn, offset, piece);
        drop(live);
        self.mark_live(session, audience);
    }

    fn tell_live(&self, session: SessionId, turn: &LiveTurn, offset: u64, text: &str) {
        if self.events.receiver_count() > 0 {
            let LiveTurn { audience, turn, kin, attempt, .. } = *turn;
            let _ =
                self.events.send(HubEvent::Live { session, audience, turn, kin, attempt, offset, text: text.into() });
        }
    }

    fn mark_live(&self, session: SessionId, audience: Audience) {
        self.each(audience, |mailbox| {
            let mut lanes = mailbox.lanes();
            if lanes.watched.contains(&session) && lanes.live.insert(session) {
                drop(lanes);
                mailbox.wake.notify_one();
            }
        });
    }

    pub fn live_end(&self, session: SessionId, turn: TurnId) {
        let mut live = lock(&self.live);
        let Some(audience) = live.get(&session).filter(|live| live.turn == turn).map(|live| live.audience) else {
            return;
        };
        live.remove(&session);
        drop(live);
        let frame = ServerFrame::LiveEnd { session, turn };
        self.each(audience, |mailbox| {
            let watched = mailbox.lanes().watched.contains(&session);
            if watched {
                mailbox.control(&frame);
            }
        });
    }

    pub fn live_now(&self, viewer: Viewer) -> Vec<(SessionId, LiveTurn)> {
        lock(&self.live)
            .iter()
            .filter(|(_, turn)| viewer.may_see(turn.audience))
            .map(|(session, turn)| (*session, turn.clone()))
            .collect()
    }

    /// The piece of a session's running answer that continues what a connection has sent of it.
    pub fn live_since(
        &self,
        viewer: Viewer,
        session: SessionId,
        sent: Option<(TurnId, u32, usize)>,
    ) -> Option<(ServerFrame, (TurnId, u32, usize))> {
        let live = lock(&self.live);
        let turn = live.get(&session).filter(|turn| viewer.may_see(turn.audience))?;
        // An offset from a client that cuts a character or lies beyond the end counts from the start.
        let from = sent
            .filter(|(id, attempt, offset)| {
                *id == turn.turn && *attempt == turn.attempt && turn.text.is_char_boundary(*offset)
            })
            .map_or(0, |(_, _, offset)| offset);
        let fresh = sent.is_none_or(|(id, attempt, _)| id != turn.turn || attempt != turn.attempt);
        if from == turn.text.len() && !fresh {
            return None;
        }
        let frame = ServerFrame::Live {
            session,
            turn: turn.turn,
            kin: turn.kin,
            answers: turn.answers,
            attempt: turn.attempt,
            offset: from as u64,
            text: turn.text[from..].to_owned(),
        };
        Some((frame, (turn.turn, turn.attempt, turn.text.len())))
    }

    pub fn queue_changed(
        &self,
        session: SessionId,
        audience: Audience,
        running: Option<RunningTurn>,
        waiting: Vec<MessageId>,
    ) {
        let mut queues = lock(&self.queues);
        if running.is_none() && waiting.is_empty() {
            queues.remove(&session);
        } else {
            queues.insert(session, (audience, QueueState { running, waiting }));
        }
        drop(queues);
        self.each(audience, |mailbox| {
            mailbox.lanes().queues.insert(session);
            mailbox.wake.notify_one();
        });
    }

    /// The present state of a session's queue; empty when nothing runs or waits.
    pub fn queue(&self, session: SessionId) -> ServerFrame {
        let state = lock(&self.queues).get(&session).map(|(_, state)| state.clone()).unwrap_or_default();
        ServerFrame::Queue { session, running: state.running, waiting: state.waiting }
    }

    /// Every queue that is not empty and this viewer may see.
    pub fn queues(&self, viewer: Viewer) -> Vec<ServerFrame> {
        let sessions: Vec<SessionId> = lock(&self.queues)
            .iter()
            .filter(|(_, (audience, _))| viewer.may_see(*audience))
            .map(|(session, _)| *session)
            .collect();
        sessions.into_iter().map(|session| self.queue(session)).collect()
    }

    /// Somebody is let in no longer: their replicas' connections end now.
    pub fn end_replicas(&self, ending: Ending) {
        for mailbox in lock(&self.mailboxes).values() {
            if ending.ends_replica(mailbox.viewer.member, mailbox.device) {
                mailbox.end();
            }
        }
    }

    /// And the event streams.
    pub fn end_streams(&self, ending: Ending) {
        let _ = self.events.send(HubEvent::Ended(ending));
    }

    pub fn drop_connections(&self, device: DeviceId) {
        for mailbox in lock(&self.mailboxes).values().filter(|mailbox| mailbox.device == device) {
            mailbox.close(CloseCode::GoingAway);
        }
    }

    /// Makes a member's connections come back with what they may do now.
    pub fn reconnect(&self, member: MemberId) {
        for mailbox in lock(&self.mailboxes).values().filter(|mailbox| mailbox.viewer.member == member) {
            mailbox.close(CloseCode::GoingAway);
        }
    }

    pub fn close(&self) {
        for mailbox in lock(&self.mailboxes).values() {
            mailbox.close(CloseCode::GoingAway);
        }
    }
}

/// Neighbours of one document share a frame: a message and its number are one.
fn join(deltas: Vec<Delta>) -> Vec<SharedDelta> {
    let mut groups: Vec<Vec<Delta>> = Vec::new();
    for delta in deltas {
        match groups.last_mut() {
            Some(group)
                if group.last().is_some_and(|last| {
                    last.document == delta.document
                        && last.generation == delta.generation
                        && last.position + 1 == delta.position
                }) =>
            {
                group.push(delta);
            }
            _ => groups.push(vec![delta]),
        }
    }
    groups
        .into_iter()
        .filter_map(|group| {
            let (first, last) = (group.first()?, group.last()?);
            let (audience, from, to) = (first.audience, first.position - 1, last.position);
            let (document, generation) = (first.document, first.generation);
            let changes = group.into_iter().map(|delta| ByteBuf::from(delta.bytes)).collect();
            let bytes = encode(&ServerFrame::Delta { audience, from, to, document, generation, changes });
            Some(SharedDelta { audience, from, to, bytes })
        })
        .collect()
}
