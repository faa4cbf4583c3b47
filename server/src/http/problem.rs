//! The one place where an error becomes an answer: a problem document by RFC 9457, never cached.

use app::model::Refusal;
use axum::{
    Json,
    extract::rejection::{JsonRejection, PathRejection, QueryRejection},
    response::{IntoResponse, Response},
};
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER},
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// What went wrong, for a program (`code`, `status`) and for a person (`detail`: what to do).
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    #[serde(serialize_with = "as_number")]
    status: StatusCode,
    detail: String,
    #[serde(flatten)]
    more: Map<String, Value>,
    #[serde(skip)]
    retry_after: Option<u64>,
}

fn as_number<S: serde::Serializer>(status: &StatusCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(status.as_u16())
}

impl Problem {
    /// `code` is stable and in kebab case; programs may match on it.
    pub(crate) fn new(status: StatusCode, code: &str, title: &'static str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:avatars:problem:{code}"),
            title,
            status,
            detail: detail.into(),
            more: Map::new(),
            retry_after: None,
        }
    }

    /// Worth trying again after so many seconds.
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", "There is nothing at this address.")
    }

    pub(crate) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method-not-allowed",
            "Method not allowed",
            "This address does not take this method.",
        )
    }

    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", "This cannot be taken", detail)
    }

    pub(crate) fn unavailable(detail: impl Into<String>, retry_after: u64) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "Not available right now", detail)
            .retry_after(retry_after)
    }

    pub(crate) fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong",
            "Something went wrong on the server; its log has the details under this request's x-request-id.",
        )
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let (code, title) = match &refusal {
            Refusal::SignedOut => ("signed-out", "Not signed in"),
            Refusal::WrongPassword => ("wrong-password", "Wrong name or password"),
            Refusal::TooManyTries { .. } => ("too-many-tries", "Too many tries"),
            Refusal::Forbidden => ("forbidden", "Not allowed"),
            Refusal::NotFound { .. } => ("not-found", "Not found"),
            Refusal::Stale { .. } => ("stale", "Decided meanwhile"),
            Refusal::Invalid { .. } => ("invalid", "This cannot be taken"),
            Refusal::Unavailable { .. } => ("unavailable", "Not available right now"),
            Refusal::Internal { .. } | Refusal::Unreachable => ("internal", "Something went wrong"),
        };
        let mut problem = Self::new(refusal.status(), code, title, refusal.to_string());
        problem.retry_after = refusal.retry_after().map(|seconds| seconds.max(1));
        let Refusal::Stale { assets } = refusal else { return problem };
        // For one asset its present state stands at the top as well, where a client that asked about one looks.
        if let [one] = assets.as_slice()
            && let Value::Object(present) = json!(one)
        {
            problem.more.extend(present);
        }
        problem.more.insert("assets".to_owned(), json!(assets));
        problem
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), "invalid", "This cannot be taken", rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::invalid(rejection.body_text())
    }
}

/// An address that cannot name anything names nothing.
impl From<PathRejection> for Problem {
    fn from(_: PathRejection) -> Self {
        Self::not_found()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, retry_after) = (self.status, self.retry_after);
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
