//! Looking for words in a replica of 100,000 messages: a thread of one Kin, all of it on the device.
//!
//! `cargo bench -p sync --bench search`. Prints a table; nothing is asserted, see docs/performance.md. The store is a map
//! in memory: what a browser's database takes is not in it, how often and how much is read is.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints and stops when it cannot go on")]

use serde_bytes::ByteBuf;
use shared::frame::ServerFrame;
use shared::profile::KinProfile;
use shared::{Audience, DeviceId, EpochId, KinId, MemberId, MessageId, Role, SessionId, UnixMillis, Viewer};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};
use sync::hub::{Delta, Hub, NewMessage};
use sync::log::SessionState;
use sync::memory::MemoryLog;
use sync::port::{Event, Request};
use sync::replica::{Input, OPEN_PREFIXES, Output, Replica};
use sync::store;

const MESSAGES: u32 = 100_000;
const WORDS: usize = 20_000;
const T0: UnixMillis = UnixMillis(1_764_500_000_000);

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// Few words are said often, many seldom.
    fn word(&mut self) -> usize {
        let share = (self.next() % 1_000_000) as f64 / 1e6;
        ((WORDS as f64).powf(share) - 1.0) as usize
    }
}

fn word(number: usize) -> String {
    const PARTS: &[&str] =
        &["la", "ré", "mon", "ti", "ou", "cha", "pè", "lin", "vo", "sse", "cur", "î", "ba", "dé", "go", "fan"];
    let (mut left, mut word) = (number + 16, String::new());
    while left > 0 {
        word.push_str(PARTS[left % PARTS.len()]);
        left /= PARTS.len();
    }
    word
}

/// A device and its disk.
struct Device {
    replica: Replica,
    disk: BTreeMap<String, Vec<u8>>,
    /// Rows and bytes read.
    read: (usize, usize),
    longest: Duration,
    found: Option<(usize, u32, bool)>,
}

impl Device {
    fn open(disk: BTreeMap<String, Vec<u8>>) -> Self {
        let mut seed = Random(3);
        let fill = move |bytes: &mut [u8]| bytes.iter_mut().for_each(|byte| *byte = seed.next() as u8);
        let replica = Replica::new(Box::new(fill));
        let mut device = Self { replica, disk, read: (0, 0), longest: Duration::ZERO, found: None };
        let rows = OPEN_PREFIXES.iter().flat_map(|prefix| store::scan(&device.disk, prefix)).collect();
        device.feed(Input::Opened { rows });
        device
    }

    fn feed(&mut self, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let begun = Instant::now();
            let outputs = self.replica.step(T0, input);
            self.longest = self.longest.max(begun.elapsed());
            for output in outputs {
                match output {
                    Output::Store { token, batch } => {
                        store::apply(&mut self.disk, &batch);
                        inputs.push_back(Input::Stored { token });
                    }
                    Output::Load { prefix } => {
                        let rows = store::scan(&self.disk, &prefix);
                        self.read.0 += 1;
                        self.read.1 += rows.iter().map(|(_, value)| value.len()).sum::<usize>();
                        inputs.push_back(Input::Loaded { prefix, rows });
                    }
                    Output::Event(Event::Found { found, count, is_searching, .. }) => {
                        self.found = Some((found.len(), count, is_searching));
                    }
                    Output::Event(_)
                    | Output::Connect
                    | Output::Disconnect
                    | Output::Send(_)
                    | Output::WakeAt(_)
                    | Output::Wipe => {}
                }
            }
        }
    }

    fn find(&mut self, what: &str, words: &str) {
        (self.read, self.longest) = ((0, 0), Duration::ZERO);
        let begun = Instant::now();
        self.feed(Input::Request(Request::Find { session: None, words: words.to_owned(), most: 20 }));
        let took = begun.elapsed().as_secs_f64() * 1e3;
        let (shown, count, is_searching) = self.found.take().unwrap();
        assert!(!is_searching);
        let (reads, bytes) = self.read;
        let longest = self.longest.as_secs_f64() * 1e3;
        let kilobytes = bytes / 1000;
        println!("| {what} | {shown} of {count} | {took:.1} ms | {longest:.1} ms | {reads} | {kilobytes} kB |");
    }
}

fn main() {
    let viewer = Viewer { member: MemberId::new(T0, [1; 10]), role: Role::Admin };
    let (kin, session) = (KinId::new(T0, [2; 10]), SessionId::new(T0, [3; 10]));
    let mut log = MemoryLog::default();
    log.add_session(session, SessionState { kin, audience: Audience::Household, chapter: 1, next_seq: 1 });
    let mut device = Device::open(BTreeMap::new());
    device.feed(Input::Connected);
    device.feed(Input::Frame(ServerFrame::Welcome {
        epoch: EpochId::new(T0, [4; 10]),
        now: T0,
        member: viewer.member,
        device: DeviceId::new(T0, [5; 10]),
        fresh: Vec::new(),
    }));
    let mut random = Random(1);
    let mut drawn = Random(2);
    let mut sixteen = move || {
        let mut bytes = [0; 16];
        bytes.iter_mut().for_each(|byte| *byte = drawn.next() as u8);
        bytes
    };
    let take = |device: &mut Device, deltas: Vec<Delta>| {
        for delta in deltas {
            device.feed(Input::Frame(ServerFrame::Delta {
                audience: delta.audience,
                from: delta.position - 1,
                to: delta.position,
                document: delta.document,
                generation: delta.generation,
                changes: vec![ByteBuf::from(delta.bytes)],
            }));
        }
    };
    let mut hub = Hub::new(&mut log, T0, &mut sixteen);
    hub.create_kin(kin, session, "", "").unwrap();
    let named = |text: &str| text.to_owned();
    let (model, position, archived) = (None, 0, false);
    let (name, role, avatar, hue) = (named("Basile"), named("cook"), named("basile"), named("pear"));
    hub.put_kin(&KinProfile { id: kin, name, role, avatar, hue, session, model, position, archived }).unwrap();
    take(&mut device, hub.into_deltas().0);
    let begun = Instant::now();
    let mut bytes = 0;
    for number in 0..MESSAGES {
        let mut words: Vec<String> = (0..10 + random.next() % 40).map(|_| word(random.word())).collect();
        if number == 777 {
            words.push("la clé du grenier".into());
        }
        let text = words.join(" ");
        bytes += text.len();
        let mut id = [0; 10];
        id[..4].copy_from_slice(&number.to_be_bytes());
        let sent_at = T0.plus_ms(i64::from(number) * 60_000);
        let mut hub = Hub::new(&mut log, sent_at, &mut sixteen);
        let new = NewMessage { id: MessageId::new(sent_at, id), text: &text, sent_at, reply_to: None };
        hub.member_message(viewer, session, &new).unwrap();
        take(&mut device, hub.into_deltas().0);
        if number % 2_000 == 0 {
            // As often as a device that is closed now and then: what is old is not kept in memory.
            device = Device::open(std::mem::take(&mut device.disk));
            device.feed(Input::Connected);
        }
    }
    let disk = std::mem::take(&mut device.disk);
    let of = |prefix: &str| {
        let rows: Vec<&Vec<u8>> =
            disk.iter().filter(|(key, _)| key.starts_with(prefix)).map(|(_, value)| value).collect();
        (rows.len(), rows.iter().map(|row| row.len()).sum::<usize>() / 1000)
    };
    println!(
        "{MESSAGES} messages, {} kB of text, taken in within {:.0} s",
        bytes / 1000,
        begun.elapsed().as_secs_f64()
    );
    let ((chunks, chunk_kb), (rows, row_kb)) = (of("chunk|"), of("words|"));
    println!("chunks: {chunks} of {chunk_kb} kB; vocabularies: {rows} of {row_kb} kB");
    println!("| what is looked for | found | all of it | longest step | reads | read |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let often = format!("{} {}", word(3), word(5));
    let mut device = Device::open(disk);
    device.find("the first time: a word of one old message", "grenier");
    device.find("the same word again", "grenier");
    device.find("a beginning that is everywhere", "la");
    device.find("two words that are said often", &often);
    device.find("a phrase said once, of such words", "\"la clé du grenier\"");
    device.find("a phrase never said, of words said often", &format!("\"{often} {often}\""));
    device.find("a word nobody said", "xylophone");
}
