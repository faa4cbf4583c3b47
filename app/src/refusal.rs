//! How a [`Refusal`] travels: its status, its wait, and its place as the error of every server function.

use http::StatusCode;
use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};

use crate::model::Refusal;

impl Refusal {
    /// The HTTP status that says the same.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::SignedOut | Self::WrongPassword => StatusCode::UNAUTHORIZED,
            Self::TooManyTries { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound { .. } => StatusCode::NOT_FOUND,
            Self::Stale { .. } => StatusCode::CONFLICT,
            Self::Invalid { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unreachable => StatusCode::BAD_GATEWAY,
        }
    }

    /// How long to wait before trying again, in seconds, where a wait helps.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooManyTries { retry_after } | Self::Unavailable { retry_after, .. } => Some(*retry_after),
            _ => None,
        }
    }
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        use ServerFnErrorErr as E;
        match error {
            // The caller's words did not parse.
            E::Args(reason) | E::MissingArg(reason) => Self::Invalid { reason },
            E::Deserialization(reason) if cfg!(feature = "ssr") => Self::Invalid { reason },
            // Seen by the browser half: nothing came back, or nothing that can be read (a proxy's page, a torn body).
            E::Request(_) | E::Deserialization(_) => Self::Unreachable,
            E::Registration(_)
            | E::UnsupportedRequestMethod(_)
            | E::ServerError(_)
            | E::MiddlewareError(_)
            | E::Serialization(_)
            | E::Response(_) => Self::Internal { request_id: "unknown".to_owned() },
        }
    }

    fn status_code(&self) -> StatusCode {
        self.status()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AssetId, Decided, Decision};

    #[test]
    fn every_refusal_survives_the_wire() {
        let decided = Decided {
            id: AssetId(uuid::Uuid::nil()),
            decision: Decision::Approved,
            version: 3,
            decided_by: Some("anna".to_owned()),
            decided_at: None,
        };
        for refusal in [
            Refusal::SignedOut,
            Refusal::WrongPassword,
            Refusal::TooManyTries { retry_after: 7 },
            Refusal::Forbidden,
            Refusal::NotFound { what: "batch".to_owned() },
            Refusal::Stale { assets: vec![decided] },
            Refusal::Invalid { reason: "why".to_owned() },
            Refusal::Unavailable { reason: "full".to_owned(), retry_after: 2 },
            Refusal::Internal { request_id: "1".to_owned() },
            Refusal::Unreachable,
        ] {
            assert_eq!(Refusal::de(refusal.ser().body), refusal);
        }
    }

    #[test]
    fn an_answer_that_never_came_is_no_fault_of_the_caller() {
        let refusal = Refusal::from_server_fn_error(ServerFnErrorErr::Request("refused".to_owned()));
        assert_eq!(refusal, Refusal::Unreachable);
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn a_question_that_cannot_be_read_is_the_callers() {
        let refusal = Refusal::from_server_fn_error(ServerFnErrorErr::Deserialization("no JSON".to_owned()));
        assert_eq!(refusal.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
}
