//! Who may see what (H-7). An audience is a property of the thing; a viewer is whoever a read is made for.

use crate::ids::{MemberId, ParseIdError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// Who may see a session, a document, a message, an event.
///
/// Its text form, `household` or a member's id, is what the database's `audience` columns hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Audience {
    /// Every member of the household.
    Household,
    /// One member only.
    Member(MemberId),
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Household => f.write_str("household"),
            Self::Member(member) => member.fmt(f),
        }
    }
}

impl FromStr for Audience {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        if text == "household" { Ok(Self::Household) } else { text.parse().map(Self::Member) }
    }
}

impl Serialize for Audience {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Audience {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// What a member may do in the household at large (H-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Also manages members and providers.
    Admin,
    /// Talks to Kins and cares for them.
    Member,
    /// Talks to the Kins a parent allows. Nobody can be given this role yet; every rule knows it already.
    Child,
}

impl Role {
    /// The form kept in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Member => "member",
            Self::Child => "child",
        }
    }
}

impl FromStr for Role {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "admin" => Ok(Self::Admin),
            "member" => Ok(Self::Member),
            "child" => Ok(Self::Child),
            other => Err(format!("unknown role {other:?}")),
        }
    }
}

/// Whoever a read is made for. Every function that reads a household's data takes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    /// The member who will see the result.
    pub member: MemberId,
    /// Their role at the time of the request.
    pub role: Role,
}

impl Viewer {
    /// Whether this viewer belongs to `audience`.
    pub fn may_see(&self, audience: Audience) -> bool {
        match audience {
            Audience::Household => true,
            Audience::Member(member) => member == self.member,
        }
    }

    /// Every audience this viewer belongs to, for `audience in (?, ?)`.
    pub fn audiences(&self) -> [Audience; 2] {
        [Audience::Household, Audience::Member(self.member)]
    }
}
