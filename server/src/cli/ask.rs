//! Commands that change the household: by the running server when there is one, else directly.

use super::{CreateAdmin, CreateToken, ResetUser, print, resolve};
use crate::app_state::AppState;
use crate::control::{self, Answer, Request};
use crate::data_folder::{DataFolder, DataFolderError, control_socket, holds_a_household};
use crate::settings::Settings;
use anyhow::{Context, bail};
use std::io::{self, BufRead};
use std::time::{Duration, Instant};

/// How long to wait for a server that is just starting or stopping.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn create_admin(args: CreateAdmin) -> anyhow::Result<()> {
    let CreateAdmin { settings, email, first_name, last_name, nickname, language, password_stdin: _ } = args;
    let mut password = String::new();
    io::stdin().lock().read_line(&mut password).context("could not read the password")?;
    let password = password.trim_end_matches(['\r', '\n']).to_owned();
    let request = Request::CreateAdmin { email, first_name, last_name, nickname, language, password };
    ask(resolve(&settings)?, request)
}

pub(super) fn create_token(args: CreateToken) -> anyhow::Result<()> {
    let CreateToken { settings, member, scopes } = args;
    let settings = resolve(&settings)?;
    // A mistyped folder would be made, with a key of its own, only to hold nobody.
    if !holds_a_household(&settings.data) {
        bail!("there is no Kinstead in {}", settings.data.display());
    }
    ask(settings, Request::CreateToken { member, scopes })
}

pub(super) fn reset_user(args: ResetUser) -> anyhow::Result<()> {
    let settings = resolve(&args.settings)?;
    if !holds_a_household(&settings.data) {
        bail!("there is no Kinstead in {}", settings.data.display());
    }
    ask(settings, Request::ResetMember { email: args.email })
}

/// Asks whoever may write, and prints what comes back.
fn ask(settings: Settings, request: Request) -> anyhow::Result<()> {
    let begun = Instant::now();
    let answer = loop {
        match DataFolder::open(&settings.data) {
            Ok(folder) => break directly(settings, &folder, request)?,
            Err(DataFolderError::InUse(_)) => match control::client::ask(&control_socket(&settings.data), &request) {
                Ok(answer) => break answer,
                // Held, but nobody listens: it is starting or stopping.
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
                        && begun.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Err(error) => return Err(error).context("could not reach the running Kinstead"),
            },
            Err(error) => return Err(error.into()),
        }
    };
    match answer {
        Answer::Done(text) => {
            print(&format!("{text}\n"));
            Ok(())
        }
        Answer::Refused { code, detail } => bail!("{detail} ({code})"),
    }
}

fn directly(settings: Settings, folder: &DataFolder, request: Request) -> anyhow::Result<Answer> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let state = AppState::open(settings, folder)?;
        let answer = control::execute(&state, request).await;
        state.db.close().await;
        Ok(answer)
    })
}
