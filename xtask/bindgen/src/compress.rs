//! Compresses once, so that the server never has to.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result};

use crate::assets::{Asset, Assets};

/// Below this, the response's head weighs more than what compression saves.
const MIN_BYTES: usize = 256;

/// Fills in `compressed` wherever that makes a file smaller.
///
/// Results are kept in `cache`, by content and effort; what this run did not use is dropped.
pub fn compress(assets: &mut Assets, quality: u32, cache: &Path) -> Result<()> {
    let cache = cache.join(format!("q{quality}"));
    fs::create_dir_all(&cache).with_context(|| format!("could not create {}", cache.display()))?;
    let mut todo: Vec<&mut Asset> = assets.values_mut().filter(|asset| is_worth_it(asset)).collect();
    // The biggest is taken first: it alone takes longer than all others together.
    todo.sort_by_key(|asset| asset.bytes.len());
    let used: HashSet<PathBuf> = todo.iter().map(|asset| cache.join(&asset.hash)).collect();

    let queue = Mutex::new(todo);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            loop {
                let next = queue.lock().expect("no worker panics while it holds the queue").pop();
                let Some(asset) = next else { return Ok(()) };
                let compressed = cached(&asset.bytes, quality, &cache.join(&asset.hash))?;
                if compressed.len() < asset.bytes.len() {
                    asset.compressed = Some(compressed);
                }
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("compression never panics"))
    })?;

    for entry in fs::read_dir(&cache)? {
        let path = entry?.path();
        if !used.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn is_worth_it(asset: &Asset) -> bool {
    // A woff2 font is Brotli inside already.
    let packed = [".woff2", ".png", ".jpg", ".webp"];
    asset.bytes.len() >= MIN_BYTES && !packed.iter().any(|end| asset.path.ends_with(end))
}

fn cached(bytes: &[u8], quality: u32, file: &Path) -> Result<Vec<u8>> {
    if let Ok(compressed) = fs::read(file) {
        return Ok(compressed);
    }
    let compressed = brotli(bytes, quality)?;
    // Renamed into place, so that a run cut short leaves no half file behind.
    let partial = file.with_extension("partial");
    fs::write(&partial, &compressed)?;
    fs::rename(&partial, file)?;
    Ok(compressed)
}

fn brotli(bytes: &[u8], quality: u32) -> Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams {
        quality: i32::try_from(quality)?,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &params)?;
    Ok(compressed)
}
