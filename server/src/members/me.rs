//! One's own account.

use super::create::{face, name};
use super::rows::{self, MemberRecord};
use super::{Email, MemberError};
use crate::audit::{self, Deed};
use crate::auth::Caller;
use crate::hub::Hub;
use serde_json::json;
use shared::Audience;
use shared::profile::{Language, Standing};

/// What to change; `None` leaves things as they are.
#[derive(Debug, Clone, Default)]
pub(super) struct MyChange {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub nickname: Option<String>,
    pub email: Option<String>,
    pub avatar: Option<String>,
    pub language: Option<String>,
}

/// Changes the caller's own account.
pub(super) async fn change_me(hub: &Hub, caller: Caller, change: MyChange) -> Result<MemberRecord, MemberError> {
    let email = change.email.as_deref().map(Email::parse).transpose()?;
    let language = change.language.as_deref().map(|tag| Language::from_tag(tag).ok_or(MemberError::LanguageUnknown));
    let (language, id) = (language.transpose()?, caller.viewer.member);
    let named = |text: &Option<String>, field| text.as_deref().map(|text| name(text, field)).transpose();
    let first_name = named(&change.first_name, "first_name")?;
    let last_name = named(&change.last_name, "last_name")?;
    let nickname = named(&change.nickname, "nickname")?;
    hub.write(move |w| {
        let before = rows::find(w.tx(), id)?.ok_or(MemberError::NotFound(id))?;
        let mut after = before.clone();
        after.first_name = first_name.unwrap_or(after.first_name);
        after.last_name = last_name.unwrap_or(after.last_name);
        after.nickname = nickname.unwrap_or(after.nickname);
        if let Some(avatar) = change.avatar {
            face(w.tx(), &avatar)?;
            after.avatar = avatar;
        }
        if let Some(email) = email.filter(|email| email.as_str() != before.email) {
            if rows::email_exists(w.tx(), email.as_str(), Some(id))? {
                return Err(MemberError::EmailTaken);
            }
            after.email = email.as_str().to_owned();
            audit::record(w.tx(), w.now(), Some(id), caller.device, Deed::EmailChanged, "")?;
        }
        if let Some(language) = language.filter(|language| *language != before.language) {
            w.set_language(id, language)?;
            after.language = language;
        }
        if after != before {
            rows::update(w.tx(), &after)?;
        }
        if after.profile() != before.profile() {
            w.put_member_profile(&after.profile())?;
            let data = json!({ "member_id": id, "role": after.role, "standing": Standing::Active });
            w.event("user.updated", Audience::Household, data)?;
        }
        Ok(after)
    })
    .await
}
