//! What handlers share: cheap handles, each to be taken alone through `State<…>`.

use crate::auth::registration::Begun;
use crate::auth::{Limits, LoggingIn, Opaque, Pending};
use crate::clock;
use crate::data_folder::DataFolder;
use crate::db::{Db, DbError};
use crate::engine::{Engine, Timer};
use crate::hub::Hub;
use crate::kins::KinPurge;
use crate::messages;
use crate::pictures::Pictures;
use crate::providers::seal::MasterKey;
use crate::providers::{Providers, Rules};
use crate::reach::Reach;
use crate::settings::Settings;
use crate::setup::SetupCode;
use crate::supervisor::Supervisor;
use axum::extract::FromRef;
use shared::UnixMillis;
use std::sync::Arc;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Time for the second message of a sign-in: a slow phone stretches the password meanwhile.
const SIGN_IN_MS: i64 = 2 * 60 * 1000;
/// The same of a registration.
const REGISTRATION_MS: i64 = 10 * 60 * 1000;

/// Everything a handler may need.
#[derive(Clone)]
pub struct AppState {
    /// The database.
    pub db: Db,
    /// Documents, log, live streams.
    pub hub: Hub,
    /// Configured outside services.
    pub providers: Providers,
    /// Faces.
    pub pictures: Pictures,
    /// Turns.
    pub engine: Engine,
    /// The end of Kins that were removed a while ago.
    pub kin_purge: KinPurge,
    /// How the server is reached.
    pub reach: Reach,
    /// Settings.
    pub settings: Arc<Settings>,
    /// Background jobs.
    pub supervisor: Supervisor,
    /// The household's half of every sign-in.
    pub opaque: Opaque,
    /// Sign-ins that wait for their proof.
    pub sign_ins: Arc<Pending<LoggingIn>>,
    /// Registrations that wait for their second message.
    pub registrations: Arc<Pending<Begun>>,
    /// Limits on attempts.
    pub limits: Arc<Limits>,
    /// The code of the first setup.
    pub setup_code: SetupCode,
}

impl AppState {
    /// Opens what the data folder holds. Nothing runs yet: see [`start`](Self::start).
    ///
    /// # Errors
    /// When the database or the master key cannot be opened.
    pub fn open(settings: Settings, folder: &DataFolder) -> anyhow::Result<Self> {
        let db = Db::open(&folder.database())?;
        let environment = std::env::var("KINSTEAD_MASTER_KEY").ok();
        let master = MasterKey::open(&folder.key(), environment.as_deref(), clock::random)?;
        let (hub, timer, supervisor) = (Hub::new(db.clone()), Timer::wall(), Supervisor::default());
        let opaque = Opaque::new(db.clone(), master.clone());
        let zone = settings.timezone.get().clone();
        let rules = Rules {
            may_be_private: settings.private_providers,
            local: settings.local_servers.clone(),
            ..Rules::default()
        };
        let providers = Providers::new(db.clone(), hub.clone(), master, timer.clone(), rules);
        let settings = Arc::new(settings);
        Ok(Self {
            kin_purge: KinPurge::new(hub.clone(), db.clone(), timer.clone()),
            reach: Reach::new(Arc::clone(&settings)),
            engine: Engine::new(db.clone(), hub.clone(), providers.clone(), timer, supervisor.clone(), zone),
            hub,
            pictures: Pictures::new(db.clone()),
            providers,
            db,
            settings,
            supervisor,
            opaque,
            sign_ins: Arc::new(Pending::new(SIGN_IN_MS)),
            registrations: Arc::new(Pending::new(REGISTRATION_MS)),
            limits: Arc::default(),
            setup_code: SetupCode::new(clock::random()),
        })
    }

    /// Starts whatever goes on without being asked: the engine picks up unfinished turns.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(&self) -> anyhow::Result<()> {
        // Better told now, where the server was started, than to whoever signs in first.
        self.opaque.secret().await?;
        let now = clock::now();
        self.db.write(move |tx| Ok::<_, DbError>(messages::forget_old(tx, now)?)).await?;
        self.pictures.forget_unused(now).await?;
        self.kin_purge.start(&self.supervisor);
        Ok(self.engine.start().await?)
    }

    /// When a login that is used now ends unless it is used again.
    pub fn login_expiry(&self, now: UnixMillis) -> UnixMillis {
        now.plus_ms(i64::from(self.settings.login_days) * DAY_MS)
    }
}

macro_rules! parts {
    ($($field:ident: $type:ty;)*) => {$(
        impl FromRef<AppState> for $type {
            fn from_ref(state: &AppState) -> Self {
                state.$field.clone()
            }
        }
    )*};
}

parts! {
    db: Db;
    hub: Hub;
    pictures: Pictures;
    providers: Providers;
    engine: Engine;
    reach: Reach;
    settings: Arc<Settings>;
    supervisor: Supervisor;
}
