//! The gate: what is no member's to change stays as it is.

use super::world::{T0, World};
use shared::frame::RefusalCode;
use shared::profile::{MemberProfile, Standing};
use shared::{
    ActorId, Audience, Author, ChangeHeader, DeviceId, DocumentId, DocumentKind, MemberId, MessageId, Operation, Role,
    SessionId, Viewer,
};
use sync::document::Document;
use sync::hub::Pushed;
use sync::log::LogStore;

struct Client {
    viewer: Viewer,
    device: DeviceId,
    chapter: Document,
}

fn world() -> (World, Client) {
    let mut world = World::new(1);
    let id = DocumentId::Chapter(world.session, 1);
    let changes = world.log.changes(id, 1).unwrap();
    let chapter = Document::open(DocumentKind::Chapter, changes.iter().map(Vec::as_slice)).unwrap();
    let (viewer, device) = (world.devices[0].viewer, world.devices[0].id);
    (world, Client { viewer, device, chapter })
}

fn message(n: u8, text: &str) -> Operation {
    Operation::AddMessage { message: MessageId::new(T0, [n; 10]), text: text.into(), sent_at: T0, reply_to: None }
}

impl Client {
    fn make(&mut self, operation: &Operation) -> ChangeHeader {
        self.chapter.perform(self.viewer.member, operation, ActorId([5; 16]), T0).unwrap().1
    }
}

fn push(world: &mut World, client: &Client, operation: &Operation, header: &ChangeHeader) -> Pushed {
    let id = DocumentId::Chapter(world.session, 1);
    world.write(|hub| hub.push(client.viewer, client.device, id, 1, operation, header).unwrap())
}

/// Refused with this code, and the log is as long as before.
fn refused(world: &mut World, client: &Client, operation: &Operation, header: &ChangeHeader, code: RefusalCode) {
    let before = world.log.position(Audience::Household).unwrap();
    match push(world, client, operation, header) {
        Pushed::Refused(found, _) => assert_eq!(found, code),
        Pushed::Accepted => panic!("accepted, expected {code:?}"),
    }
    assert_eq!(world.log.position(Audience::Household).unwrap(), before);
}

#[test]
fn a_repeated_push_is_accepted_again_and_changes_nothing() {
    let (mut world, mut client) = world();
    let operation = message(1, "salut");
    let header = client.make(&operation);
    assert_eq!(push(&mut world, &client, &operation, &header), Pushed::Accepted);
    let after = world.log.position(Audience::Household).unwrap();
    assert_eq!(push(&mut world, &client, &operation, &header), Pushed::Accepted);
    assert_eq!(world.log.position(Audience::Household).unwrap(), after);
    assert_eq!(world.log.messages().count(), 1);
}

#[test]
fn a_forged_history_is_refused() {
    let (mut world, mut client) = world();
    let operation = message(1, "salut");
    let good = client.make(&operation);
    type Forge = fn(&mut ChangeHeader);
    let forgeries: [(RefusalCode, Forge); 9] = [
        (RefusalCode::Rebase, |header| header.deps[0].0[0] ^= 1),
        (RefusalCode::Rebase, |header| header.start_op += 1),
        (RefusalCode::Rebase, |header| header.start_op -= 1),
        (RefusalCode::Invalid, |header| header.start_op = u64::from(u32::MAX) + 1),
        (RefusalCode::Rebase, |header| header.seq = 2),
        (RefusalCode::Invalid, |header| header.seq = 0),
        (RefusalCode::Invalid, |header| header.deps.clear()),
        (RefusalCode::Invalid, |header| header.deps.push(header.deps[0])),
        (RefusalCode::Forbidden, |header| header.actor = ActorId(*b"kinstead-genesis")),
    ];
    for (code, forge) in forgeries {
        let mut header = good.clone();
        forge(&mut header);
        refused(&mut world, &client, &operation, &header, code);
    }
    assert_eq!(push(&mut world, &client, &operation, &good), Pushed::Accepted);
}

#[test]
fn another_devices_actor_is_refused() {
    let (mut world, mut client) = world();
    let first = message(1, "salut");
    let header = client.make(&first);
    assert_eq!(push(&mut world, &client, &first, &header), Pushed::Accepted);
    let second = message(2, "encore");
    let header = client.make(&second);
    client.device = world.devices[2].id;
    client.viewer = world.devices[2].viewer;
    refused(&mut world, &client, &second, &header, RefusalCode::Forbidden);
}

#[test]
fn a_change_that_does_not_descend_from_the_actors_last_is_refused() {
    let (mut world, mut client) = world();
    let first = message(1, "one");
    let header = client.make(&first);
    let genesis = header.deps.clone();
    assert_eq!(push(&mut world, &client, &first, &header), Pushed::Accepted);
    // Sequence 2, but built on the genesis as if there had been no 1.
    let second = message(2, "two");
    let mut header = client.make(&second);
    header.deps = genesis;
    header.start_op = 4;
    refused(&mut world, &client, &second, &header, RefusalCode::Rebase);
}

#[test]
fn sizes_and_empty_words_are_refused() {
    let (mut world, mut client) = world();
    for (text, code) in [("  \n".to_owned(), RefusalCode::Invalid), ("x".repeat(64 * 1024 + 1), RefusalCode::TooLarge)]
    {
        let operation = message(1, &text);
        let header = client.chapter.clone().perform(client.viewer.member, &operation, ActorId([5; 16]), T0).unwrap().1;
        refused(&mut world, &client, &operation, &header, code);
    }
    let most = message(3, &"x".repeat(64 * 1024));
    let header = client.make(&most);
    assert_eq!(push(&mut world, &client, &most, &header), Pushed::Accepted);
}

#[test]
fn a_taken_id_is_refused_and_an_own_repeat_is_told_apart() {
    let (mut world, mut client) = world();
    let first = message(1, "mine");
    let header = client.make(&first);
    assert_eq!(push(&mut world, &client, &first, &header), Pushed::Accepted);
    let mut again = Document::new(DocumentKind::Chapter).unwrap();
    for (text, code) in [("mine", RefusalCode::DuplicateId), ("other words", RefusalCode::Invalid)] {
        let operation = message(1, text);
        let header = again.perform(client.viewer.member, &operation, ActorId([6; 16]), T0.plus_ms(5)).unwrap().1;
        refused(&mut world, &client, &operation, &header, code);
    }
}

#[test]
fn absent_and_foreign_documents_look_the_same() {
    let (mut world, client) = world();
    let tom = world.devices[2].viewer;
    let operation = Operation::SetRead { session: world.session, seq: 3 };
    let mut mine = Document::new(DocumentKind::Me).unwrap();
    let header = mine.perform(client.viewer.member, &operation, ActorId([5; 16]), T0).unwrap().1;
    let nobody = MemberId::new(T0, [99; 10]);
    let outcomes = [tom.member, nobody].map(|owner| {
        world
            .write(|hub| hub.push(client.viewer, client.device, DocumentId::Me(owner), 1, &operation, &header).unwrap())
    });
    assert_eq!(outcomes[0], outcomes[1]);
    assert!(matches!(outcomes[0], Pushed::Refused(RefusalCode::NotFound, _)));
}

#[test]
fn operations_stay_in_their_documents() {
    let (mut world, mut client) = world();
    let words = message(1, "salut");
    let header = client.make(&words);
    let read = Operation::SetRead { session: SessionId::new(T0, [1; 10]), seq: 1 };
    let documents = [DocumentId::Home, DocumentId::Kin(world.kin), DocumentId::Me(client.viewer.member)];
    for document in documents {
        let pushed = world.write(|hub| hub.push(client.viewer, client.device, document, 1, &words, &header).unwrap());
        assert!(matches!(pushed, Pushed::Refused(RefusalCode::Forbidden, _)), "{document}");
    }
    refused(&mut world, &client, &read, &header, RefusalCode::Forbidden);
}

/// A second chapter's copy, to make changes that follow from the log.
fn caught_up(world: &mut World, client: &mut Client) {
    let changes = world.log.changes(DocumentId::Chapter(world.session, 1), 1).unwrap();
    client.chapter.apply(changes.iter().map(Vec::as_slice)).unwrap();
}

#[test]
fn reactions_are_one_emoji_to_a_message_of_the_session() {
    let (mut world, mut client) = world();
    let first = message(1, "salut");
    let header = client.make(&first);
    assert_eq!(push(&mut world, &client, &first, &header), Pushed::Accepted);
    caught_up(&mut world, &mut client);
    let react = |n: u8, emoji: &str| Operation::React { message: MessageId::new(T0, [n; 10]), emoji: emoji.into() };
    for operation in [react(1, "lol"), react(1, "👍👍"), react(1, "<b>"), react(2, "👍")] {
        let header = client.chapter.clone().perform(client.viewer.member, &operation, ActorId([5; 16]), T0).unwrap().1;
        refused(&mut world, &client, &operation, &header, RefusalCode::Invalid);
    }
    for (emoji, kept) in [("👍", vec!["👍"]), ("❤️", vec!["❤️"]), ("", vec![])] {
        let operation = react(1, emoji);
        let header = client.make(&operation);
        assert_eq!(push(&mut world, &client, &operation, &header), Pushed::Accepted);
        let rows: Vec<_> = world.log.reactions().map(|(_, member, emoji)| (member, emoji)).collect();
        let kept: Vec<_> = kept.into_iter().map(|emoji| (client.viewer.member, emoji)).collect();
        assert_eq!(rows, kept);
    }
    assert_eq!(world.log.messages().count(), 1, "a reaction is no message");
}

#[test]
fn what_is_quoted_is_in_the_same_session() {
    let (mut world, mut client) = world();
    let first = message(1, "salut");
    let header = client.make(&first);
    assert_eq!(push(&mut world, &client, &first, &header), Pushed::Accepted);
    let quoting = |quoted: u8| Operation::AddMessage {
        message: MessageId::new(T0, [2; 10]),
        text: "that one".into(),
        sent_at: T0,
        reply_to: Some(MessageId::new(T0, [quoted; 10])),
    };
    let stray = quoting(9);
    let header = client.chapter.clone().perform(client.viewer.member, &stray, ActorId([5; 16]), T0).unwrap().1;
    refused(&mut world, &client, &stray, &header, RefusalCode::Invalid);
    let good = quoting(1);
    let header = client.make(&good);
    assert_eq!(push(&mut world, &client, &good, &header), Pushed::Accepted);
    let row = world.log.messages().find(|row| row.text == "that one").unwrap();
    assert_eq!(row.reply_to, Some(MessageId::new(T0, [1; 10])));
}

#[test]
fn drafts_and_pins_are_bounded_and_ones_own() {
    let (mut world, client) = world();
    let (ada, tom) = (client.viewer, world.devices[2].viewer);
    let session = world.session;
    let draft = |size: usize| Operation::SetDraft { session, text: "x".repeat(size), at: T0, reply_to: None };
    let pin = |size: usize| Operation::SetPin {
        session,
        message: MessageId::new(T0, [1; 10]),
        excerpt: Some("x".repeat(size)),
    };
    let changes = world.log.changes(DocumentId::Me(ada.member), 1).unwrap();
    let mut mine = Document::open(DocumentKind::Me, changes.iter().map(Vec::as_slice)).unwrap();
    let mut push = |who: Viewer, operation: &Operation| {
        let header = mine.clone().perform(ada.member, operation, ActorId([5; 16]), T0).unwrap().1;
        let pushed =
            world.write(|hub| hub.push(who, client.device, DocumentId::Me(ada.member), 1, operation, &header).unwrap());
        if pushed == Pushed::Accepted {
            mine.perform(ada.member, operation, ActorId([5; 16]), T0).unwrap();
        }
        pushed
    };
    for large in [draft(16 * 1024 + 1), pin(513)] {
        assert!(matches!(push(ada, &large), Pushed::Refused(RefusalCode::TooLarge, _)));
    }
    assert!(matches!(push(tom, &draft(1)), Pushed::Refused(RefusalCode::NotFound, _)));
    assert_eq!(push(ada, &draft(16 * 1024)), Pushed::Accepted);
    assert_eq!(push(ada, &pin(512)), Pushed::Accepted);
}

#[test]
fn what_was_said_before_a_member_came_is_read() {
    let (mut world, mut client) = world();
    let first = message(1, "salut");
    let header = client.make(&first);
    assert_eq!(push(&mut world, &client, &first, &header), Pushed::Accepted);
    let ines = MemberId::new(T0, [77; 10]);
    let profile = MemberProfile {
        id: ines,
        nickname: "Inès".into(),
        avatar: String::new(),
        role: Role::Member,
        standing: Standing::Active,
    };
    for _ in 0..2 {
        world.write(|hub| hub.put_member(&profile).unwrap());
    }
    let changes = world.log.changes(DocumentId::Me(ines), 1).unwrap();
    let mine = Document::open(DocumentKind::Me, changes.iter().map(Vec::as_slice)).unwrap();
    assert_eq!(mine.read_up_to(world.session), 1);
    assert_eq!(changes.len(), 2, "the beginning and one change");
}

#[test]
fn the_author_is_the_connections_member_whatever_the_change_says() {
    let (mut world, mut client) = world();
    // Made in Tom's name, pushed by Ada: the server writes the words itself, as Ada's.
    let operation = message(1, "not mine");
    let tom = world.devices[2].viewer.member;
    let header = client.chapter.perform(tom, &operation, ActorId([5; 16]), T0).unwrap().1;
    let pushed = push(&mut world, &client, &operation, &header);
    assert!(matches!(pushed, Pushed::Refused(RefusalCode::HashMismatch, _)));
    let row = world.log.messages().next().unwrap().clone();
    assert_eq!(row.author, Author::Member(client.viewer.member));
}
