//! What a question carries: the caller's own credentials, and what is asked.

use app::studio::Caller;
use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{ACCEPT_LANGUAGE, AUTHORIZATION, COOKIE, HOST, USER_AGENT},
};

use crate::store::Place;

/// The caller's headers that are passed on, and no others: hop-by-hop headers and anything that a caller could use to
/// speak for the studio (`Remote-User`, `X-Forwarded-…`) stay behind.
const PASSED: [HeaderName; 3] = [COOKIE, AUTHORIZATION, ACCEPT_LANGUAGE];

/// The headers of one question.
pub(super) fn headers(caller: &Caller, action: &str, place: Option<&Place>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in PASSED {
        for value in caller.headers.get_all(&name) {
            headers.append(name.clone(), value.clone());
        }
    }
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    };
    let text = |name: &HeaderName| caller.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    set("x-request-id", &caller.request_id);
    set("x-forwarded-method", caller.method.as_str());
    set("x-forwarded-uri", &caller.uri);
    set("x-forwarded-host", text(&HOST));
    set("x-forwarded-user-agent", text(&USER_AGENT));
    if let Some(address) = caller.address {
        set("x-forwarded-for", &address.to_string());
    }
    set("x-avatars-action", action);
    if let Some(place) = place {
        set("x-avatars-family", place.family.as_str());
        if let Some(subject) = &place.subject {
            set("x-avatars-subject", subject.as_str());
        }
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_credentials_go_along_and_what_a_caller_claims_of_the_studio_does_not() {
        let mut caller = Caller { request_id: "r1".to_owned(), ..Caller::default() };
        for (name, value) in [
            ("cookie", "a=1"),
            ("authorization", "Bearer t"),
            ("connection", "close"),
            ("remote-user", "root"),
            ("x-forwarded-for", "203.0.113.9"),
            ("x-avatars-family", "other"),
            ("host", "studio.example"),
        ] {
            caller.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let headers = headers(&caller, "view", Some(&"reed/ida".parse().unwrap()));
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap());
        assert_eq!((text("cookie"), text("authorization")), (Some("a=1"), Some("Bearer t")));
        assert_eq!((text("connection"), text("remote-user"), text("x-forwarded-for")), (None, None, None));
        assert_eq!((text("x-avatars-family"), text("x-avatars-subject")), (Some("reed"), Some("ida")));
        assert_eq!((text("x-forwarded-host"), text("x-request-id")), (Some("studio.example"), Some("r1")));
    }
}
