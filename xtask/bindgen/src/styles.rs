//! Leaves out of a style sheet what only its readers need.

/// Drops comments and indentation; texts in quotes stay as they are.
pub fn slim(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '\n', '/']) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let len = match found.as_bytes()[0] {
            b'/' if found.starts_with("/*") => {
                rest = found.split_once("*/").map_or("", |(_, after)| after);
                continue;
            }
            b'/' => 1,
            b'\n' => {
                while out.ends_with([' ', '\t']) {
                    out.pop();
                }
                if !out.is_empty() && !out.ends_with('\n') {
                    out.push('\n');
                }
                rest = found.trim_start();
                continue;
            }
            quote => quoted(found, quote),
        };
        out.push_str(&found[..len]);
        rest = &found[len..];
    }
    out.push_str(rest);
    out
}

/// The length of the text in quotes at the front.
fn quoted(text: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        if byte == quote && !escaped {
            return at + 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::slim;

    #[test]
    fn comments_and_indentation_go() {
        let text =
            "/* head */\na {\n    /* why\n       so */\n    color: red; /* x */\n\n    margin: 1px\n      2px;\n}\n";
        assert_eq!(slim(text), "a {\ncolor: red;\nmargin: 1px\n2px;\n}\n");
    }

    #[test]
    fn texts_in_quotes_and_addresses_stay() {
        let text = r#"b::after { content: "/* \" */  '"; } i::after { content: '\'/*'; } /* gone */"#;
        let expected = r#"b::after { content: "/* \" */  '"; } i::after { content: '\'/*'; } "#;
        assert_eq!(slim(text), expected);
        assert_eq!(
            slim("a { src: url(a/b.woff2); font: 1px/2 serif }"),
            "a { src: url(a/b.woff2); font: 1px/2 serif }"
        );
    }
}
