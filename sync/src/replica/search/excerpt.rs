//! A line of a message around what was looked for.

use std::ops::Range;

/// Characters shown of a message.
const EXCERPT: usize = 120;
/// Characters shown before what was looked for.
const BEFORE: usize = 24;

/// The line around most of what was found, without Markdown's marks, and where in it what was found stands, in bytes.
/// `found` is in order and apart.
pub(super) fn excerpt(text: &str, found: &[Range<usize>]) -> (String, Vec<(u32, u32)>) {
    // As many as fit behind one of them; of as many, the first.
    let behind = |at: usize, from: &Range<usize>| found.partition_point(|one| one.start < from.start + EXCERPT) - at;
    let best = found.iter().enumerate().rev().max_by_key(|(at, one)| behind(*at, one)).map_or(0, |(_, one)| one.start);
    let start = beginning(text, best);
    let (mut line, mut marks) = (String::new(), Vec::<(u32, u32)>::new());
    let mut letters = 0;
    for (at, letter) in text.char_indices().skip_while(|(at, _)| *at < start) {
        let is_space = letter.is_whitespace();
        if matches!(letter, '*' | '`' | '#' | '|') || is_space && (line.is_empty() || line.ends_with(' ')) {
            continue;
        }
        if letters == EXCERPT {
            break;
        }
        letters += 1;
        let before = place(&line);
        line.push(if is_space { ' ' } else { letter });
        if found.get(found.partition_point(|one| one.end <= at)).is_some_and(|one| one.contains(&at)) {
            match marks.last_mut() {
                Some(mark) if mark.1 == before => mark.1 = place(&line),
                Some(_) | None => marks.push((before, place(&line))),
            }
        }
    }
    line.truncate(line.trim_end().len());
    if start == 0 {
        return (line, marks);
    }
    let cut = "…";
    let moved = place(cut);
    (format!("{cut}{line}"), marks.into_iter().map(|(from, to)| (from + moved, to + moved)).collect())
}

/// Some way before `at`, where a word begins.
fn beginning(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let Some((start, _)) = before.char_indices().rev().nth(BEFORE - 1) else { return 0 };
    let cut = before.get(start..).unwrap_or_default();
    // The rest of a word that is cut goes, unless nothing else would be left.
    let space = cut.find(char::is_whitespace).filter(|space| !cut[*space..].trim().is_empty());
    start + space.unwrap_or(0)
}

fn place(line: &str) -> u32 {
    u32::try_from(line.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::excerpt;
    use shared::words::Query;

    fn shown(text: &str, typed: &str) -> String {
        let found = Query::parse(typed).find(text).expect("it is there");
        let (mut line, marks) = excerpt(text, &found);
        for (from, to) in marks.into_iter().rev() {
            line.insert(to as usize, ']');
            line.insert(from as usize, '[');
        }
        line
    }

    #[test]
    fn an_excerpt_shows_what_was_found_and_where() {
        assert_eq!(shown("# One **two**\nthree", "two"), "One [two] three");
        assert_eq!(shown("Zéphyr, l’été", "ete zep"), "[Zép]hyr, l’été".replace("été", "[été]"));
        let long = format!("{} the needle here", "hay ".repeat(40));
        assert_eq!(shown(&long, "needle"), "…hay hay hay hay the [needle] here");
        assert_eq!(shown("é".repeat(50).as_str(), "eee").chars().count(), 52);
        assert_eq!(shown(&format!("{} x", "y".repeat(200)), "x").chars().count(), 1 + 24 + 3);
    }

    #[test]
    fn of_a_long_message_the_part_with_most_of_it_is_shown() {
        let long = format!("key {} the cellar and its key", "hay ".repeat(60));
        assert_eq!(shown(&long, "key cellar"), "…hay hay hay hay the [cellar] and its [key]");
        // As much as a message holds: each place is looked at once.
        let most = shown(&"a ".repeat(30_000), "a");
        assert!(most.starts_with("[a] [a] ") && most.matches('[').count() == 60, "{most}");
        assert!(
            shown(&"word ".repeat(100), "word").chars().filter(|letter| *letter != '[' && *letter != ']').count()
                <= 120
        );
    }
}
