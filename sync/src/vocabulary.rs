//! The words of one chapter and which of its messages say them: what a search reads instead of the messages.
//!
//! Bytes that are kept as they are, in a device's store and in memory: words in order, each with what it shares with the
//! one before left out, in blocks that begin with a whole word, so that one word is found by halving. Behind a word stand
//! the numbers of the messages that say it. A word takes about as many bytes as messages that say it, and five.

use shared::UnixMillis;
use shared::words::{FOLDING, Query, Term, each_word};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Changes with the layout of the bytes.
const LAYOUT: u8 = 1;
/// Which vocabularies this build can read.
pub const VERSION: u16 = ((LAYOUT as u16) << 8) | FOLDING as u16;
/// Words of one block.
const BLOCK: usize = 16;
/// Bytes of a place in the table of blocks.
const PLACE: usize = 4;

/// A chapter's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    bytes: Vec<u8>,
    newest: UnixMillis,
    messages: usize,
    /// Where the table of blocks begins.
    table: usize,
    blocks: usize,
}

/// Messages by their numbers in the chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers(Vec<u64>);

/// The bytes are not a vocabulary of this build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no vocabulary of this version")]
pub struct Damaged;

impl Vocabulary {
    /// The words of messages, which are numbered in this order. `newest` is when the last of them was sent.
    pub fn build<'a>(newest: UnixMillis, texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut messages = 0;
        for text in texts {
            each_word(text, |word, _| match words.get_mut(word) {
                Some(numbers) if numbers.last() == Some(&messages) => {}
                Some(numbers) => numbers.push(messages),
                None => drop(words.insert(word.to_owned(), vec![messages])),
            });
            messages += 1;
        }
        let mut bytes = vec![LAYOUT, FOLDING];
        put_number(&mut bytes, u64::from_le_bytes(newest.0.to_le_bytes()));
        put_number(&mut bytes, messages as u64);
        let blocks = words.len().div_ceil(BLOCK);
        put_number(&mut bytes, blocks as u64);
        let table = bytes.len();
        bytes.resize(table + blocks * PLACE, 0);
        let mut before = String::new();
        for (at, (word, numbers)) in words.into_iter().enumerate() {
            if at % BLOCK == 0 {
                before.clear();
                let place = u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
                let slot = table + at / BLOCK * PLACE;
                bytes[slot..slot + PLACE].copy_from_slice(&place);
            }
            let shared = before.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
            put_number(&mut bytes, shared as u64);
            put_number(&mut bytes, (word.len() - shared) as u64);
            bytes.extend_from_slice(&word.as_bytes()[shared..]);
            put_number(&mut bytes, numbers.len() as u64);
            let mut next = 0;
            for number in numbers {
                put_number(&mut bytes, (number - next) as u64);
                next = number + 1;
            }
            before = word;
        }
        Self { bytes, newest, messages, table, blocks }
    }

    /// Takes up stored bytes.
    ///
    /// # Errors
    /// [`Damaged`] when they begin as no vocabulary of this version does; what comes behind is found out when it is read.
    pub fn open(bytes: Vec<u8>) -> Result<Self, Damaged> {
        let mut reader = Reader { bytes: &bytes, at: 0 };
        if (reader.byte()?, reader.byte()?) != (LAYOUT, FOLDING) {
            return Err(Damaged);
        }
        let newest = UnixMillis(i64::from_le_bytes(reader.number()?.to_le_bytes()));
        let (messages, blocks) = (reader.size()?, reader.size()?);
        let table = reader.at;
        let fits =
            blocks.checked_mul(PLACE).and_then(|size| size.checked_add(table)).is_some_and(|end| end <= bytes.len());
        // A number takes a bit of memory when messages are counted.
        if !fits || messages > 1 << 20 {
            return Err(Damaged);
        }
        Ok(Self { newest, messages, table, blocks, bytes })
    }

    /// As they are stored.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// When the last of its messages was sent.
    pub const fn newest(&self) -> UnixMillis {
        self.newest
    }

    /// How many messages it tells about.
    pub const fn messages(&self) -> usize {
        self.messages
    }

    /// Messages with all words of a query, wherever in them. Those of a phrase may still stand apart.
    ///
    /// # Errors
    /// [`Damaged`] when the bytes do not read.
    pub fn find(&self, query: &Query) -> Result<Numbers, Damaged> {
        let mut all = Numbers(vec![u64::MAX; self.messages.div_ceil(64)]);
        for Term { words, is_open } in query.terms() {
            for (at, word) in words.iter().enumerate() {
                let mut some = Numbers(vec![0; all.0.len()]);
                self.look_up(word, *is_open && at + 1 == words.len(), &mut some)?;
                all.0.iter_mut().zip(&some.0).for_each(|(all, some)| *all &= some);
                if all.is_empty() {
                    return Ok(all);
                }
            }
        }
        Ok(all)
    }

    /// Adds the messages with a word, or with a word that begins so.
    fn look_up(&self, wanted: &str, is_open: bool, found: &mut Numbers) -> Result<(), Damaged> {
        // The last block that begins with the word or one before it.
        let (mut low, mut high) = (0, self.blocks);
        while low < high {
            let middle = low.midpoint(high);
            let mut reader = self.block(middle)?;
            let (shared, length) = (reader.size()?, reader.size()?);
            if shared == 0 && reader.take(length)? <= wanted.as_bytes() { low = middle + 1 } else { high = middle }
        }
        let mut word: Vec<u8> = Vec::new();
        for block in low.saturating_sub(1)..self.blocks {
            let mut reader = self.block(block)?;
            let end = if block + 1 < self.blocks { self.block(block + 1)?.at } else { self.bytes.len() };
            while reader.at < end {
                let (shared, length) = (reader.size()?, reader.size()?);
                if shared > word.len() {
                    return Err(Damaged);
                }
                word.truncate(shared);
                word.extend_from_slice(reader.take(length)?);
                let fits = if is_open { word.starts_with(wanted.as_bytes()) } else { word == wanted.as_bytes() };
                if !fits && word.as_slice().cmp(wanted.as_bytes()) == Ordering::Greater {
                    return Ok(());
                }
                let count = reader.size()?;
                if count > self.messages {
                    return Err(Damaged);
                }
                let mut next = 0;
                for _ in 0..count {
                    let number = reader.size()?.checked_add(next).filter(|number| *number < self.messages);
                    let number = number.ok_or(Damaged)?;
                    if fits {
                        found.0[number / 64] |= 1 << (number % 64);
                    }
                    next = number + 1;
                }
            }
            word.clear();
        }
        Ok(())
    }

    fn block(&self, at: usize) -> Result<Reader<'_>, Damaged> {
        let slot = self.table + at * PLACE;
        let place = self.bytes.get(slot..slot + PLACE).and_then(|place| place.try_into().ok()).ok_or(Damaged)?;
        Ok(Reader { bytes: &self.bytes, at: u32::from_le_bytes(place) as usize })
    }
}

impl Numbers {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|bits| *bits == 0)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// Whether a message is among them.
    pub fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|bits| bits >> (number % 64) & 1 == 1)
    }
}

/// Seven bits a byte, the lowest first.
fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Result<u8, Damaged> {
        let byte = self.bytes.get(self.at).copied().ok_or(Damaged)?;
        self.at += 1;
        Ok(byte)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let end = self.at.checked_add(length).ok_or(Damaged)?;
        let taken = self.bytes.get(self.at..end).ok_or(Damaged)?;
        self.at = end;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    fn size(&mut self) -> Result<usize, Damaged> {
        usize::try_from(self.number()?).map_err(|_| Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(vocabulary: &Vocabulary, typed: &str) -> Vec<usize> {
        let found = vocabulary.find(&Query::parse(typed)).expect("it reads");
        let numbers: Vec<usize> = (0..vocabulary.messages()).filter(|number| found.has(*number)).collect();
        assert_eq!((numbers.len(), numbers.is_empty()), (found.len(), found.is_empty()));
        numbers
    }

    #[test]
    fn words_lead_to_their_messages() {
        let texts = ["Les clés de la cave", "la CAVE", "", "un caveau", "l’été"];
        let built = Vocabulary::build(UnixMillis(7), texts);
        let opened = Vocabulary::open(built.bytes().to_vec()).expect("it is one");
        assert_eq!(opened, built);
        assert_eq!((opened.newest(), opened.messages()), (UnixMillis(7), 5));
        assert_eq!(numbers(&opened, "cav"), [0, 1, 3]);
        assert_eq!(numbers(&opened, "\"cave\""), [0, 1]);
        assert_eq!(numbers(&opened, "cave la"), [0, 1]);
        assert_eq!(numbers(&opened, "cle la"), [0; 0]);
        assert_eq!(numbers(&opened, "l'ete"), [4]);
        assert_eq!(numbers(&opened, "zzz"), [0; 0]);
        assert_eq!(numbers(&Vocabulary::build(UnixMillis(0), []), "a"), [0; 0]);
    }

    #[test]
    fn another_version_is_none() {
        let bytes = Vocabulary::build(UnixMillis(7), ["a"]).bytes().to_vec();
        for (at, other) in [(0, LAYOUT + 1), (1, FOLDING + 1)] {
            let mut bytes = bytes.clone();
            bytes[at] = other;
            assert_eq!(Vocabulary::open(bytes), Err(Damaged));
        }
        assert_eq!(Vocabulary::open(Vec::new()), Err(Damaged));
    }

    /// Few letters, so that words meet.
    fn text() -> impl Strategy<Value = String> {
        proptest::collection::vec("[abcàéœ]{1,4}", 0..12).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn it_finds_what_reading_every_message_finds(
            texts in proptest::collection::vec(text(), 0..80),
            typed in proptest::collection::vec("[abcàéœ]{1,3}", 1..3),
        ) {
            let query = Query::parse(&typed.join(" "));
            let found = Vocabulary::build(UnixMillis(1), texts.iter().map(String::as_str)).find(&query).expect("it reads");
            for (number, text) in texts.iter().enumerate() {
                prop_assert_eq!(found.has(number), query.find(text).is_some(), "{}", text);
            }
        }

        #[test]
        fn bent_bytes_bring_nothing_down(
            texts in proptest::collection::vec(text(), 0..40),
            bends in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            typed in "[abc]{1,3}",
        ) {
            let mut bytes = Vocabulary::build(UnixMillis(1), texts.iter().map(String::as_str)).bytes().to_vec();
            for (at, byte) in bends {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Ok(bent) = Vocabulary::open(bytes) {
                bent.find(&Query::parse(&typed)).ok();
            }
        }
    }
}
