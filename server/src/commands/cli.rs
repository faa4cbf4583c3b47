//! The words of the command line.

use std::path::PathBuf;

use app::model::{Kind, Role, Slug};
use clap::{Args, Parser, Subcommand};

use crate::{
    config::Settings,
    store::{Place, TokenScope},
};

/// A self-hosted review studio for batches of candidate pictures.
#[derive(Debug, Parser)]
#[command(name = "avatars", version, disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) settings: Settings,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the studio.
    Serve,
    /// Fill an empty data folder with two batches of drawn candidates, and print the sign-ins.
    Demo,
    /// Import files, folders and ZIP archives into a batch.
    Import(Import),
    /// Add, list or disable accounts, or set a password.
    #[command(subcommand)]
    Account(Account),
    /// Let an account see or decide: viewer, reviewer or manager of a family or of one subject.
    Grant(Grant),
    /// Take a grant back; it holds on the very next request.
    Revoke(Revoke),
    /// Add, list or revoke bearer tokens for services.
    #[command(subcommand)]
    Token(Token),
    /// Read every original again and compare it with what was recorded.
    Verify(Verify),
    /// Free what nobody needs any more: leftovers, and renditions that are out of date or too many. Never an original.
    Gc(Gc),
    /// Print the settings in force and the plan of open files, and ask each part whether it answers.
    Doctor,
}

#[derive(Args, Debug)]
pub(super) struct Import {
    /// Files, folders and ZIP archives; a folder is taken with all below it.
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The family, created where missing.
    #[arg(long)]
    pub(super) family: Slug,
    /// Whom the pictures show, created where missing.
    #[arg(long)]
    pub(super) subject: Slug,
    /// The batch, created where missing.
    #[arg(long)]
    pub(super) batch: Slug,
    /// Candidates are decided; pipeline pictures are seen beside them.
    #[arg(long, default_value = "candidate", value_name = "candidate|pipeline")]
    pub(super) kind: Kind,
    /// Print one JSON object a line instead of a progress display.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Account {
    /// Add an account; its password is read from standard input.
    Add {
        name: String,
        /// May do everything, everywhere.
        #[arg(long)]
        admin: bool,
    },
    /// List the accounts and their grants.
    List,
    /// End an account's sessions and let it sign in no more.
    Disable { name: String },
    /// Set a password, read from standard input; other sessions of the account end.
    Password { name: String },
}

#[derive(Args, Debug)]
pub(super) struct Grant {
    pub(super) name: String,
    /// viewer, reviewer or manager.
    pub(super) role: Role,
    #[arg(value_name = "FAMILY[/SUBJECT]")]
    pub(super) place: Place,
}

#[derive(Args, Debug)]
pub(super) struct Revoke {
    pub(super) name: String,
    #[arg(value_name = "FAMILY[/SUBJECT]")]
    pub(super) place: Place,
}

#[derive(Debug, Subcommand)]
pub(super) enum Token {
    /// Make a token; it is shown once and stored only as a hash.
    Add {
        name: String,
        /// read, review, import or admin.
        #[arg(long)]
        scope: TokenScope,
        /// Only this family.
        #[arg(long)]
        family: Option<Slug>,
    },
    /// List the tokens and when each was last used.
    List,
    /// Revoke a token; it holds on the very next request.
    Revoke { name: String },
}

#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Print one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args, Debug)]
pub(super) struct Gc {
    /// Print one JSON object a line.
    #[arg(long)]
    pub(super) json: bool,
    /// Only tell what would be freed.
    #[arg(long)]
    pub(super) dry_run: bool,
}
