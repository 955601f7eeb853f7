//! Where the files come from: wasm-bindgen, `app/public/`, the page's template, our starters.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::styles;

/// Files by their path from the site's root, with `/` and without a leading one.
pub type Sources = BTreeMap<String, Vec<u8>>;

/// The page every address answers with.
pub const PAGE: &str = "index.html";

/// The name of all style sheets together.
const STYLES: &str = "styles.css";
/// How the page names a style sheet, on a line of its own.
const STYLE_BEFORE: &str = "<link rel=\"stylesheet\" href=\"/";
const STYLE_AFTER: &str = "\">";

/// Gathers every file of the site, still under its plain name.
///
/// `modules` are the page's and the two workers'.
pub fn collect(modules: [&Path; 3], names: bool, public: &Path, page: &Path) -> Result<Sources> {
    let mut sources = Sources::new();
    for (module, name) in modules.into_iter().zip(["app", "replica", "keys"]) {
        add_module(&mut sources, module, name, names)?;
    }
    if public.is_dir() {
        add_folder(&mut sources, public, "")?;
    }
    add(&mut sources, "boot.js", include_bytes!("../web/boot.js").to_vec())?;
    add(&mut sources, "keys-worker.js", keys_starter())?;
    add(&mut sources, "worker.js", include_bytes!("../web/worker.js").to_vec())?;
    let page = fs::read_to_string(page).with_context(|| format!("could not read {}", page.display()))?;
    let page = join_styles(&mut sources, &page)?;
    let page = preload_snippets(&sources, &page);
    add(&mut sources, PAGE, page.into_bytes())?;
    if !names {
        slim(&mut sources)?;
    }
    Ok(sources)
}

/// The starter of the worker for passwords: as the replica's, of another module.
fn keys_starter() -> Vec<u8> {
    let starter = include_str!("../web/worker.js").replace("replica.js", "keys.js");
    let starter =
        starter.replace("replica_bg.wasm", "keys_bg.wasm").replace("the replica", "the stretching of passwords");
    starter.into_bytes()
}

/// Makes one file of the style sheets that the page names, so that the first picture waits for one answer only; gives
/// the page that names it.
fn join_styles(sources: &mut Sources, page: &str) -> Result<String> {
    let mut joined = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for line in page.lines() {
        let named = line.strip_prefix(STYLE_BEFORE).and_then(|rest| rest.strip_suffix(STYLE_AFTER));
        let Some(named) = named else {
            lines.push(line.to_owned());
            continue;
        };
        if joined.is_empty() {
            lines.push(format!("{STYLE_BEFORE}{STYLES}{STYLE_AFTER}"));
        }
        joined.extend(sources.remove(named).with_context(|| format!("the page names {named}, which is missing"))?);
        joined.push(b'\n');
    }
    if !joined.is_empty() {
        add(sources, STYLES, joined)?;
    }
    Ok(lines.join("\n") + "\n")
}

/// Names what `app.js` imports beside it: else a browser learns of it one round trip later.
fn preload_snippets(sources: &Sources, page: &str) -> String {
    const APP: &str = "<link rel=\"modulepreload\" href=\"/app.js\">\n";
    let app = sources.get("app.js").map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
    let imported = sources.keys().filter(|path| path.starts_with("snippets/") && app.contains(path.as_str()));
    let links: String = imported.map(|path| format!("<link rel=\"modulepreload\" href=\"/{path}\">\n")).collect();
    page.replace(APP, &format!("{APP}{links}"))
}

/// Takes out of the style sheets what only their readers need.
fn slim(sources: &mut Sources) -> Result<()> {
    for (path, bytes) in sources.iter_mut().filter(|(path, _)| path.ends_with(".css")) {
        let text = std::str::from_utf8(bytes).with_context(|| format!("{path} is not text"))?;
        *bytes = styles::slim(text).into_bytes();
    }
    Ok(())
}

fn add(sources: &mut Sources, path: &str, bytes: Vec<u8>) -> Result<()> {
    if sources.insert(path.to_owned(), bytes).is_some() {
        bail!("two files of the web app are named {path}");
    }
    Ok(())
}

fn add_folder(sources: &mut Sources, folder: &Path, prefix: &str) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("could not list {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().context("file names in public/ are plain text")?;
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            add_folder(sources, &entry.path(), &format!("{path}/"))?;
        } else {
            add(sources, &path, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

/// Adds `NAME.js`, `NAME_bg.wasm` and `snippets/…`.
fn add_module(sources: &mut Sources, wasm: &Path, name: &str, names: bool) -> Result<()> {
    let mut output = Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .remove_name_section(!names)
        .remove_producers_section(true)
        .out_name(name)
        .generate_output()
        .with_context(|| format!("wasm-bindgen failed on {}", wasm.display()))?;
    add(sources, &format!("{name}.js"), output.js().as_bytes().to_vec())?;
    for (identifier, scripts) in output.snippets() {
        for (index, script) in scripts.iter().enumerate() {
            let path = format!("snippets/{identifier}/inline{index}.js");
            add_snippet(sources, &path, script)?;
        }
    }
    for (path, script) in output.local_modules() {
        add_snippet(sources, &format!("snippets/{path}"), script)?;
    }
    let module = output.wasm_mut().emit_wasm();
    add(sources, &format!("{name}_bg.wasm"), module)
}

/// Adds a script that both modules may bring: its path carries a hash of its crate.
fn add_snippet(sources: &mut Sources, path: &str, script: &str) -> Result<()> {
    if sources.get(path).is_some_and(|there| there == script.as_bytes()) {
        return Ok(());
    }
    add(sources, path, script.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_style_sheets_become_one_in_their_order() {
        let mut sources = Sources::new();
        for (path, text) in [("a.css", "a{}"), ("b.css", "b{}"), ("other.css", "o{}")] {
            sources.insert(path.to_owned(), text.into());
        }
        let page =
            "<head>\n<link rel=\"stylesheet\" href=\"/b.css\">\n<link rel=\"stylesheet\" href=\"/a.css\">\n</head>";
        let page = join_styles(&mut sources, page).expect("both are there");
        assert_eq!(page, "<head>\n<link rel=\"stylesheet\" href=\"/styles.css\">\n</head>\n");
        assert_eq!(sources["styles.css"], b"b{}\na{}\n");
        assert_eq!(sources.keys().collect::<Vec<_>>(), ["other.css", "styles.css"]);
        assert!(join_styles(&mut sources, "<link rel=\"stylesheet\" href=\"/gone.css\">").is_err());
    }
}
