//! Where things are.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs, io};

use crate::{Profile, Result};

/// The folders all steps share.
pub struct Places {
    /// The repository.
    pub root: PathBuf,
    /// Cargo's folder for what runs on this machine.
    pub target: PathBuf,
    /// Cargo's folder for the browser. Apart from the other, since another compiler may fill it.
    pub web_target: PathBuf,
}

impl Places {
    /// Finds them from `CARGO_TARGET_DIR` and from what `cargo run` says.
    pub fn find() -> Result<Self> {
        // Asked at run time: another work tree with the same target folder may have compiled us.
        let package = env::var_os("CARGO_MANIFEST_DIR").ok_or("start this with `cargo xtask`")?;
        let root = Path::new(&package).parent().ok_or("xtask is not in a folder of the repository")?.to_owned();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(target) => root.join(target),
            None => root.join("target"),
        };
        let mut web_target = target.clone().into_os_string();
        web_target.push("-web");
        Ok(Self { root, target, web_target: web_target.into() })
    }

    /// Makes cargo forget what another work tree left in the same target folder.
    ///
    /// Cargo names our crates alike in every work tree and compares only the times of files, so it
    /// would take the other tree's build for ours wherever our file is the older one.
    pub fn claim(&self) -> Result {
        let owner = self.target.join("work-tree");
        let root = self.root.to_string_lossy();
        let failed = |error| format!("could not take over {}: {error}", self.target.display());
        match fs::read_to_string(&owner) {
            Ok(other) if other == root => return Ok(()),
            Ok(_) => self.touch(&self.root, SystemTime::now()).map_err(failed)?,
            Err(_) => {}
        }
        fs::create_dir_all(&self.target).and_then(|()| fs::write(&owner, root.as_bytes())).map_err(failed)
    }

    /// Dates every file in `folder`, except in what is built, installed or lived in.
    fn touch(&self, folder: &Path, now: SystemTime) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = entry.file_name();
            let apart = ["target", "target-web", "data", ".git"].map(|name| self.root.join(name)).contains(&path)
                || name == "node_modules"
                || path == self.dist();
            if kind.is_dir() && !apart {
                self.touch(&path, now)?;
            } else if kind.is_file() {
                fs::File::options().append(true).open(path)?.set_modified(now)?;
            }
        }
        Ok(())
    }

    pub fn app(&self) -> PathBuf {
        self.root.join("app")
    }

    /// The built web app, which the server embeds.
    pub fn dist(&self) -> PathBuf {
        self.root.join("app/dist")
    }

    /// A program that cargo built for this machine.
    pub fn program(&self, name: &str, profile: Profile) -> PathBuf {
        let folder = match profile {
            Profile::Dev => "debug",
            Profile::Release => "release",
        };
        self.target.join(folder).join(name)
    }
}
