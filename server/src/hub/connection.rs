//! One client's connection: reads its frames, sends what its mailbox holds.

use super::fanout::Mailbox;
use super::{Hub, HubError};
use crate::auth;
use crate::clock;
use axum::extract::ws::{Message, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{FutureExt, SinkExt, StreamExt};
use shared::frame::{ClientFrame, CloseCode, FrameError, Position, RefusalCode, ServerFrame, decode, encode};
use shared::frame::{Command, MAX_WATCHED, WatchFrom};
use shared::{Audience, ChangeHash, ChangeHeader, CommandId, DocumentId, Operation, SessionId, TurnId};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use sync::hub::Pushed;

/// Pushes taken into one transaction.
const PUSH_GROUP: usize = 64;

/// Runs a command for the connection's viewer: `Ok`, or a code and a detail.
pub(super) type RunCommand =
    Arc<dyn Fn(CommandId, Command) -> Pin<Box<dyn Future<Output = Result<(), (String, String)>> + Send>> + Send + Sync>;

/// What has been sent on this connection.
#[derive(Default)]
struct Sent {
    positions: HashMap<Audience, u64>,
    live: HashMap<SessionId, (TurnId, u32, usize)>,
    /// Catch-up has been handed to the mailbox; deltas may follow it.
    greeted: bool,
    /// Deltas came while it was not.
    missed: bool,
}

pub(super) struct Connection {
    hub: Hub,
    mailbox: Arc<Mailbox>,
    sent: Mutex<Sent>,
    run: RunCommand,
}

/// A push as the frame brought it.
struct Push {
    document: DocumentId,
    generation: u32,
    operation: Operation,
    header: ChangeHeader,
}

impl Connection {
    pub fn new(hub: Hub, mailbox: Arc<Mailbox>, run: RunCommand) -> Self {
        Self { hub, mailbox, sent: Mutex::default(), run }
    }

    /// Serves the connection until either side ends it.
    pub async fn serve(self, socket: WebSocket) {
        let (sink, stream) = socket.split();
        let connection = Arc::new(self);
        tokio::select! {
            () = connection.write(sink) => {}
            () = connection.read(stream) => {
                // Let the last words out, e.g. why the connection closes.
            }
        }
    }

    fn sent(&self) -> std::sync::MutexGuard<'_, Sent> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn read(&self, mut stream: SplitStream<WebSocket>) {
        while let Some(Ok(message)) = stream.next().await {
            let Some(frame) = self.decode(message) else { continue };
            let mut next = Some(frame);
            while let Some(frame) = next.take() {
                if let ClientFrame::Push { document, generation, operation, header } = frame {
                    let mut pushes = vec![Push { document, generation, operation, header }];
                    next = self.gather(&mut stream, &mut pushes);
                    self.push(pushes).await;
                } else {
                    self.frame(frame).await;
                }
            }
        }
    }

    /// Takes pushes that are already here into the same group; gives the first frame that is none.
    fn gather(&self, stream: &mut SplitStream<WebSocket>, pushes: &mut Vec<Push>) -> Option<ClientFrame> {
        while pushes.len() < PUSH_GROUP {
            let Some(Some(Ok(message))) = stream.next().now_or_never() else { return None };
            match self.decode(message) {
                Some(ClientFrame::Push { document, generation, operation, header }) => {
                    pushes.push(Push { document, generation, operation, header });
                }
                Some(other) => return Some(other),
                None => {}
            }
        }
        None
    }

    fn decode(&self, message: Message) -> Option<ClientFrame> {
        let bytes = match message {
            Message::Binary(bytes) => bytes,
            Message::Text(_) => {
                self.mailbox.close(CloseCode::Protocol);
                return None;
            }
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => return None,
        };
        match decode(&bytes) {
            Ok(frame) => Some(frame),
            Err(FrameError::TooLarge(_)) => {
                self.mailbox.close(CloseCode::TooLarge);
                None
            }
            Err(FrameError::Malformed) => {
                self.mailbox.close(CloseCode::Protocol);
                None
            }
        }
    }

    async fn frame(&self, frame: ClientFrame) {
        let greeted = self.sent().greeted;
        match frame {
            ClientFrame::Hello { epoch, positions } => {
                if let Err(error) = self.hello(epoch, positions).await {
                    tracing::error!(error = ?error, "catch-up failed");
                    self.mailbox.close(CloseCode::GoingAway);
                }
            }
            _ if !greeted => self.mailbox.close(CloseCode::Protocol),
            ClientFrame::Push { document, generation, operation, header } => {
                self.push(vec![Push { document, generation, operation, header }]).await;
            }
            ClientFrame::Watch { sessions } => self.watch(sessions),
            ClientFrame::Fetch { document } => match self.hub.snapshot(self.mailbox.viewer, document).await {
                Ok(frames) => frames.iter().for_each(|frame| self.mailbox.control(frame)),
                Err(error) => {
                    // The client waits for the document: a new connection asks again.
                    tracing::error!(error = ?error, "fetch failed");
                    self.mailbox.close(CloseCode::GoingAway);
                }
            },
            ClientFrame::Command { id, command } => {
                // Commands may wait for the database; the reader goes on.
                let (run, mailbox) = ((self.run)(id, command), Arc::clone(&self.mailbox));
                if mailbox.is_ended() {
                    return;
                }
                let frame = match run.await {
                    Ok(()) => ServerFrame::Done { id },
                    Err((code, detail)) => ServerFrame::CommandRefused { id, code, detail },
                };
                mailbox.control(&frame);
            }
            ClientFrame::Ping => self.mailbox.control(&ServerFrame::Pong),
        }
    }

    async fn hello(&self, epoch: Option<shared::EpochId>, positions: Vec<Position>) -> Result<(), HubError> {
        let ours = self.hub.epoch().await?;
        let positions = if epoch == Some(ours) { positions } else { Vec::new() };
        // From here on deltas count as missed until catch-up stands before them in the mailbox.
        {
            let mut sent = self.sent();
            (sent.greeted, sent.missed) = (false, false);
        }
        let caught_up = self.hub.catch_up(self.mailbox.viewer, positions).await?;
        let (member, device) = (self.mailbox.viewer.member, self.mailbox.device);
        self.mailbox.control(&ServerFrame::Welcome {
            epoch: ours,
            now: clock::now(),
            member,
            device,
            fresh: caught_up.fresh,
        });
        for frame in self.hub.0.fanout.queues(self.mailbox.viewer) {
            self.mailbox.control(&frame);
        }
        for frame in &caught_up.frames {
            self.mailbox.control(frame);
        }
        let mut sent = self.sent();
        sent.greeted = true;
        sent.positions = caught_up.positions.iter().map(|position| (position.audience, position.at)).collect();
        if sent.missed {
            self.mailbox.fall_behind();
        }
        Ok(())
    }

    fn watch(&self, sessions: Vec<WatchFrom>) {
        let sessions: Vec<WatchFrom> = sessions.into_iter().take(MAX_WATCHED).collect();
        let mut sent = self.sent();
        sent.live = sessions
            .iter()
            .filter_map(|watch| {
                let (turn, attempt, bytes) = watch.have?;
                Some((watch.session, (turn, attempt, usize::try_from(bytes).ok()?)))
            })
            .collect();
        drop(sent);
        self.mailbox.watch(sessions.iter().map(|watch| watch.session).collect());
    }

    async fn push(&self, pushes: Vec<Push>) {
        if !self.sent().greeted {
            return self.mailbox.close(CloseCode::Protocol);
        }
        let hashes: Vec<ChangeHash> = pushes.iter().map(|push| push.header.hash).collect();
        let (viewer, device) = (self.mailbox.viewer, self.mailbox.device);
        let write = self.hub.write(move |w| {
            if !auth::device_counts(w.tx(), device, w.now())? {
                let out = || Pushed::Refused(RefusalCode::Forbidden, "signed out");
                return Ok(pushes.iter().map(|_| out()).collect());
            }
            pushes
                .iter()
                .map(|push| w.push(viewer, device, push.document, push.generation, &push.operation, &push.header))
                .collect::<Result<Vec<Pushed>, HubError>>()
        });
        let outcomes = write.await;
        if let Err(error) = &outcomes {
            tracing::error!(error = ?error, "pushed changes could not be stored");
        }
        for (at, hash) in hashes.into_iter().enumerate() {
            let frame = match outcomes.as_ref().map(|outcomes| outcomes.get(at)) {
                Ok(Some(Pushed::Accepted)) => ServerFrame::Accepted { hash },
                Ok(Some(Pushed::Refused(code, detail))) => {
                    ServerFrame::Refused { hash, code: *code, detail: (*detail).to_owned() }
                }
                Ok(None) | Err(_) => {
                    ServerFrame::Refused { hash, code: RefusalCode::Unavailable, detail: "not stored".to_owned() }
                }
            };
            self.mailbox.control(&frame);
        }
    }

    /// Sends whatever waits, control first, until the connection ends.
    async fn write(&self, mut sink: SplitSink<WebSocket, Message>) {
        loop {
            self.mailbox.wake.notified().await;
            let lanes = self.mailbox.take();
            let mut frames: Vec<Vec<u8>> = lanes.control.into();
            if lanes.behind {
                match self.behind().await {
                    Ok(caught_up) => frames.extend(caught_up),
                    Err(error) => {
                        tracing::error!(error = ?error, "catch-up failed");
                        return;
                    }
                }
            }
            for delta in lanes.deltas {
                let mut sent = self.sent();
                let at = sent.positions.get(&delta.audience).copied().unwrap_or(0);
                // What catch-up brought is skipped.
                if !sent.greeted {
                    sent.missed = true;
                } else if delta.from >= at {
                    sent.positions.insert(delta.audience, delta.to);
                    frames.push(delta.bytes.clone());
                }
            }
            for session in lanes.queues {
                frames.push(encode(&self.hub.0.fanout.queue(session)));
            }
            for session in lanes.live {
                frames.extend(self.live(session));
            }
            // Reading took a moment; whoever was signed out meanwhile gets none of it.
            if self.mailbox.is_ended() {
                frames.clear();
            }
            for frame in frames {
                if sink.feed(Message::Binary(frame.into())).await.is_err() {
                    return;
                }
            }
            if let Some(code) = lanes.closing {
                let _ = sink.send(Message::Binary(encode(&ServerFrame::Closing { code }).into())).await;
                let _ = sink.close().await;
                return;
            }
            if sink.flush().await.is_err() {
                return;
            }
        }
    }

    /// Reads from the log what the mailbox could not hold.
    async fn behind(&self) -> Result<Vec<Vec<u8>>, HubError> {
        let positions: Vec<Position> = {
            let sent = self.sent();
            if !sent.greeted {
                return Ok(Vec::new());
            }
            sent.positions.iter().map(|(audience, at)| Position { audience: *audience, at: *at }).collect()
        };
        let caught_up = self.hub.catch_up(self.mailbox.viewer, positions).await?;
        if !caught_up.fresh.is_empty() {
            // Further behind than the log reaches: the client begins anew with a hello of its own.
            self.mailbox.close(CloseCode::GoingAway);
            return Ok(Vec::new());
        }
        let mut sent = self.sent();
        sent.positions = caught_up.positions.iter().map(|position| (position.audience, position.at)).collect();
        Ok(caught_up.frames.iter().map(encode).collect())
    }

    fn live(&self, session: SessionId) -> Option<Vec<u8>> {
        let mut sent = self.sent();
        let had = sent.live.get(&session).copied();
        let (frame, now) = self.hub.0.fanout.live_since(self.mailbox.viewer, session, had)?;
        sent.live.insert(session, now);
        Some(encode(&frame))
    }
}
