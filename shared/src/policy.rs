//! What a role may do at all (H-3). Whether a viewer may see a certain thing is its audience's question, not asked here.

use crate::audience::Role;

/// Something a role allows or does not. Each route of the API asks for one; a table in the server's tests holds them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Right {
    /// One's own account: names, password, devices, tokens, export, leaving.
    OwnAccount,
    /// The household as everyone sees it: Kins, members in short, one's threads and events.
    ReadHousehold,
    /// Write to Kins, stop and retry their answers.
    Talk,
    /// Welcome, change, order, archive and delete Kins.
    CareForKins,
    /// See which providers there are and which models they have; never their keys.
    ReadProviders,
    /// Add, change, test and delete providers, and choose what is used for what.
    ManageProviders,
    /// Invite, disable and delete members, reset their way in, hand over admin, see everyone's devices.
    ManageMembers,
    /// Name the household, see how the server is reached, read the audit log.
    ManageServer,
}

impl Right {
    /// Every right.
    pub const ALL: [Self; 8] = [
        Self::OwnAccount,
        Self::ReadHousehold,
        Self::Talk,
        Self::CareForKins,
        Self::ReadProviders,
        Self::ManageProviders,
        Self::ManageMembers,
        Self::ManageServer,
    ];
}

impl Role {
    /// Whether this role has `right`. What a child may do with which Kin is narrowed further by its parents.
    pub const fn may(self, right: Right) -> bool {
        match right {
            Right::OwnAccount | Right::ReadHousehold | Right::Talk => true,
            Right::CareForKins | Right::ReadProviders => matches!(self, Self::Admin | Self::Member),
            Right::ManageProviders | Right::ManageMembers | Right::ManageServer => matches!(self, Self::Admin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_do_what_the_next_one_may_and_more() {
        for right in Right::ALL {
            assert!(Role::Admin.may(right), "{right:?}");
            assert!(Role::Member.may(right) || !Role::Child.may(right), "{right:?}");
        }
    }

    #[test]
    fn only_admins_manage() {
        for right in [Right::ManageProviders, Right::ManageMembers, Right::ManageServer] {
            assert!(!Role::Member.may(right) && !Role::Child.may(right), "{right:?}");
        }
    }
}
