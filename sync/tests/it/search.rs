//! What a device finds is what reading every message would find, whatever happened before.

use super::world::World;
use shared::words::Query;
use shared::{Author, MessageId, MessageState, SessionId};
use std::collections::BTreeSet;
use sync::log::LogStore;
use sync::port::Request;
use sync::vocabulary::Vocabulary;

/// Words that meet, with accents, case and joints.
const SAID: &[&str] = &[
    "clé",
    "Clés",
    "cave",
    "CAVE",
    "l’été",
    "œuf",
    "rendez-vous",
    "vous",
    "jardin,",
    "Jardinier",
    "à",
    "**la**",
    "(de)",
];

/// What somebody may type, and the same in plain words: those that must stand together, and whether the last is only
/// begun.
const ASKED: &[(&str, &[(&str, bool)])] = &[
    ("cle", &[("cle", true)]),
    ("CLÉ", &[("cle", true)]),
    ("\"clé\"", &[("cle", false)]),
    ("cave cle", &[("cave", false), ("cle", true)]),
    ("jard", &[("jard", true)]),
    ("jard cave", &[("jard", false), ("cave", true)]),
    ("\"la cave\"", &[("la cave", false)]),
    ("« la cave » clés", &[("la cave", false), ("cles", true)]),
    ("l'ete", &[("l ete", true)]),
    ("ŒUF", &[("oeuf", true)]),
    ("rendez-v", &[("rendez v", true)]),
    ("\"vous la", &[("vous la", true)]),
    ("answer", &[("answer", true)]),
    ("nothing like it", &[("nothing", false), ("like", false), ("it", true)]),
];

fn plain(text: &str) -> Vec<String> {
    let folded = text.to_lowercase().replace(['é', 'è'], "e").replace('à', "a").replace('œ', "oe");
    folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Reads a whole text, as nobody would who has many.
fn says(words: &[String], asked: &[(&str, bool)]) -> bool {
    asked.iter().all(|(wanted, is_open)| {
        let wanted: Vec<&str> = wanted.split(' ').collect();
        words.windows(wanted.len()).any(|window| {
            let (last, before) = window.split_last().unwrap();
            let (wanted_last, wanted_before) = wanted.split_last().unwrap();
            before.iter().zip(wanted_before).all(|(word, wanted)| word == wanted)
                && if *is_open { last.starts_with(wanted_last) } else { last == wanted_last }
        })
    })
}

fn sentence(world: &mut World) -> String {
    let count = 1 + world.random.below(6);
    let mut words: Vec<&str> = Vec::new();
    for _ in 0..count {
        words.push(SAID[world.random.below(SAID.len() as u64) as usize]);
    }
    // A number of its own, to know the words again; now and then so much that a few of them close a chapter.
    let filler = if world.random.chance(18) { "y".repeat(45_000) } else { String::new() };
    format!("{} n{} {filler}", words.join(" "), world.random.below(u64::MAX))
}

fn found(world: &mut World, at: usize, session: Option<SessionId>, words: &str) -> BTreeSet<MessageId> {
    world.devices[at].found.clear();
    world.ask(at, Request::Find { session, words: words.into(), most: 10_000 });
    world.settle();
    let (found, is_all) = world.devices[at].found[&session].clone();
    assert!(is_all, "“{words}” is not counted to its end");
    let ids: BTreeSet<MessageId> = found.iter().map(|found| found.message).collect();
    assert_eq!(ids.len(), found.len(), "“{words}” found something twice");
    ids
}

fn one_step(world: &mut World) {
    let at = world.random.below(3) as usize;
    match world.random.below(100) {
        0..40 => {
            let text = sentence(world);
            world.send(at, text);
        }
        40..48 => world.answer(),
        48..52 => world.supersede(),
        52..57 => world.redact(),
        57..61 => world.rewrite(),
        61..64 => world.crash(at),
        64..68 => world.disconnect(at),
        // While somebody looks for something.
        68..76 => {
            let session = world.random.chance(50).then_some(world.session);
            let (words, _) = ASKED[world.random.below(ASKED.len() as u64) as usize];
            let most = 1 + world.random.below(5) as u32;
            world.ask(at, Request::Find { session, words: words.into(), most });
        }
        76..80 => world.ask(at, Request::CloseThread { session: world.session }),
        80..90 => {
            world.deliver_up(at, false);
            world.deliver_down(at);
            world.flush(at);
        }
        _ => world.settle(),
    }
}

fn run(seed: u64) -> (u64, u64) {
    let mut world = World::new(seed);
    let steps = 60 + world.random.below(80);
    for _ in 0..steps {
        world.now = world.now.plus_ms(world.random.below(400) as i64);
        one_step(&mut world);
    }
    world.rest();
    let shown = world.log.messages().filter(|row| row.state.is_shown());
    let truth: Vec<(MessageId, Vec<String>)> = shown.map(|row| (row.id, plain(&row.text))).collect();
    let mut hits = 0;
    for at in 0..3 {
        // One as it is, one that has just been opened, one without a network.
        if at > 0 {
            world.crash(at);
        }
        if at == 2 {
            world.devices[at].wants_connection = false;
        }
        for (typed, plainly) in ASKED {
            let expected: BTreeSet<MessageId> =
                truth.iter().filter(|(_, words)| says(words, plainly)).map(|(id, _)| *id).collect();
            for session in [None, Some(world.session)] {
                let found = found(&mut world, at, session, typed);
                assert_eq!(found, expected, "seed {seed}, device {at}, “{typed}”");
            }
            hits += expected.len() as u64;
        }
        let elsewhere = Some(SessionId::new(super::world::T0, [0; 10]));
        assert!(found(&mut world, at, elsewhere, "cle").is_empty());
    }
    // Words that were taken away are found by nobody and stand in no vocabulary.
    let sent: Vec<_> = world.devices.iter().flat_map(|device| device.sent.clone()).collect();
    let redacted: Vec<_> = world.log.messages().filter(|row| row.state == MessageState::Redacted).collect();
    for (_, text) in sent.iter().filter(|(id, _)| redacted.iter().any(|row| row.id == *id)) {
        let query = Query::parse(text.split(' ').find(|word| word.starts_with('n')).unwrap());
        for device in &world.devices {
            for (key, value) in device.disk.iter().filter(|(key, _)| key.starts_with("words|")) {
                let numbers = Vocabulary::open(value.clone()).unwrap().find(&query).unwrap();
                assert!(numbers.is_empty(), "seed {seed}: {key} has redacted words");
            }
        }
    }
    let rows = world.devices.iter().flat_map(|device| device.disk.keys()).filter(|key| key.starts_with("words|"));
    (hits, rows.count() as u64)
}

#[test]
fn a_search_finds_what_reading_every_message_finds() {
    let (mut hits, mut rows) = (0, 0);
    for seed in 0..8 {
        let (more_hits, more_rows) = run(seed);
        hits += more_hits;
        rows += more_rows;
    }
    assert!(hits > 1_000 && rows > 20, "{hits} messages found, {rows} vocabularies: too little to prove anything");
}

/// Chapters of one thread, the word in the oldest; nothing is shown of them.
fn long_ago(seed: u64) -> (World, MessageId) {
    let mut world = World::new(seed);
    world.send(0, "Les clés de la cave".into());
    let first = world.devices[0].sent[0].0;
    world.settle();
    // More than a thread shows at first.
    for n in 0..90 {
        world.send(0, format!("{n} {}", "y ".repeat(4_000)));
        world.settle();
    }
    world.rest();
    assert!(world.log.session(world.session).unwrap().unwrap().chapter > 4, "it has closed chapters");
    (world, first)
}

#[test]
fn what_was_said_long_ago_is_found_and_shown_without_a_network() {
    let (mut world, first) = long_ago(1);
    let session = world.session;
    world.crash(2);
    world.devices[2].wants_connection = false;
    world.settle();
    assert!(world.devices[2].threads[&session].iter().all(|message| message.id != first));
    assert_eq!(found(&mut world, 2, None, "CLE"), BTreeSet::from([first]));
    let hit = world.devices[2].found[&None].0[0].clone();
    assert_eq!((hit.chapter, hit.excerpt.as_str()), (1, "Les clés de la cave"));
    let marked: Vec<&str> = hit.marks.iter().map(|(from, to)| &hit.excerpt[*from as usize..*to as usize]).collect();
    assert_eq!(marked, ["clé"]);
    assert_eq!(hit.author, Author::Member(world.devices[0].viewer.member));
    // The chapter that was read for it is in no thread.
    assert!(world.devices[2].threads[&session].iter().all(|message| message.id != first));
    world.ask(2, Request::LoadBack { session, chapter: hit.chapter });
    world.settle();
    assert_eq!(world.devices[2].threads[&session].first().unwrap().id, first);
    assert!(!world.devices[2].has_older[&session]);
    assert_eq!(world.devices[2].threads[&session].len(), 91, "nothing is left out between");
}

#[test]
fn what_is_taken_away_while_it_is_shown_goes() {
    let (mut world, first) = long_ago(2);
    assert_eq!(found(&mut world, 1, None, "cle"), BTreeSet::from([first]));
    world.write(|hub| hub.redact(first).unwrap());
    world.settle();
    assert_eq!(world.devices[1].found[&None], (Vec::new(), true));
    // And what is said meanwhile comes.
    world.send(0, "une clef, une clé".into());
    world.settle();
    let (found, is_all) = &world.devices[1].found[&None];
    assert_eq!((found.len(), found[0].excerpt.as_str(), *is_all), (1, "une clef, une clé", true));
    // Nothing is told of what nobody looks for any more.
    world.ask(1, Request::Find { session: None, words: String::new(), most: 0 });
    world.devices[1].found.clear();
    world.send(0, "une clé".into());
    world.settle();
    assert!(world.devices[1].found.is_empty());
}

#[test]
fn a_page_of_messages_is_enough_until_more_are_asked_for() {
    let mut world = World::new(3);
    for n in 0..40 {
        world.send(0, format!("clé {n} {}", "y".repeat(40_000)));
        world.settle();
    }
    world.rest();
    world.crash(1);
    world.settle();
    let mut shown = |most| {
        world.ask(1, Request::Find { session: None, words: "clé".into(), most });
        world.settle();
        let (found, is_all) = &world.devices[1].found[&None];
        (found.len(), *is_all)
    };
    assert_eq!(shown(3), (3, false));
    assert_eq!(shown(30), (30, false));
    assert_eq!(shown(100), (40, true));
}
