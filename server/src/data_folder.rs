//! The data folder and who works on it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Why the data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataFolderError {
    /// The file system says no.
    #[error("could not open the data folder {path}")]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// Another process works on it.
    #[error("another Kinstead is using the data folder {0}")]
    InUse(PathBuf),
}

/// Name of the database file.
pub(crate) const DATABASE: &str = "kinstead.db";

/// The folder, held by this process alone until dropped.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Creates the folder when absent, makes it private and takes its lock.
    ///
    /// # Errors
    /// [`DataFolderError::InUse`] when another process has the lock.
    pub fn open(path: &Path) -> Result<Self, DataFolderError> {
        let failed = |source| DataFolderError::Io { path: path.to_owned(), source };
        std::fs::create_dir_all(path).map_err(failed)?;
        make_private(path).map_err(failed)?;
        let lock =
            OpenOptions::new().create(true).truncate(false).write(true).open(path.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(DataFolderError::InUse(path.to_owned())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// The master key.
    pub fn key(&self) -> PathBuf {
        self.path.join("key")
    }
}

/// Whether a Kinstead has ever run on this folder.
pub fn holds_a_household(data: &Path) -> bool {
    data.join(DATABASE).exists()
}

/// The socket on which the running server takes commands.
pub fn control_socket(data: &Path) -> PathBuf {
    data.join("control.sock")
}

/// Nobody else on the machine may look in: keys and everything said at home are here.
fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path)?.permissions().mode();
        if mode & 0o077 != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_private_and_has_one_user() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a/b");
        let held = DataFolder::open(&path).expect("opens");
        assert!(matches!(DataFolder::open(&path), Err(DataFolderError::InUse(_))));
        #[cfg(unix)]
        {
            let mode =
                std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).expect("exists").permissions());
            assert_eq!(mode & 0o777, 0o700);
        }
        drop(held);
        DataFolder::open(&path).expect("opens again");
    }
}
