//! A socket's path may have about 100 bytes; folders may lie deeper.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// Longest path every system takes, the final zero included.
const MAX_BYTES: usize = 104;

/// A path short enough for a socket, valid while this lives.
pub(super) struct SocketPath {
    path: PathBuf,
    _folder: Option<File>,
}

impl SocketPath {
    /// The path itself, or on Linux one through the folder's open file.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        if path.as_os_str().len() < MAX_BYTES {
            return Ok(Self { path: path.to_owned(), _folder: None });
        }
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        let folder = File::open(folder)?;
        let path = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(name);
        Ok(Self { path, _folder: Some(folder) })
    }

    pub(super) fn as_path(&self) -> &Path {
        &self.path
    }
}
