//! TLS by the server itself (G-3): certificates from files or by ACME, one crypto provider (aws-lc-rs, which reqwest
//! brings).

pub mod acme;
mod certificates;
mod files;
mod read;

pub use certificates::{Certificates, Current, Renewal};
pub use files::watch as watch_files;
pub use read::{Certificate, TlsError, read_files};

use crate::settings::Settings;
use std::sync::Arc;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::{CryptoProvider, aws_lc_rs};

/// Protocol name of ACME's TLS-ALPN-01 challenge (RFC 8737).
pub const ACME_TLS: &[u8] = b"acme-tls/1";

/// The one crypto provider.
pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

/// How connections are encrypted, with whatever certificate is current; `None` when the server leaves that to others.
///
/// # Errors
/// When certificate files are set and cannot be used.
pub fn server_config(settings: &Settings, certificates: &Certificates) -> Result<Option<Arc<ServerConfig>>, TlsError> {
    if !settings.has_tls() {
        return Ok(None);
    }
    if let (Some(cert), Some(key)) = (settings.tls_cert.get(), settings.tls_key.get()) {
        certificates.set(read_files(cert, key)?, "files");
    }
    let config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Config)?
        .with_no_client_auth();
    let mut config = config.with_cert_resolver(Arc::new(certificates.clone()));
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    if !settings.acme_domain.is_empty() {
        config.alpn_protocols.push(ACME_TLS.to_vec());
    }
    Ok(Some(Arc::new(config)))
}
