//! Byte ranges of an original, by RFC 9110, section 14. One range is served; several are answered with the whole.

use http::{HeaderMap, HeaderValue, header};

/// Which bytes of a representation to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// All of it: 200.
    Whole,
    /// From `first` to `last`, both included: 206.
    Part { first: u64, last: u64 },
    /// None of it can be: 416.
    Outside,
}

impl Span {
    /// What the headers ask for of `length` bytes.
    ///
    /// `etag` is the representation's strong entity tag, if it has one: an `If-Range` that is not exactly that tag
    /// (a date never is) asks for the whole.
    pub(crate) fn asked(headers: &HeaderMap, length: u64, etag: Option<&HeaderValue>) -> Self {
        let Some(range) = headers.get(header::RANGE).and_then(|value| value.to_str().ok()) else { return Self::Whole };
        if headers.get(header::IF_RANGE).is_some_and(|tag| Some(tag) != etag) {
            return Self::Whole;
        }
        parse(range, length).unwrap_or(Self::Whole)
    }

    /// How many bytes of `length` that is.
    pub(crate) fn bytes(self, length: u64) -> u64 {
        match self {
            Self::Whole => length,
            Self::Part { first, last } => last - first + 1,
            Self::Outside => 0,
        }
    }
}

/// `None` where the header is malformed, of another unit or of several ranges: it is then ignored (14.2).
fn parse(range: &str, length: u64) -> Option<Span> {
    let (unit, set) = range.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") || set.contains(',') {
        return None;
    }
    let (first, last) = set.trim().split_once('-')?;
    let (first, last) = match (digits(first)?, digits(last)?) {
        (None, None) => return None,
        (None, Some(0)) => return Some(Span::Outside),
        (None, Some(suffix)) => (length.saturating_sub(suffix), u64::MAX),
        (Some(first), None) => (first, u64::MAX),
        (Some(first), Some(last)) if last < first => return None,
        (Some(first), Some(last)) => (first, last),
    };
    Some(if first < length { Span::Part { first, last: last.min(length - 1) } } else { Span::Outside })
}

/// A number of any length (too large a one is as good as the largest), or none where there are no digits.
fn digits(text: &str) -> Option<Option<u64>> {
    if text.is_empty() {
        return Some(None);
    }
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| Some(text.parse().unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(range: &'static str) -> Span {
        let headers = HeaderMap::from_iter([(header::RANGE, HeaderValue::from_static(range))]);
        Span::asked(&headers, 1000, None)
    }

    #[test]
    fn one_range_is_served_and_clamped() {
        assert_eq!(asked("bytes=0-0"), Span::Part { first: 0, last: 0 });
        assert_eq!(asked("bytes=990-"), Span::Part { first: 990, last: 999 });
        assert_eq!(asked("bytes=990-99999999999999999999999"), Span::Part { first: 990, last: 999 });
        assert_eq!(asked("Bytes=-10"), Span::Part { first: 990, last: 999 });
        assert_eq!(asked("bytes=-5000"), Span::Part { first: 0, last: 999 });
    }

    #[test]
    fn a_range_behind_the_end_cannot_be_served() {
        assert_eq!(asked("bytes=1000-"), Span::Outside);
        assert_eq!(asked("bytes=-0"), Span::Outside);
        let headers = HeaderMap::from_iter([(header::RANGE, HeaderValue::from_static("bytes=0-"))]);
        assert_eq!(Span::asked(&headers, 0, None), Span::Outside);
    }

    #[test]
    fn what_is_malformed_or_of_several_ranges_is_answered_with_the_whole() {
        for range in ["bytes=", "bytes=-", "bytes=9-1", "bytes=a-b", "bytes=+1-2", "lines=1-2", "bytes=0-1,5-6", "x"] {
            assert_eq!(asked(range), Span::Whole, "{range}");
        }
    }

    #[test]
    fn a_range_holds_only_for_the_very_representation_it_was_asked_of() {
        let tag = HeaderValue::from_static("\"a\"");
        let headers = |if_range| {
            HeaderMap::from_iter([
                (header::RANGE, HeaderValue::from_static("bytes=0-1")),
                (header::IF_RANGE, HeaderValue::from_static(if_range)),
            ])
        };
        assert_eq!(Span::asked(&headers("\"a\""), 10, Some(&tag)), Span::Part { first: 0, last: 1 });
        for other in ["\"b\"", "W/\"a\"", "Sat, 29 Oct 1994 19:43:31 GMT"] {
            assert_eq!(Span::asked(&headers(other), 10, Some(&tag)), Span::Whole, "{other}");
        }
        assert_eq!(Span::asked(&headers("\"a\""), 10, None), Span::Whole);
    }
}
