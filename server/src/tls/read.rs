//! Reading certificates and keys.

use shared::UnixMillis;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use x509_parser::extensions::GeneralName;
use x509_parser::parse_x509_certificate;

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("could not read {0}")]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// It holds no certificate.
    #[error("{0} holds no certificate in PEM form")]
    NoCertificate(String),
    /// It holds no key.
    #[error("{0} holds no private key in PEM form")]
    NoKey(String),
    /// The certificate is broken.
    #[error("the certificate in {0} cannot be read")]
    Malformed(String),
    /// Key and certificate are strangers, or of a kind that cannot be used.
    #[error("the key in {key} does not fit the certificate in {cert}")]
    Mismatch {
        /// Where the certificate is from.
        cert: String,
        /// Where the key is from.
        key: String,
        /// The cause.
        #[source]
        source: tokio_rustls::rustls::Error,
    },
    /// rustls refuses its own settings.
    #[error("could not set up TLS")]
    Config(#[source] tokio_rustls::rustls::Error),
}

/// A certificate with its key and chain, ready to be used, and what is told of it.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// For rustls.
    pub key: Arc<CertifiedKey>,
    /// Host names and addresses it is for.
    pub names: Vec<String>,
    /// Who gave it.
    pub issuer: String,
    /// Whether it vouches for itself.
    pub self_signed: bool,
    /// First moment it is valid.
    pub from: UnixMillis,
    /// Last moment it is valid.
    pub until: UnixMillis,
}

/// Reads a certificate's chain and its key from two files (they may be one).
///
/// # Errors
/// [`TlsError`] names the file and what is wrong with it.
pub fn read_files(cert: &Path, key: &Path) -> Result<Certificate, TlsError> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| TlsError::Unreadable(path.to_owned(), error));
    read_pem(&read(cert)?, &cert.display().to_string(), &read(key)?, &key.display().to_string())
}

/// Reads a certificate's chain and its key; the names say where they are from.
///
/// # Errors
/// As [`read_files`].
pub(super) fn read_pem(cert: &[u8], cert_name: &str, key: &[u8], key_name: &str) -> Result<Certificate, TlsError> {
    let chain = CertificateDer::pem_slice_iter(cert).collect::<Result<Vec<_>, _>>();
    let chain = chain.map_err(|_| TlsError::NoCertificate(cert_name.into()))?;
    let Some(first) = chain.first() else { return Err(TlsError::NoCertificate(cert_name.into())) };
    let told = describe(first).ok_or_else(|| TlsError::Malformed(cert_name.into()))?;
    let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| TlsError::NoKey(key_name.into()))?;
    let key = CertifiedKey::from_der(chain.clone(), key, &super::provider());
    let key = key.map_err(|source| TlsError::Mismatch { cert: cert_name.into(), key: key_name.into(), source })?;
    let Told { names, issuer, self_signed, from, until } = told;
    Ok(Certificate { key: Arc::new(key), names, issuer, self_signed, from, until })
}

struct Told {
    names: Vec<String>,
    issuer: String,
    self_signed: bool,
    from: UnixMillis,
    until: UnixMillis,
}

fn describe(der: &CertificateDer<'_>) -> Option<Told> {
    let (_, parsed) = parse_x509_certificate(der).ok()?;
    let alternatives = parsed.subject_alternative_name().ok()?;
    let names = alternatives.iter().flat_map(|found| &found.value.general_names);
    let names = names.filter_map(|name| {
        if let GeneralName::DNSName(name) = name {
            Some((*name).to_owned())
        } else if let GeneralName::IPAddress(bytes) = name {
            let v4 = <[u8; 4]>::try_from(*bytes).map(IpAddr::from);
            v4.or_else(|_| <[u8; 16]>::try_from(*bytes).map(IpAddr::from)).ok().map(|address| address.to_string())
        } else {
            None
        }
    });
    let issuer = parsed.issuer();
    let organisation = issuer.iter_organization().next().and_then(|name| name.as_str().ok());
    let name = issuer.iter_common_name().next().and_then(|name| name.as_str().ok());
    let moment = |seconds: i64| UnixMillis(seconds.saturating_mul(1000));
    Some(Told {
        names: names.collect(),
        issuer: organisation.or(name).unwrap_or_default().to_owned(),
        self_signed: parsed.issuer() == parsed.subject(),
        from: moment(parsed.validity().not_before.timestamp()),
        until: moment(parsed.validity().not_after.timestamp()),
    })
}
