//! What the server says.

use super::rows::{meta_row, position_row};
use super::{Replica, put};
use crate::port::Event;
use crate::store::Write;
use crate::view::Connection;
use shared::frame::{CloseCode, Position, ServerFrame};
use shared::{Audience, DeviceId, DocumentId, EpochId, MemberId};
use std::collections::BTreeSet;

impl Replica {
    pub(super) fn frame(&mut self, frame: ServerFrame) {
        if !self.opened {
            return;
        }
        match frame {
            ServerFrame::Welcome { epoch, member, device, fresh, .. } => self.welcome(epoch, member, device, fresh),
            ServerFrame::Delta { audience, from, to, document, generation, changes } => {
                let at = self.positions.get(&audience).copied().unwrap_or(0);
                if to <= at {
                    return;
                }
                if from <= at {
                    // An overlap brings changes again that are here already; the library knows them by hash.
                    self.delta(audience, to, document, generation, changes);
                } else if self.connection == Connection::UpToDate {
                    // A frame was lost: ask for everything after what is here.
                    self.connection = Connection::Syncing;
                    self.hello();
                }
            }
            ServerFrame::Snapshot { document, generation, audience, position, more, bytes } => {
                self.snapshot_part(
                    document,
                    super::documents::SnapshotPart { audience, generation, position, more },
                    &bytes,
                );
            }
            ServerFrame::CaughtUp { positions } => self.caught_up(&positions),
            ServerFrame::Gone { document } => self.gone(document),
            ServerFrame::Accepted { hash } => self.accepted(hash),
            ServerFrame::Refused { hash, code, .. } => self.refused(hash, code),
            ServerFrame::Live { session, turn, kin, answers, attempt, offset, text } => {
                self.live_piece(session, super::live::Piece { turn, kin, answers, attempt, offset, text });
            }
            ServerFrame::LiveEnd { session, turn } => self.live_ended(session, turn),
            ServerFrame::Queue { session, running, waiting } => self.queue_changed(session, running, waiting),
            ServerFrame::Done { id } => {
                self.commands.remove(&id);
            }
            ServerFrame::CommandRefused { id, code, .. } => {
                if let Some((_, message)) = self.commands.remove(&id) {
                    self.problem(&code, message);
                }
            }
            ServerFrame::Closing { code: CloseCode::SignedOut } => self.wipe(Event::SignedOut),
            ServerFrame::Closing { code: CloseCode::Protocol | CloseCode::TooLarge | CloseCode::GoingAway }
            | ServerFrame::Pong => {}
        }
    }

    fn welcome(&mut self, epoch: EpochId, member: MemberId, device: DeviceId, fresh: Vec<Audience>) {
        if self.me.is_some_and(|(_, other, _)| other != member) {
            // Somebody else has signed in on this device: nothing of the member before may be seen or sent.
            let own = ["outbox|", "draft|"].map(|prefix| Write::DeletePrefix { prefix: prefix.into() });
            self.forget_documents(own.into());
            self.outbox.clear();
            self.drafts.clear();
        } else if self.me.is_some_and(|(other, ..)| other != epoch) {
            self.forget_documents(Vec::new());
            for row in self.outbox.values_mut() {
                row.stale = true;
            }
        }
        if self.me != Some((epoch, member, device)) {
            self.me = Some((epoch, member, device));
            let (key, value) = meta_row((epoch, member, device));
            self.store(vec![put(key, value)]);
        }
        for audience in &fresh {
            self.positions.remove(audience);
        }
        self.fresh = fresh;
        self.live.welcome();
    }

    fn forget_documents(&mut self, mut batch: Vec<Write>) {
        for prefix in ["actor|", "chunk|", "doc|", "mark|", "position|", "words|"] {
            batch.push(Write::DeletePrefix { prefix: prefix.into() });
        }
        self.store(batch);
        self.positions.clear();
        self.index.clear();
        self.actors.clear();
        self.loaded.clear();
        self.loading.clear();
        self.forget_all_words();
        // Their numbers count the messages of a history that is no more.
        self.read_marks.clear();
    }

    fn caught_up(&mut self, positions: &[Position]) {
        // What does not begin anew must have come whole: else frames were lost on the way.
        let whole = |position: &Position| {
            self.fresh.contains(&position.audience)
                || self.positions.get(&position.audience).is_some_and(|at| *at >= position.at)
        };
        if !positions.iter().all(whole) {
            return self.hello();
        }
        let mut batch = Vec::new();
        for Position { audience, at } in positions {
            if self.fresh.contains(audience) && self.positions.insert(*audience, *at) != Some(*at) {
                let (key, value) = position_row(*audience, *at);
                batch.push(put(key, value));
            }
        }
        if !batch.is_empty() {
            self.store(batch);
        }
        self.connection = Connection::UpToDate;
        self.lost_at = None;
        self.settle_soon();
        // Pulled; now carry over what is unsent, then push.
        self.carry_over(None);
        let stale: BTreeSet<DocumentId> =
            self.outbox.values().filter(|row| row.stale && row.refused.is_none()).map(|row| row.document).collect();
        for id in stale {
            if self.index.contains_key(&id) {
                self.loaded.remove(&id);
                self.load(id, false);
            }
        }
        for request in std::mem::take(&mut self.waiting) {
            self.request(request);
        }
        for (id, (command, _)) in self.commands.clone() {
            self.out.push(super::Output::Send(shared::frame::ClientFrame::Command { id, command }));
        }
        self.live.drop_ended_while_away();
        self.watch();
        self.push_outbox();
        self.refresh_threads();
    }
}
