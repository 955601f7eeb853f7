//! Markdown of messages, read into a small tree of our own.
//!
//! The tree holds no HTML and no address that could run or load anything by itself: raw HTML is text, links are
//! `http`, `https` or `mailto`, images are links. A screen draws it with real elements, so nothing a message says is
//! ever parsed as HTML. Depth is bounded, so that no message can overflow the stack of whoever walks the tree.

use pulldown_cmark::{Options, Parser};

mod addresses;
mod build;
#[cfg(test)]
mod tests;

/// A block of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Text on lines of its own.
    Paragraph(Vec<Inline>),
    /// Text of a list item that stands close to the next.
    Plain(Vec<Inline>),
    /// A heading; 1 is the highest in this message, and no level is skipped.
    Heading(u8, Vec<Inline>),
    /// Code, with its language if it names one.
    Code {
        /// `rust`, `python` …; empty when not said.
        language: String,
        /// As it is.
        text: String,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A list; the number of its first item when it is numbered.
    List {
        /// `None` for bullets.
        start: Option<u64>,
        /// Each item's blocks.
        items: Vec<Item>,
    },
    /// A table.
    Table {
        /// How each column is set.
        align: Vec<Align>,
        /// Cells of the first row.
        head: Vec<Vec<Inline>>,
        /// The other rows.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A line across.
    Rule,
}

/// How a column of a table is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Align {
    /// As the language goes.
    #[default]
    Start,
    /// In the middle.
    Centre,
    /// To the other side, as numbers like it.
    End,
}

/// One item of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// Whether it is ticked, when it is a task.
    pub ticked: Option<bool>,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// A piece of text within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    /// As it is.
    Text(String),
    /// Code within a line.
    Code(String),
    /// Important.
    Strong(Vec<Inline>),
    /// Stressed.
    Emphasis(Vec<Inline>),
    /// No longer true.
    Struck(Vec<Inline>),
    /// A link that may be followed; its address is `http`, `https` or `mailto`.
    Link(String, Vec<Inline>),
    /// A new line the writer asked for.
    Break,
    /// A line end in the source that only means a space, except where people write line by line.
    SoftBreak,
}

/// Containers inside each other past this are drawn flat. Deeper nesting is no message but an attack.
pub const MAX_DEPTH: usize = 16;

/// Reads a message.
pub fn parse(source: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut builder = build::Builder::default();
    for event in Parser::new_ext(source, options) {
        builder.take(event);
    }
    builder.finish()
}

/// The address if following it is harmless: it opens a page or a mail, and runs nothing here.
pub fn safe_link(address: &str) -> Option<String> {
    let address = address.trim();
    // Browsers drop these before they read the scheme, so `java\nscript:` would count.
    if address.chars().any(char::is_control) {
        return None;
    }
    let (scheme, rest) = address.split_once(':')?;
    let known = ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    (known && !rest.is_empty()).then(|| address.to_owned())
}
