//! How a setting's text becomes a value. Each returns the rest of the sentence "… is not …" where it cannot.

use std::{fmt::Display, str::FromStr, time::Duration};

use bytesize::ByteSize;

pub(super) fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "is not a whole number".to_owned())
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "is not a time such as 500ms, 15s or 2m".to_owned())
}

pub(super) fn bytes(text: &str) -> Result<u64, String> {
    text.parse::<ByteSize>().map(|size| size.as_u64()).map_err(|_| "is not a size such as 50MiB or 2GiB".to_owned())
}

/// Between commas; nothing is an empty list.
pub(super) fn list<T: FromStr<Err: Display>>(text: &str) -> Result<Vec<T>, String> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_err(|error: T::Err| error.to_string())).collect()
}

pub(super) fn word<T: Copy>(text: &str, known: &[(&str, T)]) -> Result<T, String> {
    known.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<_> = known.iter().map(|(word, _)| *word).collect();
        format!("is not one of {}", words.join(", "))
    })
}

pub(super) fn show_bytes(bytes: u64) -> String {
    ByteSize(bytes).display().iec().to_string()
}
