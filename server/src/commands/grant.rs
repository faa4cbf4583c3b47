//! `avatars grant` and `avatars revoke`: who may do what, where. Both act on a running server's next request.

use super::{
    Failure,
    cli::{Grant as Words, Revoke},
    open,
};
use crate::{config::Config, store::Grant};

pub(super) async fn grant(config: Config, words: Words) -> Result<(), Failure> {
    let store = open::store(&config).await?;
    let grant = Grant { role: words.role, place: words.place };
    open::accounts(&store)?.grant(&words.name, &grant).await.map_err(Failure::from_error)?;
    println!("{} is {} of {}", words.name, grant.role, grant.place);
    store.close().await;
    Ok(())
}

pub(super) async fn revoke(config: Config, words: Revoke) -> Result<(), Failure> {
    let store = open::store(&config).await?;
    open::accounts(&store)?.revoke(&words.name, &words.place).await.map_err(Failure::from_error)?;
    println!("{} has no grant on {}", words.name, words.place);
    store.close().await;
    Ok(())
}
