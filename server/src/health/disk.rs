//! Room on the disk, and what the data folder takes of it.

use std::path::Path;

/// Room of a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// What we may still write.
    pub free_bytes: u64,
    /// Its size.
    pub total_bytes: u64,
}

/// Room of the file system that holds `path`; `None` when the system does not tell.
pub fn room(path: &Path) -> Option<Room> {
    let told = rustix::fs::statvfs(path).ok()?;
    let bytes = |blocks: u64| blocks.saturating_mul(told.f_frsize);
    Some(Room { free_bytes: bytes(told.f_bavail), total_bytes: bytes(told.f_blocks) })
}

/// Bytes of all files in a folder and below; what cannot be read counts nothing. Blocks: call off the async threads.
pub fn size(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let of_entry = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => size(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    };
    entries.flatten().map(of_entry).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_weighs_what_its_files_do() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("a")).expect("makes");
        std::fs::write(folder.path().join("a/b"), [0; 300]).expect("writes");
        std::fs::write(folder.path().join("c"), [0; 40]).expect("writes");
        assert_eq!(size(folder.path()), 340);
        let room = room(folder.path()).expect("tells");
        assert!(room.free_bytes <= room.total_bytes && room.total_bytes > 0);
    }
}
