use super::rows::{chunk_prefix, document_row, meta_row, outbox_row};
use super::*;
use crate::document::Document;
use crate::view::RefusedView;
use shared::frame::RefusalCode;
use shared::profile::KinProfile;
use shared::{ActorId, DocumentKind, KinId, MessageId};

const T0: UnixMillis = UnixMillis(1_764_500_000_000);

fn home_with_a_kin_in(session: SessionId) -> Vec<u8> {
    let mut home = Document::new(DocumentKind::Home).expect("the genesis opens");
    let kin = KinProfile {
        id: KinId::new(T0, [1; 10]),
        name: "Basile".into(),
        role: "cook".into(),
        avatar: "basile".into(),
        hue: "pear".into(),
        session,
        model: None,
        position: 0,
        archived: false,
    };
    home.put_kin(&kin).expect("a Kin fits into the home");
    home.save()
}

fn row(me: MemberId, session: SessionId, message: MessageId, refused: Option<RefusalCode>) -> OutboxRow {
    let operation = Operation::AddMessage { message, text: "are you there?".into(), sent_at: T0, reply_to: None };
    let mut chapter = Document::new(DocumentKind::Chapter).expect("the genesis opens");
    let (_, header) = chapter.perform(me, &operation, ActorId([5; 16]), T0).expect("a message fits into a chapter");
    let document = DocumentId::Chapter(session, 1);
    OutboxRow {
        document,
        generation: 1,
        operation,
        header,
        refused,
        remakes: 0,
        durable: false,
        sent: false,
        stale: false,
        unknown: false,
    }
}

fn last_sync(outputs: &[Output]) -> Option<&SyncView> {
    outputs
        .iter()
        .rev()
        .find_map(|output| if let Output::Event(Event::Sync(sync)) = output { Some(sync) } else { None })
}

#[test]
fn a_refused_message_whose_kin_is_gone_is_told_until_it_is_discarded() {
    let me = MemberId::new(T0, [2; 10]);
    let (here, gone) = (SessionId::new(T0, [3; 10]), SessionId::new(T0, [4; 10]));
    let [of_a_kin, stranded, unsent] = [5, 6, 7].map(|n| MessageId::new(T0, [n; 10]));
    let home = DocumentRow { audience: Audience::Household, generation: 1, words: 0 };
    let rows = vec![
        document_row(DocumentId::Home, &home),
        meta_row((EpochId::new(T0, [8; 10]), me, DeviceId::new(T0, [9; 10]))),
        outbox_row(1, &row(me, here, of_a_kin, Some(RefusalCode::TooLarge))),
        outbox_row(2, &row(me, gone, stranded, Some(RefusalCode::NotFound))),
        outbox_row(3, &row(me, gone, unsent, None)),
    ];
    let mut replica = Replica::new(Box::new(|bytes| bytes.fill(7)));

    // Before the Kins are known no message counts as stranded.
    let outputs = replica.step(T0, Input::Opened { rows });
    let sync = last_sync(&outputs).expect("the state is told");
    assert_eq!((sync.unsent, sync.refused, sync.stranded.as_slice()), (1, 2, [].as_slice()));

    let prefix = chunk_prefix(DocumentId::Home);
    let rows = vec![(format!("{prefix}1"), home_with_a_kin_in(here))];
    let outputs = replica.step(T0, Input::Loaded { prefix, rows });
    let sync = last_sync(&outputs).expect("the state is told again");
    let view = RefusedView { message: stranded, text: "are you there?".into(), code: RefusalCode::NotFound };
    assert_eq!((sync.refused, sync.stranded.as_slice()), (2, [view].as_slice()));

    let outputs = replica.step(T0, Input::Request(Request::Discard { message: stranded }));
    let sync = last_sync(&outputs).expect("the state is told again");
    assert_eq!((sync.refused, sync.stranded.as_slice()), (1, [].as_slice()));
    let delete = Write::Delete { key: rows::outbox_key(2) };
    assert!(outputs.iter().any(|output| matches!(output, Output::Store { batch, .. } if batch.contains(&delete))));
}

#[test]
fn what_waits_to_be_sent_is_in_its_thread_when_the_app_opens_without_a_network() {
    let me = MemberId::new(T0, [2; 10]);
    let session = SessionId::new(T0, [3; 10]);
    let waiting = MessageId::new(T0, [5; 10]);
    let chapter = DocumentId::Chapter(session, 1);
    let rows = vec![
        document_row(chapter, &DocumentRow { audience: Audience::Household, generation: 1, words: 0 }),
        meta_row((EpochId::new(T0, [8; 10]), me, DeviceId::new(T0, [9; 10]))),
        outbox_row(1, &row(me, session, waiting, None)),
    ];
    let mut replica = Replica::new(Box::new(|bytes| bytes.fill(7)));
    replica.step(T0, Input::Opened { rows });
    replica.step(T0, Input::Request(Request::OpenThread { session }));
    let prefix = chunk_prefix(chapter);
    let stored = Document::new(DocumentKind::Chapter).expect("the genesis opens").save();
    let outputs =
        replica.step(T0, Input::Loaded { prefix: prefix.clone(), rows: vec![(format!("{prefix}1"), stored)] });
    let thread = outputs
        .iter()
        .rev()
        .find_map(|output| if let Output::Event(Event::Thread(thread)) = output { Some(thread) } else { None });
    let shown: Vec<_> = thread.expect("the thread is told").messages.iter().map(|message| message.id).collect();
    assert_eq!(shown, [waiting]);
}
