//! Accounts: passwords, sign-in, sessions, grants and tokens, for the pages and for the command line.
//!
//! A password exists here only between its arrival and its hash. Never tells whether a name exists.

mod limiter;
mod passwords;
pub(crate) mod secret;

use std::net::IpAddr;

use app::model::{AccountId, Slug};
use time::Duration;

use self::limiter::Limiter;
pub(crate) use self::passwords::{PasswordError, Passwords};
use crate::store::{AccountRecord, Grant, NewAccount, Place, Store, StoreError, TokenRecord, TokenScope};

/// How long a session lives without being used.
pub(crate) const SESSION: Duration = Duration::days(30);

/// The longest name of an account or token, in characters.
const NAME: usize = 64;

/// Why an account could not be used or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AccountError {
    #[error("the name or the password is wrong")]
    WrongPassword,
    #[error("too many tries: wait {retry_after} s")]
    TooManyTries {
        /// Seconds.
        retry_after: u64,
    },
    #[error("a name has 1 to {NAME} characters, no control characters, and no space at either end")]
    NotAName,
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The accounts of the studio.
#[derive(Clone, Debug)]
pub(crate) struct Accounts {
    store: Store,
    passwords: Passwords,
    limiter: Limiter,
}

impl Accounts {
    pub(crate) fn new(store: Store, passwords: Passwords) -> Self {
        let limiter = Limiter::new(store.clock().clone());
        Self { store, passwords, limiter }
    }

    /// Checks a name and a password, in the same time whether the name exists or not, and opens a session. Returns
    /// the cookie's value.
    pub(crate) async fn sign_in(
        &self,
        name: &str,
        password: &str,
        address: Option<IpAddr>,
    ) -> Result<String, AccountError> {
        let attempt = self
            .limiter
            .attempt(name, address)
            .map_err(|wait| AccountError::TooManyTries { retry_after: wait.whole_seconds().unsigned_abs().max(1) })?;
        let found = self.store.credentials(name).await?;
        let right = self.passwords.verify(password, found.as_ref().map(|found| found.password.as_str())).await?;
        let account = found.filter(|found| right && !found.disabled).ok_or(AccountError::WrongPassword)?.account();
        let secret = secret::fresh(self.store.chance(), "").map_err(StoreError::from)?;
        let expires = self.store.clock().now() + SESSION;
        match self.store.open_session(&secret.digest, account, expires).await {
            // Disabled since the check, a moment ago.
            Err(StoreError::Unknown { .. }) => return Err(AccountError::WrongPassword),
            opened => opened?,
        }
        attempt.succeeded();
        Ok(secret.text)
    }

    /// Ends the session of a cookie; one that is not there is no error.
    pub(crate) async fn sign_out(&self, session: &str) -> Result<(), StoreError> {
        self.store.end_session(&secret::digest(session)).await
    }

    /// Notes that the session is in use: its end moves away.
    pub(crate) async fn note_session(&self, session: &str) -> Result<(), StoreError> {
        self.store.extend_session(&secret::digest(session), self.store.clock().now() + SESSION).await
    }

    /// Notes that the token is in use.
    pub(crate) async fn note_token(&self, token: &str) -> Result<(), StoreError> {
        self.store.note_token_use(&secret::digest(token)).await
    }

    pub(crate) async fn add(&self, name: &str, password: &str, admin: bool) -> Result<AccountId, AccountError> {
        let name = valid(name)?;
        let hash = self.passwords.hash(password).await?;
        Ok(self.store.add_account(NewAccount { name, password: &hash, admin }).await?)
    }

    /// All accounts, by name.
    pub(crate) async fn list(&self) -> Result<Vec<AccountRecord>, StoreError> {
        self.store.accounts().await
    }

    /// Disables an account; its sessions end at once.
    pub(crate) async fn disable(&self, name: &str) -> Result<(), StoreError> {
        self.store.disable_account(name).await
    }

    /// Sets a new password; the account's sessions end at once.
    pub(crate) async fn set_password(&self, name: &str, password: &str) -> Result<(), AccountError> {
        let hash = self.passwords.hash(password).await?;
        Ok(self.store.set_password(name, &hash).await?)
    }

    /// Gives the account a role at a place that exists; it holds on the account's next request.
    pub(crate) async fn grant(&self, name: &str, grant: &Grant) -> Result<(), StoreError> {
        self.store.grant(name, grant).await
    }

    /// Takes away what the account has at the place and within it; it holds on the account's next request.
    pub(crate) async fn revoke(&self, name: &str, place: &Place) -> Result<(), StoreError> {
        self.store.revoke(name, place).await
    }

    /// Every grant, with the account that has it.
    pub(crate) async fn grants(&self) -> Result<Vec<(AccountId, Grant)>, StoreError> {
        self.store.grants().await
    }

    /// Makes a bearer token, and returns it: this is the only time that it can be seen.
    pub(crate) async fn add_token(
        &self,
        name: &str,
        scope: TokenScope,
        family: Option<&Slug>,
    ) -> Result<String, AccountError> {
        let name = valid(name)?;
        let secret = secret::fresh(self.store.chance(), "avt_").map_err(StoreError::from)?;
        self.store.add_token(&secret.digest, name, scope, family).await?;
        Ok(secret.text)
    }

    /// Every token that there ever was, by name.
    pub(crate) async fn tokens(&self) -> Result<Vec<TokenRecord>, StoreError> {
        self.store.tokens().await
    }

    /// Revokes a token; it holds on the next request.
    pub(crate) async fn revoke_token(&self, name: &str) -> Result<(), StoreError> {
        self.store.revoke_token(name).await
    }
}

fn valid(name: &str) -> Result<&str, AccountError> {
    let fits = !name.is_empty() && name.chars().count() <= NAME;
    let plain = name.trim() == name && !name.chars().any(char::is_control);
    if fits && plain { Ok(name) } else { Err(AccountError::NotAName) }
}
