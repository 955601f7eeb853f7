//! Finds references to other files in a script, a style sheet or a page, and replaces them.

/// Characters that open or close a reference in the three languages.
const EDGES: &[char] = &['"', '\'', '`', '(', ')'];

/// Copies `text`, replacing each reference for which `replace` knows something better.
///
/// `folder` is the folder of the file, without slashes at its ends; `replace` gets the path from
/// the site's root. A `?query` or `#fragment` stays as it was.
pub fn rewrite<E>(
    text: &str,
    folder: &str,
    mut replace: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(edge) = rest.find(EDGES) {
        let (before, after) = rest.split_at(edge + 1);
        out.push_str(before);
        let end = after.find(EDGES).unwrap_or(after.len());
        let candidate = &after[..end];
        let cut = candidate.find(['?', '#']).unwrap_or(candidate.len());
        let (reference, suffix) = candidate.split_at(cut);
        match resolve(reference, folder) {
            Some(path) => match replace(&path)? {
                Some(better) => out.push_str(&better),
                None => out.push_str(reference),
            },
            None => out.push_str(reference),
        }
        out.push_str(suffix);
        rest = &after[end..];
    }
    out.push_str(rest);
    Ok(out)
}

/// The path from the site's root that `reference` means in a file of `folder`.
///
/// `None` for what cannot be a path of ours: prose, other sites, a climb above the root.
fn resolve(reference: &str, folder: &str) -> Option<String> {
    let plain = !reference.is_empty()
        && reference.len() < 200
        && reference.chars().all(|c| c.is_ascii_alphanumeric() || "./_-@".contains(c));
    if !plain || reference.starts_with("//") {
        return None;
    }
    let (mut parts, reference) = match reference.strip_prefix('/') {
        Some(reference) => (Vec::new(), reference),
        None => (folder.split('/').filter(|part| !part.is_empty()).collect(), reference),
    };
    for part in reference.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn rewritten(text: &str, folder: &str) -> String {
        let known = |path: &str| {
            let better = match path {
                "app.js" => Some("/assets/app.1.js"),
                "snippets/a/inline0.js" => Some("./inline0.2.js"),
                "fonts/text.woff2" => Some("text.3.woff2"),
                _ => None,
            };
            Ok::<_, Infallible>(better.map(str::to_owned))
        };
        match rewrite(text, folder, known) {
            Ok(text) => text,
        }
    }

    #[test]
    fn imports_are_rewritten_whatever_the_quotes_around_them() {
        let text = r#"/* don't */ import { x } from './snippets/a/inline0.js'; import "./app.js";"#;
        let expected = r#"/* don't */ import { x } from './inline0.2.js'; import "/assets/app.1.js";"#;
        assert_eq!(rewritten(text, ""), expected);
    }

    #[test]
    fn a_reference_climbs_from_its_own_folder() {
        assert_eq!(rewritten("import '../../app.js'", "snippets/a"), "import '/assets/app.1.js'");
        assert_eq!(rewritten("import '../../../app.js'", "snippets/a"), "import '../../../app.js'");
    }

    #[test]
    fn style_sheets_may_leave_the_quotes_out_and_keep_what_follows_the_path() {
        assert_eq!(rewritten("url(fonts/text.woff2)", ""), "url(text.3.woff2)");
        assert_eq!(rewritten("url(\"fonts/text.woff2?v=1\")", ""), "url(\"text.3.woff2?v=1\")");
    }

    #[test]
    fn other_strings_stay() {
        let text = r#"<a href="https://example.org/app.js">it's "/other.js"</a> 'é' `"#;
        assert_eq!(rewritten(text, ""), text);
    }
}
