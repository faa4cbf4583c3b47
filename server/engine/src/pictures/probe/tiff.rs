//! The first directory of a TIFF, read to learn how much its tables will take: the decoder believes their counts.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::{Format, PROFILE_LIMIT, Unreadable};

/// More fields than any program writes.
const MOST_FIELDS: u64 = 1000;
/// More strips or tiles than any picture has that may be decoded.
const MOST_VALUES: u64 = 1 << 20;
/// What a decoded value takes in the decoder's tables, old and new while they grow.
const OF_A_VALUE: u64 = 80;

/// What the directory says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Directory {
    /// Bytes that its tables take once they are decoded.
    pub(super) tables: u64,
    /// Bytes of the colour profile that is used.
    pub(super) profile: u64,
}

/// Reads the first directory and leaves the reader at the beginning.
pub(super) fn directory<R: Read + Seek>(reader: &mut BufReader<R>, file_bytes: u64) -> Result<Directory, Unreadable> {
    let mut head = [0; 16];
    reader.read_exact(&mut head[..8]).map_err(|_| cut())?;
    let mut fields = Fields { reader, little: head[0] == b'I', wide: head[2] == 43 || head[3] == 43 };
    let mut at = fields.number(&head[4..8]);
    if fields.wide {
        fields.reader.read_exact(&mut head[8..]).map_err(|_| cut())?;
        at = fields.number(&head[8..]);
    }
    fields.reader.seek(SeekFrom::Start(at)).map_err(|_| cut())?;
    let count = fields.take(if fields.wide { 8 } else { 2 })?;
    if count > MOST_FIELDS {
        return Err(damaged("its directory has too many fields"));
    }
    let mut found = Directory::default();
    for _ in 0..count {
        fields.next(file_bytes, &mut found)?;
    }
    reader.rewind().map_err(|_| cut())?;
    Ok(found)
}

struct Fields<'a, R> {
    reader: &'a mut BufReader<R>,
    little: bool,
    /// With eight bytes for each count and place, not four.
    wide: bool,
}

impl<R: Read + Seek> Fields<'_, R> {
    fn next(&mut self, file_bytes: u64, found: &mut Directory) -> Result<(), Unreadable> {
        let (tag, kind) = (self.take(2)?, self.take(2)?);
        let long = if self.wide { 8 } else { 4 };
        let (count, place) = (self.take(long)?, self.take(long)?);
        let each = match kind {
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16 | 17 | 18 => 8,
            _ => 1,
        };
        let bytes = count.saturating_mul(each);
        if bytes > long as u64 && place.saturating_add(bytes) > file_bytes {
            return Err(cut());
        }
        match tag {
            // A profile.
            34_675 => found.profile = if bytes <= PROFILE_LIMIT { bytes } else { 0 },
            // Metadata that nobody reads here: XMP, IPTC, Photoshop's, and what Leica and others hide in their files.
            700 | 33_723 | 34_377 | 37_500.. => {}
            _ if count > MOST_VALUES => return Err(damaged("one of its fields has too many values")),
            _ => found.tables += count * OF_A_VALUE,
        }
        Ok(())
    }

    fn take(&mut self, bytes: usize) -> Result<u64, Unreadable> {
        let mut buffer = [0; 8];
        let taken = buffer.get_mut(..bytes).ok_or_else(cut)?;
        self.reader.read_exact(taken).map_err(|_| cut())?;
        Ok(self.number(&buffer[..bytes]))
    }

    fn number(&self, bytes: &[u8]) -> u64 {
        let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if self.little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) }
    }
}

fn cut() -> Unreadable {
    Unreadable::Truncated { format: Format::Tiff, detail: "a field lies behind its end".to_owned() }
}

fn damaged(detail: &str) -> Unreadable {
    Unreadable::Damaged { format: Format::Tiff, detail: detail.to_owned() }
}
