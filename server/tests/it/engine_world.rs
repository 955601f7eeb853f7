//! A household with a scripted provider, a clock that the test moves, and the real database, hub and engine.

use kinstead_tests::scripted::{KEY, ScriptedProvider};
use rusqlite::{Connection, params};
use server::clock::{self, fresh};
use server::db::{Db, DbError, RowExt};
use server::engine::commands::{self, CommandError};
use server::engine::{Engine, Timer};
use server::hub::{Hub, HubError, HubEvent};
use server::providers::{ApiKey, LocalServers, MasterKey, NewProvider, ProviderKind, Providers, Rules};
use server::supervisor::Supervisor;
use shared::frame::Command;
use shared::turn::TurnState;
use shared::{
    CommandId, Failure, FailureKind, KinId, MemberId, MessageId, MessageState, ProviderId, Role, SessionId, TurnId,
    UnixMillis, Viewer,
};
use std::future::Future;
use std::time::Duration;
use sync::hub::NewMessage;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::broadcast;

/// How long a test waits for a condition before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// The running server's parts.
pub struct World {
    pub folder: TempDir,
    pub db: Db,
    pub hub: Hub,
    pub providers: Providers,
    pub engine: Engine,
    pub timer: Timer,
    pub supervisor: Supervisor,
    pub ana: Viewer,
    pub ben: Viewer,
    /// The engine's own runtime: ending it is what a crash looks like.
    runtime: Machine,
}

/// A Kin and its thread.
#[derive(Debug, Clone, Copy)]
pub struct Thread {
    pub kin: KinId,
    pub session: SessionId,
}

/// A message as the table has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub id: MessageId,
    pub text: String,
    pub state: MessageState,
    pub answers: Option<MessageId>,
    pub failure: Option<Failure>,
}

impl Row {
    pub fn failed(&self) -> Option<FailureKind> {
        self.failure.as_ref().map(|failure| failure.kind)
    }
}

impl World {
    /// Two members, no Kin, no provider.
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (ana, ben) = (fresh::<MemberId>(), fresh::<MemberId>());
        let viewers = [Viewer { member: ana, role: Role::Admin }, Viewer { member: ben, role: Role::Member }];
        let world = Self::open(folder, viewers, Timer::manual(clock::now()));
        let insert = world.db.write(move |tx| {
            tx.execute("insert into meta (key, value) values ('household_name', 'Rue des Lilas')", [])?;
            for (id, nickname, language, role) in [(ana, "Ana", "en", "admin"), (ben, "Ben", "fr", "member")] {
                tx.execute(
                    "insert into member (id, email, first_name, last_name, nickname, language, role, created_at)
                     values (?1, ?2, ?2, ?2, ?2, ?3, ?4, 0)",
                    params![id.to_string(), nickname, language, role],
                )?;
            }
            Ok::<_, DbError>(())
        });
        insert.await.expect("inserts");
        world
    }

    fn open(folder: TempDir, [ana, ben]: [Viewer; 2], timer: Timer) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        let db = Db::open(&folder.path().join("kinstead.db")).expect("opens");
        let hub = Hub::new(db.clone());
        let master = MasterKey::new([7; 32]);
        let rules = Rules { demo_piece: Duration::ZERO, may_be_private: true, local: LocalServers::default() };
        let providers = Providers::new(db.clone(), hub.clone(), master, timer.clone(), rules);
        let supervisor = Supervisor::default();
        let engine = Engine::new(
            db.clone(),
            hub.clone(),
            providers.clone(),
            timer.clone(),
            supervisor.clone(),
            jiff::tz::TimeZone::UTC,
        );
        let started = engine.clone();
        let (tell, told) = std::sync::mpsc::channel();
        runtime.spawn(async move { tell.send(started.start().await) });
        told.recv().expect("starts").expect("starts");
        Self { folder, db, hub, providers, engine, timer, supervisor, ana, ben, runtime: Machine(Some(runtime)) }
    }

    /// Kills everything that runs, wherever it is, and starts again on the same folder.
    pub async fn crash(mut self) -> Self {
        // The disk goes first: what still runs notes nothing of how its connections break, as after a kill.
        self.db.close().await;
        if let Some(runtime) = self.runtime.0.take() {
            tokio::task::spawn_blocking(move || runtime.shutdown_timeout(PATIENCE)).await.expect("ends");
        }
        let Self { folder, timer, ana, ben, .. } = self;
        Self::open(folder, [ana, ben], timer)
    }

    /// Stops as on SIGTERM, and starts again on the same folder.
    pub async fn restart(self) -> Self {
        assert!(self.supervisor.shut_down(PATIENCE).await, "every job ends");
        self.db.close().await;
        let Self { folder, timer, ana, ben, .. } = self;
        Self::open(folder, [ana, ben], timer)
    }

    /// Sets up the scripted provider, as OpenAI-compatible or Anthropic.
    pub async fn provider(&self, provider: &ScriptedProvider, kind: ProviderKind) -> ProviderId {
        let new = NewProvider {
            name: "Scripted".into(),
            kind,
            base_url: (kind != ProviderKind::Demo).then(|| provider.url()),
            api_key: Some(ApiKey::new(KEY)),
            capabilities: None,
            query: None,
        };
        self.providers.add(self.ana, new).await.expect("can be reached").record.id
    }

    /// A Kin called Basile that thinks with a model, if any.
    pub async fn kin(&self, model: Option<(ProviderId, &str)>) -> Thread {
        let thread = Thread { kin: fresh(), session: fresh() };
        let (kin, session) = (thread.kin, thread.session);
        let model = model.map(|(provider, name)| (provider.to_string(), name.to_owned()));
        let write = self.hub.write(move |w| {
            let (provider, model) = model.unzip();
            w.tx().execute(
                "insert into kin (id, slug, name, role, avatar, hue, character, expertise, provider_id, model, position,
                                  created_by, created_at)
                 select ?1, ?1, 'Basile', 'Cook', 'basile', 'pear', 'Warm.', 'Soup.', ?2, ?3, 1, id, 0 from member limit 1",
                params![kin.to_string(), provider, model],
            )?;
            w.tx().execute(
                "insert into session (id, kin_id, kind, audience, chapter, next_seq, created_at)
                 values (?1, ?2, 'household', 'household', 1, 1, 0)",
                params![session.to_string(), kin.to_string()],
            )?;
            w.create_kin_documents(kin, session, "Warm.", "Soup.")
        });
        write.await.expect("inserts");
        thread
    }

    /// A thread whose Kin thinks with the scripted provider.
    pub async fn thread(&self, provider: &ScriptedProvider, kind: ProviderKind) -> Thread {
        let id = self.provider(provider, kind).await;
        self.kin(Some((id, model_of(kind)))).await
    }

    /// Ana writes.
    pub async fn say(&self, thread: Thread, text: &str) -> MessageId {
        self.say_as(self.ana, thread, text).await
    }

    pub async fn say_as(&self, viewer: Viewer, thread: Thread, text: &str) -> MessageId {
        let (message, text) = (fresh::<MessageId>(), text.to_owned());
        let write = self.hub.write(move |w| {
            let now = w.now();
            let new = NewMessage { id: message, text: &text, sent_at: now, reply_to: None };
            w.admit_member_message(viewer, thread.session, &new)
        });
        write.await.map(|_| message).unwrap_or_else(|error: HubError| panic!("is admitted: {error}"))
    }

    pub async fn command(&self, viewer: Viewer, command: Command) -> Result<(), CommandError> {
        self.command_again(viewer, fresh(), command).await
    }

    pub async fn command_again(&self, viewer: Viewer, id: CommandId, command: Command) -> Result<(), CommandError> {
        commands::run(&self.engine, viewer, id, command).await
    }

    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> T {
        self.db.read(|conn| Ok::<_, DbError>(read(conn)?)).await.expect("reads")
    }

    /// Every answer to a message, oldest first.
    pub async fn answers(&self, message: MessageId) -> Vec<Row> {
        let rows = self.messages().await;
        rows.into_iter().filter(|row| row.answers == Some(message)).collect()
    }

    /// Waits for the first answer to a message that nothing has replaced.
    pub async fn answer(&self, message: MessageId) -> Row {
        let shown = async || self.answers(message).await.into_iter().find(|row| row.state.is_shown());
        eventually("an answer", shown).await
    }

    pub async fn messages(&self) -> Vec<Row> {
        let read = self.read(|conn| {
            let mut query =
                conn.prepare("select id, text, state, answers, failure from message order by session_id, seq")?;
            let rows = query.query_map([], |row| {
                Ok(Row {
                    id: row.id("id")?,
                    text: row.get("text")?,
                    state: row.id("state")?,
                    answers: row.id_opt("answers")?,
                    failure: row.json_opt("failure")?,
                })
            })?;
            rows.collect()
        });
        read.await
    }

    /// The turn that runs in a session.
    pub async fn running(&self, thread: Thread) -> Option<(TurnId, TurnState)> {
        let read = self.read(move |conn| {
            let mut query = conn.prepare("select id, state from turn where session_id = ?1 and ended_at is null")?;
            let mut rows =
                query.query_map([thread.session.to_string()], |row| Ok((row.id("id")?, row.json("state")?)))?;
            rows.next().transpose()
        });
        read.await
    }

    /// Waits until a session's turn calls.
    pub async fn calling(&self, thread: Thread) -> TurnId {
        let calling = async || match self.running(thread).await {
            Some((turn, TurnState::Calling { .. })) => Some(turn),
            _ => None,
        };
        eventually("a turn that calls", calling).await
    }

    /// Waits until a session's turn pauses; gives until when and why.
    pub async fn backing_off(&self, thread: Thread) -> (UnixMillis, Failure) {
        let pausing = async || match self.running(thread).await {
            Some((_, TurnState::BackingOff { until, failure, .. })) => Some((until, failure)),
            _ => None,
        };
        eventually("a turn that pauses", pausing).await
    }

    /// How each call of a session's turns went, in order: attempt and outcome.
    pub async fn steps(&self, thread: Thread) -> Vec<(u32, Option<String>)> {
        let read = self.read(move |conn| {
            let mut query = conn.prepare(
                "select turn_step.attempt, turn_step.outcome from turn_step join turn on turn.id = turn_step.turn_id
                  where turn.session_id = ?1 order by turn.created_at, turn.id, turn_step.number",
            )?;
            query.query_map([thread.session.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        });
        read.await
    }

    /// Names of the stored events, oldest first.
    pub async fn events(&self) -> Vec<String> {
        let read = self.read(|conn| {
            conn.prepare("select name from event order by id")?.query_map([], |row| row.get(0))?.collect()
        });
        read.await
    }

    pub fn listen(&self) -> Listener {
        Listener { events: self.hub.subscribe(), said: String::new() }
    }
}

/// What the engine runs on. It goes without waiting for anything.
struct Machine(Option<Runtime>);

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Hears running answers.
pub struct Listener {
    events: broadcast::Receiver<HubEvent>,
    said: String,
}

impl Listener {
    /// Waits for some pieces of any answer; the beginning of one counts too.
    pub async fn hears_pieces(&mut self, count: usize) {
        let heard = async {
            for _ in 0..count {
                while !matches!(self.events.recv().await.expect("the hub is there"), HubEvent::Live { .. }) {}
            }
        };
        tokio::time::timeout(PATIENCE, heard).await.expect("an answer comes");
    }

    /// Waits until the attempt that speaks has said exactly `text`; gives the attempt.
    pub async fn hears(&mut self, text: &str) -> u32 {
        let Self { events, said } = self;
        let heard = async {
            loop {
                let event = events.recv().await.expect("the hub is there");
                let HubEvent::Live { offset, text: piece, attempt, .. } = event else { continue };
                said.truncate(usize::try_from(offset).expect("small"));
                said.push_str(&piece);
                if said == text {
                    return attempt;
                }
            }
        };
        match tokio::time::timeout(PATIENCE, heard).await {
            Ok(attempt) => attempt,
            Err(_) => panic!("waited for {text:.40?}, heard {:.40?}", self.said),
        }
    }
}

/// Looks until there is something to see.
pub async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, look: impl Fn() -> F) -> T {
    let seen = async {
        loop {
            if let Some(value) = look().await {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    match tokio::time::timeout(PATIENCE, seen).await {
        Ok(value) => value,
        Err(_) => panic!("waited in vain for {what}"),
    }
}

/// A model that the scripted provider has.
pub fn model_of(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Anthropic => "claude-haiku-4-5-20251001",
        ProviderKind::Openai | ProviderKind::OpenaiCompatible => "gpt-4o-mini",
        ProviderKind::Gemini => "gemini-2.5-flash",
        ProviderKind::Demo => "demo",
        ProviderKind::Voyage | ProviderKind::Brave | ProviderKind::Searxng | ProviderKind::Tavily => {
            unreachable!("no Kin thinks with it")
        }
    }
}

/// The texts of a recorded request's messages, whatever its format.
pub fn texts_of(body: &serde_json::Value) -> Vec<String> {
    let text = |content: &serde_json::Value| match content.as_str() {
        Some(text) => text.to_owned(),
        None => {
            let parts = content.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
            parts.collect::<Vec<_>>().join("\n\n")
        }
    };
    let messages = body["messages"].as_array().into_iter().flatten();
    messages.filter(|message| message["role"] != "system").map(|message| text(&message["content"])).collect()
}
