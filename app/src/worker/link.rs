//! When to connect, when to wait and when to give a connection up. Knows no socket and no clock.

use shared::UnixMillis;

/// First wait before connecting again; doubles with each failure …
const SHORTEST_WAIT_MS: i64 = 300;
/// … up to this. With jitter a wait is between half of it and all of it.
const LONGEST_WAIT_MS: i64 = 20_000;
/// A connection that lived this long was a good one: the next failure counts as the first.
const GOOD_AFTER_MS: i64 = 10_000;
/// No frame for so long: ping.
const PING_AFTER_MS: i64 = 25_000;
/// Nothing heard so long after a ping: the connection is dead.
const DEAD_AFTER_MS: i64 = 10_000;
/// The same when there is reason to doubt it: a socket that still works answers in milliseconds.
const DOUBTED_AFTER_MS: i64 = 2_000;
/// A connection heard this recently is not pinged because a page woke up.
const FRESH_MS: i64 = 2_000;
/// Longest time for a connection to open.
const OPEN_WITHIN_MS: i64 = 20_000;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Be connected from now on; an open connection is replaced by a new one.
    Want,
    /// Be disconnected until wanted again.
    Leave,
    /// The connection is open.
    Opened,
    /// The connection failed or ended, or talks nonsense.
    Lost,
    /// A frame came.
    Heard,
    /// A good moment to connect: a page became visible, the network came back.
    Wake,
    /// The network may be gone.
    Doubt,
    /// The time asked for has come.
    Tick,
}

/// What to do, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Begin a connection.
    Open,
    /// End the one there is, open or not, and hear no more of it.
    Close,
    /// Send a ping.
    Ping,
    /// Connected.
    Up,
    /// No longer connected.
    Down,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    Waiting { until: UnixMillis },
    Opening { since: UnixMillis },
    Open { since: UnixMillis, heard: UnixMillis, pinged: Option<Pinged> },
}

/// A ping is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pinged {
    /// When silence means that the connection is dead.
    dead_at: UnixMillis,
}

/// The state of the connection.
#[derive(Debug)]
pub struct Link {
    phase: Phase,
    /// Connections in a row that did not become good ones.
    failures: u32,
}

impl Link {
    /// Not connected and not wanting to be.
    pub const fn new() -> Self {
        Self { phase: Phase::Idle, failures: 0 }
    }

    /// When to give [`Input::Tick`], replacing the moment asked for before.
    pub fn wake_at(&self) -> Option<UnixMillis> {
        match self.phase {
            Phase::Idle => None,
            Phase::Waiting { until } => Some(until),
            Phase::Opening { since } => Some(since.plus_ms(OPEN_WITHIN_MS)),
            Phase::Open { pinged: Some(Pinged { dead_at }), .. } => Some(dead_at),
            Phase::Open { heard, pinged: None, .. } => Some(heard.plus_ms(PING_AFTER_MS)),
        }
    }

    /// Whether frames can be sent.
    pub const fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open { .. })
    }

    /// Advances by one input; `jitter` is a fresh random byte.
    pub fn step(&mut self, now: UnixMillis, jitter: u8, input: Input) -> Vec<Output> {
        match (self.phase, input) {
            (Phase::Idle, Input::Want) => self.open(now),
            (Phase::Open { .. }, Input::Want) => self.again(now, jitter, vec![Output::Close, Output::Down]),
            (Phase::Open { .. }, Input::Leave) => {
                self.phase = Phase::Idle;
                vec![Output::Close, Output::Down]
            }
            (Phase::Opening { .. }, Input::Leave) => {
                self.phase = Phase::Idle;
                vec![Output::Close]
            }
            (Phase::Waiting { .. }, Input::Leave) => {
                self.phase = Phase::Idle;
                Vec::new()
            }
            (Phase::Opening { .. }, Input::Opened) => {
                self.phase = Phase::Open { since: now, heard: now, pinged: None };
                vec![Output::Up]
            }
            (Phase::Opening { .. }, Input::Lost) => self.again(now, jitter, vec![Output::Close]),
            (Phase::Open { .. }, Input::Lost) => self.again(now, jitter, vec![Output::Close, Output::Down]),
            (Phase::Open { since, .. }, Input::Heard) => {
                self.phase = Phase::Open { since, heard: now, pinged: None };
                Vec::new()
            }
            (Phase::Waiting { .. }, Input::Wake) => {
                self.failures = 0;
                self.open(now)
            }
            (Phase::Open { since, heard, pinged: None }, Input::Wake) if now.since(heard) >= FRESH_MS => {
                self.phase = Phase::Open { since, heard, pinged: Some(Pinged { dead_at: now.plus_ms(DEAD_AFTER_MS) }) };
                vec![Output::Ping]
            }
            (Phase::Open { since, heard, pinged }, Input::Doubt) => {
                let soon = now.plus_ms(DOUBTED_AFTER_MS);
                // A ping that is out already gets less time, never more.
                let dead_at = pinged.map_or(soon, |pinged| pinged.dead_at.min(soon));
                self.phase = Phase::Open { since, heard, pinged: Some(Pinged { dead_at }) };
                if pinged.is_none() { vec![Output::Ping] } else { Vec::new() }
            }
            (_, Input::Tick) => self.tick(now, jitter),
            (Phase::Idle, Input::Leave | Input::Opened | Input::Lost | Input::Heard | Input::Wake | Input::Doubt)
            | (Phase::Waiting { .. }, Input::Want | Input::Opened | Input::Lost | Input::Heard | Input::Doubt)
            | (Phase::Opening { .. }, Input::Want | Input::Heard | Input::Wake | Input::Doubt)
            | (Phase::Open { .. }, Input::Opened | Input::Wake) => Vec::new(),
        }
    }

    fn tick(&mut self, now: UnixMillis, jitter: u8) -> Vec<Output> {
        if self.wake_at().is_none_or(|at| now < at) {
            return Vec::new();
        }
        match self.phase {
            Phase::Idle => Vec::new(),
            Phase::Waiting { .. } => self.open(now),
            Phase::Opening { .. } => self.again(now, jitter, vec![Output::Close]),
            Phase::Open { pinged: Some(_), .. } => self.again(now, jitter, vec![Output::Close, Output::Down]),
            Phase::Open { since, heard, pinged: None } => {
                self.phase = Phase::Open { since, heard, pinged: Some(Pinged { dead_at: now.plus_ms(DEAD_AFTER_MS) }) };
                vec![Output::Ping]
            }
        }
    }

    fn open(&mut self, now: UnixMillis) -> Vec<Output> {
        self.phase = Phase::Opening { since: now };
        vec![Output::Open]
    }

    /// Waits, longer each time: a server that restarts is not hit by all its clients at once.
    fn again(&mut self, now: UnixMillis, jitter: u8, outputs: Vec<Output>) -> Vec<Output> {
        if let Phase::Open { since, .. } = self.phase
            && now.since(since) >= GOOD_AFTER_MS
        {
            self.failures = 0;
        }
        let whole = (SHORTEST_WAIT_MS << self.failures.min(10)).min(LONGEST_WAIT_MS);
        let wait = whole / 2 + whole * i64::from(jitter) / (2 * 255);
        self.failures += 1;
        self.phase = Phase::Waiting { until: now.plus_ms(wait) };
        outputs
    }
}

#[cfg(test)]
mod tests;
