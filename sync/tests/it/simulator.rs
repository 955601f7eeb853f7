//! Seeds draw what happens to a household; afterwards everybody must agree.

use super::world::World;
use shared::{Author, MessageId, MessageState, TextField};
use std::collections::HashMap;
use sync::log::LogStore;
use sync::port::Request;
use sync::view::{Draft, MessageStatus, MessageView};

fn one_step(world: &mut World) {
    let at = world.random.below(3) as usize;
    world.now = world.now.plus_ms(world.random.below(400) as i64);
    match world.random.below(100) {
        0..12 => {
            // Now and then a message so large that a few of them close a chapter.
            let size = if world.random.chance(15) { 40_000 } else { 20 };
            let text = format!("{} {}", world.random.below(1_000_000), "x".repeat(size));
            world.send(at, text);
        }
        12..15 => edit(world, at),
        15..16 => react(world, at),
        16..17 if world.random.chance(60) => world.redact(),
        16..17 => world.rewrite(),
        17..19 => {
            let (session, seq) = (world.session, world.random.below(50));
            world.ask(at, Request::MarkRead { session, seq });
            world.step(at, sync::replica::Input::Tick);
        }
        19..46 => {
            let dies = world.random.chance(4);
            world.deliver_up(at, dies);
        }
        46..72 => {
            world.deliver_down(at);
        }
        72..88 => {
            world.flush(at);
        }
        88..91 => world.connect(at),
        91..93 => world.disconnect(at),
        93..94 => world.crash(at),
        94..96 => world.disturb(at),
        96..97 => world.answer(),
        97..98 => own(world, at),
        98..99 => world.supersede(),
        _ => world.connect(at),
    }
}

/// Reacts to a message the device shows, of whichever chapter.
fn react(world: &mut World, at: usize) {
    let session = world.session;
    let shown: Vec<_> = world.devices[at].threads.get(&session).into_iter().flatten().collect();
    let admitted: Vec<_> = shown.iter().filter(|message| message.seq.is_some()).map(|message| message.id).collect();
    if admitted.is_empty() {
        return;
    }
    let message = admitted[world.random.below(admitted.len() as u64) as usize];
    let emoji = ["👍", "❤️", "👩‍🍳", ""][world.random.below(4) as usize].to_owned();
    world.drawn.reactions += 1;
    world.ask(at, Request::React { session, message, emoji });
}

/// Writes on a draft, pins or unpins.
fn own(world: &mut World, at: usize) {
    let session = world.session;
    let text = "x".repeat(world.random.below(5) as usize);
    world.ask(at, Request::KeepDraft { session, draft: Draft { text, reply_to: None } });
    let message = MessageId::new(super::world::T0, [world.random.below(3) as u8; 10]);
    let excerpt = world.random.chance(60).then(|| "how it begins".to_owned());
    world.ask(at, Request::Pin { session, message, excerpt });
    if world.random.chance(30) {
        world.ask(at, Request::Settle);
    }
}

fn edit(world: &mut World, at: usize) {
    let Some((from, _)) = world.devices[at].texts.get(&world.kin).cloned() else { return };
    let mut chars: Vec<char> = from.chars().collect();
    let place = world.random.below(chars.len() as u64 + 1) as usize;
    if world.random.chance(30) && !chars.is_empty() {
        let end = (place + 3).min(chars.len());
        chars.drain(place..end);
    } else {
        chars.insert(place, char::from(b'a' + (world.random.below(26) as u8)));
    }
    let (kin, to) = (world.kin, chars.into_iter().collect());
    world.ask(at, Request::EditKinText { kin, field: TextField::Character, from, to });
}

/// Runs one seed to its end and checks what must always hold.
fn run(seed: u64) -> super::world::Drawn {
    let mut world = World::new(seed);
    let steps = 150 + world.random.below(250);
    for _ in 0..steps {
        one_step(&mut world);
    }
    // Answers lost on a socket that stays open come with the next connection.
    for at in 0..3 {
        world.disconnect(at);
    }
    world.rest();

    let mut truth: Vec<_> = world.log.messages().cloned().collect();
    truth.sort_by_key(|row| row.seq);
    // Numbers are gapless, ids unique: nothing doubled, nothing skipped.
    assert!(truth.iter().zip(1..).all(|(row, seq)| row.seq == seq), "seed {seed}: numbers");

    for at in 0..3 {
        let shown = world.read_all(at);
        let mut by_seq: Vec<_> = shown.iter().map(|message| (message.seq, message.id, message.text.clone())).collect();
        by_seq.sort();
        let expected: Vec<_> = truth
            .iter()
            .filter(|row| row.state.is_shown())
            .map(|row| (Some(row.seq), row.id, row.text.clone()))
            .collect();
        let extra: Vec<_> =
            by_seq.iter().filter(|message| !expected.contains(message)).map(|(seq, id, _)| (seq, id)).collect();
        let absent: Vec<_> =
            expected.iter().filter(|message| !by_seq.contains(message)).map(|(seq, id, _)| (seq, id)).collect();
        assert!(by_seq == expected, "seed {seed}, device {at}: extra {extra:?}, absent {absent:?}");
        let settled = |message: &MessageView| matches!(message.status, MessageStatus::Done | MessageStatus::Redacted);
        assert!(shown.iter().all(settled), "seed {seed}: left over");

        // Everyone sees who reacted how, and it is what the server's table says.
        let mut reactions: Vec<_> = shown
            .iter()
            .flat_map(|message| message.reactions.iter().map(move |given| (message.id, given)))
            .flat_map(|(id, given)| given.members.iter().map(move |member| (id, *member, given.emoji.as_str())))
            .collect();
        reactions.sort();
        let of_shown = |(id, _, _): &(MessageId, _, _)| expected.iter().any(|(_, shown, _)| shown == id);
        let told: Vec<_> = world.log.reactions().filter(of_shown).collect();
        assert_eq!(reactions, told, "seed {seed}, device {at}: reactions");

        // An answer stands behind what it answers.
        let places: HashMap<_, _> = shown.iter().enumerate().map(|(place, message)| (message.id, place)).collect();
        for (place, message) in shown.iter().enumerate() {
            if let Some(answered) = message.answers {
                assert!(places[&answered] < place, "seed {seed}: an answer before its message");
            }
        }

        // Whatever was called queued was admitted, once, in the order it was sent.
        let device = &world.devices[at];
        let seqs: Vec<u64> = device
            .sent
            .iter()
            .filter(|(id, _)| device.queued.contains(id))
            .map(|(id, text)| {
                let row = truth.iter().find(|row| row.id == *id);
                let row = row.unwrap_or_else(|| panic!("seed {seed}: {id} was queued and is lost"));
                if row.state == MessageState::Redacted {
                    assert!(row.text.is_empty(), "seed {seed}: redacted words are back");
                } else {
                    assert_eq!(&row.text, text);
                }
                assert_eq!(row.author, Author::Member(device.viewer.member));
                row.seq
            })
            .collect();
        assert!(seqs.windows(2).all(|pair| pair[0] < pair[1]), "seed {seed}: order of device {at}");

        let (character, _) = &device.texts[&world.kin];
        assert_eq!(*character, world.text(TextField::Character), "seed {seed}, device {at}: texts differ");
        assert!(world.foreign_rows(at).is_empty(), "seed {seed}: another member's document");
        assert!(!device.disk.keys().any(|key| key.starts_with("outbox|")), "seed {seed}: outbox not empty");
    }
    // Words that were taken away are nowhere: not in the history of a document, not on a device that was away.
    let texts = world.devices.iter().flat_map(|device| device.sent.clone()).collect::<HashMap<_, _>>();
    for row in truth.iter().filter(|row| row.state == MessageState::Redacted) {
        let Some(words) = texts.get(&row.id) else { continue };
        assert!(!world.server_keeps(words), "seed {seed}: the server keeps redacted words");
        for at in 0..3 {
            assert!(!world.keeps(at, words), "seed {seed}: device {at} keeps redacted words");
        }
    }
    // What a member has written and pinned is the same on their devices.
    let own = |at: usize| world.devices[at].own.get(&world.session).cloned();
    assert_eq!(own(0), own(1), "seed {seed}: drafts and pins");
    assert!(own(0).is_some(), "seed {seed}: never told");
    world.drawn
}

fn run_all(seeds: std::ops::Range<u64>) {
    let mut total = super::world::Drawn::default();
    for seed in seeds.clone() {
        let drawn = run(seed);
        total.crashes += drawn.crashes;
        total.server_crashes += drawn.server_crashes;
        total.closings += drawn.closings;
        total.duplicates += drawn.duplicates;
        total.swaps += drawn.swaps;
        total.lost_frames += drawn.lost_frames;
        total.breaks += drawn.breaks;
        total.reactions += drawn.reactions;
        total.redactions += drawn.redactions;
        total.rewrites += drawn.rewrites;
    }
    // A simulator that draws no faults proves nothing.
    let Drawn {
        crashes,
        server_crashes,
        closings,
        duplicates,
        swaps,
        lost_frames,
        breaks,
        reactions,
        redactions,
        rewrites,
    } = total;
    for (what, count) in [
        ("crashes", crashes),
        ("server crashes", server_crashes),
        ("closings", closings),
        ("duplicates", duplicates),
        ("swaps", swaps),
        ("lost frames", lost_frames),
        ("breaks", breaks),
        ("reactions", reactions),
        ("redactions", redactions),
        ("rewrites", rewrites),
    ] {
        assert!(count > 0, "no {what} in {seeds:?}");
    }
}

use super::world::Drawn;

#[test]
fn a_household_converges_whatever_happens() {
    // More with e.g. KINSTEAD_SEEDS=5000..9000.
    let seeds = std::env::var("KINSTEAD_SEEDS").ok();
    let range = seeds.as_deref().and_then(|text| text.split_once("..")).map(|(from, to)| {
        from.parse().expect("KINSTEAD_SEEDS is from..to")..to.parse().expect("KINSTEAD_SEEDS is from..to")
    });
    run_all(range.unwrap_or(0..150));
}

/// A member who writes on drafts for years: the document they are in drops its history, and nothing is refused, lost or
/// done twice on the way.
#[test]
fn a_member_s_own_document_never_fills() {
    let mut world = World::new(7);
    let (session, member) = (world.session, world.devices[0].viewer.member);
    let id = shared::DocumentId::Me(member);
    let generation = |world: &mut World| world.log.document(id).unwrap().unwrap().generation;
    let before = generation(&mut world);
    for n in 0..200 {
        let text = format!("{n} {}", "x".repeat(16_000));
        world.ask(0, Request::KeepDraft { session, draft: Draft { text, reply_to: None } });
        world.ask(0, Request::Settle);
        world.settle();
    }
    world.rest();
    assert!(generation(&mut world) > before + 1, "written anew more than once");
    assert!(world.log.document(id).unwrap().unwrap().bytes < 2 * shared::limits::REWRITE_BYTES);
    for at in [0, 1] {
        assert!(world.devices[at].own[&session].draft.text.starts_with("199 "), "device {at}");
        assert!(world.devices[at].problems.is_empty());
        assert!(!world.devices[at].disk.keys().any(|key| key.starts_with("outbox|")));
    }
}

/// The server has taken an edit, dies before it says so, and writes the document anew: the device asks before it makes
/// the edit again.
#[test]
fn an_edit_taken_before_a_rewrite_is_not_made_twice() {
    let mut world = World::new(8);
    let (kin, field) = (world.kin, TextField::Character);
    world.ask(0, Request::EditKinText { kin, field, from: "calm".into(), to: "calm!".into() });
    while world.flush(0) {}
    assert!(world.deliver_up(0, true), "the push is on its way");
    assert_eq!(world.text(field), "calm!");
    world.write(|hub| hub.rewrite(shared::DocumentId::Kin(kin)).unwrap());
    // One that the server has never seen, of another device, is made again.
    world.ask(2, Request::EditKinText { kin, field, from: "calm".into(), to: "very calm".into() });
    world.rest();
    assert_eq!(world.text(field), "very calm!");
    for device in &world.devices {
        assert_eq!(device.texts[&kin].0, "very calm!");
    }
}

/// A pin holds how its message begins: one made without a network does not bring back words that are gone meanwhile.
#[test]
fn a_pin_made_away_does_not_bring_redacted_words_back() {
    let mut world = World::new(9);
    let session = world.session;
    world.send(0, "the gate code is 4471-quince".into());
    world.rest();
    let message = world.devices[0].sent[0].0;
    world.disconnect(2);
    world.ask(2, Request::Pin { session, message, excerpt: Some("the gate code is 4471-quince".into()) });
    while world.flush(2) {}
    world.write(|hub| hub.redact(message).unwrap());
    world.rest();
    assert!(!world.server_keeps("quince"));
    for at in 0..3 {
        assert!(!world.keeps(at, "quince"), "device {at}");
        assert!(!world.devices[at].disk.keys().any(|key| key.starts_with("outbox|")), "device {at}");
    }
    assert!(world.devices[2].own[&session].pins.is_empty());
}
