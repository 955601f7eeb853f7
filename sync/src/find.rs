//! Finding names by the beginnings of their words.

use shared::words::{each_word, folded_end};
use std::ops::Range;

/// Where `words` stand in `text`, each at the beginning of a word of it, in bytes and in the order of the text. `None` when
/// one of them is not there, or there are none.
pub fn matches(text: &str, words: &str) -> Option<Vec<Range<usize>>> {
    let mut there: Vec<(String, Range<usize>)> = Vec::new();
    each_word(text, |word, place| there.push((word.to_owned(), place)));
    let mut found = Some(Vec::new());
    each_word(words, |wanted, _| {
        let at = there.iter().find(|(word, _)| word.starts_with(wanted));
        let range = at.map(|(_, place)| place.start..place.start + folded_end(&text[place.clone()], wanted.len()));
        match (range, &mut found) {
            (Some(range), Some(found)) => found.push(range),
            (_, found) => *found = None,
        }
    });
    let mut found = found?;
    found.sort_by_key(|range| (range.start, range.end));
    found.dedup_by_key(|range| range.start);
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn case_and_accents_do_not_matter_and_words_begin_where_words_begin() {
        assert_eq!(matches("Zéphyr, le vent", "zep VENT"), Some(vec![0..4, 12..16]));
        assert_eq!(matches("L’été", "l'ete"), Some(vec![0..1, 4..9]));
        assert_eq!(matches("printemps", "temps"), None);
        assert_eq!(matches("rendez-vous", "vous"), Some(vec![7..11; 1]));
        assert_eq!(matches("anything", "  "), None);
        assert_eq!(matches("one two", "one three"), None);
        assert_eq!(matches("", "a"), None);
    }
}
