//! Ids: a prefix that names the kind, then a UUIDv7 as 32 hex digits (`kin_018f6c1e…`).

use crate::time::UnixMillis;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// A text that is no id of the kind asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an id of the form {prefix}_ followed by 32 hex digits")]
pub struct ParseIdError {
    /// The prefix that was expected.
    pub prefix: &'static str,
}

fn parse(text: &str, prefix: &'static str) -> Result<Uuid, ParseIdError> {
    let error = || ParseIdError { prefix };
    let rest = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_')).ok_or_else(error)?;
    // `Uuid` itself reads several spellings; an id has one, so that equal ids are equal texts.
    if rest.len() != 32 || !rest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(error());
    }
    Uuid::try_parse(rest).map_err(|_| error())
}

/// Reads ids of every kind: one visitor, so that a format's code for it is compiled once.
struct IdVisitor {
    prefix: &'static str,
}

impl Visitor<'_> for IdVisitor {
    type Value = Uuid;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an id that begins with {}_", self.prefix)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Uuid, E> {
        parse(text, self.prefix).map_err(E::custom)
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident => $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// The text before the underscore.
            pub const PREFIX: &'static str = $prefix;

            /// Makes an id of this moment; `random` are ten fresh random bytes.
            pub fn new(now: UnixMillis, random: [u8; 10]) -> Self {
                Self(uuid::Builder::from_unix_timestamp_millis(now.as_u64(), &random).into_uuid())
            }

            /// The id that has these bytes, for ids that name content instead of a moment.
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }

            /// When the id was made, by the clock of whoever made it.
            pub fn made_at(&self) -> UnixMillis {
                let bytes = self.0.as_bytes();
                let ms = bytes[..6].iter().fold(0_i64, |ms, byte| (ms << 8) | i64::from(*byte));
                UnixMillis(ms)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "_{}"), self.0.simple())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;
            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                parse(text, $prefix).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(IdVisitor { prefix: $prefix }).map(Self)
            }
        }
    )*};
}

ids! {
    /// A persistent agent.
    KinId => "kin";
    /// A person with an account.
    MemberId => "mbr";
    /// One installed client of a member: a browser profile, a phone, a desktop.
    DeviceId => "dev";
    /// A continuous thread of messages.
    SessionId => "ses";
    /// One message of a session; unique in the household.
    MessageId => "msg";
    /// One exchange: a message in, what the Kin did, an answer out.
    TurnId => "trn";
    /// One configured outside service.
    ProviderId => "prv";
    /// One request of a client that is no document change; makes it idempotent.
    CommandId => "cmd";
    /// One thing that happened, as told to outside tools.
    EventId => "evt";
    /// A personal access token (its id, not its secret).
    TokenId => "tok";
    /// A picture somebody gave or a provider drew: the first sixteen bytes of its SHA-256.
    PictureId => "pic";
    /// An open invitation (its id, not its secret).
    InvitationId => "inv";
    /// One run of the server's history; a restored backup begins another.
    EpochId => "epo";
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn text_form_round_trips(ms in 0_i64..(1 << 47), random: [u8; 10]) {
            let id = MessageId::new(UnixMillis(ms), random);
            prop_assert_eq!(id.to_string().parse::<MessageId>(), Ok(id));
            prop_assert_eq!(id.made_at(), UnixMillis(ms));
        }

        #[test]
        fn ids_sort_by_the_moment_they_were_made(a in 0_i64..(1 << 47), b in 0_i64..(1 << 47)) {
            prop_assume!(a < b);
            prop_assert!(MessageId::new(UnixMillis(a), [255; 10]) < MessageId::new(UnixMillis(b), [0; 10]));
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        let id = KinId::new(UnixMillis(1), [1; 10]).to_string();
        assert!(id.to_uppercase().parse::<KinId>().is_err());
        assert!(id.replace("kin", "mbr").parse::<KinId>().is_err());
        assert!(format!("{id}0").parse::<KinId>().is_err());
        assert!("kin_".parse::<KinId>().is_err());
    }
}
