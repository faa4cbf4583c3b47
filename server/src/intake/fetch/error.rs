//! Why an address was not taken in, in words for whoever named it.

use std::error::Error;

use http::StatusCode;

use crate::intake::{IncomingError, IntakeError};

/// Why an address was not taken in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FetchError {
    #[error("this is not an address that begins with http:// or https://")]
    NotAnAddress,
    #[error("an address may not carry a name or a password")]
    Credentials,
    #[error(
        "{host} is not on the public internet, and nothing is fetched from one's own network unless AVATARS_FETCH_HOSTS \
         names it"
    )]
    Inside { host: String },
    #[error("there is no host called {host}")]
    Unknown { host: String },
    #[error("it leads from one address to the next, more than five times")]
    Redirects,
    #[error("it was answered with {0}")]
    Answered(StatusCode),
    #[error("there was no answer in time")]
    Silent,
    #[error("the connection could not be made: {0}")]
    Unreachable(String),
    #[error("the connection broke: {0}")]
    Broken(String),
    #[error("there is no room for it in the memory budget right now: try it again")]
    Busy,
    #[error("there was no time left for it: try it again")]
    NoTime,
    /// The file itself.
    #[error("{0}")]
    Refused(String),
    #[error("something went wrong on the server; its log has the details")]
    Internal,
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        let mut root: &(dyn Error + 'static) = &error;
        while let Some(source) = root.source() {
            root = source;
            // What was refused on the way comes back wrapped in whatever was going on.
            if let Some(refused) = root.downcast_ref::<Self>() {
                return refused.clone();
            }
        }
        let root = root.to_string();
        if error.is_timeout() {
            Self::Silent
        } else if error.is_connect() {
            Self::Unreachable(root)
        } else {
            Self::Broken(root)
        }
    }
}

impl From<IntakeError> for FetchError {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::Busy { .. } => Self::Busy,
            IntakeError::QuarantineFull => Self::Refused(error.to_string()),
            IntakeError::Incoming(refusal) if refusal.refuses() => Self::Refused(refusal.to_string()),
            error => {
                tracing::error!(%error, "what was fetched could not be taken in");
                Self::Internal
            }
        }
    }
}

impl From<IncomingError> for FetchError {
    fn from(error: IncomingError) -> Self {
        IntakeError::from(error).into()
    }
}
