//! The gate: what a client may change, decided on plain data.
//!
//! One match per document kind says which operations it takes; everything else is refused and changes nothing. The
//! history part of the check (dependencies, operation numbers, actors) is in [`crate::hub`], which knows the log.

use shared::frame::RefusalCode;
use shared::limits::{
    MAX_DEPS, MAX_DRAFT_BYTES, MAX_EXCERPT_BYTES, MAX_KIN_TEXT_BYTES, MAX_MESSAGE_BYTES, MAX_PREFERENCE_BYTES,
    MAX_SPLICES,
};
use shared::message::is_emoji;
use shared::{ChangeHeader, DocumentId, Operation, Viewer};

/// Why an operation is refused: a code for the client and a clause for its log.
pub type Refusal = (RefusalCode, &'static str);

/// Checks shape, size and permission of a push, without looking at the document's history.
///
/// # Errors
/// The refusal to answer with.
pub fn check(
    viewer: Viewer,
    document: DocumentId,
    operation: &Operation,
    header: &ChangeHeader,
) -> Result<(), Refusal> {
    permitted(viewer, document, operation)?;
    well_formed(operation)?;
    if header.deps.len() > MAX_DEPS {
        return Err((RefusalCode::TooLarge, "too many dependencies"));
    }
    // Canonical order, so that one change has one header.
    if header.deps.is_empty() || !header.deps.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err((RefusalCode::Invalid, "dependencies are missing, unsorted or repeated"));
    }
    if header.seq == 0 || header.start_op == 0 || header.start_op > u64::from(u32::MAX) {
        return Err((RefusalCode::Invalid, "sequence or operation number out of range"));
    }
    Ok(())
}

fn permitted(viewer: Viewer, document: DocumentId, operation: &Operation) -> Result<(), Refusal> {
    match (document, operation) {
        (DocumentId::Chapter(..), Operation::AddMessage { .. } | Operation::React { .. })
        | (DocumentId::Kin(_), Operation::EditText { .. }) => Ok(()),
        (
            DocumentId::Me(owner),
            Operation::SetRead { .. }
            | Operation::SetPreference { .. }
            | Operation::SetDraft { .. }
            | Operation::SetPin { .. },
        ) if owner == viewer.member => Ok(()),
        (
            DocumentId::Home | DocumentId::Kin(_) | DocumentId::Chapter(..) | DocumentId::Me(_),
            Operation::AddMessage { .. }
            | Operation::React { .. }
            | Operation::EditText { .. }
            | Operation::SetRead { .. }
            | Operation::SetPreference { .. }
            | Operation::SetDraft { .. }
            | Operation::SetPin { .. },
        ) => Err((RefusalCode::Forbidden, "the document does not take this operation")),
    }
}

fn well_formed(operation: &Operation) -> Result<(), Refusal> {
    let too_large = |what| Err((RefusalCode::TooLarge, what));
    let invalid = |what| Err((RefusalCode::Invalid, what));
    match operation {
        Operation::AddMessage { text, .. } => {
            if text.trim().is_empty() {
                return invalid("message is empty");
            }
            if text.len() > MAX_MESSAGE_BYTES {
                return too_large("message text is over 64 KiB");
            }
        }
        Operation::EditText { splices, .. } => {
            if splices.is_empty() {
                return invalid("no splices");
            }
            if splices.len() > MAX_SPLICES {
                return too_large("too many splices");
            }
            if splices.iter().map(|splice| splice.insert.len()).sum::<usize>() > MAX_KIN_TEXT_BYTES {
                return too_large("text is over 32 KiB");
            }
        }
        Operation::React { emoji, .. } => {
            if !emoji.is_empty() && !is_emoji(emoji) {
                return invalid("a reaction is one emoji");
            }
        }
        Operation::SetRead { .. } => {}
        Operation::SetDraft { text, .. } => {
            if text.len() > MAX_DRAFT_BYTES {
                return too_large("draft is over 16 KiB");
            }
        }
        Operation::SetPin { excerpt, .. } => {
            if excerpt.as_ref().is_some_and(|excerpt| excerpt.len() > MAX_EXCERPT_BYTES) {
                return too_large("excerpt is over 512 bytes");
            }
        }
        Operation::SetPreference { key, value } => {
            if value.len() > MAX_PREFERENCE_BYTES || !key.allows(value) {
                return invalid("unknown value of a preference");
            }
        }
    }
    Ok(())
}
