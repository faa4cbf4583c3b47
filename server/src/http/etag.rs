//! Entity tags of media and what `If-None-Match` asks of them (RFC 9110, sections 8.8.3 and 13.1.2).

use http::{HeaderMap, HeaderValue, header::IF_NONE_MATCH};

/// A strong tag: the same original through the same recipe gives the same bytes, so no file is read for it.
pub(crate) fn of(sha256: &str, rendition: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(&format!("\"{sha256}-{rendition}\"")).ok()
}

/// Whether the client has it already: any of its tags is this one (weakly compared), or it takes any (`*`).
pub(crate) fn matches(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim())
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == etag.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(value: &'static str) -> bool {
        let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(value))]);
        matches(&headers, &of("ab", "thumbnail-v1").unwrap())
    }

    #[test]
    fn lists_weak_tags_and_any_are_compared() {
        assert!(asked("\"ab-thumbnail-v1\""));
        assert!(asked("W/\"ab-thumbnail-v1\""));
        assert!(asked("\"x\", W/\"y\" , \"ab-thumbnail-v1\""));
        assert!(asked("*"));
        assert!(!asked("\"ab-thumbnail-v2\""));
        assert!(!asked("ab-thumbnail-v1"));
    }
}
