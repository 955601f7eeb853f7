//! A Kin's two texts, kept as they are written: they go through the replica, so that they can be edited with no network
//! and merge with what others wrote meanwhile.

use super::KinFields;
use crate::browser::Timer;
use crate::ui::page::Listener;
use crate::ui::replica::{KinTexts, Replica};
use dioxus::prelude::*;
use shared::limits::MAX_KIN_TEXT_BYTES;
use shared::{KinId, TextField as Field};

/// Nothing typed for so long: what is there is kept.
const PAUSE_MS: i64 = 1_000;

/// How the texts stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextState {
    /// On their way from the replica.
    Loading,
    /// As they were.
    Untouched,
    /// Being typed.
    Typing,
    /// Kept, on this device at least.
    Kept,
}

/// Keeps a form's texts in step with the replica, from the first to the last moment of the screen.
pub fn use_texts(replica: Replica, kin: KinId, fields: KinFields) -> ReadSignal<TextState> {
    let mut fields = fields;
    let mut replica = replica;
    // What the form was shown: the difference to it is the member's edit.
    let mut shown = use_signal(|| None::<KinTexts>);
    let mut state = use_signal(|| TextState::Loading);
    let mut timer = use_hook(|| CopyValue::new(None::<Timer>));
    use_hook(|| replica.open_kin(kin));
    use_effect(move || {
        let texts = replica.texts()();
        let Some(texts) = texts.filter(|texts| texts.kin == kin) else { return };
        // Others' edits come in while nothing is being typed here; else they merge when it is kept.
        let untouched = shown.peek().as_ref().is_none_or(|shown| {
            *fields.character.peek() == shown.character && *fields.expertise.peek() == shown.expertise
        });
        if untouched {
            if *fields.character.peek() != texts.character {
                fields.character.set(texts.character.clone());
            }
            if *fields.expertise.peek() != texts.expertise {
                fields.expertise.set(texts.expertise.clone());
            }
            shown.set(Some(texts));
            if *state.peek() == TextState::Loading {
                state.set(TextState::Untouched);
            }
        }
    });
    let flush = use_callback(move |()| {
        if keep(replica, kin, &fields, &mut shown) {
            state.set(TextState::Kept);
        }
    });
    use_effect(move || {
        let (character, expertise) = ((fields.character)(), (fields.expertise)());
        let differs =
            shown.peek().as_ref().is_some_and(|shown| shown.character != character || shown.expertise != expertise);
        if differs {
            state.set(TextState::Typing);
            timer.set(Some(Timer::new(PAUSE_MS, move || flush.call(()))));
        }
    });
    // Whoever leaves in the middle of a word loses nothing.
    use_hook(|| CopyValue::new(Listener::on_window("pagehide", move |_| flush.call(()))));
    use_drop(move || {
        keep(replica, kin, &fields, &mut shown);
    });
    state.into()
}

/// Keeps what differs from what was shown. A text over the limit waits until it is short enough.
fn keep(replica: Replica, kin: KinId, fields: &KinFields, shown: &mut Signal<Option<KinTexts>>) -> bool {
    let Some(mut texts) = shown.peek().clone() else { return false };
    let mut kept = false;
    for (field, before, now) in [
        (Field::Character, &mut texts.character, fields.character),
        (Field::Expertise, &mut texts.expertise, fields.expertise),
    ] {
        let now = now.peek().clone();
        if *before != now && now.len() <= MAX_KIN_TEXT_BYTES {
            kept = true;
            replica.edit_text(kin, field, std::mem::replace(before, now.clone()), now);
        }
    }
    if kept {
        shown.set(Some(texts));
    }
    kept
}
