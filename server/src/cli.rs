//! The command line.

mod ask;
mod doctor;
mod serve;
mod show_settings;

use crate::settings::{SettingFlags, Settings};
use clap::{Args, Parser, Subcommand};

/// Kinstead: a household's own Kins, on its own machine.
#[derive(Parser)]
#[command(name = "kinstead", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the server.
    Serve(SettingFlags),
    /// Lists every setting with its value, where it came from and its default.
    Settings(SettingFlags),
    /// Looks whether a server could run here, and says what to do where it could not.
    Doctor(SettingFlags),
    /// Cares for admins.
    #[command(subcommand)]
    Admin(AdminCommand),
    /// Cares for members.
    #[command(subcommand)]
    User(UserCommand),
    /// Cares for personal access tokens.
    #[command(subcommand)]
    Token(TokenCommand),
}

#[derive(Subcommand)]
enum AdminCommand {
    /// Makes an account with the role admin, whether the server runs or not.
    Create(CreateAdmin),
}

#[derive(Args)]
struct CreateAdmin {
    #[command(flatten)]
    settings: SettingFlags,
    #[arg(long)]
    email: String,
    #[arg(long)]
    first_name: String,
    #[arg(long)]
    last_name: String,
    #[arg(long)]
    nickname: String,
    /// `en` or `fr`.
    #[arg(long, default_value = "en")]
    language: String,
    /// Reads the password from the standard input, up to the first line's end.
    #[arg(long, required = true)]
    password_stdin: bool,
}

#[derive(Subcommand)]
enum UserCommand {
    /// Prints a link with which a member who cannot get in sets a new password, once.
    Reset(ResetUser),
}

#[derive(Args)]
struct ResetUser {
    #[command(flatten)]
    settings: SettingFlags,
    /// The member's email.
    email: String,
}

#[derive(Subcommand)]
enum TokenCommand {
    /// Makes a token and prints it, alone, once.
    Create(CreateToken),
}

#[derive(Args)]
struct CreateToken {
    #[command(flatten)]
    settings: SettingFlags,
    /// Email or id of the member it acts for.
    #[arg(long)]
    member: String,
    /// What it may do: `all`.
    #[arg(long)]
    scopes: String,
}

/// Runs what the arguments ask for.
///
/// # Errors
/// Whatever ends the command; its message is for the person at the terminal.
pub fn run() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Serve(flags) => serve::run(resolve(&flags)?),
        Command::Settings(flags) => show_settings::run(&resolve(&flags)?),
        Command::Doctor(flags) => doctor::run(&resolve(&flags)?),
        Command::Admin(AdminCommand::Create(args)) => ask::create_admin(args),
        Command::User(UserCommand::Reset(args)) => ask::reset_user(args),
        Command::Token(TokenCommand::Create(args)) => ask::create_token(args),
    }
}

fn resolve(flags: &SettingFlags) -> anyhow::Result<Settings> {
    Ok(Settings::resolve(flags, |name| std::env::var(name).ok().filter(|value| !value.is_empty()))?)
}

/// Prints to the standard output; a closed pipe is no error of ours.
fn print(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
