//! Catch-up: one round trip from "I have up to here" to everything after it.

use super::{HubError, Outcome};
use crate::log::LogStore;
use serde_bytes::ByteBuf;
use shared::frame::{Position, ServerFrame};
use shared::{Audience, DocumentId, Viewer};

/// Bytes of changes in one frame; leaves room for the rest of a frame under its limit.
const PART_BYTES: usize = 128 * 1024;
/// A replica further behind than this is given documents instead of the log.
const HORIZON: u64 = 5_000;
/// Entries read at once.
const PAGE: usize = 500;

/// What a replica says it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its positions; only meaningful in the server's current epoch, so empty otherwise.
    pub positions: Vec<Position>,
}

impl Known {
    fn at(&self, audience: Audience) -> Option<u64> {
        self.positions.iter().find(|position| position.audience == audience).map(|position| position.at)
    }
}

/// What brings a replica up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatchUp {
    /// Audiences that begin anew, for the welcome.
    pub fresh: Vec<Audience>,
    /// What follows it, ending with `caught_up`.
    pub frames: Vec<ServerFrame>,
    /// Where it ends.
    pub positions: Vec<Position>,
}

/// The frames that bring a viewer's replica up to date.
///
/// Must run in one read transaction: the positions at its end belong to the documents in it.
pub fn catch_up<S: LogStore>(store: &mut S, viewer: Viewer, known: &Known) -> Outcome<CatchUp, S> {
    let (mut frames, mut fresh) = (Vec::new(), Vec::new());
    let mut positions = Vec::new();
    for audience in viewer.audiences() {
        let end = store.position(audience).map_err(HubError::Store)?;
        match known.at(audience) {
            Some(at) if at <= end && end - at <= HORIZON => {
                let mut from = at;
                while from < end {
                    let entries = store.entries_after(audience, from, PAGE).map_err(HubError::Store)?;
                    let Some(last) = entries.last() else { break };
                    let last = last.position;
                    deltas(&mut frames, from, entries);
                    from = last;
                }
            }
            // New, from another history, or too far behind.
            _ => {
                fresh.push(audience);
                for (document, _) in store.open_documents(audience).map_err(HubError::Store)? {
                    frames.extend(snapshot(store, viewer, document)?);
                }
            }
        }
        positions.push(Position { audience, at: end });
    }
    frames.push(ServerFrame::CaughtUp { positions: positions.clone() });
    Ok(CatchUp { fresh, frames, positions })
}

/// Neighbours of one document share a frame.
fn deltas(frames: &mut Vec<ServerFrame>, mut at: u64, entries: Vec<crate::log::LogEntry>) {
    let first_new = frames.len();
    let mut size = 0;
    for entry in entries {
        let bytes = entry.bytes.len();
        let joined = frames.len() > first_new && size + bytes <= PART_BYTES;
        if joined
            && let Some(ServerFrame::Delta { to, document, generation, changes, .. }) = frames.last_mut()
            && *document == entry.document
            && *generation == entry.generation
        {
            *to = entry.position;
            changes.push(ByteBuf::from(entry.bytes));
            size += bytes;
        } else {
            frames.push(ServerFrame::Delta {
                audience: entry.audience,
                from: at,
                to: entry.position,
                document: entry.document,
                generation: entry.generation,
                changes: vec![ByteBuf::from(entry.bytes)],
            });
            size = bytes;
        }
        at = entry.position;
    }
}

/// A whole document in parts, or `gone` when it is not this viewer's to see.
pub fn snapshot<S: LogStore>(store: &mut S, viewer: Viewer, document: DocumentId) -> Outcome<Vec<ServerFrame>, S> {
    let state = store.document(document).map_err(HubError::Store)?;
    let Some(state) = state.filter(|state| viewer.may_see(state.audience)) else {
        return Ok(vec![ServerFrame::Gone { document }]);
    };
    let position = store.position(state.audience).map_err(HubError::Store)?;
    let all = store.changes(document, state.generation).map_err(HubError::Store)?.concat();
    let mut parts: Vec<ServerFrame> = all
        .chunks(PART_BYTES)
        .map(|part| ServerFrame::Snapshot {
            document,
            generation: state.generation,
            audience: state.audience,
            position,
            more: true,
            bytes: ByteBuf::from(part),
        })
        .collect();
    if let Some(ServerFrame::Snapshot { more, .. }) = parts.last_mut() {
        *more = false;
    }
    Ok(parts)
}
