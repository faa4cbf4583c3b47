//! Password hashes: argon2id, on blocking threads, few at a time because each takes 19 MiB.

use std::{fmt, sync::Arc};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{self, PasswordHasher as _, PasswordVerifier as _},
};
use tokio::sync::Semaphore;

use crate::clock::{Chance, NoChance};

/// Hashes that may be at work at once.
const AT_WORK: usize = 2;
/// Hashes that may wait for their turn beside those; one more is turned away at once.
const WAITING: usize = 32;

/// Longer ones would make the hash a way to keep the server busy. In bytes.
const LONGEST: usize = 1024;

/// Why a password was neither hashed nor compared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PasswordError {
    #[error("a password has 1 to {LONGEST} bytes")]
    Length,
    #[error("too many people are signing in at this moment")]
    Busy,
    #[error("the password hash failed: {0}")]
    Hash(#[from] password_hash::Error),
    #[error("the work was cut off: {0}")]
    CutOff(#[from] tokio::task::JoinError),
    #[error(transparent)]
    NoChance(#[from] NoChance),
}

/// Makes and checks password hashes.
#[derive(Clone)]
pub(crate) struct Passwords {
    argon2: Argon2<'static>,
    chance: Chance,
    /// The hash of a password that nobody has: what a name that does not exist is checked against.
    nobody: Arc<str>,
    at_work: Arc<Semaphore>,
    seats: Arc<Semaphore>,
}

impl Passwords {
    /// With the costs that OWASP recommends: 19 MiB, two rounds. Hashes once, and blocks for it.
    pub(crate) fn new(chance: Chance) -> Result<Self, PasswordError> {
        Self::with_params(chance, Params::DEFAULT)
    }

    fn with_params(chance: Chance, params: Params) -> Result<Self, PasswordError> {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobody = hash(&argon2, &chance.bytes::<32>()?, &chance.bytes()?)?.into();
        let (at_work, seats) = (Arc::new(Semaphore::new(AT_WORK)), Arc::new(Semaphore::new(AT_WORK + WAITING)));
        Ok(Self { argon2, chance, nobody, at_work, seats })
    }

    /// The hash as a PHC string, with a salt of its own.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        if password.is_empty() || password.len() > LONGEST {
            return Err(PasswordError::Length);
        }
        let (password, salt) = (password.to_owned(), self.chance.bytes()?);
        self.work(move |argon2| hash(argon2, password.as_bytes(), &salt)).await?
    }

    /// Whether the password is the one that was hashed. Without a hash the answer is no, after the same work.
    pub(crate) async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool, PasswordError> {
        if password.len() > LONGEST {
            return Ok(false);
        }
        let exists = hash.is_some();
        let (password, hash) = (password.to_owned(), hash.unwrap_or(&self.nobody).to_owned());
        let verified = self.work(move |argon2| argon2.verify_password(password.as_bytes(), hash.as_str())).await?;
        match verified {
            Ok(()) => Ok(exists),
            Err(password_hash::Error::PasswordInvalid) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Runs a hash on a blocking thread. The permits go with it: it holds its memory even when nobody waits any more.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'static>) -> T + Send + 'static,
    ) -> Result<T, PasswordError> {
        let seat = Arc::clone(&self.seats).try_acquire_owned().map_err(|_| PasswordError::Busy)?;
        let turn = Arc::clone(&self.at_work).acquire_owned().await.map_err(|_| PasswordError::Busy)?;
        let argon2 = self.argon2.clone();
        let hashing = move || {
            let _held = (seat, turn);
            work(&argon2)
        };
        Ok(tokio::task::spawn_blocking(hashing).await?)
    }
}

impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passwords")
    }
}

fn hash(argon2: &Argon2<'_>, password: &[u8], salt: &[u8; 16]) -> Result<String, PasswordError> {
    Ok(argon2.hash_password_with_salt(password, salt)?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Passwords {
        /// With costs that a test can pay often.
        pub(crate) fn cheap() -> Self {
            let params = Params::new(Params::MIN_M_COST, 1, 1, None).unwrap();
            Self::with_params(Chance::system(), params).unwrap()
        }
    }

    #[tokio::test]
    async fn a_hash_is_argon2id_with_its_own_salt_and_knows_its_password() {
        let passwords = Passwords::new(Chance::system()).unwrap();
        let (one, other) = (passwords.hash("secret").await.unwrap(), passwords.hash("secret").await.unwrap());
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(one, other);
        assert!(passwords.verify("secret", Some(&one)).await.unwrap());
        assert!(!passwords.verify("Secret", Some(&one)).await.unwrap());
    }

    #[tokio::test]
    async fn nobody_has_no_password_and_takes_the_same_work() {
        let passwords = Passwords::cheap();
        assert!(passwords.nobody.starts_with("$argon2id$"));
        assert!(!passwords.verify("secret", None).await.unwrap());
    }

    #[tokio::test]
    async fn a_password_is_neither_empty_nor_endless() {
        let passwords = Passwords::cheap();
        assert!(matches!(passwords.hash("").await, Err(PasswordError::Length)));
        assert!(matches!(passwords.hash(&"x".repeat(1025)).await, Err(PasswordError::Length)));
        assert!(!passwords.verify(&"x".repeat(1025), None).await.unwrap());
    }

    #[tokio::test]
    async fn a_crowd_beyond_the_seats_is_turned_away_at_once() {
        let passwords = Passwords::cheap();
        let taken = Arc::clone(&passwords.seats).acquire_many_owned((AT_WORK + WAITING) as u32).await.unwrap();
        assert!(matches!(passwords.verify("secret", None).await, Err(PasswordError::Busy)));
        drop(taken);
        assert!(!passwords.verify("secret", None).await.unwrap());
    }
}
