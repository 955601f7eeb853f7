//! Names of the documents that replicate.

use crate::ids::{KinId, MemberId, SessionId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// Which document; its text form is a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentId {
    /// `home`: the household's Kins and members, in short.
    Home,
    /// `kin/<kin>`: the texts of a Kin that several people may edit.
    Kin(KinId),
    /// `session/<session>/<chapter>`: the messages of one chapter; chapters count from 1.
    Chapter(SessionId, u32),
    /// `me/<member>`: a member's read markers and preferences.
    Me(MemberId),
}

/// The shape of a document: which genesis it grows from and which operations it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// See [`DocumentId::Home`].
    Home,
    /// See [`DocumentId::Kin`].
    Kin,
    /// See [`DocumentId::Chapter`].
    Chapter,
    /// See [`DocumentId::Me`].
    Me,
}

impl DocumentId {
    /// The kind of this document.
    pub const fn kind(&self) -> DocumentKind {
        match self {
            Self::Home => DocumentKind::Home,
            Self::Kin(_) => DocumentKind::Kin,
            Self::Chapter(..) => DocumentKind::Chapter,
            Self::Me(_) => DocumentKind::Me,
        }
    }
}

/// A text that names no document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a document")]
pub struct ParseDocumentIdError;

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Home => f.write_str("home"),
            Self::Kin(kin) => write!(f, "kin/{kin}"),
            Self::Chapter(session, number) => write!(f, "session/{session}/{number}"),
            Self::Me(member) => write!(f, "me/{member}"),
        }
    }
}

impl FromStr for DocumentId {
    type Err = ParseDocumentIdError;
    fn from_str(text: &str) -> Result<Self, ParseDocumentIdError> {
        let error = ParseDocumentIdError;
        let (head, rest) = text.split_once('/').unwrap_or((text, ""));
        match head {
            "home" if rest.is_empty() && !text.contains('/') => Ok(Self::Home),
            "kin" => rest.parse().map(Self::Kin).map_err(|_| error),
            "me" => rest.parse().map(Self::Me).map_err(|_| error),
            "session" => {
                let (session, number) = rest.split_once('/').ok_or(error.clone())?;
                let number: u32 = number.parse().map_err(|_| error.clone())?;
                let id = Self::Chapter(session.parse().map_err(|_| error.clone())?, number);
                // One document, one name: no leading zeros or plus signs, no chapter 0.
                if number == 0 || id.to_string() != text { Err(error) } else { Ok(id) }
            }
            _ => Err(error),
        }
    }
}

impl Serialize for DocumentId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DocumentId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UnixMillis;

    #[test]
    fn names_round_trip_and_have_one_spelling() {
        let session = SessionId::new(UnixMillis(5), [5; 10]);
        let names = [
            DocumentId::Home,
            DocumentId::Kin(KinId::new(UnixMillis(5), [5; 10])),
            DocumentId::Chapter(session, 12),
            DocumentId::Me(MemberId::new(UnixMillis(5), [5; 10])),
        ];
        for name in names {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        for text in [
            "",
            "home/",
            "home/x",
            "kin",
            "session/1/1",
            &format!("session/{session}/0"),
            &format!("session/{session}/01"),
        ] {
            assert_eq!(text.parse::<DocumentId>(), Err(ParseDocumentIdError), "{text}");
        }
    }
}
