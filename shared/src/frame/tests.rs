use super::*;
use crate::operation::ActorId;
use proptest::prelude::*;

fn push() -> ClientFrame {
    let now = UnixMillis(1_764_500_000_000);
    ClientFrame::Push {
        document: DocumentId::Chapter(SessionId::new(now, [1; 10]), 1),
        generation: 1,
        operation: Operation::AddMessage {
            message: MessageId::new(now, [2; 10]),
            text: "salut".into(),
            sent_at: now,
            reply_to: None,
        },
        header: ChangeHeader {
            actor: ActorId([3; 16]),
            seq: 1,
            start_op: 9,
            deps: vec![ChangeHash([4; 32])],
            time: now,
            hash: ChangeHash([5; 32]),
        },
    }
}

#[test]
fn a_push_round_trips_and_costs_little_more_than_its_text() {
    let bytes = encode(&push());
    assert_eq!(decode::<ClientFrame>(&bytes), Ok(push()));
    assert!(bytes.len() < 400, "{} bytes", bytes.len());
}

#[test]
fn a_delta_keeps_its_bytes_as_bytes() {
    let frame = ServerFrame::Delta {
        audience: Audience::Household,
        from: 1,
        to: 2,
        document: DocumentId::Home,
        generation: 1,
        changes: vec![ByteBuf::from(vec![200; 1000])],
    };
    let bytes = encode(&frame);
    assert!(bytes.len() < 1100);
    assert_eq!(decode::<ServerFrame>(&bytes), Ok(frame));
}

#[test]
fn bombs_and_leftovers_are_malformed() {
    let mut leftover = encode(&ClientFrame::Ping);
    leftover.push(0);
    assert_eq!(decode::<ClientFrame>(&leftover), Err(FrameError::Malformed));
    // Arrays nested 100,000 deep; an array that claims 2^60 items; a text that claims 4 GB.
    assert_eq!(decode::<ClientFrame>(&[0x81; 100_000]), Err(FrameError::Malformed));
    assert_eq!(decode::<ClientFrame>(&[0x9b, 0x10, 0, 0, 0, 0, 0, 0, 0]), Err(FrameError::Malformed));
    assert_eq!(decode::<ClientFrame>(&[0x7a, 0xff, 0xff, 0xff, 0xff, b'a']), Err(FrameError::Malformed));
    assert_eq!(decode::<ClientFrame>(&vec![0; MAX_FRAME_BYTES + 1]), Err(FrameError::TooLarge(MAX_FRAME_BYTES + 1)));
}

fn frames() -> Vec<ServerFrame> {
    let (now, random) = (UnixMillis(1_764_500_000_000), [7; 10]);
    let (session, turn) = (SessionId::new(now, random), TurnId::new(now, random));
    let (message, member) = (MessageId::new(now, random), MemberId::new(now, random));
    let (hash, document) = (ChangeHash([255; 32]), DocumentId::Me(member));
    let id = CommandId::new(now, random);
    let audience = Audience::Member(member);
    let retrying = Failure {
        kind: crate::FailureKind::Overloaded,
        detail: "é".repeat(5000),
        retry_at: Some(UnixMillis(i64::MIN)),
    };
    let running = RunningTurn { turn, answers: message, retrying: Some(retrying) };
    vec![
        ServerFrame::Welcome {
            epoch: EpochId::new(now, random),
            now,
            member,
            device: DeviceId::new(now, random),
            fresh: vec![audience, Audience::Household],
        },
        ServerFrame::Snapshot {
            document,
            generation: u32::MAX,
            audience,
            position: u64::MAX,
            more: true,
            bytes: ByteBuf::from(vec![1; 70_000]),
        },
        ServerFrame::CaughtUp { positions: (0..30).map(|at| Position { audience, at: at * at * at }).collect() },
        ServerFrame::Gone { document: DocumentId::Chapter(session, 24) },
        ServerFrame::Accepted { hash },
        ServerFrame::Refused { hash, code: RefusalCode::HashMismatch, detail: String::new() },
        ServerFrame::Live {
            session,
            turn,
            kin: KinId::new(now, random),
            answers: message,
            attempt: 255,
            offset: 65_536,
            text: "salut".into(),
        },
        ServerFrame::LiveEnd { session, turn },
        ServerFrame::Queue { session, running: Some(running), waiting: vec![message; 3] },
        ServerFrame::Queue { session, running: None, waiting: vec![] },
        ServerFrame::Done { id },
        ServerFrame::CommandRefused { id, code: "gone".into(), detail: "…".into() },
        ServerFrame::Closing { code: CloseCode::GoingAway },
        ServerFrame::Pong,
    ]
}

#[test]
fn every_server_frame_round_trips_and_no_shortened_one_does() {
    for frame in frames() {
        let bytes = encode(&frame);
        assert_eq!(decode::<ServerFrame>(&bytes).as_ref(), Ok(&frame));
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(decode::<ServerFrame>(&bytes[..cut]), Err(FrameError::Malformed));
        }
    }
}

#[test]
fn fields_of_a_later_version_are_passed_over() {
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Later {
        Gone { added: (Vec<(u8, Option<bool>)>, String), document: DocumentId, also: Position, minus: i64 },
    }
    let audience = Audience::Household;
    let frame = Later::Gone {
        added: (vec![(1, None), (200, Some(true))], "x".into()),
        document: DocumentId::Home,
        also: Position { audience, at: 1 },
        minus: -70_000,
    };
    assert_eq!(decode::<ServerFrame>(&encode(&frame)), Ok(ServerFrame::Gone { document: DocumentId::Home }));
}

#[test]
fn numbers_of_every_length_and_sign_round_trip() {
    let numbers = [0, 1, 23, 24, 255, 256, 65_535, 65_536, u32::MAX.into(), i64::from(u32::MAX) + 1, i64::MAX];
    for number in numbers.into_iter().flat_map(|number| [number, -1 - number]) {
        assert_eq!(decode::<i64>(&encode(&number)), Ok(number));
    }
    assert_eq!(decode::<u64>(&encode(&u64::MAX)), Ok(u64::MAX));
    assert_eq!(decode::<u8>(&encode(&256)), Err(FrameError::Malformed));
    assert_eq!(decode::<u64>(&encode(&-1)), Err(FrameError::Malformed));
    // -2^64
    assert_eq!(decode::<i64>(&[0x3b, 255, 255, 255, 255, 255, 255, 255, 255]), Err(FrameError::Malformed));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode::<ClientFrame>(&bytes);
    }

    #[test]
    fn damaged_frames_never_panic(at in 0_usize..200, value: u8) {
        let mut bytes = encode(&push());
        let at = at % bytes.len();
        bytes[at] = value;
        let _ = decode::<ClientFrame>(&bytes);
    }
}
