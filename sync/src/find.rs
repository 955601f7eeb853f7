//! Finding words without minding case and accents.

/// A letter as it is compared: small, without its accent.
pub fn fold(letter: char) -> char {
    let small = letter.to_lowercase().next().unwrap_or(letter);
    match small {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' => 'd',
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì'..='ï' | 'ī' | 'į' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ř' => 'r',
        'ś' | 'ş' | 'š' => 's',
        'ť' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        '’' => '\'',
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    }
}

/// Where `words` stand in `text`, each at the beginning of a word of it, as ranges of characters in the order of the
/// text. `None` when one of them is not there, or there are none.
pub fn matches(text: &str, words: &str) -> Option<Vec<std::ops::Range<usize>>> {
    let text: Vec<char> = text.chars().map(fold).collect();
    let mut found = Vec::new();
    for word in words.split_whitespace() {
        let word: Vec<char> = word.chars().map(fold).collect();
        let begins = |at: &usize| *at == 0 || !text[at - 1].is_alphanumeric();
        let at = (0..text.len()).filter(begins).find(|at| text[*at..].starts_with(&word))?;
        found.push(at..at + word.len());
    }
    found.sort_by_key(|range| range.start);
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn case_and_accents_do_not_matter_and_words_begin_where_words_begin() {
        assert_eq!(matches("Zéphyr, le vent", "zep VENT"), Some(vec![0..3, 11..15]));
        assert_eq!(matches("L’été", "l'ete"), Some(vec![0..5; 1]));
        assert_eq!(matches("printemps", "temps"), None);
        assert_eq!(matches("rendez-vous", "vous"), Some(vec![7..11; 1]));
        assert_eq!(matches("anything", "  "), None);
        assert_eq!(matches("one two", "one three"), None);
        assert_eq!(matches("", "a"), None);
    }
}
