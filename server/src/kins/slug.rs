//! Slugs: a Kin's name as it may stand in an address or be typed after an `@`.

use rusqlite::Connection;

const MAX_CHARS: usize = 40;

/// A slug of this name that no Kin has or had.
pub(super) fn free(connection: &Connection, name: &str) -> rusqlite::Result<String> {
    let wanted = of(name);
    let mut taken = connection.prepare_cached("select 1 from kin where slug = ?1")?;
    if !taken.exists([&wanted])? {
        return Ok(wanted);
    }
    let mut number = 2_u32;
    loop {
        let slug = format!("{wanted}-{number}");
        if !taken.exists([&slug])? {
            return Ok(slug);
        }
        number += 1;
    }
}

/// Lower-case ASCII words joined by hyphens; accents go, other letters too. `kin` when nothing is left.
fn of(name: &str) -> String {
    let mut slug = String::new();
    for c in name.to_lowercase().chars() {
        let plain = plain(c);
        if plain.is_empty() {
            if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        } else {
            slug.push_str(plain);
        }
        if slug.len() >= MAX_CHARS {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "kin".to_owned() } else { slug.to_owned() }
}

fn plain(c: char) -> &'static str {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
    match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => "a",
        'ç' => "c",
        'è' | 'é' | 'ê' | 'ë' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ñ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => "o",
        'ù' | 'ú' | 'û' | 'ü' => "u",
        'ý' | 'ÿ' => "y",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        c => LETTERS.find(c).map_or("", |at| &LETTERS[at..=at]),
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn names_become_words_of_plain_letters() {
        assert_eq!(of("Chef Basile"), "chef-basile");
        assert_eq!(of("Œuvre d’Été !"), "oeuvre-d-ete");
        assert_eq!(of("  "), "kin");
        assert_eq!(of("猫"), "kin");
        assert_eq!(of(&"a".repeat(60)), "a".repeat(40));
    }
}
