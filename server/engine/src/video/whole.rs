//! Whether a file is as long as its own boxes say. ffmpeg shows the first pictures of one that is cut, and says nothing.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use super::{Container, VideoError, sniff::number};

/// The identifier of what holds everything in a WebM.
const SEGMENT: [u8; 4] = [0x18, 0x53, 0x80, 0x67];

/// Refuses a file that ends before it should. Blocks, for a few reads.
pub(super) fn check(path: &Path, container: Container) -> Result<(), VideoError> {
    let failed = |error: std::io::Error| VideoError::Failed(error.to_string());
    let mut file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let fault = match container {
        Container::Mp4 => boxes(&mut file, length),
        Container::WebM => segment(&mut file, length),
    };
    fault.map_or(Ok(()), |detail| Err(VideoError::Truncated { container, detail }))
}

fn boxes(file: &mut File, length: u64) -> Option<&'static str> {
    let (mut at, mut indexed) = (0_u64, false);
    while let Some(header) = read::<8>(file, at) {
        let [a, b, c, d, name @ ..] = header;
        let size = match u32::from_be_bytes([a, b, c, d]) {
            // To the end of the file.
            0 => length - at,
            1 => read::<8>(file, at + 8).map_or(u64::MAX, u64::from_be_bytes),
            size => u64::from(size),
        };
        // What follows the last box is nobody's business.
        if size < 8 || !name.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ') {
            break;
        }
        indexed |= name == *b"moov";
        match at.checked_add(size) {
            Some(end) if end <= length => at = end,
            _ => return Some("it ends within its pictures"),
        }
    }
    (!indexed).then_some("its index is missing")
}

fn segment(file: &mut File, length: u64) -> Option<&'static str> {
    const CUT: Option<&str> = Some("it ends within its header");
    let Some((header, used)) = read_number(file, 4) else { return CUT };
    // A header of unknown length is none that anybody writes.
    let Some(at) = header.checked_add(4 + used) else { return CUT };
    if read::<4>(file, at)? != SEGMENT {
        return CUT;
    }
    match read_number(file, at + 4) {
        None => CUT,
        // A file of unknown length, as cameras write it while they record.
        Some((u64::MAX, _)) => None,
        Some((size, used)) => (at + 4 + used).saturating_add(size).gt(&length).then_some("it ends within its pictures"),
    }
}

fn read_number(file: &mut File, at: u64) -> Option<(u64, u64)> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at)).ok()?;
    file.take(8).read_to_end(&mut bytes).ok()?;
    number(&bytes).map(|(value, used)| (value, used as u64))
}

fn read<const N: usize>(file: &mut File, at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}
