//! Looking for words in everything this device holds, with or without a network.
//!
//! Of every closed chapter the store keeps its [`Vocabulary`] (`words|<document>`), written once and dropped in the batch
//! that changes the chapter; the chapter's own row says whether there is one, so a missing, older or damaged one is made
//! again when the chapter is next in memory. Open chapters are in memory and have none: receiving a message writes nothing
//! for the search. A search reads the vocabularies of a session once, then brings into memory only chapters in which one
//! message has every word, the newest first, and stops at a page of messages.

use super::documents::Loaded;
use super::rows::{document_row, words_key, words_prefix};
use super::{Output, Replica, put};
use crate::document::StoredMessage;
use crate::port::Event;
use crate::store::Write;
use crate::view::FoundView;
use crate::vocabulary::{VERSION, Vocabulary};
use excerpt::excerpt;
use shared::words::Query;
use shared::{DocumentId, SessionId, UnixMillis};
use std::collections::{BTreeMap, BTreeSet};

mod excerpt;

/// Vocabularies kept in memory between searches, in bytes: those of some 400,000 messages.
const KEPT_BYTES: usize = 32 << 20;

/// What the replica knows for searching.
#[derive(Debug, Default)]
pub(super) struct Searching {
    /// Vocabularies of closed chapters, of the sessions in `whole`.
    rows: BTreeMap<DocumentId, Vocabulary>,
    /// Sessions whose stored vocabularies are all in memory.
    whole: BTreeSet<SessionId>,
    /// Sessions whose vocabularies are on their way from the store.
    reading: BTreeMap<SessionId, Reading>,
    /// By where is searched: one session, or all.
    running: BTreeMap<Option<SessionId>, Search>,
    /// Chapters in memory only because a search reads them.
    borrowed: BTreeSet<DocumentId>,
    /// Chapters that are others than when a search may have looked at them.
    changed: BTreeSet<DocumentId>,
}

/// What happened since a read was asked for.
#[derive(Debug, Default)]
struct Reading {
    /// Chapters whose stored vocabulary is another now.
    changed: BTreeSet<DocumentId>,
    /// Everything stored is another now.
    is_void: bool,
}

#[derive(Debug)]
struct Search {
    words: String,
    query: Query,
    most: usize,
    /// Chapters that may say it, the newest last; `None` until the vocabularies are here.
    candidates: Option<Vec<Candidate>>,
    found: Vec<FoundView>,
    /// How many were found when this was last told.
    told: Option<usize>,
    /// Enough was found, or everything looked through.
    is_done: bool,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    newest: UnixMillis,
    id: DocumentId,
    /// Messages with every word; `None` when only reading it can tell.
    expected: Option<usize>,
}

impl Replica {
    /// Looks for words in one session or in all; asked for more of the same, it goes on where it stopped. For no words it
    /// ends.
    pub(super) fn find(&mut self, session: Option<SessionId>, words: String, most: u32) {
        if words.trim().is_empty() {
            self.searching.running.remove(&session);
            return;
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let running = self.searching.running.get_mut(&session);
        match running.filter(|search| search.words == words && search.most < most) {
            Some(search) => (search.most, search.is_done) = (most, false),
            None => {
                let query = Query::parse(&words);
                let (candidates, found) = (query.is_empty().then(Vec::new), Vec::new());
                let search = Search { words, query, most, candidates, found, told: None, is_done: false };
                self.searching.running.insert(session, search);
            }
        }
        let sessions: BTreeSet<SessionId> = self.index.keys().filter_map(|id| session_of(*id)).collect();
        for one in sessions.into_iter().filter(|one| session.is_none_or(|wanted| wanted == *one)) {
            self.read_words(one);
        }
    }

    fn read_words(&mut self, session: SessionId) {
        let is_known = self.searching.whole.contains(&session) || self.searching.reading.contains_key(&session);
        if !is_known {
            self.searching.reading.insert(session, Reading::default());
            self.out.push(Output::Load { prefix: words_prefix(session) });
        }
    }

    /// The stored vocabularies of a session.
    pub(super) fn words_loaded(&mut self, session: SessionId, rows: Vec<(String, Vec<u8>)>) {
        let Some(Reading { changed, is_void }) = self.searching.reading.remove(&session) else { return };
        if is_void {
            return self.read_words(session);
        }
        self.searching.whole.insert(session);
        for (key, value) in rows {
            let Some(id) = key.strip_prefix("words|").and_then(|name| name.parse().ok()) else { continue };
            let is_current = self.index.get(&id).is_some_and(|row| row.words == VERSION);
            if is_current
                && !changed.contains(&id)
                && let Ok(words) = Vocabulary::open(value)
            {
                self.searching.rows.insert(id, words);
            }
        }
    }

    /// What goes with a chapter's vocabulary when the chapter is another from now on, or gone.
    pub(super) fn forget_words(&mut self, id: DocumentId) -> Vec<Write> {
        if !self.searching.running.is_empty() && session_of(id).is_some() {
            self.searching.changed.insert(id);
        }
        self.drop_words(id)
    }

    fn drop_words(&mut self, id: DocumentId) -> Vec<Write> {
        self.searching.rows.remove(&id);
        if let Some(reading) = session_of(id).and_then(|session| self.searching.reading.get_mut(&session)) {
            reading.changed.insert(id);
        }
        let Some(row) = self.index.get_mut(&id).filter(|row| row.words != 0) else { return Vec::new() };
        row.words = 0;
        let (key, value) = document_row(id, row);
        vec![Write::Delete { key: words_key(id) }, put(key, value)]
    }

    /// Nothing stored before says anything any more.
    pub(super) fn forget_all_words(&mut self) {
        let Searching { rows, whole, reading, running, changed, .. } = &mut self.searching;
        rows.clear();
        whole.clear();
        changed.clear();
        for search in running.values_mut() {
            search.found.clear();
            (search.candidates, search.is_done) = (None, false);
        }
        reading.values_mut().for_each(|reading| reading.is_void = true);
    }

    /// Keeps the vocabulary of a chapter in memory that is closed and has none.
    pub(super) fn keep_words(&mut self, id: DocumentId) {
        let Some(session) = session_of(id) else { return };
        if self.newest_chapter(session).is_none_or(|newest| newest <= id) {
            return;
        }
        let (Some(loaded), Some(row)) = (self.loaded.get(&id), self.index.get_mut(&id)) else { return };
        if row.words == VERSION {
            return;
        }
        row.words = VERSION;
        let words = loaded.vocabulary();
        let (key, value) = document_row(id, row);
        let batch = vec![put(words_key(id), words.bytes().to_vec()), put(key, value)];
        if let Some(reading) = self.searching.reading.get_mut(&session) {
            reading.changed.insert(id);
        }
        if self.searching.whole.contains(&session) || self.searching.reading.contains_key(&session) {
            self.searching.rows.insert(id, words);
        }
        self.store(batch);
    }

    /// Goes on with what is looked for, as far as what is in memory leads.
    pub(super) fn go_on_searching(&mut self) {
        self.look_again();
        let running = self.searching.running.iter().filter(|(_, search)| !search.is_done);
        let scopes: Vec<Option<SessionId>> = running.map(|(scope, _)| *scope).collect();
        for scope in scopes {
            let Some(mut search) = self.searching.running.remove(&scope) else { continue };
            let waits = self.advance(scope, &mut search);
            search.is_done = !waits;
            if search.is_done || search.told != Some(search.found.len()) {
                search.told = Some(search.found.len());
                self.tell_found(scope, &search);
            }
            // One that has found enough is kept, to go on from.
            self.searching.running.insert(scope, search);
            self.searching.trim();
        }
        self.give_back();
    }

    /// What was found in a chapter that is another now is found again, or no more: nobody is shown words that were taken
    /// away meanwhile.
    fn look_again(&mut self) {
        for id in std::mem::take(&mut self.searching.changed) {
            let DocumentId::Chapter(session, chapter) = id else { continue };
            let is_there = self.index.contains_key(&id);
            for (scope, search) in &mut self.searching.running {
                let Some(candidates) = search.candidates.as_mut() else { continue };
                if scope.is_some_and(|wanted| wanted != session) {
                    continue;
                }
                search.found.retain(|found| (found.session, found.chapter) != (session, chapter));
                candidates.retain(|candidate| candidate.id != id);
                if is_there {
                    // First of all: most often it is the open chapter, which is in memory.
                    candidates.push(Candidate { newest: UnixMillis(i64::MAX), id, expected: None });
                }
                (search.is_done, search.told) = (false, None);
            }
        }
    }

    /// Whether it waits for the store.
    fn advance(&mut self, scope: Option<SessionId>, search: &mut Search) -> bool {
        if search.candidates.is_none() {
            let is_reading = |session: &SessionId| scope.is_none_or(|wanted| wanted == *session);
            if self.searching.reading.keys().any(is_reading) {
                return true;
            }
            search.candidates = Some(self.candidates(scope, &search.query));
        }
        let Some(candidates) = search.candidates.as_mut() else { return false };
        while let Some(Candidate { id, .. }) = candidates.last().copied() {
            if let Some(loaded) = self.loaded.get(&id) {
                candidates.pop();
                let found = self.found_in(id, loaded, &search.query);
                search.found.extend(found);
            } else if search.found.len() >= search.most {
                // What is in memory has been looked at; that is as much as was asked for.
                return false;
            } else if self.loading.contains_key(&id) {
                return true;
            } else if self.index.contains_key(&id) {
                self.searching.borrowed.insert(id);
                self.load(id, false);
                return true;
            } else {
                candidates.pop();
            }
        }
        false
    }

    fn candidates(&mut self, scope: Option<SessionId>, query: &Query) -> Vec<Candidate> {
        let chapters: Vec<DocumentId> = self.index.keys().copied().filter(|id| session_of(*id).is_some()).collect();
        let (mut candidates, mut damaged) = (Vec::new(), Vec::new());
        // Of what cannot be known yet: after the chapter before.
        let mut last = UnixMillis(0);
        for id in chapters.into_iter().filter(|id| scope.is_none_or(|session| session_of(*id) == Some(session))) {
            if matches!(id, DocumentId::Chapter(_, 1)) {
                last = UnixMillis(0);
            }
            let row = self.searching.rows.get(&id);
            let words = row.or_else(|| self.loaded.get_mut(&id).map(Loaded::words));
            let known = words.map(|words| (words.newest(), words.find(query)));
            let (newest, expected) = match known {
                Some((newest, Ok(numbers))) => (newest, Some(numbers.len())),
                Some((newest, Err(_))) => {
                    damaged.push(id);
                    (newest, None)
                }
                None => {
                    damaged.push(id);
                    (last, None)
                }
            };
            last = last.max(newest);
            if expected != Some(0) {
                candidates.push(Candidate { newest, id, expected });
            }
        }
        // Stored with a vocabulary of another version, or with one that does not read: made again when it is in memory.
        for id in damaged {
            let batch = self.drop_words(id);
            if !batch.is_empty() {
                self.store(batch);
            }
        }
        candidates.sort_by_key(|candidate| (candidate.newest, candidate.id));
        candidates
    }

    /// Messages of a chapter that say it, the last of the thread first.
    fn found_in(&self, id: DocumentId, loaded: &Loaded, query: &Query) -> Vec<FoundView> {
        let DocumentId::Chapter(session, chapter) = id else { return Vec::new() };
        let mut found: Vec<_> = loaded
            .messages
            .values()
            .filter_map(|stored| {
                let marks = query.find(&stored.text)?;
                let view = self.message_view(session, stored)?;
                let (excerpt, marks) = excerpt(&stored.text, &marks);
                let (message, author, sent_at) = (stored.id, stored.author, stored.sent_at);
                Some((view.order, FoundView { session, chapter, message, author, sent_at, excerpt, marks }))
            })
            .collect();
        found.sort_by_key(|(order, found)| std::cmp::Reverse((*order, found.message)));
        found.into_iter().map(|(_, found)| found).collect()
    }

    /// Lets go of chapters that only a search wanted and none wants any more.
    fn give_back(&mut self) {
        let wanted: BTreeSet<DocumentId> = self
            .searching
            .running
            .values()
            .filter(|search| !search.is_done)
            .filter_map(|search| search.candidates.as_ref()?.last())
            .map(|candidate| candidate.id)
            .collect();
        let borrowed = std::mem::take(&mut self.searching.borrowed);
        for id in borrowed {
            if wanted.contains(&id) || self.loading.contains_key(&id) {
                self.searching.borrowed.insert(id);
                continue;
            }
            let DocumentId::Chapter(session, number) = id else { continue };
            let is_new =
                self.newest_chapter(session).is_none_or(|newest| newest <= DocumentId::Chapter(session, number + 1));
            if !is_new && !self.shows_chapter(session, number) {
                self.loaded.remove(&id);
            }
        }
    }

    fn tell_found(&mut self, scope: Option<SessionId>, search: &Search) {
        let left = search.candidates.as_deref().unwrap_or_default();
        let mut found = search.found.clone();
        match scope {
            None => found.sort_by_key(|found| (std::cmp::Reverse(found.sent_at), found.message)),
            // Within a chapter they are in order.
            Some(_) => found.sort_by_key(|found| std::cmp::Reverse(found.chapter)),
        }
        let count = found.len() + left.iter().filter_map(|candidate| candidate.expected).sum::<usize>();
        found.truncate(search.most);
        let is_counted = search.candidates.is_some()
            && (left.is_empty() || !search.query.has_phrase() && left.iter().all(|one| one.expected.is_some()));
        self.event(Event::Found {
            session: scope,
            words: search.words.clone(),
            found,
            count: u32::try_from(count).unwrap_or(u32::MAX),
            is_counted,
            is_searching: !search.is_done,
        });
    }
}

impl Searching {
    /// Gives up what is kept for the next search when it is too much. The next one reads it again.
    fn trim(&mut self) {
        let bytes: usize = self.rows.values().map(|words| words.bytes().len()).sum();
        if bytes > KEPT_BYTES && self.running.values().all(|search| search.is_done) {
            self.rows.clear();
            self.whole.clear();
        }
    }
}

impl Loaded {
    /// The vocabulary of its messages as they are now, made when it is first asked for.
    fn words(&mut self) -> &Vocabulary {
        let Self { messages, words, .. } = self;
        words.get_or_insert_with(|| vocabulary(messages.values()))
    }

    /// The vocabulary of what the server has confirmed.
    fn vocabulary(&self) -> Vocabulary {
        vocabulary(self.messages.values().filter(|message| message.seq.is_some()))
    }
}

fn vocabulary<'a>(messages: impl Iterator<Item = &'a StoredMessage>) -> Vocabulary {
    let mut messages: Vec<&StoredMessage> = messages.filter(|message| message.state.is_shown()).collect();
    messages.sort_unstable_by_key(|message| message.id);
    let newest = messages.iter().map(|message| message.sent_at).max().unwrap_or(UnixMillis(0));
    Vocabulary::build(newest, messages.iter().map(|message| message.text.as_str()))
}

fn session_of(id: DocumentId) -> Option<SessionId> {
    match id {
        DocumentId::Chapter(session, _) => Some(session),
        DocumentId::Home | DocumentId::Kin(_) | DocumentId::Me(_) => None,
    }
}
