//! One turn from its first call to its end: feeds the turn machine and carries out what it says.
//!
//! A state that has to survive a crash is written before its effects. When the disk refuses, the state stays in memory,
//! its effects wait, clients are told, and the write is tried again with growing pauses.

mod save;

use super::Engine;
use super::answer_text::AnswerText;
use super::checkpoint::Checkpoint;
use super::commands::CommandError;
use super::journal::{TurnFacts, Unfinished};
use crate::clock;
use crate::db::DbError;
use crate::error::chain;
use crate::providers::{ChatEvent, ChatStream, StopReason, Usage};
use futures_util::StreamExt;
use futures_util::future::pending;
use save::Unsaved;
use shared::turn::{Effect, TurnEvent, TurnOutcome, TurnState};
use shared::{CommandId, Failure, FailureKind, MemberId, MessageId, TurnId, UnixMillis};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// Somebody wants the turn to end.
#[derive(Debug)]
pub(super) struct StopAsk {
    /// The turn meant; `None` for whichever runs.
    turn: Option<TurnId>,
    /// The command to write down with the end.
    command: Option<(CommandId, MemberId)>,
    reply: oneshot::Sender<Result<(), CommandError>>,
}

impl StopAsk {
    /// A member's command, and where its answer comes once the end is durable.
    pub(super) fn of(
        turn: TurnId,
        id: CommandId,
        member: MemberId,
    ) -> (Self, oneshot::Receiver<Result<(), CommandError>>) {
        let (reply, answer) = oneshot::channel();
        (Self { turn: Some(turn), command: Some((id, member)), reply }, answer)
    }

    /// The server's own wish.
    pub(super) fn silent() -> Self {
        Self { turn: None, command: None, reply: oneshot::channel().0 }
    }
}

/// A turn and what belongs to it while it runs.
pub(super) struct TurnJob {
    engine: Engine,
    facts: TurnFacts,
    state: TurnState,
    unsaved: Option<Unsaved>,
    /// Effects to carry out first; their state is on disk.
    first: Vec<Effect>,
    call: Option<ChatStream>,
    text: AnswerText,
    usage: Usage,
    wake_at: Option<UnixMillis>,
    checkpoint: Checkpoint,
    /// Told that they will be answered when the end is durable.
    stops: Vec<StopAsk>,
    /// Clients have been told that something is wrong.
    complained: bool,
    /// The same however often the answer has to be saved.
    answer: MessageId,
    begun_at: UnixMillis,
}

impl TurnJob {
    fn new(engine: Engine, facts: TurnFacts, state: TurnState) -> Self {
        let begun_at = engine.0.timer.now();
        Self {
            engine,
            facts,
            state,
            unsaved: None,
            first: Vec::new(),
            call: None,
            text: AnswerText::default(),
            usage: Usage::default(),
            wake_at: None,
            checkpoint: Checkpoint::default(),
            stops: Vec::new(),
            complained: false,
            answer: clock::fresh(),
            begun_at,
        }
    }

    /// A turn that has just been taken up.
    pub(super) fn taken_up(engine: Engine, facts: TurnFacts, state: TurnState, effects: Vec<Effect>) -> Self {
        Self { first: effects, ..Self::new(engine, facts, state) }
    }

    /// A turn that an earlier run left unfinished.
    pub(super) fn resumed(engine: Engine, unfinished: Unfinished) -> Self {
        let Unfinished { facts, state, partial } = unfinished;
        let Some(state) = state else { return Self::failed(engine, facts, partial) };
        let mut job = Self::new(engine, facts, state);
        job.text = AnswerText::of_before(partial);
        job.step(TurnEvent::Restarted, "lost");
        job.complained = job.waits_for().is_some();
        job
    }

    /// A turn that went wrong in a way that only we can be blamed for, and has nothing left but to fail.
    pub(super) fn failed(engine: Engine, facts: TurnFacts, partial: String) -> Self {
        let (now, outcome) = (engine.0.timer.now(), TurnOutcome::Failed(Failure::of(FailureKind::Internal)));
        let mut job = Self::new(engine, facts, TurnState::Ended { at: now, outcome: outcome.clone() });
        job.text = AnswerText::of_before(partial);
        job.unsaved = Some(Unsaved { effects: vec![Effect::Finish(outcome)], outcome: "lost", tries: 0, try_at: now });
        job
    }

    pub(super) fn facts(&self) -> &TurnFacts {
        &self.facts
    }

    /// Why the turn waits to call again, if it does.
    pub(super) fn waits_for(&self) -> Option<&Failure> {
        match &self.state {
            TurnState::BackingOff { failure, .. } => Some(failure),
            TurnState::Queued | TurnState::Calling { .. } | TurnState::Ended { .. } => None,
        }
    }

    /// Runs the turn to its end, or until the server stops: then the turn goes on at the next start.
    pub(super) async fn run(&mut self, mut asks: mpsc::Receiver<StopAsk>, stop: CancellationToken) {
        for effect in std::mem::take(&mut self.first) {
            self.carry_out(effect).await;
        }
        loop {
            if self.unsaved.as_ref().is_some_and(|unsaved| self.engine.0.timer.now() >= unsaved.try_at) {
                if self.save().await {
                    return;
                }
                continue;
            }
            let saving_at = self.unsaved.as_ref().map(|unsaved| unsaved.try_at);
            let moments = [self.wake_at, saving_at, self.checkpoint.due_at()];
            let wake_at = moments.into_iter().flatten().min();
            let timer = &self.engine.0.timer;
            tokio::select! {
                biased;
                () = stop.cancelled() => return self.leave().await,
                Some(ask) = asks.recv() => self.asked(ask),
                () = async { match wake_at { Some(at) => timer.sleep_until(at).await, None => pending().await } } => self.woken(),
                result = self.checkpoint.written() => self.checkpointed(result),
                event = async { match self.call.as_mut() { Some(call) => call.next().await, None => pending().await } } => {
                    self.heard(event);
                }
            }
        }
    }

    /// Takes an event of the call.
    fn heard(&mut self, event: Option<Result<ChatEvent, Failure>>) {
        match event {
            Some(Ok(ChatEvent::Text(piece))) => {
                self.step(TurnEvent::Heard, "");
                let (taken, room) = self.text.push(&piece);
                self.checkpoint.note(taken.len(), self.engine.0.timer.now());
                self.engine.0.hub.live_text(self.facts.session, taken);
                if !room {
                    tracing::warn!(text_bytes = self.text.len(), "an answer was too long for a message and was cut");
                    self.step(TurnEvent::Completed, "answered");
                }
            }
            Some(Ok(ChatEvent::Heard)) => self.step(TurnEvent::Heard, ""),
            Some(Ok(ChatEvent::Done { usage, stop })) => {
                self.usage = usage;
                match stop {
                    StopReason::Declined if self.text.is_blank() => {
                        self.call_failed(Failure::with_detail(FailureKind::Refused, "the model declined to answer"));
                    }
                    StopReason::End | StopReason::Length | StopReason::Declined if self.text.is_blank() => {
                        self.call_failed(Failure::with_detail(FailureKind::Malformed, "the answer is empty"));
                    }
                    StopReason::Length => {
                        self.text.mark_cut();
                        self.step(TurnEvent::Completed, "answered");
                    }
                    StopReason::End | StopReason::Declined => self.step(TurnEvent::Completed, "answered"),
                }
            }
            Some(Err(failure)) => self.call_failed(failure),
            None => self.call_failed(Failure::of(FailureKind::CutShort)),
        }
    }

    fn call_failed(&mut self, failure: Failure) {
        let kind = failure.kind.as_str();
        tracing::warn!(failure.kind = kind, "a model call failed");
        self.step(TurnEvent::CallFailed(failure), kind);
    }

    fn asked(&mut self, ask: StopAsk) {
        let other = ask.turn.is_some_and(|turn| turn != self.facts.turn);
        let ended = matches!(&self.state, TurnState::Ended { outcome, .. } if *outcome != TurnOutcome::Stopped);
        if other || ended {
            let _ = ask.reply.send(Err(CommandError::TurnNotRunning));
            return;
        }
        self.stops.push(ask);
        self.step(TurnEvent::Stop, "stopped");
    }

    fn woken(&mut self) {
        let now = self.engine.0.timer.now();
        if self.checkpoint.due_at().is_some_and(|at| now >= at) {
            self.checkpoint.begin(&self.engine.0.db, self.facts.turn, self.text.as_str());
        }
        if self.wake_at.is_some_and(|at| now >= at) {
            self.wake_at = None;
            self.step(TurnEvent::Tick, FailureKind::TimedOut.as_str());
        }
    }

    fn checkpointed(&mut self, result: Result<(), DbError>) {
        if let Err(error) = result {
            tracing::warn!(error = chain(&error), "could not write down what an answer says so far");
            self.checkpoint.failed(self.engine.0.timer.now());
        }
    }

    /// Advances the machine. `outcome` is how the call under way has ended, if this ends it.
    fn step(&mut self, event: TurnEvent, outcome: &'static str) {
        let now = self.engine.0.timer.now();
        let (next, effects) = match self.state.step(now, event) {
            Ok(step) => step,
            Err(illegal) => {
                tracing::error!(error = %illegal, "an event came at the wrong time");
                return;
            }
        };
        let journal = next.must_journal(&self.state);
        self.state = next;
        if journal {
            // Whatever state this is, the call of the one before is over.
            self.call = None;
            self.wake_at = None;
            let outcome = self.unsaved.as_ref().map_or(outcome, |unsaved| unsaved.outcome);
            // Effects of a state that was never written are void: the new one has its own.
            self.unsaved = Some(Unsaved { effects, outcome, tries: 0, try_at: now });
            return;
        }
        for effect in effects {
            match effect {
                Effect::WakeAt(at) => self.wake_at = Some(at),
                Effect::CallModel { .. } | Effect::CancelCall | Effect::Finish(_) => {
                    tracing::error!("an effect came without a state to write");
                }
            }
        }
    }

    async fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::CallModel { attempt } => {
                let TurnFacts { turn, session, kin, message, audience } = self.facts;
                self.text.begin_attempt();
                self.engine.0.hub.live_begin(session, audience, turn, kin, message, attempt, String::new());
                self.call = Some(self.engine.call(&self.facts));
                self.complain(None).await;
            }
            Effect::WakeAt(at) => {
                self.wake_at = Some(at);
                if let Some(failure) = self.waits_for().cloned() {
                    self.complain(Some(failure)).await;
                }
            }
            // Both are done by then: a call goes when its state does, the end is written as a state.
            Effect::CancelCall | Effect::Finish(_) => {}
        }
    }

    /// Tells clients why the turn waits, or that it goes on.
    async fn complain(&mut self, failure: Option<Failure>) {
        if failure.is_none() && !self.complained {
            return;
        }
        self.complained = failure.is_some();
        self.engine.retrying(&self.facts, failure).await;
    }
}
