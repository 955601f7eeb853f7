//! What crosses between page and worker, and between the workers of several tabs: Postcard in byte arrays.
//!
//! Postcard does not say what it holds, which makes it small in code and on the wire. Both ends have to be built from
//! the same types, so each message begins with [`FORMAT`]: another tab may still run the app as it was yesterday.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sync::port::{Event, Request};

/// One worker, that is one open page. Drawn at its start; 53 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(pub u64);

/// A request and the number its page gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errand {
    /// Answered by `Taken` once what the request changed is durable. `None` wants no answer: a message is answered by
    /// an event about it, and what is shown is said again to every leader.
    pub number: Option<u64>,
    /// What the screen asks for.
    pub request: Request,
}

/// From the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToWorker {
    /// A screen asks for something.
    Ask(Errand),
    /// The page became visible or the network came back: do not wait to reconnect.
    Wake,
    /// The network went away, says the browser: check the connection.
    Doubt,
}

/// To the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromWorker {
    /// A leader is at work that knows nothing of this page yet: say everything again.
    Led,
    /// For the screens.
    Event(Box<Event>),
    /// The request of this number is done or durable.
    Taken(u64),
}

/// Between workers, heard by all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relay {
    /// A worker has started: answered by [`Relay::Leading`].
    WhoLeads {
        /// Who asks.
        client: ClientId,
    },
    /// A worker leads: said when it begins and when asked.
    Leading {
        /// Who.
        leader: ClientId,
    },
    /// A follower's page asks for something.
    Ask {
        /// Whose page.
        client: ClientId,
        /// What.
        errand: Errand,
    },
    /// Answer to it.
    Taken {
        /// Whose page.
        client: ClientId,
        /// Which errand.
        number: u64,
    },
    /// For the screens of all pages.
    Event(Box<Event>),
    /// A follower's page said [`ToWorker::Wake`].
    Wake,
    /// A follower's page said [`ToWorker::Doubt`].
    Doubt,
}

/// Changes with every file that says what messages are made of.
const FORMAT: u32 = {
    let mut hash = 0x811c_9dc5;
    hash = fnv(hash, include_bytes!("message.rs"));
    hash = fnv(hash, include_bytes!("../../../sync/src/port.rs"));
    hash = fnv(hash, include_bytes!("../../../sync/src/view.rs"));
    hash = fnv(hash, include_bytes!("../../../shared/src/audience.rs"));
    hash = fnv(hash, include_bytes!("../../../shared/src/failure.rs"));
    hash = fnv(hash, include_bytes!("../../../shared/src/frame.rs"));
    hash = fnv(hash, include_bytes!("../../../shared/src/ids.rs"));
    hash = fnv(hash, include_bytes!("../../../shared/src/message.rs"));
    hash = fnv(hash, include_bytes!("../../../shared/src/operation.rs"));
    hash = fnv(hash, include_bytes!("../../../shared/src/profile.rs"));
    fnv(hash, include_bytes!("../../../shared/src/time.rs"))
};

/// FNV-1a, goes on from `hash`.
const fn fnv(mut hash: u32, bytes: &[u8]) -> u32 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// The bytes of a message.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_allocvec(&(FORMAT, message)).expect("messages hold only types of known length")
}

/// The message in `bytes`; `None` when it comes from a build with other messages.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (format, rest) = postcard::take_from_bytes::<u32>(bytes).ok()?;
    if format != FORMAT {
        return None;
    }
    let (message, rest) = postcard::take_from_bytes(rest).ok()?;
    rest.is_empty().then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::frame::{RefusalCode, RunningTurn};
    use shared::profile::{KinProfile, MemberProfile, ModelChoice, Standing};
    use shared::{
        Author, Failure, FailureKind, KinId, MemberId, MessageId, ProviderId, Role, SessionId, TextField, TurnId,
        UnixMillis,
    };
    use sync::view::{
        Activity, Draft, HomeView, KinView, LiveView, MessageStatus, MessageView, OwnView, Pin, Preferences, QueueView,
        ReactionView, ThreadView,
    };

    #[test]
    fn messages_of_every_direction_round_trip() {
        let request = Request::Send {
            session: SessionId::new(UnixMillis(1), [1; 10]),
            message: MessageId::new(UnixMillis(1), [2; 10]),
            text: "bonjour".repeat(100_000),
            reply_to: Some(MessageId::new(UnixMillis(1), [3; 10])),
        };
        let errand = Errand { number: Some(7), request };
        let asked = ToWorker::Ask(errand.clone());
        assert_eq!(decode(&encode(&asked)), Some(asked));
        let relayed = Relay::Ask { client: ClientId((1 << 53) - 1), errand };
        assert_eq!(decode(&encode(&relayed)), Some(relayed));
        let told = FromWorker::Event(Box::new(Event::SignedOut));
        assert_eq!(decode(&encode(&told)), Some(told));
    }

    #[test]
    fn everything_a_screen_is_shown_round_trips() {
        let (session, turn) = (SessionId::new(UnixMillis(1), [1; 10]), TurnId::new(UnixMillis(2), [2; 10]));
        let (message, kin) = (MessageId::new(UnixMillis(3), [3; 10]), KinId::new(UnixMillis(4), [4; 10]));
        let me = MemberId::new(UnixMillis(5), [5; 10]);
        let failure = Failure {
            kind: FailureKind::RateLimited,
            detail: "slow down".into(),
            retry_at: Some(UnixMillis(i64::MAX)),
        };
        let queue = QueueView {
            running: Some(RunningTurn { turn, answers: message, retrying: Some(failure.clone()) }),
            waiting: vec![message],
        };
        let status =
            [MessageStatus::Unsent, MessageStatus::Refused(RefusalCode::Rebase), MessageStatus::Failed(failure)];
        let messages = status.map(|status| MessageView {
            id: message,
            author: Author::Kin(kin),
            text: "é".into(),
            sent_at: UnixMillis(-1),
            seq: Some(u64::MAX),
            order: (7, 1),
            answers: Some(message),
            turn: Some(turn),
            reply_to: Some(message),
            reactions: vec![ReactionView { emoji: "👍".into(), members: vec![me] }],
            status,
        });
        let live = LiveView { turn, kin, answers: message, attempt: 2, text: "so far".into() };
        let profile = KinProfile {
            id: kin,
            name: "Basile".into(),
            role: String::new(),
            avatar: "basile".into(),
            hue: "pear".into(),
            session,
            model: Some(ModelChoice { provider_id: ProviderId::new(UnixMillis(6), [6; 10]), name: "m".into() }),
            position: -3,
            archived: true,
        };
        let home = HomeView {
            me,
            name: "Chez Moreau".into(),
            kins: vec![KinView {
                profile,
                activity: Activity::Failed(FailureKind::Internal),
                waiting: 1,
                unread: 2,
                unsent: 3,
                preview: "hello".into(),
                last_at: None,
            }],
            members: vec![MemberProfile {
                id: me,
                nickname: "Ana".into(),
                avatar: String::new(),
                role: Role::Admin,
                standing: Standing::Disabled,
            }],
            preferences: Preferences { theme: Some("dark".into()), language: None },
        };
        let thread = ThreadView {
            session,
            messages: messages.to_vec(),
            has_older: true,
            loaded: true,
            read_up_to: 9,
            live: Some(live),
            queue,
        };
        let draft = Draft { text: "not yet".into(), reply_to: Some(message) };
        let own = OwnView { draft, pins: vec![Pin { message, excerpt: "é".into() }] };
        for event in [Event::Home(home), Event::Thread(thread), Event::Own { session, own }] {
            let told = FromWorker::Event(Box::new(event));
            assert_eq!(decode(&encode(&told)), Some(told));
        }
        let edited = Request::EditKinText { kin, field: TextField::Expertise, from: "a".into(), to: "b".into() };
        let asked = ToWorker::Ask(Errand { number: None, request: edited });
        assert_eq!(decode(&encode(&asked)), Some(asked));
    }

    #[test]
    fn a_message_of_another_build_is_no_message() {
        let bytes = encode(&ToWorker::Wake);
        assert_eq!(decode(&bytes), Some(ToWorker::Wake));
        let other = postcard::to_allocvec(&(FORMAT ^ 1, ToWorker::Wake)).expect("a message can be encoded");
        assert_eq!(decode::<ToWorker>(&other), None);
        assert_eq!(decode::<ToWorker>(&[bytes.as_slice(), &[0]].concat()), None);
        assert_eq!(decode::<ToWorker>(&bytes[..bytes.len() - 1]), None);
        assert_eq!(decode::<ToWorker>(&encode(&"rewind")), None);
        assert_eq!(decode::<ToWorker>(&[]), None);
    }
}
