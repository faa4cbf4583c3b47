//! `avatars account`: who signs in. Passwords come by standard input, never by the command line, which others can see.

use std::io::{IsTerminal as _, stdin};

use super::{Failure, cli::Account, open};
use crate::{accounts::Accounts, config::Config};

pub(super) async fn run(config: Config, account: Account) -> Result<(), Failure> {
    let store = open::store(&config).await?;
    let accounts = open::accounts(&store)?;
    let done = work(&accounts, account).await;
    store.close().await;
    done
}

async fn work(accounts: &Accounts, account: Account) -> Result<(), Failure> {
    match account {
        Account::Add { name, admin } => {
            let password = read_password()?;
            accounts.add(&name, &password, admin).await.map_err(Failure::from_error)?;
            println!("{name} can sign in");
        }
        Account::List => list(accounts).await?,
        Account::Disable { name } => {
            accounts.disable(&name).await.map_err(Failure::from_error)?;
            println!("{name} can sign in no more");
        }
        Account::Password { name } => {
            let password = read_password()?;
            accounts.set_password(&name, &password).await.map_err(Failure::from_error)?;
            println!("{name} has a new password and is signed out everywhere");
        }
    }
    Ok(())
}

async fn list(accounts: &Accounts) -> Result<(), Failure> {
    let grants = accounts.grants().await.map_err(Failure::from_error)?;
    for account in accounts.list().await.map_err(Failure::from_error)? {
        let states = [(account.admin, "admin"), (account.disabled, "disabled")];
        let states = states.iter().filter(|(is, _)| *is).map(|(_, word)| (*word).to_owned());
        let granted = grants.iter().filter(|(id, _)| *id == account.id);
        let granted = granted.map(|(_, grant)| format!("{} {}", grant.role, grant.place));
        let words: Vec<String> = states.chain(granted).collect();
        println!("{:<20} {}", account.name, words.join(", "));
    }
    Ok(())
}

/// The first line of standard input.
fn read_password() -> Result<String, Failure> {
    if stdin().is_terminal() {
        eprint!("Password: ");
    }
    let mut line = String::new();
    stdin().read_line(&mut line).map_err(|error| Failure::Failed(format!("reading the password: {error}")))?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
