//! Markdown on the screen, as real elements. See [`crate::markdown`] for what a message may hold.

use super::code::CodeBlock;
use crate::markdown::{Align, Block, Inline, Item, parse};
use crate::text;
use dioxus::prelude::*;

/// How a message is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Style {
    /// People write line by line: each line end is one.
    keeps_lines: bool,
}

/// A message's text. With `caret` it is still being written.
#[component]
pub fn Prose(
    source: ReadSignal<String>,
    #[props(default)] keeps_lines: bool,
    #[props(default)] caret: bool,
) -> Element {
    let tree = use_memo(move || parse(&source.read()));
    let style = Style { keeps_lines };
    blocks(&tree.read(), style, caret)
}

/// Blocks, the last one with the caret.
fn blocks(blocks: &[Block], style: Style, caret: bool) -> Element {
    let last = blocks.len().wrapping_sub(1);
    rsx! {
        for (at, item) in blocks.iter().enumerate() {
            {block(item, style, caret && at == last)}
        }
        if caret && blocks.is_empty() { Caret {} }
    }
}

fn block(block: &Block, style: Style, caret: bool) -> Element {
    match block {
        Block::Paragraph(words) => rsx! { p { {inlines(words, style)} if caret { Caret {} } } },
        Block::Plain(words) => rsx! { {inlines(words, style)} if caret { Caret {} } },
        // The thread's own heading is the first; a message's begin below it.
        Block::Heading(1, words) => rsx! { h2 { {inlines(words, style)} if caret { Caret {} } } },
        Block::Heading(2, words) => rsx! { h3 { {inlines(words, style)} if caret { Caret {} } } },
        Block::Heading(_, words) => rsx! { h4 { {inlines(words, style)} if caret { Caret {} } } },
        Block::Code { language, text } => rsx! {
            CodeBlock { language: language.clone(), text: text.clone() }
            if caret { Caret {} }
        },
        Block::Quote(inner) => rsx! { blockquote { {blocks(inner, style, caret)} } },
        Block::List { start: None, items } => rsx! { ul { {list_items(items, style, caret)} } },
        Block::List { start: Some(start), items } => {
            // The design counts in its style sheet, so a list that begins elsewhere says so to it.
            let before = format!("n {}", i128::from(*start) - 1);
            rsx! { ol { start: "{start}", counter_reset: before, {list_items(items, style, caret)} } }
        }
        Block::Table { align, head, rows } => rsx! {
            div { class: "k-tablewrap", role: "group", tabindex: "0", "aria-label": text!("table"),
                table {
                    thead { tr { for (at, cell) in head.iter().enumerate() { th { scope: "col", class: column(align, at), {inlines(cell, style)} } } } }
                    tbody {
                        for row in rows {
                            tr { for (at, cell) in row.iter().enumerate() { td { class: column(align, at), {inlines(cell, style)} } } }
                        }
                    }
                }
            }
            if caret { Caret {} }
        },
        Block::Rule => rsx! { hr {} if caret { Caret {} } },
    }
}

/// How a cell of a column is set.
fn column(align: &[Align], at: usize) -> Option<&'static str> {
    match align.get(at).copied().unwrap_or_default() {
        Align::Start => None,
        Align::Centre => Some("is-centre"),
        Align::End => Some("is-end"),
    }
}

fn list_items(items: &[Item], style: Style, caret: bool) -> Element {
    let last = items.len().wrapping_sub(1);
    rsx! {
        for (at, item) in items.iter().enumerate() {
            li {
                if let Some(ticked) = item.ticked {
                    input { r#type: "checkbox", class: "k-task", checked: ticked, disabled: true, "aria-label": text!("task-item") }
                }
                {blocks(&item.blocks, style, caret && at == last)}
            }
        }
    }
}

fn inlines(words: &[Inline], style: Style) -> Element {
    rsx! {
        for word in words {
            {inline(word, style)}
        }
    }
}

fn inline(word: &Inline, style: Style) -> Element {
    match word {
        Inline::Text(text) => rsx! { "{text}" },
        Inline::Code(text) => rsx! { code { "{text}" } },
        Inline::Strong(words) => rsx! { b { {inlines(words, style)} } },
        Inline::Emphasis(words) => rsx! { em { {inlines(words, style)} } },
        Inline::Struck(words) => rsx! { s { {inlines(words, style)} } },
        Inline::Link(address, words) => rsx! {
            a { href: "{address}", target: "_blank", rel: "noopener noreferrer", "referrerpolicy": "no-referrer", {inlines(words, style)} }
        },
        Inline::Break => rsx! { br {} },
        Inline::SoftBreak if style.keeps_lines => rsx! { br {} },
        Inline::SoftBreak => rsx! { " " },
    }
}

/// A small arch where the next word will stand.
#[component]
fn Caret() -> Element {
    rsx! { span { class: "k-caret", "aria-hidden": "true" } }
}
