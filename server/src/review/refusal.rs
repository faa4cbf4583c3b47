//! Turns the errors of the rooms below into what a person is told. What is nobody's business goes to the log.

use std::error::Error;

use app::{model::Refusal, studio::Caller};

use crate::{
    accounts::{AccountError, PasswordError},
    authority::Denial,
    store::StoreError,
};

/// An error that can have something to say to the caller.
pub(super) trait Explain: Error + Sized {
    /// What to tell the caller; the error itself where it is the server's own trouble.
    fn explain(self) -> Result<Refusal, Self>;
}

/// What the caller is told of an error; what it is not told is logged under its request.
pub(super) fn refuse<E: Explain>(caller: &Caller) -> impl Fn(E) -> Refusal {
    move |error| {
        error.explain().unwrap_or_else(|error| {
            tracing::error!(request_id = caller.request_id, %error, "a request failed");
            Refusal::Internal { request_id: caller.request_id.clone() }
        })
    }
}

impl Explain for StoreError {
    fn explain(self) -> Result<Refusal, Self> {
        match self {
            Self::Stale(assets) => Ok(Refusal::Stale { assets }),
            Self::Unknown { what, .. } => Ok(Refusal::NotFound { what: what.to_owned() }),
            Self::Taken { .. } | Self::NotACandidate(_) => Ok(Refusal::Invalid { reason: sentence(&self) }),
            Self::Closed(_) => {
                Ok(Refusal::Invalid { reason: format!("{} It takes no more changes.", sentence(&self)) })
            }
            Self::Unavailable(error) => {
                tracing::warn!(%error, "the database is too busy or away");
                Ok(Refusal::Unavailable { reason: "The database does not answer.".to_owned(), retry_after: 1 })
            }
            other => Err(other),
        }
    }
}

impl Explain for Denial {
    fn explain(self) -> Result<Refusal, Self> {
        match self {
            Self::SignedOut => Ok(Refusal::SignedOut),
            Self::Refused => Ok(Refusal::Forbidden),
            Self::Unavailable { reason, retry_after } => {
                tracing::warn!(reason, "the authority does not answer");
                let retry_after = retry_after.as_secs().max(1);
                Ok(Refusal::Unavailable { reason: "Rights cannot be checked.".to_owned(), retry_after })
            }
            failed @ Self::Failed(_) => Err(failed),
        }
    }
}

impl Explain for AccountError {
    fn explain(self) -> Result<Refusal, Self> {
        match self {
            Self::WrongPassword => Ok(Refusal::WrongPassword),
            Self::TooManyTries { retry_after } => Ok(Refusal::TooManyTries { retry_after }),
            Self::Password(PasswordError::Busy) => Ok(Refusal::TooManyTries { retry_after: 1 }),
            Self::Store(error) => error.explain().map_err(Self::Store),
            other => Err(other),
        }
    }
}

fn sentence(error: &impl Error) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
