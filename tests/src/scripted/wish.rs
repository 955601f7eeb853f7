//! What to answer when no script is queued: the last message's own text decides.
//!
//! A browser test types its wish into the composer: `hello [slow 20 50]`. The words known are in
//! [`named`]; a text with none of them is echoed. Whatever follows a tool's result is an answer
//! about that result, so a wished tool call ends.

use super::script::Script;
use super::wire::Last;
use serde_json::{Map, Value};

/// The most chunks a message can wish for.
const MAX_CHUNKS: usize = 10_000;

/// The script that the newest message asks for.
pub(crate) fn script_for(last: &Last) -> Script {
    match last {
        Last::User(text) => wished(text).unwrap_or_else(|| echo(text)),
        Last::ToolResult(result) => Script::slow(["The tool answered: ".to_owned(), result.clone()], 5),
        Last::Nothing => echo("nothing"),
    }
}

/// The answer to a text without a wish: Markdown with a list and a code block, in 5 ms steps.
pub(crate) fn echo(text: &str) -> Script {
    let chunks = [
        "You said: ",
        text,
        "\n\n",
        "- first **bold** point\n",
        "- second `code` point\n",
        "- third point, with an é\n",
        "\n```rust\n",
        "fn main() {\n",
        "    println!(\"hello\");\n",
        "}\n```\n",
    ];
    Script::slow(chunks, 5)
}

/// The first wish in square brackets anywhere in `text`.
fn wished(text: &str) -> Option<Script> {
    text.match_indices('[').find_map(|(at, open)| {
        let inside = &text[at + open.len()..];
        tool(inside).or_else(|| {
            let (wish, _) = inside.split_once(']')?;
            let mut words = wish.split_whitespace();
            let name = words.next()?;
            // "50ms" and "50 ms" both mean 50.
            let numbers = words.filter_map(|word| word.trim_end_matches("ms").parse().ok());
            named(name, &numbers.collect::<Vec<u64>>())
        })
    })
}

/// `[name]`, with up to two numbers after the name.
fn named(name: &str, numbers: &[u64]) -> Option<Script> {
    let number = |at: usize, default: u64| numbers.get(at).copied().unwrap_or(default);
    let chunks = |default| parts(usize::try_from(number(0, default)).unwrap_or(MAX_CHUNKS));
    Some(match name {
        "slow" => Script::slow(chunks(20), number(1, 100)),
        "gated" => Script::gated(chunks(3)),
        "cut" => Script::cut(chunks(3)),
        "silence-after" => Script::silence_after(chunks(3)),
        "error-event" => Script::error_event(chunks(3)),
        "rate-limit" => {
            let times = u32::try_from(number(1, 1)).unwrap_or(u32::MAX);
            Script::rate_limit(number(0, 1), times)
        }
        "split-utf8" => Script::split_utf8(),
        "overloaded" => Script::Overloaded,
        "garbage" => Script::GarbageJson,
        "html" => Script::Html,
        "silence" => Script::Silence,
        "unauthorized" => Script::Unauthorized,
        "model-not-found" => Script::ModelNotFound,
        "context-too-long" => Script::ContextTooLong,
        _ => return None,
    })
}

/// `[tool name {"json": "arguments"}]`; the arguments may hold brackets of their own.
fn tool(inside: &str) -> Option<Script> {
    let rest = inside.strip_prefix("tool ")?.trim_start();
    let (name, rest) = rest.split_at(rest.find([' ', ']'])?);
    let arguments = serde_json::Deserializer::from_str(rest).into_iter::<Value>().next();
    let arguments = arguments.and_then(Result::ok).unwrap_or_else(|| Value::Object(Map::new()));
    Some(Script::tool_call(name, arguments))
}

fn parts(count: usize) -> Vec<String> {
    let count = count.min(MAX_CHUNKS);
    (1..=count).map(|number| format!("part {number} of {count}. ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(text: &str) -> Script {
        script_for(&Last::User(text.to_owned()))
    }

    #[test]
    fn wish_is_found_anywhere_in_the_text() {
        let two = ["part 1 of 2. ", "part 2 of 2. "];
        assert_eq!(asked("Ana: hi [x] [slow 2 50 ms] bye"), Script::slow(two, 50));
        assert_eq!(asked("[slow 2 50]"), asked("[slow 2 50ms]"));
        assert_eq!(asked("[rate-limit 4 2]"), Script::rate_limit(4, 2));
        assert_eq!(asked("[silence]"), Script::Silence);
        assert_eq!(
            asked(r#"do [tool remember {"list": [1, 2]}] now"#),
            Script::tool_call("remember", json!({"list": [1, 2]})),
        );
        assert_eq!(asked("[tool list_kins]"), Script::tool_call("list_kins", json!({})));
    }

    #[test]
    fn text_without_a_wish_is_echoed() {
        for text in ["hello", "a [link](x)", "[unknown 3]", "[slow", "[]", "é["] {
            assert_eq!(asked(text), echo(text), "{text}");
        }
    }

    #[test]
    fn tool_result_ends_the_chain_of_wishes() {
        let answer = script_for(&Last::ToolResult("[silence]".to_owned()));
        assert_eq!(answer, Script::slow(["The tool answered: ", "[silence]"], 5));
    }
}
