//! Kins and members as the `home` document and the API show them.

use crate::audience::Role;
use crate::ids::{KinId, MemberId, ProviderId, SessionId};
use serde::{Deserialize, Serialize};

/// Which model a Kin thinks with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelChoice {
    /// The configured provider.
    pub provider_id: ProviderId,
    /// The model's name as the provider lists it.
    pub name: String,
}

/// A Kin in short: what every screen needs without opening its `kin` document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KinProfile {
    /// The Kin.
    pub id: KinId,
    /// Display name.
    pub name: String,
    /// One line.
    pub role: String,
    /// Name of a built-in illustration (`basile`, `lumen` …), or a picture's id (`pic_…`, at `/api/pictures/{id}`).
    pub avatar: String,
    /// One of the design's twelve hues.
    pub hue: String,
    /// Its household session.
    pub session: SessionId,
    /// Its model; `None` until one is chosen, or when the provider is gone.
    pub model: Option<ModelChoice>,
    /// Place in lists, ascending.
    pub position: i64,
    /// Put away: not in lists, not written to, its thread stays readable.
    pub archived: bool,
}

/// A member in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberProfile {
    /// The member.
    pub id: MemberId,
    /// How the household calls them.
    pub nickname: String,
    /// Name of a built-in portrait (`camille` …), a picture's id (`pic_…`), or empty.
    pub avatar: String,
    /// Admin or member.
    pub role: Role,
    /// Whether they live here.
    pub standing: Standing,
}

/// Whether a member lives here. Whoever does not stays in the directory: their messages still have an author.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// May sign in.
    #[default]
    Active,
    /// May not, until an admin says otherwise.
    Disabled,
    /// Never again; the nickname is empty.
    Gone,
}

impl Standing {
    /// The form kept in the `home` document.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
            Self::Gone => "gone",
        }
    }

    /// Reads that form; what this version does not know counts as active.
    pub fn from_text(text: &str) -> Self {
        match text {
            "disabled" => Self::Disabled,
            "gone" => Self::Gone,
            _ => Self::Active,
        }
    }
}

/// Language of the interface and of what the server says to a member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Français.
    Fr,
}

impl Language {
    /// The tag kept in the database and in `lang` attributes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Fr => "fr",
        }
    }

    /// Reads a tag such as `fr`, `fr-CH` or `en_GB`; `None` for other languages.
    pub fn from_tag(tag: &str) -> Option<Self> {
        match tag.split(['-', '_']).next()?.to_ascii_lowercase().as_str() {
            "en" => Some(Self::En),
            "fr" => Some(Self::Fr),
            _ => None,
        }
    }
}

/// The built-in portraits of people.
pub const PORTRAITS: [&str; 4] = ["camille", "ines", "jo", "tom"];

/// The built-in illustrations and the hue each is drawn for, in the order new Kins take them.
pub const AVATARS: [(&str, &str); 12] = [
    ("basile", "pear"),
    ("lumen", "lamp"),
    ("zephyr", "sky"),
    ("noisette", "acorn"),
    ("pendule", "ember"),
    ("plume", "iris"),
    ("mousse", "moss"),
    ("octave", "coral"),
    ("tilleul", "mint"),
    ("fable", "fox"),
    ("marlow", "dusk"),
    ("gaston", "brick"),
];
