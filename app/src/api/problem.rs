//! What can go wrong with a request, and its words.

use crate::i18n::Phrase;
use crate::{phrase, text};
use serde::Deserialize;

/// Why a request gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApiError {
    /// The server could not be reached.
    Offline,
    /// The answer is not what this app understands: another version, or something between us and the server.
    Unreadable,
    /// The server said no, and why.
    Problem(Problem),
}

/// A problem details body (RFC 9457) with our code.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// HTTP status.
    #[serde(default)]
    pub status: u16,
    /// Stable.
    pub code: String,
    /// For people, in English; shown only where a code has no words here.
    #[serde(default)]
    pub detail: String,
}

impl ApiError {
    /// A problem that was found on this side.
    pub fn of_code(code: &str) -> Self {
        Self::Problem(Problem { status: 0, code: code.to_owned(), detail: String::new() })
    }

    /// The code, when the server gave one.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Problem(problem) => Some(&problem.code),
            Self::Offline | Self::Unreadable => None,
        }
    }

    /// One sentence for the person in front of the screen.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Offline => phrase!("problem-offline"),
            Self::Unreadable => phrase!("problem-unreadable"),
            Self::Problem(problem) => problem_phrase(&problem.code, &problem.detail),
        }
    }

    /// The same, in the present language.
    pub fn words(&self) -> String {
        self.phrase().words()
    }
}

/// Codes this app has words for, besides `provider_` and the kind of failure. Others are shown with the server's own.
#[cfg(test)]
pub const KNOWN_CODES: &[&str] = &[
    "address_forbidden",
    "address_invalid",
    "address_missing",
    "address_private",
    "admin_only",
    "avatar_unknown",
    "body_cut_short",
    "body_too_large",
    "body_too_slow",
    "capability_missing",
    "changed_meanwhile",
    "device_not_found",
    "device_required",
    "device_revoked",
    "disk_full",
    "edit_refused",
    "email_invalid",
    "email_taken",
    "first_name_empty",
    "first_name_too_long",
    "fresh_sign_in_needed",
    "https_needed",
    "hue_unknown",
    "image_provider_missing",
    "internal",
    "invitation_expired",
    "invitation_invalid",
    "invitation_not_found",
    "invitation_used",
    "json_invalid",
    "key_invalid",
    "key_missing",
    "key_needed_again",
    "keys_unavailable",
    "kin_archived",
    "kin_not_found",
    "language_unknown",
    "last_admin",
    "last_name_empty",
    "last_name_too_long",
    "locked_rows_lost",
    "member_not_found",
    "message_empty",
    "message_invalid",
    "message_too_large",
    "model_facts_invalid",
    "model_unknown",
    "name_empty",
    "name_invalid",
    "name_too_long",
    "nickname_empty",
    "nickname_too_long",
    "not_found",
    "not_ready",
    "not_retryable",
    "not_signed_in",
    "not_waiting",
    "not_yours",
    "offline",
    "older_offline",
    "oneself",
    "order_repeats",
    "other_origin",
    "password_too_long",
    "password_too_short",
    "picture_not_found",
    "picture_too_large",
    "picture_too_many_pixels",
    "picture_type_unsupported",
    "picture_unreadable",
    "provider_not_found",
    "recovery_code_mistyped",
    "recovery_failed",
    "recovery_missing",
    "registration_gone",
    "replica_crashed",
    "request_failed",
    "reset_expired",
    "reset_invalid",
    "reset_used",
    "role_too_long",
    "role_unknown",
    "scope_missing",
    "scopes_unknown",
    "setup_code_wrong",
    "setup_done",
    "sign_in_failed",
    "sign_in_gone",
    "standing_unknown",
    "stopping",
    "still_running",
    "storage_full",
    "storage_unavailable",
    "text_too_long",
    "token_not_found",
    "too_many_attempts",
    "too_many_invitations",
    "too_many_pictures",
    "too_many_tokens",
    "turn_not_running",
    "unavailable",
    "wipe_failed",
    "wish_too_long",
];

/// The sentence for a code of the API, or a general one that quotes the server.
pub fn problem_words(code: &str, detail: &str) -> String {
    problem_phrase(code, detail).words()
}

fn problem_phrase(code: &str, detail: &str) -> Phrase {
    let key = format!("problem-{}", code.replace('_', "-"));
    if text!(&key) != key {
        return phrase!(key);
    }
    phrase!("problem-other", detail: if detail.is_empty() { code } else { detail })
}
