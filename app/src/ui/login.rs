//! Who is here: from a cold start to someone signed in, or to a form that asks.

use super::{language, page};
use crate::api::{self, ApiError, Me, SignedIn};
use crate::browser::warn;
use crate::keys::KeyOfDevice;
use crate::worker;
use dioxus::prelude::*;
use futures_util::future::{Either, select};
use serde::{Deserialize, Serialize};
use shared::DeviceId;
use std::cell::Cell;
use std::pin::pin;

/// Remembers that this browser has a replica, so that it can open with no network.
const DEVICE: &str = "device";
/// Remembers that a sign-out could not reach the server yet.
const LEFT: &str = "left";
/// Remembers that the login has run out: what is kept here opens with the password.
const LOCKED: &str = "locked";
/// Remembers who was here last.
const MEMBER: &str = "member";
/// Remembers why somebody is shown the sign-in.
const FAREWELL: &str = "farewell";
/// How long a browser that has a replica waits for the server before it opens by itself.
const PATIENCE_MS: i32 = 1500;

/// What the app shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Finding out.
    Opening,
    /// The household has no member yet.
    Setup,
    /// Nobody is signed in here.
    SignIn,
    /// Nobody has signed in here before, and the server cannot be asked.
    Unreachable,
    /// Someone is.
    Inside,
}

/// Who was here last, for the sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// To sign in with.
    pub email: String,
    /// As the household calls them.
    pub name: String,
    /// Their face.
    pub avatar: String,
}

/// Why somebody who was here is shown the sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Farewell {
    /// This device was signed out from elsewhere.
    Revoked,
}

/// The login of this browser. Copies are the same login.
#[derive(Clone, Copy, PartialEq)]
pub struct Login {
    stage: Signal<Stage>,
    /// The member's key, on its way to the replica.
    key: Signal<Option<KeyOfDevice>>,
}

/// Finds out who is here, and offers the login to the screens below.
pub fn use_login() -> Login {
    let login = use_context_provider(|| Login { stage: Signal::new(Stage::Opening), key: Signal::new(None) });
    use_future(move || login.find_out());
    login
}

/// The login of the screens around.
pub fn login() -> Login {
    use_context()
}

impl Login {
    /// What to show.
    pub fn stage(&self) -> Stage {
        (self.stage)()
    }

    /// Asks the server, with patience but not for ever.
    pub async fn find_out(mut self) {
        if page::remembered(LEFT).is_some() && api::log_out().await != Err(ApiError::Offline) {
            page::remember(LEFT, None);
        }
        let known = page::remembered(DEVICE).is_some();
        let answer = {
            let me = pin!(api::me());
            let patience = pin!(page::sleep(PATIENCE_MS));
            match select(me, patience).await {
                Either::Left((answer, _)) => answer,
                Either::Right(((), me)) => {
                    if is_locked() {
                        self.stage.set(Stage::SignIn);
                    } else if known {
                        self.stage.set(Stage::Inside);
                    }
                    me.await
                }
            }
        };
        match answer {
            Err(error) if error.code() == Some("device_revoked") => {
                farewell_to_all().await;
                self.stage.set(Stage::SignIn);
            }
            _ if is_locked() => self.stage.set(Stage::SignIn),
            Ok(me) => self.enter(&me),
            Err(ApiError::Problem(problem)) if problem.status == 401 => {
                if known {
                    lock().await;
                }
                self.ask().await;
            }
            Err(ApiError::Offline | ApiError::Unreadable | ApiError::Problem(_)) if known => {
                self.stage.set(Stage::Inside)
            }
            Err(ApiError::Offline | ApiError::Unreadable | ApiError::Problem(_)) => self.stage.set(Stage::Unreachable),
        }
    }

    fn enter(&mut self, me: &Me) {
        remember_member(me);
        language::set_from_member(me.language);
        let device = me.device_id.map_or_else(|| me.id.to_string(), |device| device.to_string());
        page::remember(DEVICE, Some(&device));
        if *self.stage.peek() != Stage::Inside {
            self.stage.set(Stage::Inside);
        }
    }

    async fn ask(&mut self) {
        let stage = match api::setup_state().await {
            Ok(state) if state.needed => Stage::Setup,
            Ok(_) | Err(ApiError::Unreadable | ApiError::Problem(_)) => Stage::SignIn,
            Err(ApiError::Offline) => Stage::Unreachable,
        };
        self.stage.set(stage);
    }

    /// Someone has just signed in here.
    pub async fn signed_in(mut self, signed_in: &SignedIn, key: KeyOfDevice) {
        for what in [LOCKED, FAREWELL] {
            page::remember(what, None);
        }
        self.key.set(Some(key));
        let device = signed_in.device_id.map_or_else(|| "unnamed".to_owned(), |device| device.to_string());
        page::remember(DEVICE, Some(&device));
        // The first screen inside already speaks the member's language.
        let me = pin!(api::me());
        let patience = pin!(page::sleep(PATIENCE_MS));
        if let Either::Left((Ok(me), _)) = select(me, patience).await {
            remember_member(&me);
            language::set_from_member(me.language);
        }
        self.stage.set(Stage::Inside);
    }

    /// The member's key after a sign-in, once.
    pub fn take_key(&mut self) -> Option<KeyOfDevice> {
        self.key.take()
    }

    /// The setup is closed: someone else was faster.
    pub fn ask_to_sign_in(&mut self) {
        self.stage.set(Stage::SignIn);
    }
}

fn remember_member(me: &Me) {
    let member = Remembered { email: me.email.clone(), name: me.nickname.clone(), avatar: me.avatar.clone() };
    page::remember(MEMBER, serde_json::to_string(&member).ok().as_deref());
}

/// Who was here last.
pub fn remembered() -> Option<Remembered> {
    serde_json::from_str(&page::remembered(MEMBER)?).ok().filter(|member: &Remembered| !member.email.is_empty())
}

/// Why the sign-in is shown.
pub fn farewell() -> Option<Farewell> {
    page::remembered(FAREWELL).map(|_| Farewell::Revoked)
}

/// Whether what is kept here waits for the password.
pub fn is_locked() -> bool {
    page::remembered(LOCKED).is_some()
}

/// The replica has found that the login has run out: its store is locked already.
pub fn note_locked() {
    page::remember(LOCKED, Some("1"));
}

/// The login has run out while nobody looked: locks the store, which no worker has open yet.
async fn lock() {
    note_locked();
    if let Err(error) = worker::lock_from_page().await {
        warn("the store was not locked", error);
    }
}

/// This device was signed out from elsewhere: nothing of what it kept may stay. Also for accounts that are gone.
pub async fn farewell_to_all() {
    worker::wipe_from_page().await;
    forget_member();
    page::remember(FAREWELL, Some("revoked"));
}

/// The same after the replica has wiped its store.
pub fn farewell_after_wipe() {
    forget_member();
    if !LEAVING.with(Cell::get) {
        page::remember(FAREWELL, Some("revoked"));
    }
}

/// Forgets what this browser remembers, but what is not the member's.
pub fn forget_member() {
    let kept = ["theme", LEFT].map(|key| (key, page::remembered(key)));
    page::forget_all();
    for (key, value) in kept {
        page::remember(key, value.as_deref());
    }
}

thread_local! {
    /// The member signs out here: nobody has to tell them why.
    static LEAVING: Cell<bool> = const { Cell::new(false) };
}

/// The device this browser was when someone was last signed in.
pub fn known_device() -> Option<DeviceId> {
    page::remembered(DEVICE)?.parse().ok()
}

/// Ends the login at the server. When it cannot be reached, that is made up for at the next start.
pub async fn end_login() {
    LEAVING.with(|leaving| leaving.set(true));
    if api::log_out().await == Err(ApiError::Offline) {
        page::remember(LEFT, Some("1"));
    }
}
