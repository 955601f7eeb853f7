//! What a role may do at all (H-3). Whether a viewer may see a certain thing is its audience's question, not asked here.

use crate::audience::Role;
use std::fmt;
use std::str::FromStr;

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

/// What a personal access token may be used for (W-2), within what its member may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Read what its member may read.
    Read,
    /// Write to Kins.
    Talk,
    /// Change the household.
    Manage,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Read, Self::Talk, Self::Manage];

    /// The form kept in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Talk => "talk",
            Self::Manage => "manage",
        }
    }
}

/// Some scopes. Their text form is their names with spaces between, or `all`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Scopes(u8);

impl Scopes {
    /// Every scope there is.
    pub const ALL: Self = Self(0b111);

    /// With one more.
    #[must_use]
    pub const fn with(self, scope: Scope) -> Self {
        Self(self.0 | 1 << scope as u8)
    }

    /// Whether `scope` is among them.
    pub const fn hold(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them.
    pub fn each(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.hold(*scope))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("all");
        }
        for (at, scope) in self.each().enumerate() {
            f.write_str(if at == 0 { "" } else { " " })?;
            f.write_str(scope.as_str())?;
        }
        Ok(())
    }
}

impl FromStr for Scopes {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        text.split_whitespace().try_fold(Self::default(), |scopes, word| match word {
            "all" => Ok(Self::ALL),
            word => match Scope::ALL.into_iter().find(|scope| scope.as_str() == word) {
                Some(scope) => Ok(scopes.with(scope)),
                None => Err(format!("unknown scope {word:?}")),
            },
        })
    }
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

    /// The scope a personal access token needs for it. One's own account is changed by whoever is signed in, not by a
    /// token: its routes ask for a login besides.
    pub const fn scope(self) -> Scope {
        match self {
            Self::ReadHousehold | Self::ReadProviders => Scope::Read,
            Self::Talk => Scope::Talk,
            Self::OwnAccount | Self::CareForKins | Self::ManageProviders | Self::ManageMembers | Self::ManageServer => {
                Scope::Manage
            }
        }
    }
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
    fn scopes_have_one_text_form() {
        for bits in 0..8 {
            let scopes = Scopes(bits);
            assert_eq!(scopes.to_string().parse(), Ok(scopes));
        }
        assert_eq!(Scopes::ALL.to_string(), "all");
        assert_eq!(" talk  read talk ".parse(), Ok(Scopes::default().with(Scope::Read).with(Scope::Talk)));
        assert!("read,talk".parse::<Scopes>().is_err() && "Read".parse::<Scopes>().is_err());
    }

    #[test]
    fn only_admins_manage() {
        for right in [Right::ManageProviders, Right::ManageMembers, Right::ManageServer] {
            assert!(!Role::Member.may(right) && !Role::Child.may(right), "{right:?}");
        }
    }
}
