//! A household on a virtual clock, network and disk: two members, three devices, one server.

use shared::frame::{ClientFrame, ServerFrame, decode, encode};
use shared::profile::{KinProfile, MemberProfile};
use shared::{
    Audience, DeviceId, DocumentId, EpochId, KinId, MemberId, MessageId, MessageState, Role, SessionId, TextField,
    TurnId, UnixMillis, Viewer,
};
use std::collections::{BTreeMap, VecDeque};
use sync::hub::{Answer, Delta, Hub, Known, Pushed, catch_up, snapshot};
use sync::log::SessionState;
use sync::memory::MemoryLog;
use sync::port::{Event, Request};
use sync::replica::{Input, OPEN_PREFIXES, Output, Replica};
use sync::store::{self, Batch};
use sync::view::{FoundView, MessageView, OwnView};

pub const T0: UnixMillis = UnixMillis(1_764_500_000_000);

/// SplitMix64: small, seeded, the same everywhere.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn ten(&mut self) -> [u8; 10] {
        let (a, b) = (self.next().to_le_bytes(), self.next().to_le_bytes());
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&a);
        bytes[8..].copy_from_slice(&b[..2]);
        bytes
    }
}

/// One device: its disk survives a crash, the rest does not.
pub struct Device {
    pub viewer: Viewer,
    pub id: DeviceId,
    pub replica: Replica,
    pub disk: BTreeMap<String, Vec<u8>>,
    /// Batches handed over and not yet durable.
    writes: VecDeque<(u64, Batch)>,
    /// Reads asked for, each behind the writes before it.
    loads: VecDeque<(usize, String)>,
    up: VecDeque<Vec<u8>>,
    down: VecDeque<Vec<u8>>,
    pub wants_connection: bool,
    pub connected: bool,
    greeted: bool,
    pub queued: Vec<MessageId>,
    pub sent: Vec<(MessageId, String)>,
    pub threads: BTreeMap<SessionId, Vec<MessageView>>,
    pub has_older: BTreeMap<SessionId, bool>,
    pub texts: BTreeMap<KinId, (String, String)>,
    pub own: BTreeMap<SessionId, OwnView>,
    pub problems: Vec<String>,
    /// What was found last, and whether that is all: by where it was looked for.
    pub found: BTreeMap<Option<SessionId>, (Vec<FoundView>, bool)>,
}

#[derive(Debug, Default, Clone, Copy)]
pub struct Drawn {
    pub crashes: u64,
    pub server_crashes: u64,
    pub closings: u64,
    pub duplicates: u64,
    pub swaps: u64,
    pub lost_frames: u64,
    pub breaks: u64,
    pub reactions: u64,
    pub redactions: u64,
    pub rewrites: u64,
}

pub struct World {
    pub random: Random,
    pub now: UnixMillis,
    pub log: MemoryLog,
    epoch: EpochId,
    pub devices: Vec<Device>,
    pub session: SessionId,
    pub kin: KinId,
    pub drawn: Drawn,
}

impl World {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let (session, kin) = (SessionId::new(T0, random.ten()), KinId::new(T0, random.ten()));
        let ada = Viewer { member: MemberId::new(T0, random.ten()), role: Role::Admin };
        let tom = Viewer { member: MemberId::new(T0, random.ten()), role: Role::Member };
        let mut log = MemoryLog::default();
        log.add_session(session, SessionState { kin, audience: Audience::Household, chapter: 1, next_seq: 1 });
        let epoch = EpochId::new(T0, random.ten());
        let devices = [ada, ada, tom].map(|viewer| Device::new(viewer, &mut random)).into();
        let mut world = Self { random, now: T0, log, epoch, devices, session, kin, drawn: Drawn::default() };
        world.write(|hub| {
            for (viewer, nickname) in [(ada, "Ada"), (tom, "Tom")] {
                let (id, role) = (viewer.member, viewer.role);
                let (avatar, standing) = (String::new(), shared::profile::Standing::Active);
                hub.put_member(&MemberProfile { id, nickname: nickname.into(), avatar, role, standing }).unwrap();
            }
            hub.create_kin(kin, session, "calm", "cooking").unwrap();
            let text = |text: &str| text.to_owned();
            hub.put_kin(&KinProfile {
                id: kin,
                name: text("Basile"),
                role: text("cook"),
                avatar: text("basile"),
                hue: text("pear"),
                session,
                model: None,
                position: 0,
                archived: false,
            })
            .unwrap();
        });
        for device in 0..world.devices.len() {
            world.start(device);
            world.settle();
            world.ask(device, Request::OpenThread { session });
            world.ask(device, Request::OpenKin { kin });
        }
        world.settle();
        world
    }

    /// One transaction of the server, then its publication, unless the server dies in between.
    pub fn write<T>(&mut self, work: impl FnOnce(&mut Hub<'_, MemoryLog>) -> T) -> T {
        let (value, deltas) = self.commit(work);
        self.publish(&deltas);
        value
    }

    fn commit<T>(&mut self, work: impl FnOnce(&mut Hub<'_, MemoryLog>) -> T) -> (T, Vec<Delta>) {
        let mut random = self.random.clone();
        let mut sixteen = || {
            let (a, b) = (random.next().to_le_bytes(), random.next().to_le_bytes());
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&a);
            bytes[8..].copy_from_slice(&b);
            bytes
        };
        let mut tx = self.log.clone();
        let mut hub = Hub::new(&mut tx, self.now, &mut sixteen);
        let value = work(&mut hub);
        let (deltas, _) = hub.into_deltas();
        self.log = tx;
        self.random.next();
        (value, deltas)
    }

    fn publish(&mut self, deltas: &[Delta]) {
        for delta in deltas {
            let frame = ServerFrame::Delta {
                audience: delta.audience,
                from: delta.position - 1,
                to: delta.position,
                document: delta.document,
                generation: delta.generation,
                changes: vec![serde_bytes::ByteBuf::from(delta.bytes.clone())],
            };
            for device in &mut self.devices {
                if device.connected && device.greeted && device.viewer.may_see(delta.audience) {
                    device.down.push_back(encode(&frame));
                }
            }
        }
    }

    /// Frames of a device that the server has not read.
    pub fn outgoing(&self, at: usize) -> Vec<Vec<u8>> {
        self.devices[at].up.iter().cloned().collect()
    }

    /// Frames that a device has not read.
    pub fn incoming(&self, at: usize) -> Vec<Vec<u8>> {
        self.devices[at].down.iter().cloned().collect()
    }

    /// The server reads everything.
    pub fn deliver_all_up(&mut self) {
        for at in 0..self.devices.len() {
            while self.deliver_up(at, false) {}
        }
    }

    pub fn start(&mut self, at: usize) {
        let mut seed = Random(self.random.next());
        let fill = move |bytes: &mut [u8]| bytes.iter_mut().for_each(|byte| *byte = seed.next() as u8);
        let device = &mut self.devices[at];
        device.replica = Replica::new(Box::new(fill));
        let rows = OPEN_PREFIXES.iter().flat_map(|prefix| store::scan(&device.disk, prefix)).collect();
        self.step(at, Input::Opened { rows });
        let (session, kin) = (self.session, self.kin);
        self.ask(at, Request::OpenThread { session });
        self.ask(at, Request::OpenKin { kin });
    }

    /// The device dies: whatever was not durable is gone.
    pub fn crash(&mut self, at: usize) {
        self.drawn.crashes += 1;
        self.disconnect(at);
        let device = &mut self.devices[at];
        device.writes.clear();
        device.loads.clear();
        device.wants_connection = false;
        self.start(at);
    }

    /// The server dies: connections and frames on the way are gone, what was committed stays.
    pub fn crash_server(&mut self) {
        self.drawn.server_crashes += 1;
        for at in 0..self.devices.len() {
            self.disconnect(at);
        }
    }

    pub fn connect(&mut self, at: usize) {
        let device = &mut self.devices[at];
        if device.wants_connection && !device.connected {
            (device.connected, device.greeted) = (true, false);
            self.step(at, Input::Connected);
        }
    }

    pub fn disconnect(&mut self, at: usize) {
        let device = &mut self.devices[at];
        if device.connected {
            device.connected = false;
            device.up.clear();
            device.down.clear();
            self.drawn.breaks += 1;
            self.step(at, Input::Disconnected);
        }
    }

    pub fn ask(&mut self, at: usize, request: Request) {
        self.step(at, Input::Request(request));
    }

    pub fn send(&mut self, at: usize, text: String) {
        let message = MessageId::new(self.now, self.random.ten());
        self.devices[at].sent.push((message, text.clone()));
        let (session, reply_to) = (self.session, self.quoted(at));
        self.ask(at, Request::Send { session, message, text, reply_to });
    }

    /// Now and then a message quotes one that is there.
    fn quoted(&mut self, at: usize) -> Option<MessageId> {
        let of_session = self.devices[at].threads.get(&self.session);
        let shown = of_session.and_then(|messages| messages.iter().rev().find(|message| message.seq.is_some()));
        let shown = shown.map(|message| message.id);
        shown.filter(|_| self.random.chance(30))
    }

    /// Makes the oldest batch of a device durable.
    pub fn flush(&mut self, at: usize) -> bool {
        let device = &mut self.devices[at];
        let done = if let Some((token, batch)) = device.writes.pop_front() {
            store::apply(&mut device.disk, &batch);
            for (before, _) in &mut device.loads {
                *before = before.saturating_sub(1);
            }
            self.step(at, Input::Stored { token });
            true
        } else {
            false
        };
        self.answer_loads(at) || done
    }

    fn answer_loads(&mut self, at: usize) -> bool {
        let mut any = false;
        while let Some((0, prefix)) = self.devices[at].loads.front().cloned() {
            self.devices[at].loads.pop_front();
            let rows = store::scan(&self.devices[at].disk, &prefix);
            self.step(at, Input::Loaded { prefix, rows });
            any = true;
        }
        any
    }

    pub fn step(&mut self, at: usize, input: Input) {
        let outputs = self.devices[at].replica.step(self.now, input);
        let device = &mut self.devices[at];
        for output in outputs {
            match output {
                Output::Connect => device.wants_connection = true,
                Output::Disconnect => device.wants_connection = false,
                Output::Send(frame) => {
                    if device.connected {
                        device.up.push_back(encode(&frame));
                    }
                }
                Output::Store { token, batch } => device.writes.push_back((token, batch)),
                Output::Load { prefix } => device.loads.push_back((device.writes.len(), prefix)),
                Output::Event(event) => device.event(event),
                Output::WakeAt(_) => {}
                Output::Wipe => device.disk.clear(),
            }
        }
    }

    /// The server takes one frame of a device. `dies` is a crash between the commit and everything after it.
    pub fn deliver_up(&mut self, at: usize, dies: bool) -> bool {
        let Some(bytes) = self.devices[at].up.pop_front() else { return false };
        let (viewer, device_id) = (self.devices[at].viewer, self.devices[at].id);
        let frame: ClientFrame = decode(&bytes).unwrap();
        match frame {
            ClientFrame::Hello { epoch, positions } => {
                let positions = if epoch == Some(self.epoch) { positions } else { Vec::new() };
                let caught_up = catch_up(&mut self.log, viewer, &Known { positions }).unwrap();
                let mut frames = vec![ServerFrame::Welcome {
                    epoch: self.epoch,
                    now: self.now,
                    member: viewer.member,
                    device: device_id,
                    fresh: caught_up.fresh,
                }];
                frames.extend(caught_up.frames);
                let device = &mut self.devices[at];
                device.greeted = true;
                device.down.extend(frames.iter().map(encode));
            }
            ClientFrame::Push { document, generation, operation, header } => {
                let chapters = self.log_chapter();
                let (pushed, deltas) =
                    self.commit(|hub| hub.push(viewer, device_id, document, generation, &operation, &header).unwrap());
                self.drawn.closings += u64::from(self.log_chapter() - chapters);
                if dies {
                    self.crash_server();
                    return true;
                }
                let hash = header.hash;
                let answer = match pushed {
                    Pushed::Accepted => ServerFrame::Accepted { hash },
                    Pushed::Refused(code, detail) => ServerFrame::Refused { hash, code, detail: detail.into() },
                };
                self.publish(&deltas);
                self.devices[at].down.push_back(encode(&answer));
            }
            ClientFrame::Fetch { document } => {
                let frames = snapshot(&mut self.log, viewer, document).unwrap();
                self.devices[at].down.extend(frames.iter().map(encode));
            }
            ClientFrame::Watch { .. } | ClientFrame::Command { .. } | ClientFrame::Ping => {}
        }
        true
    }

    fn log_chapter(&mut self) -> u32 {
        use sync::log::LogStore;
        self.log.session(self.session).unwrap().unwrap().chapter
    }

    pub fn deliver_down(&mut self, at: usize) -> bool {
        let Some(bytes) = self.devices[at].down.pop_front() else { return false };
        self.step(at, Input::Frame(decode(&bytes).unwrap()));
        true
    }

    /// Doubles, swaps or loses a delta or an answer on its way to a device, or doubles a push on its way up.
    pub fn disturb(&mut self, at: usize) {
        let kind = self.random.below(4);
        let device = &mut self.devices[at];
        let loose = |bytes: &Vec<u8>| {
            let frame: ServerFrame = decode(bytes).unwrap();
            matches!(frame, ServerFrame::Delta { .. } | ServerFrame::Accepted { .. } | ServerFrame::Refused { .. })
        };
        match kind {
            0 if device.down.front().is_some_and(loose) => {
                let frame = device.down[0].clone();
                device.down.push_back(frame);
                self.drawn.duplicates += 1;
            }
            1 if device.down.len() > 1 && loose(&device.down[0]) && loose(&device.down[1]) => {
                device.down.swap(0, 1);
                self.drawn.swaps += 1;
            }
            2 if device.down.front().is_some_and(loose) => {
                device.down.pop_front();
                self.drawn.lost_frames += 1;
            }
            3 => {
                if let Some(bytes) = device.up.front().cloned()
                    && matches!(decode(&bytes).unwrap(), ClientFrame::Push { .. })
                {
                    device.up.push_back(bytes);
                    self.drawn.duplicates += 1;
                }
            }
            _ => {}
        }
    }

    /// The Kin answers a message that has no answer yet.
    pub fn answer(&mut self) {
        let Some(row) = self.log.messages().find(|row| row.turn.is_none()).cloned() else { return };
        let (message, turn) = (MessageId::new(self.now, self.random.ten()), TurnId::new(self.now, self.random.ten()));
        let (session, kin, now) = (self.session, self.kin, self.now);
        self.write(|hub| {
            hub.append_answer(&Answer {
                message,
                session,
                kin,
                turn,
                answers: row.id,
                text: "an answer".into(),
                state: MessageState::Done,
                failure: None,
                sent_at: now,
            })
            .unwrap()
        });
    }

    /// Some answer is superseded, wherever it stands.
    pub fn supersede(&mut self) {
        let answers: Vec<MessageId> = self.log.messages().filter(|row| row.turn.is_some()).map(|row| row.id).collect();
        if answers.is_empty() {
            return;
        }
        let id = answers[self.random.below(answers.len() as u64) as usize];
        self.write(|hub| hub.set_state(id, MessageState::Superseded).unwrap());
    }

    /// A message that has words loses them.
    pub fn redact(&mut self) {
        let there = |row: &&sync::log::MessageRow| row.state != MessageState::Redacted;
        let ids: Vec<MessageId> = self.log.messages().filter(there).map(|row| row.id).collect();
        if ids.is_empty() {
            return;
        }
        let id = ids[self.random.below(ids.len() as u64) as usize];
        self.drawn.redactions += 1;
        self.write(|hub| hub.redact(id).unwrap());
    }

    /// The server begins a new generation of a document for reasons of its own.
    pub fn rewrite(&mut self) {
        let (kin, session, chapter) = (self.kin, self.session, self.log_chapter());
        let member = self.devices[self.random.below(3) as usize].viewer.member;
        let number = u32::try_from(1 + self.random.below(u64::from(chapter))).unwrap();
        let documents =
            [DocumentId::Kin(kin), DocumentId::Me(member), DocumentId::Chapter(session, number), DocumentId::Home];
        let id = documents[self.random.below(4) as usize];
        self.drawn.rewrites += 1;
        self.write(|hub| hub.rewrite(id).unwrap());
    }

    /// Everything connected, everything delivered, everything durable.
    pub fn settle(&mut self) {
        for round in 0..20_000 {
            self.now = self.now.plus_ms(1);
            let mut busy = false;
            for at in 0..self.devices.len() {
                self.connect(at);
                busy |= self.deliver_up(at, false);
                busy |= self.deliver_down(at);
                busy |= self.flush(at);
            }
            if !busy {
                return;
            }
            assert!(round < 19_999, "the household never comes to rest");
        }
    }

    /// Lets timers run out, then settles.
    pub fn rest(&mut self) {
        for _ in 0..3 {
            self.settle();
            self.now = self.now.plus_ms(10_000);
            for at in 0..self.devices.len() {
                self.step(at, Input::Tick);
            }
        }
        self.settle();
    }

    /// Reads a device's thread to its beginning.
    pub fn read_all(&mut self, at: usize) -> Vec<MessageView> {
        let session = self.session;
        self.ask(at, Request::OpenThread { session });
        self.settle();
        while self.devices[at].has_older[&session] {
            let before = self.devices[at].threads[&session].len();
            self.ask(at, Request::LoadOlder { session });
            self.settle();
            assert!(self.devices[at].threads[&session].len() > before, "loading older brings nothing");
        }
        self.devices[at].threads[&session].clone()
    }

    /// A Kin's text by the projection; what it was made with until somebody edits it.
    pub fn text(&self, field: TextField) -> String {
        self.log.kin_text(self.kin, field).unwrap_or("calm").to_owned()
    }

    /// Whether a device keeps some words anywhere: in a row of its own, or in the history of a document.
    pub fn keeps(&self, at: usize, words: &str) -> bool {
        let disk = &self.devices[at].disk;
        let mut documents: BTreeMap<DocumentId, Vec<u8>> = BTreeMap::new();
        for (key, value) in disk.iter().filter(|(key, _)| key.starts_with("chunk|")) {
            let (document, _) = key.rsplit_once('|').unwrap();
            let id: DocumentId = document.trim_start_matches("chunk|").parse().unwrap();
            documents.entry(id).or_default().extend(value);
        }
        disk.values().any(|value| holds(value, words)) || documents.iter().any(|(id, all)| has_held(*id, all, words))
    }

    /// Whether the server's log keeps some words anywhere.
    pub fn server_keeps(&mut self, words: &str) -> bool {
        use sync::log::LogStore;
        let members: Vec<MemberId> = self.devices.iter().map(|device| device.viewer.member).collect();
        let mut documents: BTreeMap<(DocumentId, u32), Vec<u8>> = BTreeMap::new();
        for audience in members.into_iter().map(Audience::Member).chain([Audience::Household]) {
            for entry in self.log.entries_after(audience, 0, usize::MAX).unwrap() {
                documents.entry((entry.document, entry.generation)).or_default().extend(entry.bytes);
            }
        }
        self.log.messages().any(|row| row.text.contains(words))
            || documents.iter().any(|((id, _), all)| has_held(*id, all, words))
    }

    pub fn foreign_rows(&self, at: usize) -> Vec<&String> {
        let device = &self.devices[at];
        let others =
            self.devices.iter().map(|other| other.viewer.member).filter(|member| *member != device.viewer.member);
        let names: Vec<String> = others.map(|member| DocumentId::Me(member).to_string()).collect();
        device.disk.keys().filter(|key| names.iter().any(|name| key.contains(name.as_str()))).collect()
    }
}

fn holds(bytes: &[u8], words: &str) -> bool {
    bytes.windows(words.len()).any(|part| part == words.as_bytes())
}

fn has_held(id: DocumentId, chunks: &[u8], words: &str) -> bool {
    sync::document::Document::open(id.kind(), [chunks]).unwrap().has_held(words)
}

impl Device {
    fn new(viewer: Viewer, random: &mut Random) -> Self {
        Self {
            viewer,
            id: DeviceId::new(T0, random.ten()),
            replica: Replica::new(Box::new(|_| {})),
            disk: BTreeMap::new(),
            writes: VecDeque::new(),
            loads: VecDeque::new(),
            up: VecDeque::new(),
            down: VecDeque::new(),
            wants_connection: false,
            connected: false,
            greeted: false,
            queued: Vec::new(),
            sent: Vec::new(),
            threads: BTreeMap::new(),
            has_older: BTreeMap::new(),
            texts: BTreeMap::new(),
            own: BTreeMap::new(),
            problems: Vec::new(),
            found: BTreeMap::new(),
        }
    }

    /// What a screen does with events.
    fn event(&mut self, event: Event) {
        match event {
            Event::Thread(view) => {
                self.has_older.insert(view.session, view.has_older);
                self.threads.insert(view.session, view.messages);
            }
            Event::ThreadChanged { session, upserts, removed } => {
                let thread = self.threads.entry(session).or_default();
                thread.retain(|old| !removed.contains(&old.id) && upserts.iter().all(|new| new.id != old.id));
                thread.extend(upserts);
                thread.sort_by_key(|message| (message.order, message.id));
            }
            Event::Queued { message } if !self.queued.contains(&message) => self.queued.push(message),
            Event::KinTexts { kin, character, expertise } => {
                self.texts.insert(kin, (character, expertise));
            }
            Event::Own { session, own } => {
                self.own.insert(session, own);
            }
            Event::Problem { code, .. } => self.problems.push(code),
            Event::Found { session, found, count, is_counted, is_searching, .. } => {
                let is_all = is_counted && !is_searching && found.len() == count as usize;
                self.found.insert(session, (found, is_all));
            }
            Event::Queued { .. }
            | Event::Home(_)
            | Event::Live { .. }
            | Event::LiveText { .. }
            | Event::Queue { .. }
            | Event::Sync(_)
            | Event::SignedOut
            | Event::Locked
            | Event::Wiped => {}
        }
    }
}
