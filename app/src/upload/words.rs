//! Sizes, times and sums as people read them.

/// A byte count, in powers of 1000.
pub(crate) fn size(bytes: u64) -> String {
    let (whole, unit) = match bytes {
        0..1_000 => return [&bytes.to_string(), " B"].concat(),
        1_000..1_000_000 => (bytes / 100, " kB"),
        _ => (bytes / 100_000, " MB"),
    };
    let tenth = (whole % 10).to_string();
    [&(whole / 10).to_string(), ".", &tenth, unit].concat()
}

/// A limit as it was set: in powers of 1024 where it is one of those.
pub(crate) fn limit(bytes: u64) -> String {
    match (bytes >> 20, bytes & ((1 << 20) - 1)) {
        (whole @ 1.., 0) => [&whole.to_string(), " MiB"].concat(),
        _ => size(bytes),
    }
}

/// How much longer, roughly: a number that jumps about would be less true.
pub(crate) fn left(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => "a few seconds left".to_owned(),
        s if s < 55.0 => ["about ", &((s / 10.0).ceil() as u32 * 10).to_string(), " s left"].concat(),
        s if s < 90.0 => "about a minute left".to_owned(),
        s if s < 5400.0 => ["about ", &((s / 60.0).round() as u32).to_string(), " min left"].concat(),
        s => ["about ", &((s / 3600.0).round() as u32).to_string(), " h left"].concat(),
    }
}

/// `3 pictures`, `1 picture`.
pub(crate) fn count(count: u32, one: &str, many: &str) -> String {
    [count.to_string().as_str(), " ", if count == 1 { one } else { many }].concat()
}

/// The parts that are not nothing, as a list: `298 added, 1 already here`.
pub(crate) fn list(parts: &[(u32, &str)]) -> String {
    let mut text = String::new();
    for (count, word) in parts.iter().filter(|(count, _)| *count > 0) {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&[&count.to_string(), " ", word].concat());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_by_people() {
        assert_eq!(size(999), "999 B");
        assert_eq!(size(1_234), "1.2 kB");
        assert_eq!(size(52_400_000), "52.4 MB");
        assert_eq!((limit(50 << 20), limit(1_000_000)), ("50 MiB".to_owned(), "1.0 MB".to_owned()));
    }

    #[test]
    fn the_time_left_is_told_as_roughly_as_it_is_known() {
        for (seconds, text) in [
            (3.2, "a few seconds left"),
            (12.0, "about 20 s left"),
            (70.0, "about a minute left"),
            (200.0, "about 3 min left"),
            (5399.0, "about 90 min left"),
            (7300.0, "about 2 h left"),
        ] {
            assert_eq!(left(seconds), text);
        }
    }

    #[test]
    fn a_list_leaves_out_what_is_nothing() {
        assert_eq!(list(&[(298, "added"), (0, "already here"), (2, "refused")]), "298 added, 2 refused");
        assert_eq!(list(&[(0, "added")]), "");
        assert_eq!(count(1, "picture", "pictures"), "1 picture");
        assert_eq!(count(0, "picture", "pictures"), "0 pictures");
    }
}
