//! From the parser's events to the tree.

use super::addresses::link_addresses;
use super::{Align, Block, Inline, Item, MAX_DEPTH, safe_link};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Tag};

/// A container whose end has not come yet.
enum Open {
    /// The message itself.
    Root(Vec<Block>),
    Quote(Vec<Block>),
    List(Option<u64>, Vec<Item>),
    Item(Item),
    Table {
        align: Vec<Align>,
        head: Vec<Vec<Inline>>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// Cells so far, and whether it is the first row.
    Row(Vec<Vec<Inline>>, bool),
    Cell(Vec<Inline>),
    Paragraph(Vec<Inline>),
    /// Text that stands directly in an item.
    Plain(Vec<Inline>),
    Heading(HeadingLevel, Vec<Inline>),
    Code {
        language: String,
        text: String,
    },
    Html(String),
    Strong(Vec<Inline>),
    Emphasis(Vec<Inline>),
    Struck(Vec<Inline>),
    /// `None` when the address may not be followed: then only its words are kept.
    Link(Option<String>, Vec<Inline>),
    /// Alternative words, and the address to show as a link.
    Image(Option<String>, Vec<Inline>),
}

/// Takes events in order; a stack stands in for recursion.
pub struct Builder {
    open: Vec<Open>,
    /// Starts that were ignored for depth, whose ends are to be ignored too.
    ignored: usize,
    /// Heading levels above the current one, as written.
    levels: Vec<HeadingLevel>,
}

impl Default for Builder {
    fn default() -> Self {
        Self { open: vec![Open::Root(Vec::new())], ignored: 0, levels: Vec::new() }
    }
}

impl Builder {
    pub fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.inline(Inline::Code(code.into_string())),
            // Raw HTML is what the writer typed, not an instruction to the page.
            Event::Html(html) | Event::InlineHtml(html) => self.text(&html),
            Event::SoftBreak => self.inline(Inline::SoftBreak),
            Event::HardBreak => self.inline(Inline::Break),
            Event::Rule => self.block(Block::Rule),
            Event::TaskListMarker(ticked) => self.tick(ticked),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
            Event::FootnoteReference(name) => self.text(&name),
        }
    }

    pub fn finish(mut self) -> Vec<Block> {
        while self.open.len() > 1 {
            self.close();
        }
        match self.open.pop() {
            Some(Open::Root(blocks)) => blocks,
            _ => Vec::new(),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        if self.ignored > 0 || self.open.len() > MAX_DEPTH {
            self.ignored += 1;
            return;
        }
        let open = match tag {
            Tag::Paragraph => Open::Paragraph(Vec::new()),
            Tag::Heading { level, .. } => Open::Heading(level, Vec::new()),
            Tag::BlockQuote(_) => Open::Quote(Vec::new()),
            Tag::CodeBlock(kind) => Open::Code { language: language_of(&kind), text: String::new() },
            Tag::HtmlBlock => Open::Html(String::new()),
            Tag::List(start) => Open::List(start, Vec::new()),
            Tag::Item => Open::Item(Item::default()),
            Tag::Table(align) => {
                Open::Table { align: align.into_iter().map(align_of).collect(), head: Vec::new(), rows: Vec::new() }
            }
            Tag::TableHead => Open::Row(Vec::new(), true),
            Tag::TableRow => Open::Row(Vec::new(), false),
            Tag::TableCell => Open::Cell(Vec::new()),
            Tag::Emphasis => Open::Emphasis(Vec::new()),
            Tag::Strong => Open::Strong(Vec::new()),
            Tag::Strikethrough => Open::Struck(Vec::new()),
            Tag::Link { dest_url, .. } => Open::Link(safe_link(&dest_url), Vec::new()),
            Tag::Image { dest_url, .. } => Open::Image(safe_link(&dest_url), Vec::new()),
            // Not switched on in the options.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => Open::Plain(Vec::new()),
        };
        // A list after an item's own text ends that text.
        if is_block(&open) {
            self.end_plain();
        }
        self.open.push(open);
    }

    fn end(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        // Text that stands directly in what ends now.
        self.end_plain();
        self.close();
    }

    fn end_plain(&mut self) {
        if matches!(self.open.last(), Some(Open::Plain(_))) {
            self.close();
        }
    }

    /// Closes the innermost container and hands what it holds to the one around it.
    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        match open {
            // Closed by `finish` alone.
            Open::Root(blocks) => self.open.push(Open::Root(blocks)),
            Open::Quote(blocks) => self.block(Block::Quote(blocks)),
            Open::List(start, items) => self.block(Block::List { start, items }),
            Open::Item(item) => match self.open.last_mut() {
                Some(Open::List(_, items)) => items.push(item),
                _ => item.blocks.into_iter().for_each(|block| self.block(block)),
            },
            Open::Table { align, head, rows } => self.block(Block::Table { align, head, rows }),
            Open::Row(cells, first) => {
                if let Some(Open::Table { head, rows, .. }) = self.open.last_mut() {
                    if first { *head = cells } else { rows.push(cells) }
                }
            }
            Open::Cell(inlines) => {
                let inlines = self.linked(inlines);
                if let Some(Open::Row(cells, _)) = self.open.last_mut() {
                    cells.push(inlines);
                }
            }
            Open::Paragraph(inlines) => {
                let inlines = self.linked(inlines);
                self.block(Block::Paragraph(inlines));
            }
            Open::Plain(inlines) => {
                let inlines = self.linked(inlines);
                self.block(Block::Plain(inlines));
            }
            Open::Heading(level, inlines) => {
                let (level, inlines) = (self.level(level), self.linked(inlines));
                self.block(Block::Heading(level, inlines));
            }
            Open::Code { language, text } => self.block(Block::Code { language, text }),
            Open::Html(text) => self.block(Block::Paragraph(vec![Inline::Text(text.trim_end().to_owned())])),
            Open::Strong(inlines) => {
                let inlines = self.linked(inlines);
                self.inline(Inline::Strong(inlines));
            }
            Open::Emphasis(inlines) => {
                let inlines = self.linked(inlines);
                self.inline(Inline::Emphasis(inlines));
            }
            Open::Struck(inlines) => {
                let inlines = self.linked(inlines);
                self.inline(Inline::Struck(inlines));
            }
            Open::Link(Some(address), inlines) => self.inline(Inline::Link(address, inlines)),
            Open::Link(None, inlines) => inlines.into_iter().for_each(|inline| self.inline(inline)),
            Open::Image(address, words) => self.image(address, words),
        }
    }

    /// Links the bare addresses in whole texts, unless they stand in a link already.
    fn linked(&self, inlines: Vec<Inline>) -> Vec<Inline> {
        if self.open.iter().any(|open| matches!(open, Open::Link(..) | Open::Image(..))) {
            return inlines;
        }
        let link = |inline| if let Inline::Text(text) = inline { link_addresses(text) } else { vec![inline] };
        inlines.into_iter().flat_map(link).collect()
    }

    /// An image is not loaded, since that would tell its server who reads here. It shows as a link to it.
    fn image(&mut self, address: Option<String>, words: Vec<Inline>) {
        match address {
            Some(address) => {
                let words = if words.is_empty() { vec![Inline::Text(address.clone())] } else { words };
                // A link may not stand in a link.
                if self.open.iter().any(|open| matches!(open, Open::Link(..))) {
                    words.into_iter().for_each(|word| self.inline(word));
                } else {
                    self.inline(Inline::Link(address, words));
                }
            }
            None => words.into_iter().for_each(|word| self.inline(word)),
        }
    }

    /// The level in this message's own outline: 1 for the first, one more per step down.
    fn level(&mut self, level: HeadingLevel) -> u8 {
        self.levels.retain(|above| *above < level);
        self.levels.push(level);
        u8::try_from(self.levels.len()).unwrap_or(u8::MAX)
    }

    fn text(&mut self, text: &str) {
        match self.open.last_mut() {
            Some(Open::Code { text: code, .. } | Open::Html(code)) => code.push_str(text),
            _ => self.inline(Inline::Text(text.to_owned())),
        }
    }

    fn tick(&mut self, ticked: bool) {
        if let Some(Open::Item(item)) = self.open.iter_mut().rev().find(|open| matches!(open, Open::Item(_))) {
            item.ticked = Some(ticked);
        }
    }

    fn inline(&mut self, inline: Inline) {
        match self.open.last_mut() {
            Some(
                Open::Paragraph(inlines)
                | Open::Plain(inlines)
                | Open::Heading(_, inlines)
                | Open::Cell(inlines)
                | Open::Strong(inlines)
                | Open::Emphasis(inlines)
                | Open::Struck(inlines)
                | Open::Link(_, inlines)
                | Open::Image(_, inlines),
            ) => push_inline(inlines, inline),
            Some(Open::Root(_) | Open::Quote(_) | Open::Item(_)) => self.open.push(Open::Plain(vec![inline])),
            Some(Open::Code { text, .. } | Open::Html(text)) => {
                if let Inline::Text(more) | Inline::Code(more) = inline {
                    text.push_str(&more);
                }
            }
            // Text straight in a list or a table: what was too deep. It may not be lost.
            Some(Open::List(_, items)) => items.push(Item { ticked: None, blocks: vec![Block::Plain(vec![inline])] }),
            Some(Open::Table { rows, .. }) => rows.push(vec![vec![inline]]),
            Some(Open::Row(cells, _)) => cells.push(vec![inline]),
            None => {}
        }
    }

    fn block(&mut self, block: Block) {
        self.end_plain();
        match self.open.last_mut() {
            Some(Open::Root(blocks) | Open::Quote(blocks)) => blocks.push(block),
            Some(Open::Item(item)) => item.blocks.push(block),
            Some(Open::List(_, items)) => items.push(Item { ticked: None, blocks: vec![block] }),
            // No block stands in these; one that does was flattened.
            Some(_) | None => match block {
                Block::Paragraph(inlines) | Block::Plain(inlines) | Block::Heading(_, inlines) => {
                    inlines.into_iter().for_each(|inline| self.inline(inline));
                }
                Block::Code { text, .. } => self.inline(Inline::Code(text)),
                Block::Quote(_) | Block::List { .. } | Block::Table { .. } | Block::Rule => {}
            },
        }
    }
}

/// Joins pieces of text that the parser cut, so that they are one node on the screen.
fn push_inline(inlines: &mut Vec<Inline>, inline: Inline) {
    match (inlines.last_mut(), inline) {
        (Some(Inline::Text(before)), Inline::Text(more)) => {
            before.push_str(&more);
        }
        (_, inline) => inlines.push(inline),
    }
}

fn is_block(open: &Open) -> bool {
    matches!(
        open,
        Open::Paragraph(_)
            | Open::Heading(..)
            | Open::Quote(_)
            | Open::Code { .. }
            | Open::Html(_)
            | Open::List(..)
            | Open::Item(_)
            | Open::Table { .. }
    )
}

const fn align_of(alignment: Alignment) -> Align {
    match alignment {
        Alignment::None | Alignment::Left => Align::Start,
        Alignment::Center => Align::Centre,
        Alignment::Right => Align::End,
    }
}

/// The first word of a fence's line, as far as it can be a language's name.
fn language_of(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Indented => String::new(),
        CodeBlockKind::Fenced(line) => {
            line.split([' ', ',', '{']).next().unwrap_or_default().chars().take(40).collect()
        }
    }
}
