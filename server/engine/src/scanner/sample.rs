//! What clamd must find: EICAR by itself, and at the end of any number of bytes.
//!
//! Signatures of EICAR hold for a file that begins with it, so bytes before it would hide it. In a tar archive it is
//! a file of its own, and the last: who finds it there has looked through all that was sent.

use std::io::Cursor;

use tokio::io::{AsyncRead, AsyncReadExt as _};

const BLOCK: u64 = 512;
/// A file before it, EICAR's own head, EICAR.
pub(super) const SMALLEST: u64 = 3 * BLOCK;

/// In two halves, lest some scanner take this program for it.
const HALVES: [&str; 2] = [r"X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-", "STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"];

pub(super) fn eicar() -> Vec<u8> {
    HALVES.concat().into_bytes()
}

/// A tar archive of `bytes` bytes, at least [`SMALLEST`]: nothing but zeros, then EICAR. Returns how many there are.
pub(super) fn with_eicar_at_the_end(bytes: u64) -> (impl AsyncRead + Unpin, u64) {
    let eicar = eicar();
    let bytes = bytes.max(SMALLEST);
    let room = bytes - 2 * BLOCK - eicar.len() as u64;
    let filler = room / BLOCK * BLOCK;
    let mut end = head("eicar.com", eicar.len() as u64);
    end.extend_from_slice(&eicar);
    let read = Cursor::new(head("filler", filler))
        .chain(tokio::io::repeat(0).take(filler))
        .chain(Cursor::new(end))
        .chain(tokio::io::repeat(0).take(room - filler));
    (read, bytes)
}

/// The head of a file in a tar archive (POSIX ustar).
fn head(name: &str, bytes: u64) -> Vec<u8> {
    let fields: [(usize, String); 9] = [
        (0, name.to_owned()),
        (100, "0000644\0".to_owned()),
        (108, "0000000\0".to_owned()),
        (116, "0000000\0".to_owned()),
        (124, format!("{bytes:011o}\0")),
        (136, "00000000000\0".to_owned()),
        // The sum is taken with spaces in its own place.
        (148, " ".repeat(8)),
        (156, "0".to_owned()),
        (257, "ustar\x0000".to_owned()),
    ];
    let mut head = vec![0; BLOCK as usize];
    let mut write = |(at, text): (usize, String)| {
        if let Some(place) = head.get_mut(at..at + text.len()) {
            place.copy_from_slice(text.as_bytes());
        }
    };
    fields.into_iter().for_each(&mut write);
    let sum: u32 = head.iter().map(|&byte: &u8| u32::from(byte)).sum();
    let sum = format!("{sum:06o}\0 ");
    if let Some(place) = head.get_mut(148..156) {
        place.copy_from_slice(sum.as_bytes());
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sample_has_the_size_asked_for_and_eicar_in_its_last_blocks() {
        for bytes in [0, SMALLEST, SMALLEST + 1, 4095, 100_000] {
            let (mut read, told) = with_eicar_at_the_end(bytes);
            let mut sample = Vec::new();
            read.read_to_end(&mut sample).await.unwrap();
            assert_eq!(sample.len() as u64, told);
            assert_eq!(told, bytes.max(SMALLEST));
            let at = sample.windows(68).position(|window| window == eicar()).unwrap();
            assert!(sample.len() - at < 68 + 512, "{at} of {}", sample.len());
        }
    }

    #[test]
    fn a_head_adds_up() {
        let head = head("filler", 1024);
        let told = u32::from_str_radix(std::str::from_utf8(&head[148..154]).unwrap(), 8).unwrap();
        let spaces = 8 * u32::from(b' ');
        let sum = head.iter().map(|&byte| u32::from(byte)).sum::<u32>()
            - head[148..156].iter().map(|&byte| u32::from(byte)).sum::<u32>();
        assert_eq!(told, sum + spaces);
        assert_eq!(&head[257..265], b"ustar\x0000");
    }
}
