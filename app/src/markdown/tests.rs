use super::*;

fn text(text: &str) -> Inline {
    Inline::Text(text.to_owned())
}

fn paragraph(inlines: &[Inline]) -> Block {
    Block::Paragraph(inlines.to_vec())
}

#[test]
fn raw_html_is_text() {
    let blocks = parse("hello <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n");
    let expected =
        [paragraph(&[text("hello <img src=x onerror=alert(1)>")]), paragraph(&[text("<script>alert(1)</script>")])];
    assert_eq!(blocks, expected);
}

#[test]
fn only_harmless_links_can_be_followed() {
    for bad in [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "java\nscript:x",
        "/kin/1",
        "file:///etc",
        "http:",
    ] {
        assert_eq!(safe_link(bad), None, "{bad:?}");
    }
    for good in ["https://example.org/a?b#c", "HTTP://example.org", "mailto:a@example.org"] {
        assert_eq!(safe_link(good).as_deref(), Some(good));
    }
    assert_eq!(parse("[a](javascript:alert%281%29)"), [paragraph(&[text("a")])]);
    assert_eq!(
        parse("[a](https://b.example)"),
        [paragraph(&[Inline::Link("https://b.example".into(), vec![text("a")])])]
    );
}

#[test]
fn images_are_links_and_never_links_in_links() {
    let link = |words: &str| Inline::Link("https://b.example/c.png".into(), vec![text(words)]);
    assert_eq!(parse("![cat](https://b.example/c.png)"), [paragraph(&[link("cat")])]);
    assert_eq!(parse("![](https://b.example/c.png)"), [paragraph(&[link("https://b.example/c.png")])]);
    assert_eq!(parse("![cat](data:image/png;base64,AA)"), [paragraph(&[text("cat")])]);
    let nested = parse("[![cat](https://b.example/c.png)](https://d.example)");
    assert_eq!(nested, [paragraph(&[Inline::Link("https://d.example".into(), vec![text("cat")])])]);
}

#[test]
fn code_keeps_its_language_and_its_text() {
    let blocks = parse("```rust,ignore\nfn main() {}\n<b>\n```");
    assert_eq!(blocks, [Block::Code { language: "rust".into(), text: "fn main() {}\n<b>\n".into() }]);
    // While it still streams, a block without its end is already code.
    let open = parse("```py\nprint(");
    assert_eq!(open, [Block::Code { language: "py".into(), text: "print(".into() }]);
}

#[test]
fn lists_are_tight_or_loose_and_may_have_tasks() {
    let blocks = parse("3. a\n4. b\n   - [x] c\n   - [ ] d\n");
    let task = |ticked, words: &str| Item { ticked: Some(ticked), blocks: vec![Block::Plain(vec![text(words)])] };
    let inner = Block::List { start: None, items: vec![task(true, "c"), task(false, "d")] };
    let expected = Block::List {
        start: Some(3),
        items: vec![
            Item { ticked: None, blocks: vec![Block::Plain(vec![text("a")])] },
            Item { ticked: None, blocks: vec![Block::Plain(vec![text("b")]), inner] },
        ],
    };
    assert_eq!(blocks, [expected]);
}

#[test]
fn tables_have_a_head_and_rows() {
    let blocks = parse("| a | b |\n|---|--:|\n| 1 | **2** |\n");
    let expected = Block::Table {
        align: vec![super::Align::Start, super::Align::End],
        head: vec![vec![text("a")], vec![text("b")]],
        rows: vec![vec![vec![text("1")], vec![Inline::Strong(vec![text("2")])]]],
    };
    assert_eq!(blocks, [expected]);
}

#[test]
fn headings_skip_no_level() {
    let levels: Vec<u8> = parse("### a\n##### b\n###### c\n# d\n## e")
        .into_iter()
        .filter_map(|block| if let Block::Heading(level, _) = block { Some(level) } else { None })
        .collect();
    assert_eq!(levels, [1, 2, 3, 1, 2]);
}

fn depth(blocks: &[Block]) -> usize {
    let inner = blocks.iter().map(|block| match block {
        Block::Quote(blocks) => depth(blocks),
        Block::List { items, .. } => items.iter().map(|item| depth(&item.blocks)).max().unwrap_or(0),
        Block::Paragraph(_)
        | Block::Plain(_)
        | Block::Heading(..)
        | Block::Code { .. }
        | Block::Table { .. }
        | Block::Rule => 0,
    });
    inner.max().map_or(0, |inner| inner + 1)
}

#[test]
fn nesting_is_bounded_and_loses_no_text() {
    for bomb in
        [">".repeat(20_000) + "end", "- ".repeat(5_000) + "end", "*_".repeat(20_000) + "end" + &"_*".repeat(20_000)]
    {
        let blocks = parse(&bomb);
        assert!(depth(&blocks) <= MAX_DEPTH + 1);
        assert!(format!("{blocks:?}").contains("end"));
    }
}

#[test]
fn soft_line_ends_are_told_apart_from_wanted_ones() {
    let blocks = parse("a\nb  \nc");
    assert_eq!(blocks, [paragraph(&[text("a"), Inline::SoftBreak, text("b"), Inline::Break, text("c")])]);
}

#[test]
fn a_bare_address_is_a_link_but_not_inside_one_nor_in_code() {
    let link = |address: &str| Inline::Link(address.into(), vec![Inline::Text(address.into())]);
    let strong = Inline::Strong(vec![link("https://a.org/x_y_z")]);
    assert_eq!(parse("**https://a.org/x_y_z**"), [Block::Paragraph(vec![strong])]);
    let inside = Inline::Link("https://a.org".into(), vec![Inline::Text("https://b.org".into())]);
    assert_eq!(parse("[https://b.org](https://a.org)"), [Block::Paragraph(vec![inside])]);
    assert_eq!(parse("`https://a.org`"), [Block::Paragraph(vec![Inline::Code("https://a.org".into())])]);
}
