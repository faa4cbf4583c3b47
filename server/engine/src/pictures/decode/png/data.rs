//! A PNG's picture data at once: what its IDAT chunks hold, checked, put together and inflated.

use std::borrow::Cow;

use libdeflater::Decompressor;

const SIGNATURE: usize = 8;

/// The `length` bytes of a file's filtered rows, and `slack` more that mean nothing. None where anything is not as it must
/// be: what that is, and whether it matters, the crate `png` says.
pub(super) fn inflated(file: &[u8], length: usize, slack: usize) -> Option<Vec<u8>> {
    let deflated = put_together(file)?;
    let (head, deflated) = deflated.split_first_chunk()?;
    let [method, flags] = *head;
    let sound = method & 0x0f == 8 && method >> 4 <= 7 && flags & 0x20 == 0;
    if !sound || !u16::from_be_bytes(*head).is_multiple_of(31) {
        return None;
    }
    let mut rows = vec![0; length + slack];
    // Without its checksum at the end: each chunk has one of its own.
    let there = Decompressor::new().deflate_decompress(deflated, &mut rows[..length]).ok()?;
    (there == length).then_some(rows)
}

fn put_together(file: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut rest = file.get(SIGNATURE..)?;
    let mut data = Cow::Borrowed(&[][..]);
    loop {
        let (length, kind) = (rest.first_chunk()?, rest.get(4..8)?);
        let end = usize::try_from(u32::from_be_bytes(*length)).ok()?.checked_add(12)?;
        let chunk = rest.get(4..end)?;
        rest = rest.get(end..)?;
        if kind == b"IDAT" {
            let (checked, sum) = chunk.split_last_chunk()?;
            if libdeflater::crc32(checked) != u32::from_be_bytes(*sum) {
                return None;
            }
            let content = checked.get(4..)?;
            if data.is_empty() { data = Cow::Borrowed(content) } else { data.to_mut().extend_from_slice(content) }
        } else if !data.is_empty() {
            return Some(data);
        }
    }
}
