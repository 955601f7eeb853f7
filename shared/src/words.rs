//! Words of a text as they are compared when something is looked for: without case, accents and ligatures.
//!
//! Used by the device's search and meant for the server's: both must call the same words the same. [`FOLDING`] changes
//! with every change of what this module gives, so that what was stored with another one is made again.

use std::ops::Range;

/// Which way of folding this is.
pub const FOLDING: u8 = 1;

/// Words are told apart by so many bytes; what goes on longer is no word of any language.
const MAX_WORD: usize = 64;
/// Terms of a query past this one are not looked at.
const MAX_TERMS: usize = 16;

/// From `ß` on, the letter without its accent; `.` where a letter stays itself. Unicode's canonical decompositions, and
/// the letters with a stroke that have none.
const LATIN: &str = concat!(
    ".aaaaaa.ceeeeiiiidnooooo.ouuuuy.y.a.a.a.c.c.c.c.d.d.e.e.e.e.e.g.g.g.g.h.h.i.i.i.iii...j.k..l.l.l...l.n.n.n....",
    "o.o.o...r.r.r.s.s.s.s.t.t.t.u.u.u.u.u.u.w.y..z.z.zsb................................o..............u............",
    ".................a.i.o.u.u.u.u.u..a.a.....g.k.o.o..j....g...n.a.....a.a.e.e.i.i.o.o.r.r.u.u.s.t...h.......a.e.o.",
    "o.o.o.y............................",
);
/// The same from U+1E00 on: Vietnamese, Welsh and others.
const LATIN_MORE: &str = concat!(
    ".a.b.b.b.c.d.d.d.d.d.e.e.e.e.e.f.g.h.h.h.h.h.i.i.k.k.k.l.l.l.l.m.m.m.n.n.n.n.o.o.o.o.p.p.r.r.r.r.s.s.s.s.s.t.t.t",
    ".t.u.u.u.u.u.v.v.w.w.w.w.w.x.x.y.z.z.zhtwy.......a.a.a.a.a.a.a.a.a.a.a.a.e.e.e.e.e.e.e.e.i.i.o.o.o.o.o.o.o.o.o.o",
    ".o.o.u.u.u.u.u.u.u.y.y.y.y......",
);

/// Gives a letter as it is compared: none for a mark, two for a ligature.
fn fold(letter: char, give: &mut impl FnMut(char)) {
    if letter.is_ascii() {
        return give(letter.to_ascii_lowercase());
    }
    for small in letter.to_lowercase() {
        let bare = match small {
            '\u{300}'..='\u{36f}' => continue,
            'ß' => {
                give('s');
                's'
            }
            'æ' | 'ǽ' | 'ǣ' => {
                give('a');
                'e'
            }
            'œ' => {
                give('o');
                'e'
            }
            'þ' => {
                give('t');
                'h'
            }
            'ß'..='\u{24f}' => bare_of(LATIN, 'ß', small),
            '\u{1e00}'..='\u{1eff}' => bare_of(LATIN_MORE, '\u{1e00}', small),
            'ά' => 'α',
            'έ' => 'ε',
            'ή' => 'η',
            'ί' | 'ΐ' | 'ϊ' => 'ι',
            'ό' => 'ο',
            'ύ' | 'ΰ' | 'ϋ' => 'υ',
            'ώ' => 'ω',
            'ς' => 'σ',
            'й' | 'ѝ' => 'и',
            'ё' | 'ѐ' => 'е',
            'ї' => 'і',
            'ў' => 'у',
            'ѓ' => 'г',
            'ќ' => 'к',
            // Wide letters and digits of East Asian keyboards.
            '\u{ff10}'..='\u{ff5e}' => char::from_u32(u32::from(small) - 0xfee0).unwrap_or(small),
            other => other,
        };
        give(bare);
    }
}

fn bare_of(table: &str, first: char, letter: char) -> char {
    let at = (u32::from(letter) - u32::from(first)) as usize;
    match table.as_bytes().get(at) {
        Some(bare) if *bare != b'.' => char::from(*bare),
        Some(_) | None => letter,
    }
}

/// Whether a letter is a word by itself: these are written without spaces between words.
const fn stands_alone(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}'      // Thai, Lao
        | '\u{1000}'..='\u{109f}'    // Burmese
        | '\u{1780}'..='\u{17ff}'    // Khmer
        | '\u{3040}'..='\u{30ff}'    // Kana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}') // Han
}

/// Calls `give` with each word of a text, folded, and its place in bytes.
pub fn each_word(text: &str, mut give: impl FnMut(&str, Range<usize>)) {
    let mut word = String::new();
    let mut start = 0;
    let mut end = 0;
    for (at, letter) in text.char_indices() {
        let is_mark = matches!(letter, '\u{300}'..='\u{36f}');
        let is_letter = letter.is_alphanumeric() || is_mark && !word.is_empty();
        if !word.is_empty() && (!is_letter || stands_alone(letter)) {
            give(&word, start..end);
            word.clear();
        }
        if !is_letter {
            continue;
        }
        if word.is_empty() {
            start = at;
        }
        end = at + letter.len_utf8();
        fold(letter, &mut |bare| {
            if word.len() + bare.len_utf8() <= MAX_WORD {
                word.push(bare);
            }
        });
        if stands_alone(letter) {
            give(&word, start..end);
            word.clear();
        }
    }
    if !word.is_empty() {
        give(&word, start..end);
    }
}

/// Where the first letters of `text` that fold to `length` bytes end.
pub fn folded_end(text: &str, length: usize) -> usize {
    let mut so_far = 0;
    for (at, letter) in text.char_indices() {
        if so_far >= length && !matches!(letter, '\u{300}'..='\u{36f}') {
            return at;
        }
        fold(letter, &mut |bare| so_far += bare.len_utf8());
    }
    text.len()
}

/// Words that must stand next to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Folded; never empty.
    pub words: Vec<String>,
    /// Whether the last of them may go on: what is being typed.
    pub is_open: bool,
}

/// What is looked for: every term must be there. Words in quotes, and those joined without a space (`rendez-vous`, `l'eau`),
/// are one term.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    terms: Vec<Term>,
}

impl Query {
    /// Reads what somebody typed. The last word may be a beginning, unless it is in quotes that are closed.
    pub fn parse(typed: &str) -> Self {
        let is_quote = |letter: char| matches!(letter, '"' | '«' | '»' | '“' | '”' | '„');
        let parts: Vec<&str> = typed.split(is_quote).collect();
        let mut terms: Vec<Term> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            // Every second one is in quotes; the last of all has none behind it.
            let (is_quoted, is_last) = (at % 2 == 1, at + 1 == parts.len());
            let chunks: Vec<&str> = if is_quoted { vec![part] } else { part.split_whitespace().collect() };
            for chunk in chunks {
                let mut words = Vec::new();
                each_word(chunk, |word, _| words.push(word.to_owned()));
                if !words.is_empty() {
                    terms.push(Term { words, is_open: !is_quoted || is_last });
                }
            }
        }
        terms.truncate(MAX_TERMS);
        let before_last = terms.len().saturating_sub(1);
        terms.iter_mut().take(before_last).for_each(|term| term.is_open = false);
        Self { terms }
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// What must be there.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether words must stand next to each other, which only a text can tell.
    pub fn has_phrase(&self) -> bool {
        self.terms.iter().any(|term| term.words.len() > 1)
    }

    /// Where a text says what is looked for, in bytes, in order and apart; `None` when it lacks a term.
    pub fn find(&self, text: &str) -> Option<Vec<Range<usize>>> {
        let mut folded = String::new();
        let mut places: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        each_word(text, |word, range| {
            let start = folded.len();
            folded.push_str(word);
            places.push((start..folded.len(), range));
        });
        let mut found: Vec<Range<usize>> = Vec::new();
        for term in &self.terms {
            let before = found.len();
            for window in places.windows(term.words.len()) {
                if let Some(range) = term.at(&folded, window, text) {
                    found.push(range);
                }
            }
            if found.len() == before {
                return None;
            }
        }
        found.sort_unstable_by_key(|range| (range.start, range.end));
        let mut apart: Vec<Range<usize>> = Vec::new();
        for range in found {
            match apart.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                Some(_) | None => apart.push(range),
            }
        }
        (!apart.is_empty()).then_some(apart)
    }
}

impl Term {
    fn at(&self, folded: &str, window: &[(Range<usize>, Range<usize>)], text: &str) -> Option<Range<usize>> {
        let last = self.words.len() - 1;
        for (at, (wanted, (place, _))) in self.words.iter().zip(window).enumerate() {
            let word = folded.get(place.clone())?;
            let fits = if at == last && self.is_open { word.starts_with(wanted.as_str()) } else { word == wanted };
            if !fits {
                return None;
            }
        }
        let (start, end) = (window.first()?.1.start, window.last()?.1.clone());
        let length = self.words.last()?.len();
        Some(start..if self.is_open { end.start + folded_end(text.get(end)?, length) } else { end.end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, |word, range| {
            assert!(text.get(range).is_some_and(|part| !part.is_empty()));
            words.push(word.to_owned());
        });
        words
    }

    fn marked<'a>(text: &'a str, typed: &str) -> Option<Vec<&'a str>> {
        let ranges = Query::parse(typed).find(text)?;
        Some(ranges.into_iter().map(|range| &text[range]).collect())
    }

    #[test]
    fn tables_have_a_place_for_every_letter() {
        assert_eq!((LATIN.len(), LATIN_MORE.len()), (0x250 - 0xdf, 0x100));
    }

    #[test]
    fn case_accents_ligatures_and_apostrophes_do_not_matter() {
        assert_eq!(words("L’ÉTÉ à la Préfecture"), ["l", "ete", "a", "la", "prefecture"]);
        assert_eq!(words("Œuf, cœur, Cæsar, Straße, STRASSE"), ["oeuf", "coeur", "caesar", "strasse", "strasse"]);
        assert_eq!(words("e\u{301}te\u{301} İstanbul ŁÓDŹ Đặng Ế"), ["ete", "istanbul", "lodz", "dang", "e"]);
        assert_eq!(words("Ένας Ёлка й ΟΔΟΣ οδός"), ["ενασ", "елка", "и", "οδοσ", "οδοσ"]);
        assert_eq!(words("**gras** `code` 16h30 3,14 a_b １２"), ["gras", "code", "16h30", "3", "14", "a", "b", "12"]);
        assert_eq!(words("東京タワー ok 서울"), ["東", "京", "タ", "ワ", "ー", "ok", "서울"]);
        assert_eq!(words("— … 🎉 \u{301}"), Vec::<String>::new());
    }

    #[test]
    fn all_words_are_needed_the_last_as_a_beginning() {
        assert_eq!(marked("La clé de la Cave", "cave cle"), Some(vec!["clé", "Cave"]));
        assert_eq!(marked("La clé de la Cave", "CLÉ cav"), Some(vec!["clé", "Cav"]));
        assert_eq!(marked("La clé de la Cave", "cav clé"), None, "only the last may be a beginning");
        assert_eq!(marked("La clé de la Cave", "ave"), None);
        assert_eq!(marked("Zéphyr, zéphyr", "zep"), Some(vec!["Zép", "zép"]));
        assert_eq!(marked("Un œuf", "oe"), Some(vec!["œ"]));
        assert_eq!(marked("Un œuf", "o"), Some(vec!["œ"]), "half a ligature is marked whole");
        assert_eq!(marked("e\u{301}te\u{301}", "et"), Some(vec!["e\u{301}t"]));
        assert_eq!(marked("anything", "  "), None);
        assert_eq!(marked("", "a"), None);
    }

    #[test]
    fn words_in_quotes_stand_next_to_each_other_and_are_whole() {
        assert_eq!(marked("la clé de la cave", "\"clé de la cave\""), Some(vec!["clé de la cave"]));
        assert_eq!(marked("la cave de la clé", "\"clé de la cave\""), None);
        assert_eq!(marked("les caves", "\"cave\""), None);
        assert_eq!(marked("les caves", "\"cave"), Some(vec!["cave"]), "quotes that are still open");
        assert_eq!(marked("les caves voûtées", "« les caves » vou"), Some(vec!["les caves", "voû"]));
        assert_eq!(marked("la cave", "la “cave” "), Some(vec!["la", "cave"]));
        assert_eq!(marked("la cave, LA", "\"la\""), Some(vec!["la", "LA"]));
        assert!(Query::parse("\"\" « » ' -").is_empty());
    }

    #[test]
    fn what_is_joined_stands_together() {
        assert_eq!(marked("un rendez-vous", "rendez-v"), Some(vec!["rendez-v"]));
        assert_eq!(marked("vous rendez", "rendez-vous"), None);
        assert_eq!(marked("de l’eau", "l'eau"), Some(vec!["l’eau"]));
        assert_eq!(marked("東京に行く", "東京"), Some(vec!["東京"]));
        assert_eq!(marked("京東", "東京"), None);
    }

    #[test]
    fn a_word_without_end_is_one_word() {
        let long = "x".repeat(100_000);
        assert_eq!(words(&long), ["x".repeat(MAX_WORD)]);
        assert!(Query::parse(&long).find(&long).is_some());
        assert_eq!(Query::parse(&"a ".repeat(100)).terms().len(), MAX_TERMS);
    }
}
