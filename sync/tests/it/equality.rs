//! The server rebuilds the very change a client made: same hash, for every kind of operation, in any history.

use proptest::prelude::*;
use shared::operation::{PreferenceKey, Splice};
use shared::{
    ActorId, Author, ChangeHash, DocumentKind, MemberId, MessageId, MessageState, Operation, SessionId, TextField,
    TurnId, UnixMillis,
};
use sync::document::Document;
use sync::template::{self, AnswerFields, MessageFields, OpName, Place, ServerFields};
use sync::view::{Draft, Pin};

const T0: UnixMillis = UnixMillis(1_764_500_000_000);

fn me() -> MemberId {
    MemberId::new(T0, [1; 10])
}

fn any_operation(kind: DocumentKind) -> BoxedStrategy<Operation> {
    match kind {
        DocumentKind::Chapter => {
            let quoted = proptest::option::of((0_u8..3).prop_map(|n| MessageId::new(T0, [n; 10])));
            let message = (".{1,200}", any::<u32>(), quoted).prop_map(|(text, at, reply_to)| Operation::AddMessage {
                message: MessageId::new(T0, [0; 10]),
                text,
                sent_at: UnixMillis(i64::from(at)),
                reply_to,
            });
            let emoji = prop_oneof![Just(""), Just("👍"), Just("👩‍🍳")];
            let react = (0_u8..3, emoji)
                .prop_map(|(n, emoji)| Operation::React { message: MessageId::new(T0, [n; 10]), emoji: emoji.into() });
            prop_oneof![2 => message, 1 => react].boxed()
        }
        DocumentKind::Kin => {
            let splice =
                (0_u32..40, 0_u32..10, "[a-zé🏠]{0,12}").prop_map(|(at, delete, insert)| Splice { at, delete, insert });
            let field = prop_oneof![Just(TextField::Character), Just(TextField::Expertise)];
            (field, proptest::collection::vec(splice, 1..4))
                .prop_map(|(field, splices)| Operation::EditText { field, splices })
                .boxed()
        }
        DocumentKind::Me => prop_oneof![
            (0_u8..3, any::<u32>()).prop_map(|(session, seq)| Operation::SetRead {
                session: SessionId::new(T0, [session; 10]),
                seq: seq.into()
            }),
            prop_oneof![Just("light"), Just("dark"), Just("system")]
                .prop_map(|value| Operation::SetPreference { key: PreferenceKey::Theme, value: value.into() }),
            (0_u8..3, ".{0,40}", proptest::option::of(0_u8..3)).prop_map(|(session, text, quoted)| {
                Operation::SetDraft {
                    session: SessionId::new(T0, [session; 10]),
                    text,
                    at: T0,
                    reply_to: quoted.map(|n| MessageId::new(T0, [n; 10])),
                }
            }),
            (0_u8..3, proptest::option::of(".{0,20}")).prop_map(|(n, excerpt)| Operation::SetPin {
                session: SessionId::new(T0, [7; 10]),
                message: MessageId::new(T0, [n; 10]),
                excerpt,
            }),
        ]
        .boxed(),
        DocumentKind::Home => unreachable!("no client writes home"),
    }
}

/// Two devices write, sometimes merging; after each change a server that holds everything rebuilds it from the header.
fn check(kind: DocumentKind, steps: Vec<(bool, bool, Operation)>) -> Result<(), TestCaseError> {
    let mut devices = [Document::new(kind).unwrap(), Document::new(kind).unwrap()];
    let actors = [ActorId([7; 16]), ActorId([8; 16])];
    let mut server = Document::new(kind).unwrap();
    let mut made: Vec<Vec<u8>> = Vec::new();
    for ((who, merge, mut operation), number) in steps.into_iter().zip(0_u8..) {
        let at = usize::from(who);
        // Ids are fresh by contract; the gate refuses a taken one.
        if let Operation::AddMessage { message, .. } = &mut operation {
            *message = MessageId::new(T0, [number; 10]);
        }
        if merge {
            devices[at].apply(made.iter().map(Vec::as_slice)).unwrap();
        }
        let Ok((change, header)) = devices[at].perform(me(), &operation, actors[at], T0) else { continue };
        let rebuilt = server.rebuild(me(), &operation, &header).unwrap();
        prop_assert_eq!(template::hash_of(&rebuilt), header.hash);
        if let Operation::AddMessage { message, text, sent_at, reply_to } = &operation {
            let place = Place {
                actor: header.actor,
                seq: header.seq,
                start_op: header.start_op,
                deps: header.deps.clone(),
                time: header.time,
            };
            let (author, sent_at, reply_to) = (Author::Member(me()), *sent_at, *reply_to);
            let fields = MessageFields { author, text, sent_at, reply_to, server: None };
            let built = template::add_message(&place, *message, &fields);
            prop_assert_eq!(template::hash_of(&built), header.hash);
            prop_assert_eq!(built.raw_bytes(), change.raw_bytes());
        }
        server.apply([change.raw_bytes()]).unwrap();
        made.push(change.raw_bytes().to_vec());
    }
    for device in &mut devices {
        device.apply(made.iter().map(Vec::as_slice)).unwrap();
        prop_assert_eq!(device.heads(), server.heads());
    }
    Ok(())
}

fn steps(kind: DocumentKind) -> impl Strategy<Value = Vec<(bool, bool, Operation)>> {
    proptest::collection::vec((any::<bool>(), any::<bool>(), any_operation(kind)), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn messages_are_rebuilt_with_the_same_hash(steps in steps(DocumentKind::Chapter)) {
        check(DocumentKind::Chapter, steps)?;
    }

    #[test]
    fn text_edits_are_rebuilt_with_the_same_hash(steps in steps(DocumentKind::Kin)) {
        check(DocumentKind::Kin, steps)?;
    }

    #[test]
    fn markers_and_preferences_are_rebuilt_with_the_same_hash(steps in steps(DocumentKind::Me)) {
        check(DocumentKind::Me, steps)?;
    }
}

/// What the server writes without a document reads back as what was meant.
#[test]
fn server_templates_read_back() {
    let mut chapter = Document::new(DocumentKind::Chapter).unwrap();
    let actor = ActorId([9; 16]);
    let id = MessageId::new(T0, [2; 10]);
    let mut place = Place { actor, seq: 1, start_op: 4, deps: chapter.heads(), time: T0 };
    let answers = MessageId::new(T0, [3; 10]);
    let turn = TurnId::new(T0, [4; 10]);
    let failure = shared::Failure {
        detail: "slow down".into(),
        retry_at: Some(T0),
        ..shared::Failure::of(shared::FailureKind::RateLimited)
    };
    let fields = MessageFields {
        author: Author::Kin(shared::KinId::new(T0, [5; 10])),
        text: "**hello**",
        sent_at: T0,
        reply_to: None,
        server: Some(ServerFields {
            seq: 12,
            answer: Some(AnswerFields { answers, turn, state: MessageState::Failed, failure: Some(&failure) }),
        }),
    };
    let added = template::add_message(&place, id, &fields);
    chapter.apply([added.raw_bytes()]).unwrap();
    let message = chapter.message(id).unwrap();
    assert_eq!((message.seq, message.state, message.failure), (Some(12), MessageState::Failed, Some(failure)));
    assert_eq!((message.answers, message.turn, message.text.as_str()), (Some(answers), Some(turn), "**hello**"));

    place = Place { seq: 2, start_op: added.max_op() + 1, deps: chapter.heads(), ..place };
    let object = OpName { counter: 4, actor };
    let state_op = OpName { counter: 4 + 7, actor };
    let superseded = template::set_state(&place, object, MessageState::Superseded, Some(state_op));
    chapter.apply([superseded.raw_bytes()]).unwrap();
    assert_eq!(chapter.message(id).unwrap().state, MessageState::Superseded);
}

/// Drafts and pins share a map with the preferences; each reads back as what was put in, and apart from the others.
#[test]
fn the_members_own_settings_read_back() {
    let mut mine = Document::new(DocumentKind::Me).unwrap();
    let (here, there) = (SessionId::new(T0, [2; 10]), SessionId::new(T0, [3; 10]));
    let [old, new] = [1, 2].map(|n| MessageId::new(T0.plus_ms(n.into()), [n; 10]));
    let pin = |session, message, excerpt: Option<&str>| Operation::SetPin {
        session,
        message,
        excerpt: excerpt.map(str::to_owned),
    };
    for operation in [
        Operation::SetPreference { key: PreferenceKey::Theme, value: "dark".into() },
        Operation::SetDraft { session: here, text: "one\ntwo".into(), at: T0, reply_to: Some(old) },
        pin(here, new, Some("new\nline")),
        pin(here, old, Some("")),
        pin(there, MessageId::new(T0, [9; 10]), Some("elsewhere")),
    ] {
        mine.perform(me(), &operation, ActorId([6; 16]), T0).unwrap();
    }
    assert_eq!(mine.draft(here), Draft { text: "one\ntwo".into(), reply_to: Some(old) });
    assert_eq!(mine.draft(there), Draft::default());
    let pinned = |message, excerpt: &str| Pin { message, excerpt: excerpt.into() };
    assert_eq!(mine.pins(here), [pinned(old, ""), pinned(new, "new\nline")]);
    mine.perform(me(), &pin(here, old, None), ActorId([6; 16]), T0).unwrap();
    assert_eq!(mine.pins(here), [pinned(new, "new\nline")]);
    assert_eq!(mine.preference(PreferenceKey::Theme).as_deref(), Some("dark"));
}

/// Two devices write at the same time: whoever wrote last stands, whatever their actors are.
#[test]
fn the_newest_of_two_drafts_stands() {
    let session = SessionId::new(T0, [2; 10]);
    let draft = |text: &str, after: i64| Operation::SetDraft {
        session,
        text: text.into(),
        at: T0.plus_ms(after),
        reply_to: None,
    };
    for (low, high) in [("newer", "older"), ("older", "newer")] {
        let mut one = Document::new(DocumentKind::Me).unwrap();
        let mut two = one.clone();
        let after = |text: &str| i64::from(text == "newer");
        let (first, _) = one.perform(me(), &draft(low, after(low)), ActorId([1; 16]), T0).unwrap();
        let (second, _) = two.perform(me(), &draft(high, after(high)), ActorId([9; 16]), T0).unwrap();
        one.apply([second.raw_bytes()]).unwrap();
        two.apply([first.raw_bytes()]).unwrap();
        assert_eq!(one.draft(session).text, "newer");
        assert_eq!(two.draft(session).text, "newer");
    }
}

/// Golden vectors: what these inputs hash to, for ever. A library that encodes otherwise splits old replicas from new.
#[test]
fn golden_hashes_hold() {
    let mut chapter = Document::new(DocumentKind::Chapter).unwrap();
    let (first, second) = (MessageId::new(T0, [1; 10]), MessageId::new(T0, [3; 10]));
    let message = Operation::AddMessage { message: first, text: "Salut, ça va ?".into(), sent_at: T0, reply_to: None };
    let reply = Operation::AddMessage { message: second, text: "Oui".into(), sent_at: T0, reply_to: Some(first) };
    let react = Operation::React { message: first, emoji: "👍".into() };
    let mut kin = Document::new(DocumentKind::Kin).unwrap();
    let edit = Operation::EditText {
        field: TextField::Character,
        splices: vec![
            Splice { at: 0, delete: 0, insert: "Douce 🏠".into() },
            Splice { at: 1, delete: 2, insert: "é".into() },
        ],
    };
    let mut mine = Document::new(DocumentKind::Me).unwrap();
    let read = Operation::SetRead { session: SessionId::new(T0, [2; 10]), seq: 41 };
    let theme = Operation::SetPreference { key: PreferenceKey::Theme, value: "dark".into() };
    let session = SessionId::new(T0, [2; 10]);
    let draft = Operation::SetDraft { session, text: "À ce soir\n".into(), at: T0, reply_to: Some(second) };
    let pin = Operation::SetPin { session, message: first, excerpt: Some("Salut".into()) };
    let actor = ActorId([6; 16]);
    let hashes: Vec<ChangeHash> = [
        chapter.perform(me(), &message, actor, T0),
        kin.perform(me(), &edit, actor, T0),
        mine.perform(me(), &read, actor, T0),
        mine.perform(me(), &theme, actor, T0),
        chapter.perform(me(), &reply, actor, T0),
        chapter.perform(me(), &react, actor, T0),
        mine.perform(me(), &draft, actor, T0),
        mine.perform(me(), &pin, actor, T0),
    ]
    .into_iter()
    .map(|made| made.unwrap().1.hash)
    .collect();
    let hashes: Vec<String> = hashes.iter().map(|hash| format!("{hash:?}")).collect();
    let golden: Vec<&str> = include_str!("golden_hashes.txt").lines().collect();
    assert_eq!(hashes, golden);
}
