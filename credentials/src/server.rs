//! The server's end. It never learns a password, nor anything to guess it by without its own secret.

use crate::client::of_protocol;
use crate::suite::{CONTEXT, IDENTIFIERS, Suite};
use crate::{Bytes, CredentialError};
use hkdf::Hkdf;
use opaque_ke::{
    CredentialFinalization, CredentialRequest, RegistrationRequest, RegistrationUpload, ServerLogin,
    ServerLoginParameters, ServerRegistration, ServerSetup,
};
use rand_core::CryptoRngCore;
use sha2::Sha256;
use zeroize::Zeroizing;

/// Bytes of a credential's id.
pub const CREDENTIAL_ID_BYTES: usize = 16;

/// The household's own half of every sign-in. Whoever loses it signs nobody in again.
pub struct ServerSecret(ServerSetup<Suite>);

impl ServerSecret {
    /// Draws a new one.
    pub fn generate(rng: &mut impl CryptoRngCore) -> Self {
        Self(ServerSetup::new(rng))
    }

    /// Takes up a stored one.
    ///
    /// # Errors
    /// [`CredentialError::Malformed`]
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CredentialError> {
        ServerSetup::deserialize(bytes).map(Self).map_err(of_protocol)
    }

    /// As it is stored, sealed by whoever stores it.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.0.serialize().to_vec())
    }

    /// Answers a registration for the credential of this id.
    ///
    /// # Errors
    /// [`CredentialError::Malformed`]
    pub fn register(&self, request: &[u8], credential_id: &[u8]) -> Result<Bytes, CredentialError> {
        let request = RegistrationRequest::deserialize(request).map_err(of_protocol)?;
        let started = ServerRegistration::<Suite>::start(&self.0, request, credential_id).map_err(of_protocol)?;
        Ok(Bytes::from(&started.message.serialize()))
    }

    /// Answers a sign-in. Without a record the answer looks the same and fits no password.
    ///
    /// # Errors
    /// [`CredentialError::Malformed`]
    pub fn log_in(
        &self,
        rng: &mut impl CryptoRngCore,
        record: Option<&[u8]>,
        request: &[u8],
        credential_id: &[u8],
    ) -> Result<(LoggingIn, Bytes), CredentialError> {
        let record = record.map(ServerRegistration::<Suite>::deserialize).transpose().map_err(of_protocol)?;
        let request = CredentialRequest::deserialize(request).map_err(of_protocol)?;
        let started =
            ServerLogin::start(rng, &self.0, record, request, credential_id, params()).map_err(of_protocol)?;
        Ok((LoggingIn(started.state), Bytes::from(&started.message.serialize())))
    }

    /// The credential id that stands in for an account that does not exist: always the same for the same name.
    pub fn stand_in(&self, name: &str) -> [u8; CREDENTIAL_ID_BYTES] {
        let mut id = [0; CREDENTIAL_ID_BYTES];
        let hkdf = Hkdf::<Sha256>::new(Some(b"kinstead/nobody/1"), &self.to_bytes());
        hkdf.expand(name.as_bytes(), &mut id).expect("sixteen bytes are not too many");
        id
    }
}

/// A sign-in that waits for its proof.
pub struct LoggingIn(ServerLogin<Suite>);

impl LoggingIn {
    /// Checks the proof; gives the session key.
    ///
    /// # Errors
    /// [`CredentialError::WrongPassword`] or [`CredentialError::Malformed`].
    pub fn finish(self, finalization: &[u8]) -> Result<Zeroizing<Vec<u8>>, CredentialError> {
        let finalization = CredentialFinalization::deserialize(finalization).map_err(of_protocol)?;
        let done = self.0.finish(finalization, params()).map_err(of_protocol)?;
        Ok(Zeroizing::new(done.session_key.to_vec()))
    }
}

/// The record to keep of an upload.
///
/// # Errors
/// [`CredentialError::Malformed`]
pub fn record(upload: &[u8]) -> Result<Vec<u8>, CredentialError> {
    let upload = RegistrationUpload::<Suite>::deserialize(upload).map_err(of_protocol)?;
    Ok(ServerRegistration::finish(upload).serialize().to_vec())
}

fn params() -> ServerLoginParameters<'static, 'static> {
    ServerLoginParameters { context: Some(CONTEXT), identifiers: IDENTIFIERS }
}
