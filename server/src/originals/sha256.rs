//! The SHA-256 of a content: the name of an original.

use std::{
    fmt,
    io::{self, Read},
    str::FromStr,
};

use sha2::Digest as _;

/// The SHA-256 of some bytes; written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256([u8; 32]);

/// A text that is not 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a SHA-256: 64 lower-case hexadecimal digits")]
pub struct NotASha256(String);

impl Sha256 {
    pub fn of(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::default();
        hasher.update(bytes);
        hasher.finish()
    }

    /// Reads to the end; returns the number of bytes, too.
    pub fn of_reader(mut reader: impl Read) -> io::Result<(Self, u64)> {
        let mut hasher = Hasher::default();
        let mut buffer = vec![0; 128 * 1024];
        let mut total = 0;
        loop {
            let read = match reader.read(&mut buffer) {
                Ok(0) => return Ok((hasher.finish(), total)),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hasher.update(&buffer[..read]);
            total += read as u64;
        }
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Hashes bytes as they come.
#[derive(Clone, Default)]
pub struct Hasher(sha2::Sha256);

impl Hasher {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub fn finish(self) -> Sha256 {
        Sha256(self.0.finalize().into())
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Sha256 {
    type Err = NotASha256;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || NotASha256(text.to_owned());
        let mut bytes = [0; 32];
        let digits = text.as_bytes();
        if digits.len() != 2 * bytes.len() {
            return Err(wrong());
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let (Some(high), Some(low)) = (digit(pair[0]), digit(pair[1])) else { return Err(wrong()) };
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

const fn digit(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn the_hash_of_nothing_is_the_known_one() {
        assert_eq!(Sha256::of(b"").to_string(), OF_NOTHING);
        assert_eq!(OF_NOTHING.parse(), Ok(Sha256::of(b"")));
    }

    #[test]
    fn a_reader_gives_the_same_hash_and_the_size() {
        let bytes: Vec<u8> = (0..300_000_u32).map(|n| n as u8).collect();
        assert_eq!(Sha256::of_reader(&bytes[..]).unwrap(), (Sha256::of(&bytes), 300_000));
    }

    #[test]
    fn only_64_lower_case_digits_are_a_hash() {
        let upper = OF_NOTHING.to_uppercase();
        let path = format!("../{}", &OF_NOTHING[3..]);
        for wrong in ["", &OF_NOTHING[1..], &upper, &path, &"é".repeat(32)] {
            assert_eq!(wrong.parse::<Sha256>(), Err(NotASha256(wrong.to_owned())));
        }
    }
}
