//! ZIP archives written by hand, so that they can lie.

use std::io::Write as _;

use flate2::{Compression, Crc, write::DeflateEncoder};

/// One entry, of which every word can be set.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) path: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) data: Vec<u8>,
    pub(crate) crc: u32,
    /// As it is claimed.
    pub(crate) unpacked: u32,
    /// The upper half of the external attributes.
    pub(crate) mode: u16,
    /// Where its head is said to be; where it is, if nothing is said.
    pub(crate) offset: Option<u32>,
}

impl Entry {
    /// An honest one, deflated.
    pub(crate) fn new(path: &str, content: &[u8]) -> Self {
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        packed.write_all(content).unwrap();
        Self { method: 8, data: packed.finish().unwrap(), ..Self::stored(path, content) }
    }

    /// An honest one, stored as it is.
    pub(crate) fn stored(path: &str, content: &[u8]) -> Self {
        let mut crc = Crc::new();
        crc.update(content);
        Self {
            path: path.as_bytes().to_vec(),
            flags: 1 << 11,
            method: 0,
            data: content.to_vec(),
            crc: crc.sum(),
            unpacked: u32::try_from(content.len()).unwrap(),
            mode: 0o100_644,
            offset: None,
        }
    }

    fn sizes(&self, bytes: &mut Vec<u8>) {
        bytes.extend([0; 4]);
        bytes.extend(self.crc.to_le_bytes());
        bytes.extend(u32::try_from(self.data.len()).unwrap().to_le_bytes());
        bytes.extend(self.unpacked.to_le_bytes());
        bytes.extend(u16::try_from(self.path.len()).unwrap().to_le_bytes());
        bytes.extend([0; 2]);
    }
}

/// The archive of these entries.
pub(crate) fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = entry.offset.unwrap_or_else(|| u32::try_from(bytes.len()).unwrap());
        directory.extend(*b"PK\x01\x02\x14\x03\x14\x00");
        directory.extend(entry.flags.to_le_bytes());
        directory.extend(entry.method.to_le_bytes());
        entry.sizes(&mut directory);
        directory.extend([0; 8]);
        directory.extend(entry.mode.to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(&entry.path);
        if entry.offset.is_none() {
            bytes.extend(*b"PK\x03\x04\x14\x00");
            bytes.extend(entry.flags.to_le_bytes());
            bytes.extend(entry.method.to_le_bytes());
            entry.sizes(&mut bytes);
            bytes.extend(&entry.path);
            bytes.extend(&entry.data);
        }
    }
    // The count has 16 bits; readers go by the directory itself.
    let (count, begin, length) = (entries.len() as u16, bytes.len(), directory.len());
    bytes.extend(directory);
    bytes.extend(*b"PK\x05\x06\x00\x00\x00\x00");
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend(u32::try_from(length).unwrap().to_le_bytes());
    bytes.extend(u32::try_from(begin).unwrap().to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}
