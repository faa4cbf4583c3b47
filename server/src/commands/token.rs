//! `avatars token`: bearer tokens for services.

use super::{Failure, cli::Token, open};
use crate::{accounts::Accounts, config::Config, store::rfc3339};

pub(super) async fn run(config: Config, token: Token) -> Result<(), Failure> {
    let store = open::store(&config).await?;
    let done = work(&open::accounts(&store)?, token).await;
    store.close().await;
    done
}

async fn work(accounts: &Accounts, token: Token) -> Result<(), Failure> {
    match token {
        Token::Add { name, scope, family } => {
            let text = accounts.add_token(&name, scope, family.as_ref()).await.map_err(Failure::from_error)?;
            eprintln!("The token {name} is shown this once:");
            println!("{text}");
        }
        Token::List => {
            for token in accounts.tokens().await.map_err(Failure::from_error)? {
                let family = token.family.as_ref().map_or("every family", |family| family.as_str());
                let used = match token.last_used_at {
                    Some(at) => format!("used {}", rfc3339(at).map_err(Failure::from_error)?),
                    None => "never used".to_owned(),
                };
                let state = if token.revoked_at.is_some() { ", revoked" } else { "" };
                println!("{:<20} {:<7} {family}, {used}{state}", token.name, token.scope.as_str());
            }
        }
        Token::Revoke { name } => {
            accounts.revoke_token(&name).await.map_err(Failure::from_error)?;
            println!("{name} is revoked");
        }
    }
    Ok(())
}
