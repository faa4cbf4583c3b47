//! What clamd calls itself and its signatures: `ClamAV 1.4.3/27500/Mon Dec  1 09:11:12 2025`.

/// Which clamd it is, and which signatures it has loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Such as `ClamAV 1.4.3`.
    pub engine: String,
    /// Absent where only signatures of one's own are loaded.
    pub signatures: Option<Signatures>,
}

/// The official signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signatures {
    /// Such as `27500`.
    pub version: String,
    /// When they were made, in seconds since 1970, by clamd's own clock and taken for UTC; absent if it cannot be read.
    pub made: Option<i64>,
}

impl Version {
    /// Reads an answer to `VERSION`; nothing where it is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '/');
        let engine =
            parts.next().filter(|engine| engine.starts_with("ClamAV ") && !engine.contains(char::is_control))?;
        let signatures = parts.next().map(|version| Signatures {
            version: version.chars().filter(char::is_ascii_alphanumeric).take(20).collect(),
            made: parts.next().and_then(seconds),
        });
        Some(Self { engine: engine.to_owned(), signatures })
    }
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// From the manner of `asctime`: `Mon Dec  1 09:11:12 2025`.
fn seconds(text: &str) -> Option<i64> {
    let mut words = text.split_whitespace().skip(1);
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    let day: i64 = words.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let mut clock = words.next()?.splitn(3, ':').map(|part| part.parse::<i64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let year: i64 = words.next()?.parse().ok().filter(|year| (1970..10_000).contains(year))?;
    Some(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// Days since 1970 of a date in the Gregorian calendar; a year is counted from March, so that its last day is the leap day.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let since_march = (month + 9) % 12;
    let day_of_year = (153 * since_march + 2) / 5 + day - 1;
    year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_and_signatures_are_told_apart() {
        let version = Version::read("ClamAV 1.4.3/27500/Mon Dec  1 09:11:12 2025").unwrap();
        assert_eq!(version.engine, "ClamAV 1.4.3");
        let signatures = version.signatures.unwrap();
        assert_eq!((signatures.version.as_str(), signatures.made), ("27500", Some(1_764_580_272)));
    }

    #[test]
    fn dates_around_a_leap_day_are_right() {
        for (text, expected) in [
            ("Thu Jan  1 00:00:00 1970", 0),
            ("Thu Feb 29 12:00:00 2024", 1_709_208_000),
            ("Fri Mar  1 00:00:00 2024", 1_709_251_200),
            ("Wed Dec 31 23:59:59 2025", 1_767_225_599),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        for wrong in ["", "Mon", "Mon Dez  1 09:11:12 2025", "Mon Dec 40 09:11:12 2025", "Mon Dec  1 09:11 2025"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn without_official_signatures_there_is_only_the_engine() {
        let version = Version::read("ClamAV 1.4.3").unwrap();
        assert_eq!(version, Version { engine: "ClamAV 1.4.3".to_owned(), signatures: None });
        for wrong in ["", "PONG", "UNKNOWN COMMAND", "ClamAV\n1"] {
            assert_eq!(Version::read(wrong), None, "{wrong}");
        }
    }
}
