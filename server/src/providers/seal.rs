//! Secrets at rest: XChaCha20-Poly1305 under the master key, bound to the row they belong to.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use shared::ProviderId;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The environment variable that holds the master key as 64 hex digits, for hosts that keep secrets elsewhere.
pub const MASTER_KEY_ENV: &str = "KINSTEAD_MASTER_KEY";

/// First byte of a sealed secret; another format gets another.
const VERSION: u8 = 1;
const NONCE_BYTES: usize = 24;
const KEY_BYTES: usize = 32;

/// Why there is no master key.
#[derive(Debug, thiserror::Error)]
pub enum MasterKeyError {
    /// The variable does not hold 64 hex digits.
    #[error("{MASTER_KEY_ENV} must hold 64 hex digits")]
    Environment,
    /// The file holds something else.
    #[error("{0} is not a master key: it must hold 32 bytes")]
    Length(PathBuf),
    /// The file system says no.
    #[error("could not read or create the master key {path}")]
    Io {
        /// The key's file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

/// A sealed secret that does not open: damaged, of another row, or sealed with another master key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the stored key cannot be opened with this master key")]
pub struct UnsealError;

/// The household's master key. Wiped from memory when dropped.
#[derive(Clone)]
pub struct MasterKey(Zeroizing<[u8; KEY_BYTES]>);

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey")
    }
}

impl MasterKey {
    /// The key of these bytes.
    pub fn new(bytes: [u8; KEY_BYTES]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// The key given in `environment` (see [`MASTER_KEY_ENV`]), else that in `file`, made at random when absent.
    ///
    /// # Errors
    /// See [`MasterKeyError`]. A damaged key is never replaced: what it sealed would be lost.
    pub fn open(
        file: &Path,
        environment: Option<&str>,
        random: impl FnOnce() -> [u8; KEY_BYTES],
    ) -> Result<Self, MasterKeyError> {
        if let Some(text) = environment {
            let mut key = Zeroizing::new([0; KEY_BYTES]);
            hex::decode_to_slice(text.trim(), key.as_mut_slice()).map_err(|_| MasterKeyError::Environment)?;
            return Ok(Self(key));
        }
        let failed = |source| MasterKeyError::Io { path: file.to_owned(), source };
        match read(file) {
            Ok(Some(key)) => Ok(Self(key)),
            Ok(None) => Err(MasterKeyError::Length(file.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key = Zeroizing::new(random());
                create(file, &key).map_err(failed)?;
                Ok(Self(key))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Seals a provider's key; it opens only for the same provider.
    pub fn seal(&self, provider: ProviderId, secret: &ApiKey, nonce: [u8; NONCE_BYTES]) -> Vec<u8> {
        let aad = provider.to_string();
        let payload = Payload { msg: secret.expose().as_bytes(), aad: aad.as_bytes() };
        let sealed = self.cipher().encrypt(XNonce::from_slice(&nonce), payload);
        let sealed = sealed.expect("encrypting fails only for texts of 256 GB");
        [&[VERSION], nonce.as_slice(), &sealed].concat()
    }

    /// Opens what [`seal`](Self::seal) gave.
    ///
    /// # Errors
    /// [`UnsealError`], without saying more.
    pub fn unseal(&self, provider: ProviderId, sealed: &[u8]) -> Result<ApiKey, UnsealError> {
        let rest = sealed.strip_prefix(&[VERSION]).ok_or(UnsealError)?;
        let (nonce, sealed) = rest.split_at_checked(NONCE_BYTES).ok_or(UnsealError)?;
        let aad = provider.to_string();
        let payload = Payload { msg: sealed, aad: aad.as_bytes() };
        let opened = self.cipher().decrypt(XNonce::from_slice(nonce), payload).map_err(|_| UnsealError)?;
        let opened = Zeroizing::new(opened);
        let text = std::str::from_utf8(&opened).map_err(|_| UnsealError)?;
        Ok(ApiKey::new(text))
    }

    /// Seals a secret of the household's own; it opens only under the same name.
    pub fn seal_named(&self, name: &str, secret: &[u8], nonce: [u8; NONCE_BYTES]) -> Vec<u8> {
        let aad = format!("secret|{name}");
        let payload = Payload { msg: secret, aad: aad.as_bytes() };
        let sealed = self.cipher().encrypt(XNonce::from_slice(&nonce), payload);
        let sealed = sealed.expect("encrypting fails only for texts of 256 GB");
        [&[VERSION], nonce.as_slice(), &sealed].concat()
    }

    /// Opens what [`seal_named`](Self::seal_named) gave.
    ///
    /// # Errors
    /// [`UnsealError`], without saying more.
    pub fn unseal_named(&self, name: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, UnsealError> {
        let rest = sealed.strip_prefix(&[VERSION]).ok_or(UnsealError)?;
        let (nonce, sealed) = rest.split_at_checked(NONCE_BYTES).ok_or(UnsealError)?;
        let aad = format!("secret|{name}");
        let payload = Payload { msg: sealed, aad: aad.as_bytes() };
        self.cipher().decrypt(XNonce::from_slice(nonce), payload).map(Zeroizing::new).map_err(|_| UnsealError)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(self.0.as_slice().into())
    }
}

/// A provider's key in the clear. Wiped from memory when dropped; never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(Zeroizing<String>);

impl ApiKey {
    /// The key of this text.
    pub fn new(text: &str) -> Self {
        Self(Zeroizing::new(text.to_owned()))
    }

    /// The text itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey")
    }
}

/// The file's key, or `None` when it holds another number of bytes.
fn read(file: &Path) -> io::Result<Option<Zeroizing<[u8; KEY_BYTES]>>> {
    let mut bytes = Zeroizing::new([0; KEY_BYTES + 1]);
    let mut reader = File::open(file)?;
    let mut len = 0;
    while len < bytes.len() {
        match reader.read(&mut bytes[len..])? {
            0 => break,
            more => len += more,
        }
    }
    if len != KEY_BYTES {
        return Ok(None);
    }
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    key.copy_from_slice(&bytes[..KEY_BYTES]);
    Ok(Some(key))
}

/// Writes the key beside its place and links it there: it is whole or absent, and never overwrites another.
fn create(file: &Path, key: &[u8; KEY_BYTES]) -> io::Result<()> {
    let draft = file.with_extension("new");
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut writer = options.open(&draft)?;
    writer.write_all(key)?;
    writer.sync_all()?;
    fs::hard_link(&draft, file)?;
    fs::remove_file(&draft)?;
    // The name must survive a power cut as the bytes do: what the key seals is durable right away.
    #[cfg(unix)]
    if let Some(folder) = file.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::UnixMillis;

    fn provider(n: u8) -> ProviderId {
        ProviderId::new(UnixMillis(1), [n; 10])
    }

    #[test]
    fn a_sealed_key_opens_for_its_provider_and_master_key_only() {
        let master = MasterKey::new([7; 32]);
        let sealed = master.seal(provider(1), &ApiKey::new("sk-très secret"), [3; 24]);
        assert!(!sealed.windows(6).any(|part| part == b"secret"));
        assert_eq!(master.unseal(provider(1), &sealed), Ok(ApiKey::new("sk-très secret")));
        assert_eq!(master.unseal(provider(2), &sealed), Err(UnsealError));
        assert_eq!(MasterKey::new([8; 32]).unseal(provider(1), &sealed), Err(UnsealError));
        for at in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1;
            assert_eq!(master.unseal(provider(1), &damaged), Err(UnsealError));
            assert_eq!(master.unseal(provider(1), &sealed[..at]), Err(UnsealError));
        }
    }

    #[test]
    fn secrets_are_not_printed() {
        assert_eq!(format!("{:?} {:?}", ApiKey::new("abc"), MasterKey::new([1; 32])), "ApiKey MasterKey");
    }

    #[test]
    fn the_key_file_is_made_once_and_private() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("key");
        // What a crash in the middle of the first start leaves.
        fs::write(folder.path().join("key.new"), [9; 5]).expect("writes");
        let first = MasterKey::open(&file, None, || [1; 32]).expect("creates");
        let second = MasterKey::open(&file, None, || [2; 32]).expect("opens");
        assert_eq!(first.0, second.0);
        assert_eq!(fs::read(&file).expect("reads"), [1; 32]);
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).expect("exists").permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_damaged_key_is_refused_and_kept() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("key");
        for bytes in [vec![], vec![1; 31], vec![1; 33]] {
            fs::write(&file, &bytes).expect("writes");
            let error = MasterKey::open(&file, None, || [1; 32]).expect_err("refuses");
            assert!(matches!(error, MasterKeyError::Length(_)));
            assert_eq!(fs::read(&file).expect("reads"), bytes);
        }
    }

    #[test]
    fn the_environment_overrides_the_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("key");
        let key = MasterKey::open(&file, Some(&"ab".repeat(32)), || [1; 32]).expect("reads");
        assert_eq!(*key.0, [0xab; 32]);
        assert!(!file.exists());
        for text in ["", "ab", &"zz".repeat(32), &"ab".repeat(33)] {
            assert!(matches!(MasterKey::open(&file, Some(text), || [1; 32]), Err(MasterKeyError::Environment)));
        }
    }
}
