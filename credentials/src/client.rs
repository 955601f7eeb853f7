//! The member's end. The password stays here.

use crate::suite::{CONTEXT, IDENTIFIERS, Suite};
use crate::{Argon2Params, Bytes, CredentialError, ExportKey};
use opaque_ke::errors::ProtocolError;
use opaque_ke::{
    ClientLogin, ClientLoginFinishParameters, ClientRegistration, ClientRegistrationFinishParameters,
    CredentialResponse, RegistrationResponse,
};
use rand_core::CryptoRngCore;
use zeroize::Zeroizing;

/// A registration that waits for the server's answer.
pub struct Registering {
    state: ClientRegistration<Suite>,
    password: Zeroizing<String>,
}

/// What a registration gives.
pub struct Registered {
    /// For the server.
    pub upload: Bytes,
    /// For this device alone.
    pub export_key: ExportKey,
}

impl Registering {
    /// Begins; gives what to send.
    ///
    /// # Errors
    /// When the password cannot be hashed to the group, which does not happen.
    pub fn start(rng: &mut impl CryptoRngCore, password: &str) -> Result<(Self, Bytes), CredentialError> {
        let started = ClientRegistration::<Suite>::start(rng, password.as_bytes()).map_err(of_protocol)?;
        let password = Zeroizing::new(password.to_owned());
        Ok((Self { state: started.state, password }, Bytes::from(&started.message.serialize())))
    }

    /// Ends, with Argon2id: takes its time.
    ///
    /// # Errors
    /// [`CredentialError::Malformed`] or [`CredentialError::Params`].
    pub fn finish(
        self,
        rng: &mut impl CryptoRngCore,
        response: &[u8],
        argon2: Argon2Params,
    ) -> Result<Registered, CredentialError> {
        let response = RegistrationResponse::deserialize(response).map_err(of_protocol)?;
        let hasher = argon2.hasher()?;
        let params = ClientRegistrationFinishParameters::new(IDENTIFIERS, Some(&hasher));
        let done = self.state.finish(rng, self.password.as_bytes(), response, params).map_err(of_protocol)?;
        Ok(Registered { upload: Bytes::from(&done.message.serialize()), export_key: ExportKey::new(&done.export_key) })
    }
}

/// A sign-in that waits for the server's answer.
pub struct SigningIn {
    state: ClientLogin<Suite>,
    password: Zeroizing<String>,
}

/// What a sign-in gives.
pub struct SignedIn {
    /// For the server: the proof.
    pub finalization: Bytes,
    /// Known to both ends and to nobody else.
    pub session_key: Zeroizing<Vec<u8>>,
    /// For this device alone, the same as at registration.
    pub export_key: ExportKey,
}

impl SigningIn {
    /// Begins; gives what to send.
    ///
    /// # Errors
    /// When the password cannot be hashed to the group, which does not happen.
    pub fn start(rng: &mut impl CryptoRngCore, password: &str) -> Result<(Self, Bytes), CredentialError> {
        let started = ClientLogin::<Suite>::start(rng, password.as_bytes()).map_err(of_protocol)?;
        let password = Zeroizing::new(password.to_owned());
        Ok((Self { state: started.state, password }, Bytes::from(&started.message.serialize())))
    }

    /// Ends, with Argon2id: takes its time.
    ///
    /// # Errors
    /// [`CredentialError::WrongPassword`], [`CredentialError::Malformed`] or [`CredentialError::Params`].
    pub fn finish(
        self,
        rng: &mut impl CryptoRngCore,
        response: &[u8],
        argon2: Argon2Params,
    ) -> Result<SignedIn, CredentialError> {
        let response = CredentialResponse::deserialize(response).map_err(of_protocol)?;
        let hasher = argon2.hasher()?;
        let params = ClientLoginFinishParameters::new(Some(CONTEXT), IDENTIFIERS, Some(&hasher));
        let done = self.state.finish(rng, self.password.as_bytes(), response, params).map_err(of_protocol)?;
        Ok(SignedIn {
            finalization: Bytes::from(&done.message.serialize()),
            session_key: Zeroizing::new(done.session_key.to_vec()),
            export_key: ExportKey::new(&done.export_key),
        })
    }
}

pub(crate) fn of_protocol(error: ProtocolError) -> CredentialError {
    match error {
        ProtocolError::InvalidLoginError => CredentialError::WrongPassword,
        ProtocolError::LibraryError(_)
        | ProtocolError::SizeError { .. }
        | ProtocolError::SerializationError
        | ProtocolError::ReflectedValueError
        | ProtocolError::Custom(_) => CredentialError::Malformed,
    }
}
