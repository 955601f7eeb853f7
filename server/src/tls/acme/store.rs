//! What ACME gave, on disk: the account and the certificate with its key, readable by this user alone.

use crate::tls::read::read_pem;
use crate::tls::{Certificate, TlsError};
use instant_acme::AccountCredentials;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder.
#[derive(Debug, Clone)]
pub struct Store(PathBuf);

#[derive(Serialize, Deserialize)]
struct StoredAccount {
    /// Of which authority.
    directory: String,
    credentials: AccountCredentials,
}

impl Store {
    /// The store in this folder, which need not exist yet.
    pub fn at(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The file with the certificate's chain and its key.
    pub fn certificate_file(&self) -> PathBuf {
        self.0.join("certificate.pem")
    }

    fn account_file(&self) -> PathBuf {
        self.0.join("account.json")
    }

    /// The stored certificate, if there is one.
    ///
    /// # Errors
    /// When it cannot be read or used.
    pub fn certificate(&self) -> Result<Option<Certificate>, TlsError> {
        let path = self.certificate_file();
        let name = path.display().to_string();
        match fs::read(&path) {
            Ok(pem) => read_pem(&pem, &name, &pem, &name).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TlsError::Unreadable(path, error)),
        }
    }

    /// Keeps a certificate's chain and its key: one file, so that they are never of two ages.
    pub(super) fn keep_certificate(&self, chain: &str, key: &str) -> io::Result<()> {
        self.write(&self.certificate_file(), format!("{}\n{}\n", chain.trim(), key.trim()).as_bytes())
    }

    /// The account at this authority, if there is one.
    pub(super) fn account(&self, directory: &str) -> Option<AccountCredentials> {
        let stored: StoredAccount = serde_json::from_slice(&fs::read(self.account_file()).ok()?).ok()?;
        (stored.directory == directory).then_some(stored.credentials)
    }

    pub(super) fn keep_account(&self, directory: &str, credentials: AccountCredentials) -> io::Result<()> {
        let stored = StoredAccount { directory: directory.to_owned(), credentials };
        self.write(&self.account_file(), &serde_json::to_vec(&stored)?)
    }

    /// Forgets an account that the authority does not know any more.
    pub(super) fn forget_account(&self) -> io::Result<()> {
        fs::remove_file(self.account_file())
    }

    /// Writes a file as a whole or not at all.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        let beside = path.with_extension("new");
        // A file left over from a write that broke off may have other rights.
        let _ = fs::remove_file(&beside);
        let mut options = OpenOptions::new();
        options.create_new(true).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        File::open(&self.0)?.sync_all()
    }
}
