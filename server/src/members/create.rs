//! Making a member.

use super::{MemberError, rows};
use crate::audit::{self, Deed};
use crate::clock::fresh;
use crate::hub::HubWrite;
use crate::pictures;
use rusqlite::Connection;
use serde_json::json;
use shared::limits::MAX_NAME_CHARS;
use shared::profile::{Language, MemberProfile, PORTRAITS, Standing};
use shared::{Audience, MemberId, PictureId, Role};

/// An email address in its one form: trimmed and in lower case.
#[derive(Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Reads an address. Whether mail arrives there is not known.
    ///
    /// # Errors
    /// [`MemberError::EmailInvalid`]
    pub fn parse(text: &str) -> Result<Self, MemberError> {
        let text = text.trim().to_lowercase();
        let (local, domain) = text.split_once('@').ok_or(MemberError::EmailInvalid)?;
        let odd = text.chars().any(|c| c.is_whitespace() || c.is_control());
        if local.is_empty() || domain.is_empty() || domain.contains('@') || odd || text.len() > 254 {
            return Err(MemberError::EmailInvalid);
        }
        Ok(Self(text))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A member to be, all of it checked.
#[derive(Clone)]
pub struct NewMember {
    pub(super) email: Email,
    pub(super) first_name: String,
    pub(super) last_name: String,
    pub(super) nickname: String,
    pub(super) avatar: String,
    pub(super) language: Language,
    pub(super) role: Role,
}

impl NewMember {
    /// Checks everything. The password is no part of it: see `auth::registration`.
    ///
    /// # Errors
    /// [`MemberError`] names the field.
    pub fn check(
        email: &str,
        first_name: &str,
        last_name: &str,
        nickname: &str,
        language: &str,
        role: Role,
    ) -> Result<Self, MemberError> {
        Ok(Self {
            email: Email::parse(email)?,
            first_name: name(first_name, "first_name")?,
            last_name: name(last_name, "last_name")?,
            nickname: name(nickname, "nickname")?,
            avatar: String::new(),
            language: Language::from_tag(language).ok_or(MemberError::LanguageUnknown)?,
            role,
        })
    }

    /// With a face: a built-in portrait, or a picture. Whether that is there is seen when the member is made.
    pub fn with_avatar(self, avatar: String) -> Self {
        Self { avatar, ..self }
    }
}

/// A built-in portrait, a picture that is there, or none: ask in the transaction that refers to it.
pub(super) fn face(connection: &Connection, avatar: &str) -> Result<(), MemberError> {
    let known = match avatar.parse::<PictureId>() {
        Ok(picture) => pictures::exists(connection, picture)?,
        Err(_) => avatar.is_empty() || PORTRAITS.contains(&avatar),
    };
    if known { Ok(()) } else { Err(MemberError::AvatarUnknown) }
}

pub(super) fn name(text: &str, field: &'static str) -> Result<String, MemberError> {
    let text: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    if text.is_empty() {
        return Err(MemberError::NameEmpty { field });
    }
    if text.chars().count() > MAX_NAME_CHARS {
        return Err(MemberError::NameTooLong { field });
    }
    Ok(text)
}

/// Writes a member and tells the household.
///
/// # Errors
/// [`MemberError::EmailTaken`], or the database's failure.
pub fn create(w: &mut HubWrite<'_>, new: &NewMember) -> Result<MemberId, MemberError> {
    if rows::email_exists(w.tx(), new.email.as_str(), None)? {
        return Err(MemberError::EmailTaken);
    }
    face(w.tx(), &new.avatar)?;
    let (id, now) = (fresh::<MemberId>(), w.now());
    rows::insert(w.tx(), id, new, now)?;
    let profile = MemberProfile {
        id,
        nickname: new.nickname.clone(),
        avatar: new.avatar.clone(),
        role: new.role,
        standing: Standing::Active,
    };
    w.put_member_profile(&profile)?;
    audit::record(w.tx(), now, Some(id), None, Deed::MemberCreated, new.role.as_str())?;
    w.event(
        "user.created",
        Audience::Household,
        json!({ "member_id": id, "nickname": new.nickname, "role": new.role }),
    )?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails_have_one_form() {
        assert_eq!(Email::parse(" Ada@Example.ORG ").map(|email| email.0).ok().as_deref(), Some("ada@example.org"));
        for bad in ["", "ada", "@example.org", "ada@", "a@b@c", "a b@c.org", &format!("{}@c.org", "a".repeat(254))] {
            assert!(Email::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_checked_by_field() {
        let check =
            |first: &str, language: &str| NewMember::check("a@b.org", first, "L", "N", language, Role::Member).err();
        assert!(check("Ada", "fr-CH").is_none());
        assert!(matches!(check(" \u{7} ", "en"), Some(MemberError::NameEmpty { field: "first_name" })));
        assert!(matches!(check(&"x".repeat(61), "en"), Some(MemberError::NameTooLong { field: "first_name" })));
        assert!(matches!(check("Ada", "tlh"), Some(MemberError::LanguageUnknown)));
    }
}
