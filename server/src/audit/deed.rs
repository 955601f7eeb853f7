//! What is written down, and why it was allowed.

/// A sensitive deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// An account was made.
    MemberCreated,
    /// A member's role is another one.
    MemberRoleChanged,
    /// A member may not come in any more.
    MemberDisabled,
    /// A member may come in again.
    MemberEnabled,
    /// An account was deleted by an admin.
    MemberDeleted,
    /// Somebody deleted their own account.
    AccountDeleted,
    /// Somebody took their own data with them.
    AccountExported,
    /// Somebody signs in with another address from now on.
    EmailChanged,
    /// Somebody chose another password, knowing the one before.
    PasswordChanged,
    /// An invitation was written.
    InvitationCreated,
    /// An invitation was taken back.
    InvitationWithdrawn,
    /// An invitation was accepted.
    InvitationUsed,
    /// A link to another password was written.
    ResetCreated,
    /// A password was chosen through such a link.
    ResetUsed,
    /// The household has another name.
    HouseholdNamed,
    /// A login began.
    SignedIn,
    /// A login ended.
    SignedOut,
    /// A device was signed out from afar.
    DeviceRevoked,
    /// A personal access token was made.
    TokenCreated,
    /// A personal access token was taken back.
    TokenRevoked,
    /// A Kin was removed.
    KinDeleted,
    /// It was brought back in time.
    KinRestored,
    /// It was not: nothing of it is left.
    KinPurged,
    /// An outside service was set up.
    ProviderAdded,
    /// An outside service has another name, address, key or use.
    ProviderChanged,
    /// An outside service and its key were removed.
    ProviderRemoved,
    /// What the household uses where nobody chose otherwise.
    DefaultsChanged,
    /// Sizes or prices of a model.
    ModelFactsChanged,
    /// A message's words were taken away for good.
    MessageRedacted,
    /// A change pushed by a replica was refused: a fault, or an attack.
    ChangeRefused,
}

impl Deed {
    /// The form kept in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MemberCreated => "member_created",
            Self::MemberRoleChanged => "member_role_changed",
            Self::MemberDisabled => "member_disabled",
            Self::MemberEnabled => "member_enabled",
            Self::MemberDeleted => "member_deleted",
            Self::AccountDeleted => "account_deleted",
            Self::AccountExported => "account_exported",
            Self::EmailChanged => "email_changed",
            Self::PasswordChanged => "password_changed",
            Self::InvitationCreated => "invitation_created",
            Self::InvitationWithdrawn => "invitation_withdrawn",
            Self::InvitationUsed => "invitation_used",
            Self::ResetCreated => "reset_created",
            Self::ResetUsed => "reset_used",
            Self::HouseholdNamed => "household_named",
            Self::SignedIn => "signed_in",
            Self::SignedOut => "signed_out",
            Self::TokenCreated => "token_created",
            Self::TokenRevoked => "token_revoked",
            Self::DeviceRevoked => "device_revoked",
            Self::KinDeleted => "kin_deleted",
            Self::KinRestored => "kin_restored",
            Self::KinPurged => "kin_purged",
            Self::ProviderAdded => "provider_added",
            Self::ProviderChanged => "provider_changed",
            Self::ProviderRemoved => "provider_removed",
            Self::DefaultsChanged => "defaults_changed",
            Self::ModelFactsChanged => "model_facts_changed",
            Self::MessageRedacted => "message_redacted",
            Self::ChangeRefused => "sync.refused",
        }
    }

    /// Under which right or proof it was allowed.
    pub const fn why(self) -> &'static str {
        match self {
            Self::MemberCreated => "setup_code_or_invitation",
            Self::InvitationUsed => "invitation",
            Self::ResetUsed => "reset_link",
            Self::SignedIn | Self::PasswordChanged | Self::AccountDeleted => "password",
            Self::SignedOut
            | Self::DeviceRevoked
            | Self::AccountExported
            | Self::EmailChanged
            | Self::TokenCreated
            | Self::TokenRevoked => "own_account",
            Self::MemberRoleChanged
            | Self::MemberDisabled
            | Self::MemberEnabled
            | Self::MemberDeleted
            | Self::InvitationCreated
            | Self::InvitationWithdrawn
            | Self::ResetCreated => "manage_members",
            Self::HouseholdNamed => "manage_server",
            Self::ProviderAdded
            | Self::ProviderChanged
            | Self::ProviderRemoved
            | Self::DefaultsChanged
            | Self::ModelFactsChanged => "manage_providers",
            Self::KinDeleted | Self::KinRestored => "care_for_kins",
            Self::KinPurged => "thirty_days",
            Self::MessageRedacted => "author_or_admin",
            Self::ChangeRefused => "refused",
        }
    }
}
