//! Who is here: from a cold start to someone signed in, or to a form that asks.

use super::{language, page};
use crate::api::{self, ApiError, Me, SignedIn};
use crate::keys::KeyOfDevice;
use dioxus::prelude::*;
use futures_util::future::{Either, select};
use shared::DeviceId;
use std::pin::pin;

/// Remembers that this browser has a replica, so that it can open with no network.
const DEVICE: &str = "device";
/// Remembers that a sign-out could not reach the server yet.
const LEFT: &str = "left";
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

/// The login of this browser. Copies are the same login.
#[derive(Clone, Copy, PartialEq)]
pub struct Login {
    stage: Signal<Stage>,
}

/// Finds out who is here, and offers the login to the screens below.
pub fn use_login() -> Login {
    let login = use_context_provider(|| Login { stage: Signal::new(Stage::Opening) });
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
                    if known {
                        self.stage.set(Stage::Inside);
                    }
                    me.await
                }
            }
        };
        match answer {
            Ok(me) => self.enter(&me),
            Err(ApiError::Problem(problem)) if problem.status == 401 => self.ask().await,
            Err(ApiError::Offline | ApiError::Unreadable | ApiError::Problem(_)) if known => {
                self.stage.set(Stage::Inside)
            }
            Err(ApiError::Offline | ApiError::Unreadable | ApiError::Problem(_)) => self.stage.set(Stage::Unreachable),
        }
    }

    fn enter(&mut self, me: &Me) {
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
    pub async fn signed_in(mut self, signed_in: &SignedIn, _key: KeyOfDevice) {
        let device = signed_in.device_id.map_or_else(|| "unnamed".to_owned(), |device| device.to_string());
        page::remember(DEVICE, Some(&device));
        // The first screen inside already speaks the member's language.
        let me = pin!(api::me());
        let patience = pin!(page::sleep(PATIENCE_MS));
        if let Either::Left((Ok(me), _)) = select(me, patience).await {
            language::set_from_member(me.language);
        }
        self.stage.set(Stage::Inside);
    }

    /// The setup is closed: someone else was faster.
    pub fn ask_to_sign_in(&mut self) {
        self.stage.set(Stage::SignIn);
    }
}

/// The device this browser was when someone was last signed in.
pub fn known_device() -> Option<DeviceId> {
    page::remembered(DEVICE)?.parse().ok()
}

/// Ends the login at the server. When it cannot be reached, that is made up for at the next start.
pub async fn end_login() {
    if api::log_out().await == Err(ApiError::Offline) {
        page::remember(LEFT, Some("1"));
    }
}
