//! What crosses between page and worker, and between the workers of several tabs: CBOR in byte arrays.

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
#[serde(rename_all = "snake_case")]
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
#[serde(rename_all = "snake_case")]
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
#[serde(rename_all = "snake_case")]
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

/// The bytes of a message.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(message, &mut bytes).expect("messages hold only types CBOR can express");
    bytes
}

/// The message in `bytes`; `None` when it comes from a build with other messages.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    ciborium::from_reader(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::{MessageId, SessionId, UnixMillis};

    #[test]
    fn messages_of_every_direction_round_trip() {
        let request = Request::Send {
            session: SessionId::new(UnixMillis(1), [1; 10]),
            message: MessageId::new(UnixMillis(1), [2; 10]),
            text: "bonjour".repeat(100_000),
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
    fn a_message_of_another_build_is_no_message() {
        assert_eq!(decode::<ToWorker>(&encode(&"rewind")), None);
        assert_eq!(decode::<ToWorker>(&[]), None);
    }
}
