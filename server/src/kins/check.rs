//! What a Kin's fields may hold.

use super::KinError;
use crate::pictures;
use crate::providers::{Capability, ProviderError, Providers};
use rusqlite::Connection;
use shared::limits::{MAX_KIN_TEXT_BYTES, MAX_NAME_CHARS, MAX_ROLE_CHARS};
use shared::profile::{AVATARS, ModelChoice};
use shared::{PictureId, TextField, Viewer};

/// The name in its stored form: one line, trimmed.
pub(super) fn name(text: &str) -> Result<String, KinError> {
    let text = one_line(text);
    if text.is_empty() {
        return Err(KinError::NameEmpty);
    }
    if text.chars().count() > MAX_NAME_CHARS {
        return Err(KinError::NameTooLong);
    }
    Ok(text)
}

/// The role in its stored form: one line, trimmed, may be empty.
pub(super) fn role(text: &str) -> Result<String, KinError> {
    let text = one_line(text);
    if text.chars().count() > MAX_ROLE_CHARS {
        return Err(KinError::RoleTooLong);
    }
    Ok(text)
}

/// Character or expertise, as it is.
pub(super) fn text(text: &str, field: TextField) -> Result<(), KinError> {
    if text.len() > MAX_KIN_TEXT_BYTES {
        return Err(KinError::TextTooLong { field: field.as_str() });
    }
    Ok(())
}

/// A built-in illustration, or a picture that is there: ask in the transaction that refers to it.
pub(super) fn avatar(connection: &Connection, name: &str) -> Result<(), KinError> {
    let known = match name.parse::<PictureId>() {
        Ok(picture) => pictures::exists(connection, picture)?,
        Err(_) => AVATARS.iter().any(|(avatar, _)| *avatar == name),
    };
    if known { Ok(()) } else { Err(KinError::AvatarUnknown) }
}

/// One of the design's hues.
pub(super) fn hue(name: &str) -> Result<(), KinError> {
    if AVATARS.iter().any(|(_, hue)| *hue == name) { Ok(()) } else { Err(KinError::HueUnknown) }
}

/// Asks the provider whether it has the model.
///
/// A provider that cannot be asked now is no reason to refuse: the next turn will say what is wrong with it.
pub(super) async fn model(providers: &Providers, viewer: Viewer, model: &ModelChoice) -> Result<(), KinError> {
    if model.name.trim().is_empty() {
        return Err(KinError::ModelUnknown(model.clone()));
    }
    match providers.check(viewer, model.provider_id).await {
        // A search engine lists no models either, and yet no Kin can think with it.
        Ok(check) if !check.record.kind.capabilities().contains(&Capability::Llm) => {
            Err(KinError::ModelUnknown(model.clone()))
        }
        Ok(check) if check.models.is_empty() || check.models.iter().any(|one| one.name == model.name) => Ok(()),
        Ok(_) => Err(KinError::ModelUnknown(model.clone())),
        Err(ProviderError::NotFound(id)) => Err(KinError::ProviderNotFound(id)),
        Err(error) => {
            tracing::debug!(error = crate::error::chain(&error), "a model could not be checked");
            Ok(())
        }
    }
}

fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control() || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_roles_are_one_line() {
        assert_eq!(name(" Chef\n\u{1b} Basile ").ok().as_deref(), Some("Chef Basile"));
        assert!(matches!(name(" \t\n"), Err(KinError::NameEmpty)));
        assert!(name(&"é".repeat(60)).is_ok());
        assert!(matches!(name(&"é".repeat(61)), Err(KinError::NameTooLong)));
        assert_eq!(role("").ok().as_deref(), Some(""));
        assert!(matches!(role(&"x".repeat(121)), Err(KinError::RoleTooLong)));
    }
}
