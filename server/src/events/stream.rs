//! One client's stream.

use super::rows::{self, EventRecord};
use crate::auth::Caller;
use crate::clock;
use crate::db::{Db, DbError};
use crate::hub::{Hub, HubEvent, LiveTurn};
use axum::response::sse::Event;
use futures_util::Stream;
use futures_util::stream::unfold;
use serde_json::json;
use shared::{Audience, KinId, SessionId, TurnId, UnixMillis};
use std::collections::VecDeque;
use std::convert::Infallible;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio_util::sync::CancellationToken;

/// Stored events read at once.
const PAGE: usize = 200;
/// Name of a piece of a running answer.
const DELTA: &str = "kin.message.delta";
/// Name of what comes first when events between the client's last and the oldest kept one are forgotten.
const GAP: &str = "events.gap";
/// What every event names as its source.
const SOURCE: &str = "kinstead";

pub(super) struct EventStream {
    db: Db,
    caller: Caller,
    news: Receiver<HubEvent>,
    stop: CancellationToken,
    /// Everything the viewer may see up to this row has been given out.
    cursor: i64,
    /// The table may hold more behind the cursor.
    behind: bool,
    /// Answers that ran when the stream began, with the bytes given out then.
    begun: Vec<(TurnId, u32, u64)>,
    ready: VecDeque<Event>,
    ended: bool,
}

/// Opens a stream behind row `after`, or from now on.
pub(super) async fn open(
    db: Db,
    hub: &Hub,
    caller: Caller,
    after: Option<i64>,
    stop: CancellationToken,
) -> Result<impl Stream<Item = Result<Event, Infallible>> + use<>, DbError> {
    // Listening begins before anything is read, so nothing falls between.
    let news = hub.subscribe();
    let (oldest, newest) = db.read(|connection| Ok::<_, DbError>(rows::kept(connection)?)).await?;
    let mut stream = EventStream {
        db,
        caller,
        news,
        stop,
        // A number from another run of history (a restored backup) would wait for ever.
        cursor: after.unwrap_or(newest).min(newest),
        behind: after.is_some(),
        begun: Vec::new(),
        ready: VecDeque::new(),
        ended: false,
    };
    // Whoever was signed out between the request and now was so before this stream listened.
    stream.ended = !hub.lets_in(caller).await;
    if let Some(after) = after.filter(|after| after + 1 < oldest && !stream.ended) {
        stream.ready.push_back(gap(after, oldest));
    }
    for (session, live) in hub.live_now(caller.viewer).into_iter().take_while(|_| !stream.ended) {
        let LiveTurn { turn, kin, attempt, text, .. } = live;
        stream.begun.push((turn, attempt, text.len() as u64));
        stream.ready.push_back(delta(session, turn, kin, attempt, 0, &text));
    }
    Ok(unfold(stream, |mut stream| async move { stream.next().await.map(|event| (Ok(event), stream)) }))
}

impl EventStream {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.ended {
                return None;
            }
            if self.behind {
                self.read().await;
                continue;
            }
            let stop = self.stop.clone();
            let news = tokio::select! {
                () = stop.cancelled() => return None,
                news = self.news.recv() => news,
            };
            match news {
                Ok(news) => self.hear(news),
                // Pieces of answers are gone for this stream, their offsets say so; stored events are not. The end of
                // its login may be among what was lost: reading asks for it too.
                Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn hear(&mut self, news: HubEvent) {
        let visible = |audience: Audience| self.caller.viewer.may_see(audience);
        match news {
            HubEvent::Stored { id, audience } => {
                if id > self.cursor && visible(audience) {
                    self.behind = true;
                }
            }
            HubEvent::Ended(ending) => self.ended |= ending.ends(&self.caller),
            HubEvent::Live { session, audience, turn, kin, attempt, offset, text } => {
                let known =
                    self.begun.iter().any(|(known, at, bytes)| *known == turn && *at == attempt && offset < *bytes);
                if visible(audience) && !known {
                    self.ready.push_back(delta(session, turn, kin, attempt, offset, &text));
                }
            }
        }
    }

    async fn read(&mut self) {
        let (caller, after) = (self.caller, self.cursor);
        let read = self.db.read(move |connection| {
            let counts = caller.still_counts(connection, clock::now())?;
            Ok::<_, DbError>((counts, rows::list(connection, caller.viewer, after, PAGE)?))
        });
        match read.await {
            Ok((counts, mut events)) => {
                self.behind = events.len() == PAGE;
                // Nothing after the end, and the end itself only where it is in the list.
                if let Some(last) = events.iter().position(|event| signs_out(event, &self.caller)) {
                    events.truncate(last + 1);
                    self.ended = true;
                } else if !counts {
                    events.clear();
                    self.ended = true;
                }
                for event in events {
                    self.cursor = event.row;
                    self.ready.push_back(stored(event));
                }
            }
            Err(error) => {
                // The client comes back with its last id.
                tracing::warn!(error = crate::error::chain(&error), "an event stream could not read on");
                self.ended = true;
            }
        }
    }
}

/// Whether the event is the end of the login this stream hangs on.
fn signs_out(event: &EventRecord, caller: &Caller) -> bool {
    let device = caller.device.map(|device| device.to_string());
    event.name == "user.logout" && device.is_some() && event.data["device_id"].as_str() == device.as_deref()
}

fn stored(event: EventRecord) -> Event {
    let EventRecord { row, id, name, at, data } = event;
    let body = json!({ "id": id, "time": at, "source": SOURCE, "data": data });
    Event::default().id(row.to_string()).event(name).data(body.to_string())
}

/// What stood between is forgotten: whoever keeps something up to date by events reads it anew.
fn gap(after: i64, oldest: i64) -> Event {
    let data = json!({ "after": after.to_string(), "oldest": oldest.to_string() });
    let body = json!({ "time": clock::now(), "source": SOURCE, "data": data });
    Event::default().event(GAP).data(body.to_string())
}

fn delta(session: SessionId, turn: TurnId, kin: KinId, attempt: u32, offset: u64, text: &str) -> Event {
    let data = json!({
        "kin_id": kin, "session_id": session, "turn_id": turn, "attempt": attempt, "offset": offset, "text": text,
    });
    let now: UnixMillis = clock::now();
    let body = json!({ "time": now, "source": SOURCE, "data": data });
    Event::default().event(DELTA).data(body.to_string())
}
