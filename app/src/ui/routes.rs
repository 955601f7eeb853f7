//! Addresses of the app.

use super::foyer::{AccountScreen, Foyer, HouseholdScreen, MembersScreen};
use super::home::{HomeScreen, NotFoundScreen};
use super::kin_form::{KinSettingsScreen, NewKinScreen};
use super::providers::ProvidersScreen;
use super::server::ServerScreen;
use super::shell::Shell;
use super::thread::ThreadRoute;
use super::wizard::FirstDay;
use dioxus::prelude::*;
use shared::KinId;

/// Every screen that has an address.
#[derive(Debug, Clone, PartialEq, Routable)]
#[rustfmt::skip]
pub enum Route {
    #[layout(FirstDay)]
    #[layout(Shell)]
        /// Kins, and what they are doing.
        #[route("/", HomeScreen)]
        Home {},
        /// Welcomes a Kin.
        #[route("/kin/new", NewKinScreen)]
        NewKin {},
        /// A Kin's thread; by its id, or its name as it may stand in an address.
        #[route("/kin/:kin", ThreadRoute)]
        Thread { kin: String },
        /// A Kin's settings.
        #[route("/kin/:kin/settings", KinSettingsScreen)]
        KinSettings { kin: String },
        #[layout(Foyer)]
            /// The household's screens, as a list.
            #[route("/household", HouseholdScreen)]
            Household {},
            /// What the Kins think with.
            #[route("/providers", ProvidersScreen)]
            Providers {},
            /// Who lives here.
            #[route("/members", MembersScreen)]
            Members {},
            /// The server.
            #[route("/server", ServerScreen)]
            Server {},
            /// One's own account.
            #[route("/account", AccountScreen)]
            Account {},
        #[end_layout]
        /// Anything else.
        #[route("/:..path", NotFoundScreen)]
        NotFound { path: Vec<String> },
}

impl Route {
    /// A Kin's thread.
    pub fn thread(kin: KinId) -> Self {
        Self::Thread { kin: kin.to_string() }
    }

    /// A Kin's settings.
    pub fn settings(kin: KinId) -> Self {
        Self::KinSettings { kin: kin.to_string() }
    }

    /// The Kin an address is about.
    pub fn kin(&self) -> Option<&str> {
        match self {
            Self::Thread { kin } | Self::KinSettings { kin } => Some(kin),
            Self::Home {}
            | Self::NewKin {}
            | Self::Household {}
            | Self::Providers {}
            | Self::Members {}
            | Self::Account {}
            | Self::Server {}
            | Self::NotFound { .. } => None,
        }
    }
}
