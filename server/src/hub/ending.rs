//! Whoever is let in no longer: told after the commit that says so, to every connection they hold.

use crate::auth::{Caller, Via};
use shared::{DeviceId, MemberId, TokenId};

/// Who is let in no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A device that was signed out.
    Device(DeviceId),
    /// A member, on every device and with every token.
    Member(MemberId),
    /// A personal access token.
    Token(TokenId),
}

impl Ending {
    /// Whether a replica of this member on this device hangs on it.
    pub(super) fn ends_replica(self, member: MemberId, device: DeviceId) -> bool {
        match self {
            Self::Device(id) => id == device,
            Self::Member(id) => id == member,
            Self::Token(_) => false,
        }
    }

    /// Whether what this caller opened hangs on it.
    pub fn ends(self, caller: &Caller) -> bool {
        match self {
            Self::Device(id) => caller.device == Some(id),
            Self::Member(id) => caller.viewer.member == id,
            Self::Token(id) => caller.via == Via::Token(id),
        }
    }
}
