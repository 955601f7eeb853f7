//! Bytes that nobody honest sends: the server's gate and the device's replica answer or ignore them, and go on.
//!
//! Each is a fuzz target of its own (`cargo bolero test hostile::…`); here it runs on its corpus under `__fuzz__/` and on
//! some random inputs. An input chooses an honest frame and says where it is bent.

use super::world::{T0, World};
use bolero::check;
use shared::frame::{ClientFrame, RefusalCode, ServerFrame, decode, encode};
use shared::limits::MAX_FRAME_BYTES;
use shared::{Audience, Author, TextField};
use std::sync::LazyLock;
use sync::hub::Pushed;
use sync::log::LogStore;
use sync::port::Request;
use sync::replica::Input;
use sync::view::Draft;

/// A household in which a device has just made one operation of every kind; none has reached the server.
fn busy() -> (World, Vec<Vec<u8>>) {
    let mut world = World::new(5);
    let (session, kin) = (world.session, world.kin);
    world.send(0, "bonjour".into());
    world.settle();
    let message = world.devices[0].sent[0].0;
    world.send(0, "encore".into());
    world.ask(0, Request::React { session, message, emoji: "👍".into() });
    world.ask(0, Request::Pin { session, message, excerpt: Some("bonjour".into()) });
    world.ask(0, Request::KeepDraft { session, draft: Draft { text: "une pensée".into(), reply_to: Some(message) } });
    world.ask(0, Request::MarkRead { session, seq: 1 });
    let (from, to) = ("calm".to_owned(), "calm and kind".to_owned());
    world.ask(0, Request::EditKinText { kin, field: TextField::Character, from, to });
    world.ask(0, Request::Settle);
    while world.flush(0) {}
    let frames = world.outgoing(0);
    (world, frames)
}

/// `input` is: which frame, then where and to what a byte of it is changed, then how much is cut off its end.
fn bent(input: &[u8], frames: &[Vec<u8>]) -> Vec<u8> {
    let Some((which, rest)) = input.split_first() else { return Vec::new() };
    // Some inputs are the frame themselves.
    if *which == 255 {
        return rest.to_vec();
    }
    let mut frame = frames[usize::from(*which) % frames.len()].clone();
    let (changes, _) = rest.as_chunks::<3>();
    for [high, low, value] in changes {
        let at = usize::from(u16::from_be_bytes([*high, *low])) % frame.len();
        frame[at] = *value;
    }
    frame
}

#[test]
fn a_bent_push_changes_nothing_it_may_not() {
    static BUSY: LazyLock<(sync::memory::MemoryLog, Vec<Vec<u8>>)> = LazyLock::new(|| {
        let (world, frames) = busy();
        assert!(frames.len() >= 6, "one push of every kind: {}", frames.len());
        (world.log, frames)
    });
    check!().for_each(|input: &[u8]| {
        let (log, frames) = &*BUSY;
        let bytes = bent(input, frames);
        let Ok(frame) = decode::<ClientFrame>(&bytes) else { return };
        assert!(bytes.len() <= MAX_FRAME_BYTES);
        assert_eq!(decode::<ClientFrame>(&encode(&frame)).as_ref(), Ok(&frame), "what is read can be written");
        let ClientFrame::Push { document, generation, operation, header } = frame else { return };
        let mut world = World::new(5);
        world.log = log.clone();
        let (viewer, device) = (world.devices[0].viewer, world.devices[0].id);
        let audiences =
            [Audience::Household, Audience::Member(viewer.member), Audience::Member(world.devices[2].viewer.member)];
        let before = audiences.map(|audience| world.log.position(audience).unwrap());
        let pushed = world.write(|hub| hub.push(viewer, device, document, generation, &operation, &header).unwrap());
        let after = audiences.map(|audience| world.log.position(audience).unwrap());
        assert_eq!(before[2], after[2], "somebody else's own document");
        match pushed {
            // The server writes the words of such a message itself.
            Pushed::Refused(RefusalCode::HashMismatch, _) => {}
            Pushed::Refused(..) => assert_eq!(before, after, "refused, and yet something is there"),
            Pushed::Accepted => {}
        }
        let known: Vec<_> = log.messages().map(|row| row.id).collect();
        for row in world.log.messages().filter(|row| !known.contains(&row.id)) {
            assert_eq!(row.author, Author::Member(viewer.member), "the connection's member, whatever the frame says");
        }
        // Every document opens, and so does a replica that reads them.
        world.devices[1].disk.clear();
        world.crash(1);
        world.rest();
        assert!(!world.devices[1].threads[&world.session].is_empty());
    });
}

#[test]
fn a_bent_frame_of_the_server_leaves_the_replica_standing() {
    static FRAMES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let (mut world, _) = busy();
        world.deliver_all_up();
        let frames = world.incoming(1);
        assert!(frames.len() >= 3, "deltas for the other device: {}", frames.len());
        frames
    });
    check!().for_each(|input: &[u8]| {
        let Ok(frame) = decode::<ServerFrame>(&bent(input, &FRAMES)) else { return };
        let mut world = World::new(5);
        world.step(1, Input::Frame(frame));
        let (session, text) = (world.session, "still here".to_owned());
        let message = shared::MessageId::new(T0, [9; 10]);
        world.ask(1, Request::Send { session, message, text, reply_to: None });
        world.settle();
    });
}
