//! Why a turn failed, in words a member can act on (S-8).

use crate::time::UnixMillis;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

macro_rules! failure_kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal, transient: $transient:literal;)*) => {
        /// What went wrong with a model call. Clients show one sentence per kind, in the member's language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum FailureKind {
            $($(#[$doc])* $name,)*
        }

        impl FailureKind {
            /// Every kind, for tests that each has its words.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The code kept in documents and on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// Whether trying again by itself may help.
            pub const fn is_transient(self) -> bool {
                match self { $(Self::$name => $transient,)* }
            }
        }

        impl FromStr for FailureKind {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                match text { $($code => Ok(Self::$name),)* other => Err(format!("unknown failure {other:?}")) }
            }
        }
    };
}

failure_kinds! {
    /// The provider asks to wait.
    RateLimited = "rate_limited", transient: true;
    /// The provider is up but cannot take the call now (5xx, 529).
    Overloaded = "overloaded", transient: true;
    /// No connection to the provider's address.
    Unreachable = "unreachable", transient: true;
    /// Connected, then silent for too long.
    TimedOut = "timed_out", transient: true;
    /// The answer broke off in the middle.
    CutShort = "cut_short", transient: true;
    /// The answer is not in the provider's format.
    Malformed = "malformed", transient: true;
    /// The key is wrong or may not do this.
    Unauthorized = "unauthorized", transient: false;
    /// The provider does not know the model.
    ModelNotFound = "model_not_found", transient: false;
    /// The conversation does not fit the model.
    ContextTooLong = "context_too_long", transient: false;
    /// The provider's address leads to another one, which is never followed.
    Redirects = "redirects", transient: false;
    /// The provider refused the request for another reason.
    Refused = "refused", transient: false;
    /// The Kin has no model, or its provider is gone.
    NoModel = "no_model", transient: false;
    /// The turn ran into its overall deadline.
    TurnTooLong = "turn_too_long", transient: false;
    /// The server's fault, e.g. a full disk.
    Internal = "internal", transient: false;
}

/// A failed model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// The provider's own words, at most 300 characters; may be empty. Shown behind "details".
    #[serde(default)]
    pub detail: String,
    /// When the provider says it may be asked again.
    #[serde(default)]
    pub retry_at: Option<UnixMillis>,
}

impl Failure {
    /// A failure without details.
    pub fn of(kind: FailureKind) -> Self {
        Self { kind, detail: String::new(), retry_at: None }
    }

    /// A failure with the provider's words, cut to 300 characters.
    pub fn with_detail(kind: FailureKind, detail: &str) -> Self {
        Self { kind, detail: detail.chars().take(300).collect(), retry_at: None }
    }
}
