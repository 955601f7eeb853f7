//! The log store's contract: what the hub does looks the same in memory and in SQLite.

use crate::support::House;
use proptest::prelude::*;
use server::hub::{HubError, SqliteLog};
use shared::operation::Splice;
use shared::{
    ActorId, Audience, DeviceId, DocumentId, DocumentKind, KinId, MemberId, MessageId, MessageState, Operation, Role,
    SessionId, TextField, TurnId, UnixMillis, Viewer,
};
use sync::document::Document;
use sync::hub::{Answer, Hub, Known, NewMessage, catch_up};
use sync::log::{LogStore, SessionState};
use sync::memory::MemoryLog;

const T0: UnixMillis = UnixMillis(1_764_500_000_000);

#[derive(Debug, Clone)]
enum Step {
    Push(u8, u16),
    Repeat,
    Rest(u8),
    Answer(u8),
    Supersede,
    Edit(u8),
    Reply(u8, u8),
    React(u8, bool),
    /// The member pins a message, and then it is redacted.
    Redact(u8),
    /// A document begins a new generation: the Kin's, the member's, the open chapter or the first.
    Rewrite(u8),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0_u8..200, prop_oneof![Just(20_u16), Just(40_000)]).prop_map(|(id, size)| Step::Push(id, size)),
        Just(Step::Repeat),
        (0_u8..200).prop_map(Step::Rest),
        (0_u8..200).prop_map(Step::Answer),
        Just(Step::Supersede),
        (0_u8..26).prop_map(Step::Edit),
        (0_u8..200, 0_u8..200).prop_map(|(id, quoted)| Step::Reply(id, quoted)),
        (0_u8..200, any::<bool>()).prop_map(|(id, on)| Step::React(id, on)),
        (0_u8..200).prop_map(Step::Redact),
        (0_u8..4).prop_map(Step::Rewrite),
    ]
}

/// A document as the log has it, and its generation.
fn opened<S: LogStore>(hub: &mut Hub<'_, S>, id: DocumentId) -> (Document, u32)
where
    S::Error: std::fmt::Debug,
{
    let generation = hub.store().document(id).unwrap().unwrap().generation;
    let changes = hub.store().changes(id, generation).unwrap();
    (Document::open(id.kind(), changes.iter().map(Vec::as_slice)).unwrap(), generation)
}

/// The members' messages that are there, by the byte their ids are made of.
fn known<S: LogStore>(hub: &mut Hub<'_, S>) -> Vec<u8>
where
    S::Error: std::fmt::Debug,
{
    (0..200).filter(|n| hub.store().message(MessageId::new(T0, [*n; 10])).unwrap().is_some()).collect()
}

struct Script {
    viewer: Viewer,
    device: DeviceId,
    kin: KinId,
    session: SessionId,
}

impl Script {
    fn new() -> Self {
        Self {
            viewer: Viewer { member: MemberId::new(T0, [1; 10]), role: Role::Admin },
            device: DeviceId::new(T0, [2; 10]),
            kin: KinId::new(T0, [3; 10]),
            session: SessionId::new(T0, [4; 10]),
        }
    }

    /// Plays the steps and gives everything that can be read afterwards.
    fn play<S: LogStore>(&self, store: &mut S, steps: &[Step]) -> String
    where
        S::Error: std::fmt::Debug,
    {
        let mut counter = 0_u8;
        let mut random = || {
            counter = counter.wrapping_add(1);
            [counter; 16]
        };
        let mut hub = Hub::new(store, T0, &mut random);
        hub.create_kin(self.kin, self.session, "calm", "soups").unwrap();
        let me = DocumentId::Me(self.viewer.member);
        hub.create(me, Audience::Member(self.viewer.member)).unwrap();
        let (mut client, mut chapter, mut number) = (Document::new(DocumentKind::Chapter).unwrap(), 1, 0_u8);
        let (mut last, mut answers, mut outcomes) = (None, Vec::new(), Vec::new());
        for step in steps {
            number += 1;
            let actor = ActorId([100_u8.wrapping_add(chapter as u8); 16]);
            let open = DocumentId::Chapter(self.session, chapter);
            let generation = hub.store().document(open).unwrap().unwrap().generation;
            match step {
                Step::Push(id, size) => {
                    let text = "x".repeat(usize::from(*size));
                    let message = MessageId::new(T0, [*id; 10]);
                    let operation = Operation::AddMessage { message, text, sent_at: T0, reply_to: None };
                    let header = client.perform(self.viewer.member, &operation, actor, T0).unwrap().1;
                    let document = DocumentId::Chapter(self.session, chapter);
                    let pushed = hub.push(self.viewer, self.device, document, generation, &operation, &header).unwrap();
                    last = Some((document, operation, header));
                    outcomes.push(pushed);
                }
                Step::Reply(..) | Step::React(..) => {
                    let known = known(&mut hub);
                    // Of a message that is there whenever there is one.
                    let about = |n: &u8| known.get(usize::from(*n) % known.len().max(1)).copied().unwrap_or(*n);
                    let operation = match step {
                        Step::Reply(id, quoted) => Operation::AddMessage {
                            message: MessageId::new(T0, [*id; 10]),
                            text: "about that".into(),
                            sent_at: T0,
                            reply_to: Some(MessageId::new(T0, [about(quoted); 10])),
                        },
                        Step::React(id, on) => Operation::React {
                            message: MessageId::new(T0, [about(id); 10]),
                            emoji: if *on { "👍".into() } else { String::new() },
                        },
                        Step::Push(..)
                        | Step::Repeat
                        | Step::Rest(_)
                        | Step::Answer(_)
                        | Step::Supersede
                        | Step::Edit(_)
                        | Step::Redact(_)
                        | Step::Rewrite(_) => unreachable!("the arm takes these two"),
                    };
                    let Ok((_, header)) = client.perform(self.viewer.member, &operation, actor, T0) else { continue };
                    let document = DocumentId::Chapter(self.session, chapter);
                    outcomes
                        .push(hub.push(self.viewer, self.device, document, generation, &operation, &header).unwrap());
                }
                Step::Repeat => {
                    if let Some((document, operation, header)) = &last {
                        outcomes.push(hub.push(self.viewer, self.device, *document, 1, operation, header).unwrap());
                    }
                }
                Step::Rest(id) => {
                    let id = MessageId::new(T0, [*id; 10]);
                    let new = NewMessage { id, text: "by another way", sent_at: T0, reply_to: None };
                    hub.member_message(self.viewer, self.session, &new).unwrap();
                }
                Step::Answer(id) => {
                    let answer = Answer {
                        message: MessageId::new(T0.plus_ms(1), [number; 10]),
                        session: self.session,
                        kin: self.kin,
                        turn: TurnId::new(T0, [number; 10]),
                        answers: MessageId::new(T0, [*id; 10]),
                        text: "an answer".into(),
                        state: MessageState::Failed,
                        failure: Some(shared::Failure::of(shared::FailureKind::Overloaded)),
                        sent_at: T0,
                    };
                    hub.append_answer(&answer).unwrap();
                    answers.push(answer.message);
                }
                Step::Supersede => {
                    if let Some(id) = answers.pop() {
                        hub.set_state(id, MessageState::Superseded).unwrap();
                    }
                }
                Step::Redact(id) => {
                    let known = known(&mut hub);
                    let Some(id) = known.get(usize::from(*id) % known.len().max(1)) else { continue };
                    let message = MessageId::new(T0, [*id; 10]);
                    let excerpt = Some("how it begins".to_owned());
                    let operation = Operation::SetPin { session: self.session, message, excerpt };
                    let (mut own, generation) = opened(&mut hub, me);
                    if let Ok((_, header)) = own.perform(self.viewer.member, &operation, ActorId([60; 16]), T0) {
                        outcomes.push(hub.push(self.viewer, self.device, me, generation, &operation, &header).unwrap());
                    }
                    hub.redact(message).unwrap();
                    assert!(!opened(&mut hub, me).0.has_pinned(message));
                }
                Step::Rewrite(which) => {
                    let first = DocumentId::Chapter(self.session, 1);
                    hub.rewrite([DocumentId::Kin(self.kin), me, open, first][usize::from(*which)]).unwrap();
                }
                Step::Edit(letter) => {
                    let document = DocumentId::Kin(self.kin);
                    let (mut texts, generation) = opened(&mut hub, document);
                    let insert = char::from(b'a' + letter).to_string();
                    let splices = vec![Splice { at: 0, delete: 1, insert }];
                    let operation = Operation::EditText { field: TextField::Character, splices };
                    let actor = ActorId([50; 16]);
                    let Ok((_, header)) = texts.perform(self.viewer.member, &operation, actor, T0) else { continue };
                    outcomes
                        .push(hub.push(self.viewer, self.device, document, generation, &operation, &header).unwrap());
                }
            }
            let now = hub.store().session(self.session).unwrap().unwrap().chapter;
            chapter = now;
            client = opened(&mut hub, DocumentId::Chapter(self.session, chapter)).0;
        }
        let (deltas, admitted) = hub.into_deltas();
        let all = catch_up(store, self.viewer, &Known { positions: vec![] }).unwrap();
        let entries = store.entries_after(Audience::Household, 0, 10_000).unwrap();
        let rows: Vec<_> = (0..=255).map(|id| store.message(MessageId::new(T0, [id; 10])).unwrap()).collect();
        let session = store.session(self.session).unwrap();
        let sessions = store.sessions(Audience::Household).unwrap();
        format!("{sessions:?}\n{outcomes:?}\n{deltas:?}\n{admitted:?}\n{all:?}\n{entries:?}\n{rows:?}\n{session:?}")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn memory_and_sqlite_tell_the_same_story(steps in proptest::collection::vec(any_step(), 1..24)) {
        let script = Script::new();
        let mut memory = MemoryLog::default();
        let state = SessionState { kin: script.kin, audience: Audience::Household, chapter: 1, next_seq: 1 };
        memory.add_session(script.session, state);
        let expected = script.play(&mut memory, &steps);

        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let found = runtime.block_on(async {
            let house = House::empty();
            house.sql(&format!(
                "insert into member (id, email, first_name, last_name, nickname, language, role, created_at)
                 values ('{member}', 'a@b.c', 'A', 'B', 'A', 'en', 'admin', 0);
                 insert into kin (id, slug, name, role, avatar, hue, character, expertise, position, created_by, created_at)
                 values ('{kin}', 'k', 'K', '', '', '', '', '', 1, '{member}', 0);
                 insert into session values ('{session}', '{kin}', 'household', 'household', 1, 1, 0);",
                member = script.viewer.member, kin = script.kin, session = script.session,
            )).await;
            let script = Script::new();
            let write = house.state.db.write(move |tx| Ok::<_, HubError>(script.play(&mut SqliteLog::new(tx), &steps)));
            write.await.unwrap()
        });
        prop_assert_eq!(found, expected);
    }
}
