//! The client side of sync: a local replica that reads and writes with no network.
//!
//! Inputs in, outputs out: the driver owns the socket, the store and the clock. The view is what the server has confirmed
//! plus this device's pending operations on top; the store holds only the confirmed part and, apart from it, the outbox,
//! the one thing on a device that exists nowhere else. An outbox row is durable before anything is called queued.

use crate::port::{Event, Request};
use crate::store::{Batch, Write};
use crate::view::{Connection, HomeView, SyncView};
use shared::frame::{ClientFrame, Position, ServerFrame};
use shared::operation::Operation;
use shared::{Audience, CommandId, DeviceId, DocumentId, EpochId, MemberId, SessionId, UnixMillis};
use std::collections::{BTreeMap, BTreeSet, HashMap};

mod commands;
mod documents;
mod frames;
mod home;
mod live;
mod outbox;
mod own;
mod requests;
mod rows;
mod search;
mod threads;

use documents::{Loaded, Loading};
use outbox::OutboxRow;
use rows::DocumentRow;
use threads::Thread;

/// What the driver reads at start, before [`Input::Opened`].
pub const OPEN_PREFIXES: &[&str] = &["actor|", "doc|", "draft|", "mark|", "meta", "outbox|", "position|"];

/// What happens to a replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Everything under [`OPEN_PREFIXES`], in key order.
    Opened {
        /// Keys and decrypted values.
        rows: Vec<(String, Vec<u8>)>,
    },
    /// A screen asks for something.
    Request(Request),
    /// The connection asked for by [`Output::Connect`] is open.
    Connected,
    /// It is closed or could not be opened; the driver tries again by itself.
    Disconnected,
    /// A frame of the server.
    Frame(ServerFrame),
    /// Answer to [`Output::Load`].
    Loaded {
        /// The prefix asked for.
        prefix: String,
        /// Keys and decrypted values, in key order.
        rows: Vec<(String, Vec<u8>)>,
    },
    /// A batch is durable.
    Stored {
        /// Its token.
        token: u64,
    },
    /// A batch is not stored, and nothing of it.
    StoreFailed {
        /// Its token.
        token: u64,
        /// Whether for want of space.
        full: bool,
    },
    /// A moment asked for by [`Output::WakeAt`] has come.
    Tick,
}

/// What the driver must do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Open the connection and keep it open.
    Connect,
    /// Close it and do not open it again.
    Disconnect,
    /// Send a frame; dropped silently when not connected.
    Send(ClientFrame),
    /// Apply a batch durably, in order with the others.
    Store {
        /// To be named in [`Input::Stored`].
        token: u64,
        /// The writes.
        batch: Batch,
    },
    /// Read everything under a prefix, after all earlier batches.
    Load {
        /// The prefix.
        prefix: String,
    },
    /// Tell the screens.
    Event(Event),
    /// Send [`Input::Tick`] at this moment; replaces the one asked for before.
    WakeAt(UnixMillis),
    /// Destroy the keys and every row.
    Wipe,
}

/// What follows once a batch is durable.
#[derive(Debug, Clone)]
enum AfterStore {
    /// Outbox rows, by order: say "queued", show them, send them.
    Queued(Vec<u64>),
}

/// Fills a buffer with fresh random bytes.
pub type Fill = Box<dyn FnMut(&mut [u8])>;

/// A replica.
pub struct Replica {
    random: Fill,
    now: UnixMillis,
    opened: bool,
    early: Vec<Request>,
    out: Vec<Output>,

    me: Option<(EpochId, MemberId, DeviceId)>,
    positions: BTreeMap<Audience, u64>,
    index: BTreeMap<DocumentId, DocumentRow>,
    actors: HashMap<DocumentId, shared::ActorId>,
    loaded: HashMap<DocumentId, Loaded>,
    loading: HashMap<DocumentId, Loading>,
    /// Reads asked for and not answered, per document.
    reads: HashMap<DocumentId, u32>,
    parts: HashMap<DocumentId, Vec<u8>>,
    fetching: BTreeSet<DocumentId>,
    /// The position of the last whole document that came too late, by document.
    late: HashMap<DocumentId, u64>,

    outbox: BTreeMap<u64, OutboxRow>,
    after: HashMap<u64, AfterStore>,
    next_token: u64,
    waiting: Vec<Request>,

    connected: bool,
    connection: Connection,
    /// Audiences that begin anew in the catch-up under way.
    fresh: Vec<Audience>,
    commands: BTreeMap<CommandId, (shared::frame::Command, Option<shared::MessageId>)>,

    threads: HashMap<SessionId, Thread>,
    open_kins: BTreeSet<shared::KinId>,
    live: live::LiveState,
    searching: search::Searching,
    read_marks: BTreeMap<SessionId, u64>,
    flush_at: Option<UnixMillis>,
    /// What this device has and the `me` document does not.
    drafts: BTreeMap<SessionId, own::DraftRow>,
    draft_at: Option<UnixMillis>,
    /// Something of [`Event::Own`] may be another.
    own_changed: bool,
    /// When the connection was lost.
    lost_at: Option<UnixMillis>,
    retry_at: Option<UnixMillis>,
    shown_home: Option<HomeView>,
    shown_sync: Option<SyncView>,
}

impl std::fmt::Debug for Replica {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replica").field("outbox", &self.outbox.len()).finish_non_exhaustive()
    }
}

impl Replica {
    /// A replica that knows nothing yet.
    pub fn new(random: Fill) -> Self {
        Self {
            random,
            now: UnixMillis(0),
            opened: false,
            early: Vec::new(),
            out: Vec::new(),
            me: None,
            positions: BTreeMap::new(),
            index: BTreeMap::new(),
            actors: HashMap::new(),
            loaded: HashMap::new(),
            loading: HashMap::new(),
            reads: HashMap::new(),
            parts: HashMap::new(),
            fetching: BTreeSet::new(),
            late: HashMap::new(),
            outbox: BTreeMap::new(),
            after: HashMap::new(),
            next_token: 1,
            waiting: Vec::new(),
            connected: false,
            connection: Connection::Offline,
            fresh: Vec::new(),
            commands: BTreeMap::new(),
            threads: HashMap::new(),
            open_kins: BTreeSet::new(),
            live: live::LiveState::default(),
            searching: search::Searching::default(),
            read_marks: BTreeMap::new(),
            flush_at: None,
            drafts: BTreeMap::new(),
            draft_at: None,
            own_changed: false,
            lost_at: None,
            retry_at: None,
            shown_home: None,
            shown_sync: None,
        }
    }

    /// Advances by one input. Never blocks, reads no clock, and does not panic on anything a server sends.
    pub fn step(&mut self, now: UnixMillis, input: Input) -> Vec<Output> {
        self.now = now;
        match input {
            Input::Opened { rows } => self.open(rows),
            Input::Request(request) if self.opened => self.request(request),
            Input::Request(request) => self.early.push(request),
            Input::Connected => self.connected(),
            Input::Disconnected => self.disconnected(),
            Input::Frame(frame) => self.frame(frame),
            Input::Loaded { prefix, rows } => self.rows_loaded(&prefix, rows),
            Input::Stored { token } => self.stored(token),
            Input::StoreFailed { token, full } => self.store_failed(token, full),
            Input::Tick => self.tick(),
        }
        if self.opened {
            self.go_on_searching();
            self.show_home();
            self.show_own();
            self.show_sync();
            self.ask_to_wake();
        }
        std::mem::take(&mut self.out)
    }

    fn open(&mut self, rows: Vec<(String, Vec<u8>)>) {
        self.read_rows(rows);
        self.opened = true;
        self.lost_at = Some(self.now);
        self.settle_soon();
        self.load_start();
        self.out.push(Output::Connect);
        for request in std::mem::take(&mut self.early) {
            self.request(request);
        }
    }

    fn connected(&mut self) {
        self.connected = true;
        self.connection = Connection::Syncing;
        self.fetching.clear();
        self.late.clear();
        self.parts.clear();
        self.hello();
    }

    fn hello(&mut self) {
        let epoch = self.me.map(|(epoch, ..)| epoch);
        let positions = self.positions.iter().map(|(audience, at)| Position { audience: *audience, at: *at }).collect();
        self.out.push(Output::Send(ClientFrame::Hello { epoch, positions }));
    }

    fn disconnected(&mut self) {
        self.connected = false;
        self.connection = Connection::Offline;
        self.lost_at.get_or_insert(self.now);
        for row in self.outbox.values_mut() {
            row.sent = false;
        }
        self.live.disconnected();
    }

    fn tick(&mut self) {
        if self.flush_at.is_some_and(|at| self.now >= at) {
            self.flush_at = None;
            self.flush_read_marks();
        }
        if self.draft_at.is_some_and(|at| self.now >= at) {
            self.draft_at = None;
            self.flush_drafts(None);
        }
        if self.retry_at.is_some_and(|at| self.now >= at) {
            self.retry_at = None;
            self.push_outbox();
        }
    }

    fn ask_to_wake(&mut self) {
        if let Some(at) = [self.flush_at, self.draft_at, self.retry_at].into_iter().flatten().min() {
            self.out.push(Output::WakeAt(at));
        }
    }

    fn store(&mut self, batch: Batch) -> u64 {
        let token = self.next_token;
        self.next_token += 1;
        self.out.push(Output::Store { token, batch });
        token
    }

    fn stored(&mut self, token: u64) {
        match self.after.remove(&token) {
            Some(AfterStore::Queued(orders)) => self.rows_durable(&orders),
            None => {}
        }
    }

    fn store_failed(&mut self, token: u64, full: bool) {
        match self.after.remove(&token) {
            Some(AfterStore::Queued(orders)) => self.rows_lost(&orders, full),
            // Confirmed data that could not be kept: it is in memory now and comes again after a restart, because the
            // position was part of the same batch.
            None => {}
        }
    }

    fn event(&mut self, event: Event) {
        self.out.push(Output::Event(event));
    }

    fn problem(&mut self, code: &str, message: Option<shared::MessageId>) {
        self.event(Event::Problem { code: code.to_owned(), message });
    }

    fn show_sync(&mut self) {
        // Only what a member wrote: that they have read something, or like it dark, is no news on a screen.
        let written = |row: &&OutboxRow| match row.operation {
            Operation::AddMessage { .. } | Operation::EditText { .. } => true,
            Operation::React { .. }
            | Operation::SetRead { .. }
            | Operation::SetPreference { .. }
            | Operation::SetDraft { .. }
            | Operation::SetPin { .. } => false,
        };
        let rows: Vec<_> = self.outbox.values().filter(written).collect();
        let refused = rows.iter().filter(|row| row.refused.is_some()).count();
        let unsent = rows.len() - refused;
        let sync = SyncView {
            connection: self.connection,
            lost_at: self.lost_at,
            unsent: u32::try_from(unsent).unwrap_or(u32::MAX),
            refused: u32::try_from(refused).unwrap_or(u32::MAX),
            stranded: self.stranded(),
        };
        if self.shown_sync.as_ref() != Some(&sync) {
            self.shown_sync = Some(sync.clone());
            self.event(Event::Sync(sync));
        }
    }

    /// Forgets everything, on the device too.
    fn wipe(&mut self, event: Event) {
        self.out.push(Output::Disconnect);
        self.out.push(Output::Wipe);
        let random = std::mem::replace(&mut self.random, Box::new(|_| {}));
        let out = std::mem::take(&mut self.out);
        *self = Self { out, ..Self::new(random) };
        self.event(event);
    }

    fn random_10(&mut self) -> [u8; 10] {
        let mut bytes = [0; 10];
        (self.random)(&mut bytes);
        bytes
    }

    fn member(&self) -> Option<MemberId> {
        self.me.map(|(_, member, _)| member)
    }
}

fn put(key: String, value: Vec<u8>) -> Write {
    Write::Put { key, value }
}

#[cfg(test)]
mod tests;
