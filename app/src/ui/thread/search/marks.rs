//! What was looked for, marked where it stands: with the browser's own highlights, which change nothing in the page.

use js_sys::{Array, Function, Reflect};
use shared::words::Query;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Node, Range};

/// The highlight's name in the style sheet.
const NAME: &str = "k-found";
/// Text nodes only.
const SHOW_TEXT: u32 = 4;

/// Marks words in what an element shows, and nowhere else. An old browser marks nothing.
pub fn mark(element: &Element, words: &str) {
    clear();
    let ranges = ranges(element, words).unwrap_or_default();
    let Some(constructor) = global("Highlight").and_then(|found| found.dyn_into::<Function>().ok()) else { return };
    let ranges: Array = ranges.into_iter().map(JsValue::from).collect();
    if let Ok(highlight) = Reflect::construct(&constructor, &ranges) {
        call("set", &[NAME.into(), highlight]);
    }
}

/// Marks nothing any more.
pub fn clear() {
    call("delete", &[NAME.into()]);
}

fn ranges(element: &Element, words: &str) -> Option<Vec<Range>> {
    let document = element.owner_document()?;
    let walker = document.create_tree_walker_with_what_to_show(element, SHOW_TEXT).ok()?;
    // Where each node's text begins in all of it.
    let mut nodes: Vec<(usize, Node, String)> = Vec::new();
    let mut all = String::new();
    while let Ok(Some(node)) = walker.next_node() {
        let text = node.text_content().unwrap_or_default();
        nodes.push((all.len(), node, text.clone()));
        all.push_str(&text);
        all.push('\n');
    }
    // The node that a place is in, and where in it, as the browser counts.
    let place = |at: usize| {
        let (start, node, text) = nodes.get(nodes.partition_point(|(start, ..)| *start <= at).checked_sub(1)?)?;
        let units = text.get(..at - start)?.encode_utf16().count();
        Some((node, u32::try_from(units).ok()?))
    };
    let found = Query::parse(words).find(&all)?;
    let range = |found: std::ops::Range<usize>| {
        let range = document.create_range().ok()?;
        let ((from, start), (to, end)) = (place(found.start)?, place(found.end)?);
        range.set_start(from, start).ok()?;
        range.set_end(to, end).ok()?;
        Some(range)
    };
    Some(found.into_iter().filter_map(range).collect())
}

fn global(name: &str) -> Option<JsValue> {
    Reflect::get(&js_sys::global(), &name.into()).ok().filter(|found| !found.is_undefined())
}

/// Calls a method of the page's highlights, if it has any.
fn call(method: &str, arguments: &[JsValue]) {
    let highlights = global("CSS").and_then(|css| Reflect::get(&css, &"highlights".into()).ok());
    let Some(highlights) = highlights.filter(|found| !found.is_undefined()) else { return };
    let method = Reflect::get(&highlights, &method.into()).and_then(|found| found.dyn_into::<Function>());
    if let Ok(method) = method {
        method.apply(&highlights, &arguments.iter().cloned().collect::<Array>()).ok();
    }
}
