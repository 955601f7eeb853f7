//! The scripted provider as a process of its own, for browser tests.
//!
//! `scripted-provider [--port PORT]` listens on 127.0.0.1, says where on one line, and runs until
//! it is ended. The control endpoints are listed in `scripted/control.rs`.

use kinstead_tests::scripted::ScriptedProvider;
use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: scripted-provider [--port PORT]";

#[tokio::main]
async fn main() -> ExitCode {
    let Some(port) = port(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(port).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scripted-provider: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(port: u16) -> io::Result<()> {
    let provider = ScriptedProvider::start_at(port).await?;
    let mut stdout = io::stdout();
    writeln!(stdout, "listening on {}", provider.url())?;
    stdout.flush()?;
    tokio::signal::ctrl_c().await
}

/// The port asked for, 0 by default; `None` when the arguments are not understood.
fn port(mut arguments: impl Iterator<Item = String>) -> Option<u16> {
    let Some(name) = arguments.next() else { return Some(0) };
    let value = match name.split_once('=') {
        Some(("--port", value)) => value.to_owned(),
        None if name == "--port" => arguments.next()?,
        _ => return None,
    };
    if arguments.next().is_some() { None } else { value.parse().ok() }
}
