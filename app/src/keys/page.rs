//! The page's side.

use super::message::{Answer, Failed, FromKeys, Job, Keep, NewRecovery, ToKeys, decode, encode};
use crate::api::{self, ApiError, SignedIn};
use crate::browser::{bytes_of, global, message_of, warn};
use credentials::{Argon2Params, Bytes};
use futures_channel::oneshot;
use serde::{Deserialize, Serialize};
use shared::DeviceId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Document, MessageEvent, Worker, WorkerOptions, WorkerType};
use zeroize::Zeroizing;

/// The page carries the address of the worker's script, which has its hash in its name.
const ADDRESS: &str = "meta[name=kinstead-keys]";

/// The member's replica key, on its way from a sign-in to the replica. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyOfDevice(pub [u8; 32]);

/// What a new password is for, as the server hears it.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Purpose {
    /// The first account.
    Setup {
        /// The one-time code.
        code: String,
    },
    /// A signed-in member's own.
    Password,
    /// With the recovery code.
    Recovery {
        /// Whose.
        email: String,
        /// Of the code.
        proof: Bytes,
    },
    /// An invited member's first.
    Invitation {
        /// From the link.
        token: String,
    },
    /// After an admin's reset.
    Reset {
        /// From the link.
        token: String,
    },
}

/// What becomes of the replica key and the recovery code there were.
#[derive(Clone, PartialEq, Eq)]
pub enum Kept {
    /// Both are new.
    Nothing,
    /// The key stays, and is known here.
    Key(KeyOfDevice),
    /// The key stays, opened by the recovery code as typed. Without one at the server both are new.
    ByCode(String),
}

/// A registration that is ready to be sent, once.
#[derive(Clone, PartialEq, Serialize)]
pub struct Registration {
    id: String,
    upload: Bytes,
    key_by_password: Bytes,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_by_recovery: Option<Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery_proof_hash: Option<Bytes>,
    /// To be shown to the member, once; `None` where the one they have stays.
    #[serde(skip)]
    pub recovery_code: Option<String>,
    /// For this device, once the server has taken the registration.
    #[serde(skip)]
    pub key: Option<KeyOfDevice>,
}

#[derive(Serialize)]
struct Begin<'a> {
    purpose: &'a Purpose,
    request: Bytes,
}

#[derive(Deserialize)]
struct Begun {
    registration: String,
    response: Bytes,
    argon2: Argon2Params,
    #[serde(default)]
    key_by_recovery: Option<Bytes>,
}

#[derive(Serialize)]
struct StartLogin<'a> {
    email: &'a str,
    request: Bytes,
}

#[derive(Deserialize)]
struct Challenge {
    login: String,
    response: Bytes,
    argon2: Argon2Params,
}

#[derive(Serialize)]
struct FinishLogin {
    login: String,
    finalization: Bytes,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<DeviceId>,
}

#[derive(Deserialize)]
struct LoggedIn {
    #[serde(flatten)]
    signed_in: SignedIn,
    key_by_password: Bytes,
}

#[derive(Serialize)]
struct Finish<'a> {
    registration: &'a Registration,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<DeviceId>,
}

/// Loads the worker, so that it is there when it is needed.
pub fn warm_up() {
    with_worker(|_| ());
}

/// Both messages of a registration: what comes out belongs in the request that the purpose leads to.
///
/// # Errors
/// What the server says to the purpose; `recovery_code_mistyped` when a code given to keep is none.
pub async fn register(purpose: &Purpose, password: &str, kept: Kept) -> Result<Registration, ApiError> {
    let (begun, request) = begin(Job::Register { password: Zeroizing::new(password.to_owned()) }).await?;
    let answer: Begun = api::post("/api/auth/registration", &Begin { purpose, request }).await?;
    let keep = match (kept, answer.key_by_recovery) {
        (Kept::Key(KeyOfDevice(key)), _) => Keep::Key(key),
        (Kept::ByCode(code), Some(key_by_recovery)) => Keep::ByCode { code, key_by_recovery },
        (Kept::Nothing, _) | (Kept::ByCode(_), None) => Keep::Nothing,
    };
    let Begun { registration, response, argon2, .. } = answer;
    match ask(Job::FinishRegistration { begun, response, argon2, keep }).await?.1 {
        Answer::Registered(registered) => {
            let (code, key, hash) = match registered.recovery {
                Some(NewRecovery { code, key, proof_hash }) => (Some(code), Some(key), Some(proof_hash)),
                None => (None, None, None),
            };
            Ok(Registration {
                id: registration,
                upload: registered.upload,
                key_by_password: registered.key_by_password,
                key_by_recovery: key,
                recovery_proof_hash: hash,
                recovery_code: code,
                key: Some(KeyOfDevice(registered.replica_key)),
            })
        }
        Answer::Failed(failed) => Err(refused(failed)),
        Answer::Request(_) | Answer::Proof(_) | Answer::Key(_) => Err(ApiError::Unreadable),
    }
}

/// Signs in; gives the login and the member's key.
///
/// # Errors
/// `sign_in_failed`, `too_many_attempts` …
pub async fn sign_in(
    email: &str,
    password: &str,
    device: Option<DeviceId>,
) -> Result<(SignedIn, KeyOfDevice), ApiError> {
    let (begun, request) = begin(Job::SignIn { password: Zeroizing::new(password.to_owned()) }).await?;
    let challenge: Challenge = api::post("/api/auth/login/start", &StartLogin { email, request }).await?;
    let Challenge { login, response, argon2 } = challenge;
    let finalization = match ask(Job::Prove { begun, response, argon2 }).await?.1 {
        Answer::Proof(finalization) => finalization,
        Answer::Failed(failed) => return Err(refused(failed)),
        Answer::Request(_) | Answer::Key(_) | Answer::Registered(_) => return Err(ApiError::Unreadable),
    };
    let finish = FinishLogin { login, finalization, device };
    let LoggedIn { signed_in, key_by_password } = api::post("/api/auth/login/finish", &finish).await?;
    match ask(Job::Open { begun, key_by_password }).await?.1 {
        Answer::Key(key) => Ok((signed_in, KeyOfDevice(key))),
        Answer::Failed(failed) => Err(refused(failed)),
        Answer::Request(_) | Answer::Proof(_) | Answer::Registered(_) => Err(ApiError::Unreadable),
    }
}

/// Signs in with the recovery code, and sets a new password.
///
/// # Errors
/// `recovery_code_mistyped`, `recovery_failed`, `too_many_attempts` …
pub async fn recover(
    email: &str,
    code: &str,
    password: &str,
    device: Option<DeviceId>,
) -> Result<(SignedIn, KeyOfDevice), ApiError> {
    let proof = match ask(Job::RecoveryProof { code: code.to_owned() }).await?.1 {
        Answer::Proof(proof) => proof,
        Answer::Failed(failed) => return Err(refused(failed)),
        Answer::Request(_) | Answer::Key(_) | Answer::Registered(_) => return Err(ApiError::Unreadable),
    };
    let purpose = Purpose::Recovery { email: email.to_owned(), proof };
    let registration = register(&purpose, password, Kept::ByCode(code.to_owned())).await?;
    let signed_in = api::post("/api/auth/recovery", &Finish { registration: &registration, device }).await?;
    let key = registration.key.ok_or(ApiError::Unreadable)?;
    Ok((signed_in, key))
}

/// Sets a new password after proving the old one. The recovery code stays; other devices are locked.
///
/// # Errors
/// `sign_in_failed` when the old one is wrong.
pub async fn change_password(email: &str, old: &str, new: &str, device: Option<DeviceId>) -> Result<(), ApiError> {
    let (_, key) = sign_in(email, old, device).await?;
    let registration = register(&Purpose::Password, new, Kept::Key(key)).await?;
    api::post_quietly("/api/auth/password", &Finish { registration: &registration, device: None }).await
}

fn refused(failed: Failed) -> ApiError {
    match failed {
        Failed::Password => ApiError::of_code("sign_in_failed"),
        Failed::Code => ApiError::of_code("recovery_code_mistyped"),
        Failed::Nonsense => ApiError::Unreadable,
    }
}

/// The number of the exchange and its first message.
async fn begin(job: Job) -> Result<(u32, Bytes), ApiError> {
    match ask(job).await? {
        (number, Answer::Request(request)) => Ok((number, request)),
        (_, Answer::Failed(failed)) => Err(refused(failed)),
        (_, Answer::Proof(_) | Answer::Key(_) | Answer::Registered(_)) => Err(ApiError::Unreadable),
    }
}

struct Keys {
    worker: Worker,
    last: u32,
    waiting: Rc<RefCell<HashMap<u32, oneshot::Sender<Answer>>>>,
}

thread_local! {
    static KEYS: RefCell<Option<Keys>> = const { RefCell::new(None) };
}

/// Starts the worker unless it runs; `None` when the browser refuses.
fn with_worker<T>(then: impl FnOnce(&mut Keys) -> T) -> Option<T> {
    KEYS.with_borrow_mut(|keys| {
        if keys.is_none() {
            *keys = Keys::start();
        }
        keys.as_mut().map(then)
    })
}

async fn ask(job: Job) -> Result<(u32, Answer), ApiError> {
    let begun = with_worker(|keys| {
        keys.last += 1;
        let (sender, receiver) = oneshot::channel();
        keys.waiting.borrow_mut().insert(keys.last, sender);
        let (bytes, transfer) = message_of(&encode(&ToKeys { number: keys.last, job }));
        keys.worker.post_message_with_transfer(&bytes, &transfer).expect("bytes can be sent");
        (keys.last, receiver)
    });
    let (number, receiver) = begun.ok_or_else(|| ApiError::of_code("keys_unavailable"))?;
    // A worker that dies drops what waits for it.
    let answer = receiver.await.map_err(|_| ApiError::of_code("keys_unavailable"))?;
    Ok((number, answer))
}

impl Keys {
    fn start() -> Option<Self> {
        let address = global::<Document>("document")?.query_selector(ADDRESS).ok()??.get_attribute("content")?;
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name("kinstead-keys");
        let worker = Worker::new_with_options(&address, &options).ok()?;
        let waiting: Rc<RefCell<HashMap<u32, oneshot::Sender<Answer>>>> = Rc::default();
        let asked = Rc::clone(&waiting);
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(FromKeys { number, answer }) = bytes_of(&event.data()).and_then(|bytes| decode(&bytes))
                && let Some(sender) = asked.borrow_mut().remove(&number)
            {
                sender.send(answer).ok();
            }
        });
        let dropped = Rc::clone(&waiting);
        let died = Closure::<dyn FnMut(JsValue)>::new(move |_| {
            warn("the worker for passwords stopped", "it is started again when needed");
            dropped.borrow_mut().clear();
            KEYS.with(|keys| {
                if let Ok(mut keys) = keys.try_borrow_mut() {
                    *keys = None;
                }
            });
        });
        // One per page, for as long as the page lives.
        worker.set_onmessage(Some(heard.into_js_value().unchecked_ref()));
        worker.set_onerror(Some(died.into_js_value().unchecked_ref()));
        Some(Self { worker, last: 0, waiting })
    }
}
