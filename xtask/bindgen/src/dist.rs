//! Writes the folder the server serves, and says how heavy it is.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::assets::{Asset, Assets};

/// One entry of `assets.json`.
#[derive(Serialize)]
struct Entry<'a> {
    /// From the site's root, without a leading slash.
    path: &'a str,
    hash: &'a str,
    bytes: usize,
    /// The size of `<path>.br`, or null where there is none.
    br_bytes: Option<usize>,
    immutable: bool,
}

/// Replaces `out` by the site.
pub fn write(assets: &Assets, out: &Path) -> Result<()> {
    // Built aside and swapped in: a running debug server reads this folder.
    let aside = out.with_extension("new");
    remove(&aside)?;
    let mut entries = Vec::new();
    for asset in assets.values() {
        write_asset(asset, &aside)?;
        entries.push(Entry {
            path: &asset.path,
            hash: &asset.hash,
            bytes: asset.bytes.len(),
            br_bytes: asset.compressed.as_ref().map(Vec::len),
            immutable: asset.immutable,
        });
    }
    fs::write(aside.join("assets.json"), serde_json::to_vec_pretty(&entries)?)?;
    remove(out)?;
    fs::rename(&aside, out).with_context(|| format!("could not write {}", out.display()))
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("could not remove {}", folder.display()))?;
    }
    Ok(())
}

fn write_asset(asset: &Asset, root: &Path) -> Result<()> {
    let file = root.join(&asset.path);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&file, &asset.bytes).with_context(|| format!("could not write {}", file.display()))?;
    if let Some(compressed) = &asset.compressed {
        fs::write(root.join(format!("{}.br", asset.path)), compressed)?;
    }
    Ok(())
}

/// Prints what a first visit loads: the page, its code, its styles, one font; and what the worker adds after signing in.
#[expect(clippy::print_stdout, reason = "this is a command-line tool")]
pub fn report(assets: &Assets) {
    let (mut total, mut later) = (0, 0);
    for (source, asset) in assets.iter().filter(|(source, _)| is_loaded(source)) {
        let wire = asset.compressed.as_ref().map_or(asset.bytes.len(), Vec::len);
        *if is_the_workers(source) { &mut later } else { &mut total } += wire;
        if asset.bytes.len() >= 4096 {
            let bytes = asset.bytes.len();
            println!("  {source:<44} {:>8} → {:>8}", kilobytes(bytes), kilobytes(wire));
        }
    }
    println!("  first load over the wire: {}; at and behind the sign-in: {} more", kilobytes(total), kilobytes(later));
}

/// What the workers load: when a password is typed, and once somebody is signed in.
fn is_the_workers(source: &str) -> bool {
    matches!(source, "worker.js" | "replica.js" | "replica_bg.wasm" | "keys-worker.js" | "keys.js" | "keys_bg.wasm")
}

fn is_loaded(source: &str) -> bool {
    match source.rsplit_once('.') {
        Some((_, "js" | "css" | "wasm" | "html")) => true,
        // A text in French or English needs the plain Latin face only.
        Some((stem, "woff2")) => stem.ends_with("latin-wght-normal"),
        _ => false,
    }
}

fn kilobytes(bytes: usize) -> String {
    format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100)
}
