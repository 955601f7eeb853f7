//! Making a Kin of what a form holds; the wizard and the ordinary screen share it.

use super::kept::NewForm;
use super::starts::{Start, use_start};
use super::{KinFields, field_of};
use crate::api::{self, KinRequest};
use crate::i18n::Phrase;
use crate::ui::field::Mistakes;
use dioxus::prelude::*;
use shared::KinId;

/// A Kin to be. Copies are the same one.
#[derive(Clone, Copy, PartialEq)]
pub struct Creation {
    /// The form.
    pub fields: KinFields,
    /// Where it began.
    pub start: Signal<Start>,
    /// What is wrong with it.
    pub mistakes: Signal<Mistakes>,
    /// What the server refused.
    pub problem: Signal<Option<Phrase>>,
    /// On its way.
    pub busy: Signal<bool>,
}

/// A form as it was left, or a fresh one that begins with `start` and wears `face`.
pub fn use_creation(start: Start, face: impl FnOnce() -> (&'static str, &'static str)) -> Creation {
    let (creation, was_left) = use_hook(|| {
        let kept = NewForm::kept();
        let was_left = kept.is_some();
        let (avatar, hue) = face();
        let (start, identity, character, expertise) = match kept {
            Some(NewForm { start, identity, character, expertise }) => (start, Some(identity), character, expertise),
            None => (start, None, String::new(), String::new()),
        };
        let mut fields = KinFields {
            name: Signal::new(String::new()),
            role: Signal::new(String::new()),
            avatar: Signal::new(avatar.to_owned()),
            hue: Signal::new(hue.to_owned()),
            character: Signal::new(character),
            expertise: Signal::new(expertise),
            model: Signal::new(None),
        };
        if let Some(identity) = identity {
            identity.fill(&mut fields);
        }
        let creation = Creation {
            fields,
            start: Signal::new(start),
            mistakes: Signal::new(Mistakes::default()),
            problem: Signal::new(None),
            busy: Signal::new(false),
        };
        (creation, was_left)
    });
    use_start(creation.fields, creation.start.into(), was_left);
    use_effect(move || {
        creation.fields.subscribe();
        NewForm::keep((creation.start)(), &creation.fields);
    });
    creation
}

impl Creation {
    /// Makes the Kin, or brings the member to what is wrong.
    pub async fn submit(mut self) -> Option<KinId> {
        let found = self.fields.mistakes();
        self.mistakes.set(found.clone());
        if !found.is_empty() {
            found.focus_first();
            return None;
        }
        let model = self.fields.model.peek().clone()?;
        if *self.busy.peek() {
            return None;
        }
        self.busy.set(true);
        self.problem.set(None);
        let request = KinRequest {
            name: self.fields.name.peek().trim().to_owned(),
            role: self.fields.role.peek().trim().to_owned(),
            character: self.fields.character.peek().clone(),
            expertise: self.fields.expertise.peek().clone(),
            avatar: self.fields.avatar.peek().clone(),
            hue: self.fields.hue.peek().clone(),
            model,
        };
        let made = api::add_kin(&request).await;
        self.busy.set(false);
        match made {
            Ok(id) => {
                NewForm::forget();
                Some(id)
            }
            Err(error) => {
                match field_of(&error) {
                    Some(field) => {
                        let found = Mistakes::of(field, error.phrase());
                        self.mistakes.set(found.clone());
                        found.focus_first();
                    }
                    None => self.problem.set(Some(error.phrase())),
                }
                None
            }
        }
    }
}
