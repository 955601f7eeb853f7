//! Names files by their content, in the order their references demand.
//!
//! The page, scripts and style sheets refer to each other by plain names (`/tokens.css`,
//! `./app.js`, `fonts/text.woff2`); each reference to a file that gets a hash is replaced here.
//! Rust code cannot be rewritten: a script it loads later has to be named in the page, as the
//! worker is in `<meta name="kinstead-worker" content="/worker.js">`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::rewrite::rewrite;
use crate::sources::{PAGE, Sources};

/// The folder of files whose name carries their hash.
const HASHED: &str = "assets";
/// Replaced in `sw.js` by the list of everything that can be kept for offline use.
const PRECACHE: &str = "self.__KINSTEAD_PRECACHE";
/// Replaced in the page and, in quotes, in `sw.js`: what a build calls itself.
const BUILD: &str = "__KINSTEAD_BUILD";
/// The service worker lives at a fixed address: its address is its identity.
const SERVICE_WORKER: &str = "sw.js";

/// A file as it is served.
pub struct Asset {
    /// From the site's root, without a leading slash.
    pub path: String,
    /// Lower-case hex of the first 16 bytes of SHA-256.
    pub hash: String,
    pub bytes: Vec<u8>,
    /// The same, compressed with Brotli, where that is worth it.
    pub compressed: Option<Vec<u8>>,
    /// Whether the content at this address can never change.
    pub immutable: bool,
}

/// Every served file by the path it had in the sources.
pub type Assets = BTreeMap<String, Asset>;

/// Renames and rewrites all sources.
///
/// # Errors
/// When files refer to each other in a circle: neither hash could be known first.
pub fn link(sources: Sources) -> Result<Assets> {
    let paths: Vec<String> = sources.keys().cloned().collect();
    let mut linker = Linker { sources, open: BTreeSet::new(), done: Assets::new(), build: String::new() };
    for path in &paths {
        // The service worker lists all others, so it comes last.
        if path != SERVICE_WORKER {
            linker.link(path)?;
        }
    }
    if paths.iter().any(|path| path == SERVICE_WORKER) {
        linker.link(SERVICE_WORKER)?;
    }
    Ok(linker.done)
}

struct Linker {
    sources: Sources,
    /// Files whose references are being followed.
    open: BTreeSet<String>,
    done: Assets,
    /// The hash of the page, and so of everything the page names: known once the page is linked.
    build: String,
}

impl Linker {
    fn link(&mut self, path: &str) -> Result<()> {
        if self.done.contains_key(path) {
            return Ok(());
        }
        if !self.open.insert(path.to_owned()) {
            bail!("{path} refers to itself through other files, so it cannot be named by content");
        }
        let mut bytes = self.sources.remove(path).with_context(|| format!("{path} is missing"))?;
        if has_references(path) {
            let text = String::from_utf8(bytes).with_context(|| format!("{path} is not text"))?;
            let text = self.rewrite(path, &text)?;
            bytes = match path {
                SERVICE_WORKER => {
                    let build = serde_json::to_string(&self.build)?;
                    let text = text.replace(PRECACHE, &self.precache()?);
                    text.replace(&format!("self.{BUILD}"), &build).into_bytes()
                }
                PAGE => {
                    self.build = hash(text.as_bytes());
                    text.replace(BUILD, &self.build).into_bytes()
                }
                _ => text.into_bytes(),
            };
        }
        let hash = hash(&bytes);
        let immutable = is_hashed(path);
        let served = if immutable { hashed_path(path, &hash) } else { path.to_owned() };
        let asset = Asset { path: served, hash, bytes, compressed: None, immutable };
        self.open.remove(path);
        self.done.insert(path.to_owned(), asset);
        Ok(())
    }

    fn rewrite(&mut self, path: &str, text: &str) -> Result<String> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        // Hashed files lie side by side; a fixed one may be read from any address.
        let prefix = if is_hashed(path) { "./" } else { "/assets/" };
        rewrite(text, folder, |target| {
            let known =
                self.sources.contains_key(target) || self.done.contains_key(target) || self.open.contains(target);
            if !known || !is_hashed(target) {
                return Ok(None);
            }
            self.link(target)?;
            let name = self.done[target].path.rsplit('/').next().unwrap_or_default();
            Ok(Some(format!("{prefix}{name}")))
        })
    }

    /// `[{"url": …, "revision": …}]`; the revision is null where the address already says it.
    fn precache(&self) -> Result<String> {
        let entries: Vec<_> = self
            .done
            .iter()
            .map(|(source, asset)| {
                let url = if source == PAGE { "/".to_owned() } else { format!("/{}", asset.path) };
                let revision = (!asset.immutable).then_some(&asset.hash);
                serde_json::json!({ "url": url, "revision": revision })
            })
            .collect();
        Ok(serde_json::to_string(&entries)?)
    }
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn is_hashed(path: &str) -> bool {
    path != SERVICE_WORKER && matches!(extension(path), "js" | "css" | "wasm" | "woff2")
}

fn has_references(path: &str) -> bool {
    matches!(extension(path), "js" | "css" | "html")
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `snippets/a/inline0.js` → `assets/inline0.1f2e3d4c5b.js`
fn hashed_path(path: &str, hash: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    format!("{HASHED}/{stem}.{}.{extension}", &hash[..10])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(files: &[(&str, &str)]) -> Result<Assets> {
        link(files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect())
    }

    fn text(assets: &Assets, path: &str) -> String {
        String::from_utf8_lossy(&assets[path].bytes).into_owned()
    }

    #[test]
    fn a_change_deep_down_renames_everything_above_it() {
        let site = |font: &str| {
            linked(&[
                ("index.html", r#"<link rel="stylesheet" href="/tokens.css"><img src="/a.svg">"#),
                ("tokens.css", r#"src: url("fonts/text.woff2")"#),
                ("fonts/text.woff2", font),
                ("a.svg", "<svg/>"),
            ])
            .expect("the files have no circle")
        };
        let (one, two) = (site("one"), site("two"));
        assert_ne!(one["tokens.css"].path, two["tokens.css"].path);
        assert_ne!(one["index.html"].hash, two["index.html"].hash);
        assert_eq!(one["index.html"].path, "index.html");
        assert_eq!(one["a.svg"].path, "a.svg");
        let css = &one["tokens.css"].path;
        assert!(text(&one, "index.html").contains(&format!("href=\"/{css}\"")));
        assert!(text(&one, "index.html").contains("src=\"/a.svg\""));
    }

    #[test]
    fn a_circle_is_refused() {
        assert!(linked(&[("a.js", "import './b.js'"), ("b.js", "import './a.js'")]).is_err());
    }

    #[test]
    fn the_service_worker_keeps_its_address_and_lists_the_rest() {
        let assets =
            linked(&[("index.html", "<p>"), ("sw.js", "const files = self.__KINSTEAD_PRECACHE;"), ("z.css", "a{}")])
                .expect("the files have no circle");
        assert_eq!(assets["sw.js"].path, "sw.js");
        let css = format!(r#"{{"revision":null,"url":"/{}"}}"#, assets["z.css"].path);
        let page = format!(r#"{{"revision":"{}","url":"/"}}"#, assets["index.html"].hash);
        assert_eq!(text(&assets, "sw.js"), format!("const files = [{page},{css}];"));
    }

    #[test]
    fn page_and_service_worker_know_which_build_they_are_of() {
        let site = |style: &str, picture: &str| {
            linked(&[
                ("index.html", r#"<meta content="__KINSTEAD_BUILD"><link href="/z.css">"#),
                ("sw.js", "const build = self.__KINSTEAD_BUILD; const files = self.__KINSTEAD_PRECACHE;"),
                ("z.css", style),
                ("a.svg", picture),
            ])
            .expect("the files have no circle")
        };
        let build = |assets: &Assets| {
            let page = text(assets, "index.html");
            let build = page.split('"').nth(1).expect("the page has it in quotes").to_owned();
            assert!(text(assets, "sw.js").contains(&format!("const build = \"{build}\";")));
            build
        };
        let (one, restyled, repainted) = (site("a{}", "<svg/>"), site("b{}", "<svg/>"), site("a{}", "<svg></svg>"));
        assert_ne!(build(&one), build(&restyled));
        assert_eq!(build(&one), build(&repainted), "no page has to be loaded again for a picture");
        assert_ne!(one["sw.js"].hash, repainted["sw.js"].hash, "but the picture is fetched again");
    }
}
