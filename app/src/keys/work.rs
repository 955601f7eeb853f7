//! The worker's side: the steps of the `credentials` crate, by number.

use super::message::{Answer, Failed, FromKeys, Job, Keep, NewRecovery, Registered, ToKeys, decode, encode};
use crate::browser::{bytes_of, message_of, random};
use credentials::client::{Registering, SigningIn};
use credentials::rand_core::{self, CryptoRng, RngCore};
use credentials::{Bytes, CredentialError, ExportKey, RecoveryCode, ReplicaKey, recovery};
use std::cell::RefCell;
use std::collections::HashMap;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Begins to serve the page.
pub fn start() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let steps = RefCell::new(Steps::default());
    let answering = scope.clone();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Some(ToKeys { number, job }) = bytes_of(&event.data()).and_then(|bytes| decode(&bytes)) else { return };
        let answer = steps.borrow_mut().take(number, job, &mut BrowserRandom);
        let answer = answer.unwrap_or_else(|error| Answer::Failed(failed(error)));
        let (bytes, transfer) = message_of(&encode(&FromKeys { number, answer }));
        answering.post_message_with_transfer(&bytes, &transfer).expect("bytes can be sent");
    });
    scope.set_onmessage(Some(heard.into_js_value().unchecked_ref()));
}

fn failed(error: CredentialError) -> Failed {
    match error {
        CredentialError::WrongPassword => Failed::Password,
        CredentialError::RecoveryCode => Failed::Code,
        CredentialError::Malformed | CredentialError::Params | CredentialError::Unwrap => Failed::Nonsense,
    }
}

/// Exchanges that have begun, by the number of the job that began them.
#[derive(Default)]
struct Steps {
    registering: HashMap<u32, Registering>,
    signing_in: HashMap<u32, SigningIn>,
    proved: HashMap<u32, ExportKey>,
}

impl Steps {
    fn take(&mut self, number: u32, job: Job, rng: &mut (impl RngCore + CryptoRng)) -> Result<Answer, CredentialError> {
        Ok(match job {
            Job::Register { password } => {
                let (registering, request) = Registering::start(rng, &password)?;
                self.registering.insert(number, registering);
                Answer::Request(request)
            }
            Job::FinishRegistration { begun, response, argon2, keep } => {
                let registering = self.registering.remove(&begun).ok_or(CredentialError::Malformed)?;
                let registered = registering.finish(rng, &response, argon2)?;
                let (key, code) = match keep {
                    Keep::Nothing => (ReplicaKey::generate(rng), Some(RecoveryCode::generate(rng))),
                    Keep::Key(bytes) => (ReplicaKey::from_bytes(bytes), None),
                    Keep::ByCode { code, key_by_recovery } => {
                        (ReplicaKey::unwrap_by_recovery(&key_by_recovery, &RecoveryCode::parse(&code)?)?, None)
                    }
                };
                let recovery = code.map(|code| NewRecovery {
                    key: key.wrap_by_recovery(rng, &code),
                    proof_hash: Bytes::from(&recovery::proof_hash(&code.proof())),
                    code: code.to_text().to_string(),
                });
                Answer::Registered(Box::new(Registered {
                    upload: registered.upload,
                    key_by_password: key.wrap_by_password(rng, &registered.export_key),
                    recovery,
                    replica_key: *key.expose(),
                }))
            }
            Job::SignIn { password } => {
                let (signing_in, request) = SigningIn::start(rng, &password)?;
                self.signing_in.insert(number, signing_in);
                Answer::Request(request)
            }
            Job::Prove { begun, response, argon2 } => {
                let signing_in = self.signing_in.remove(&begun).ok_or(CredentialError::Malformed)?;
                let signed_in = signing_in.finish(rng, &response, argon2)?;
                self.proved.insert(begun, signed_in.export_key);
                Answer::Proof(signed_in.finalization)
            }
            Job::Open { begun, key_by_password } => {
                let export_key = self.proved.remove(&begun).ok_or(CredentialError::Malformed)?;
                Answer::Key(*ReplicaKey::unwrap_by_password(&key_by_password, &export_key)?.expose())
            }
            Job::RecoveryProof { code } => Answer::Proof(RecoveryCode::parse(&code)?.proof()),
        })
    }
}

/// The browser's randomness as crates of the `rand_core` 0.6 generation ask for it.
struct BrowserRandom;

impl RngCore for BrowserRandom {
    fn next_u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        random(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        random(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        random(bytes);
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_core::Error> {
        random(bytes);
        Ok(())
    }
}

impl CryptoRng for BrowserRandom {}
