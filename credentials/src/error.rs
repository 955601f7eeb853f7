/// Why a step did not work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CredentialError {
    /// Bytes that are no message of this protocol.
    #[error("the bytes are no message of this protocol")]
    Malformed,
    /// The password is another one, or there is no such account; nobody can tell which.
    #[error("the password is wrong")]
    WrongPassword,
    /// Out of the range that is safe and bearable.
    #[error("the Argon2 parameters are out of range")]
    Params,
    /// A wrapped key that this key does not open.
    #[error("the wrapped key does not open")]
    Unwrap,
    /// A recovery code with a typing mistake.
    #[error("the recovery code has a typing mistake")]
    RecoveryCode,
}
