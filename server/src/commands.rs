//! The command line: one command a file, no logic of its own. A command prints, and says how the program ends.
//!
//! Exit codes: 0 done, 1 what was checked or asked failed, 2 wrong usage or configuration.

mod account;
mod cli;
mod demo;
mod doctor;
mod gc;
mod grant;
mod import;
mod log;
mod open;
mod plan;
mod serve;
mod token;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, error::ErrorKind};

use self::cli::{Cli, Command};
use crate::config::{Config, ConfigError};

/// How a command can fail; each ends the program with one line on standard error.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// What was checked or asked failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Wrong usage or configuration: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// What was asked failed, and the command has said so already: exit code 1.
    #[error("")]
    Told,
}

impl Failure {
    /// For an error whose own words say enough.
    fn from_error(error: impl std::error::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = match Cli::command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Told) => ExitCode::from(1),
        Err(Failure::Failed(reason)) => complain(&reason, 1),
        Err(Failure::Usage(reason)) => complain(&reason, 2),
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    let settings = cli.settings.with_file()?;
    let config = Config::resolve(&settings)?;
    // Of the TLS providers this one is linked; who asks over https finds it here.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::from_error)?;
    runtime.block_on(async {
        match cli.command {
            Command::Serve => serve::run(config).await,
            Command::Demo => demo::run(config).await,
            Command::Import(import) => import::run(config, import).await,
            Command::Account(account) => account::run(config, account).await,
            Command::Grant(grant) => grant::grant(config, grant).await,
            Command::Revoke(revoke) => grant::revoke(config, revoke).await,
            Command::Token(token) => token::run(config, token).await,
            Command::Verify(verify) => verify::run(config, verify).await,
            Command::Gc(gc) => gc::run(config, gc).await,
            Command::Doctor => doctor::run(config, &settings).await,
        }
    })
}

/// Help and version go to standard output; a mistake is told in one line.
fn usage(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(1),
        };
    }
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let line = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line).to_owned();
    complain(&format!("{line} (see avatars --help)"), 2)
}

fn complain(reason: &str, code: u8) -> ExitCode {
    eprintln!("avatars: {reason}");
    ExitCode::from(code)
}
