//! Turns the compiled web app into the folder the server serves.
//!
//! Runs wasm-bindgen (as a library), gives every script, style sheet, font and module a name that
//! carries the hash of its content, rewrites the references to them, compresses, and writes
//! `assets.json`, the list the server reads. Called by `cargo xtask web`; it never builds anything.

mod assets;
mod compress;
mod dist;
mod rewrite;
mod sources;
mod styles;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// What to read, where to write.
struct Options {
    /// The page's module as cargo built it.
    wasm: PathBuf,
    /// The worker's.
    replica: PathBuf,
    /// That of the worker for passwords.
    keys: PathBuf,
    /// Files that are served: style sheets, fonts, avatars …
    public: PathBuf,
    /// The template of the page.
    page: PathBuf,
    /// The folder to replace.
    out: PathBuf,
    /// Compressed files of earlier runs.
    cache: PathBuf,
    /// Brotli's effort, 0 to 11.
    quality: u32,
    /// Keeps the names of functions, which makes a stack trace readable and the module heavier.
    names: bool,
}

fn main() -> Result<()> {
    let options = options(std::env::args().skip(1))?;
    let sources = sources::collect(
        [&options.wasm, &options.replica, &options.keys],
        options.names,
        &options.public,
        &options.page,
    )?;
    let mut assets = assets::link(sources)?;
    compress::compress(&mut assets, options.quality, &options.cache)?;
    dist::write(&assets, &options.out)?;
    dist::report(&assets);
    Ok(())
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options> {
    let mut values = std::collections::HashMap::new();
    while let Some(name) = arguments.next() {
        let value = arguments.next().with_context(|| format!("{name} needs a value"))?;
        values.insert(name, value);
    }
    let mut take = |name: &str| values.remove(name).with_context(|| format!("{name} is missing"));
    let options = Options {
        wasm: take("--wasm")?.into(),
        replica: take("--replica")?.into(),
        keys: take("--keys")?.into(),
        public: take("--public")?.into(),
        page: take("--page")?.into(),
        out: take("--out")?.into(),
        cache: take("--cache")?.into(),
        quality: take("--quality")?.parse().context("--quality is a number from 0 to 11")?,
        names: match take("--names")?.as_str() {
            "keep" => true,
            "drop" => false,
            other => bail!("--names is keep or drop, not {other}"),
        },
    };
    if let Some(name) = values.keys().next() {
        bail!("unknown option {name}");
    }
    Ok(options)
}
