//! Reading, writing and naming files, with the path in every error.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};

use crate::SiteError;

/// Says which file it was.
pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> SiteError {
    move |source| SiteError::File { path: path.to_owned(), source }
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, SiteError> {
    fs::read(path).map_err(at(path))
}

/// Writes a file and makes the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), SiteError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    fs::write(path, bytes).map_err(at(path))
}

/// Every file below a folder, in name order; none where the folder is missing.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>, SiteError> {
    let mut found = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let path = entry.map_err(at(folder))?.path();
            if path.is_dir() { found.extend(below(&path)?) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

/// The first 16 hexadecimal digits of the SHA-256: enough to tell versions of one file apart.
pub(crate) fn short_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

/// Writes a file together with what a server may send instead: `.br` (quality 11) and `.gz` (level 9), each only
/// where it is smaller.
pub(crate) fn write_compressed(path: &Path, bytes: &[u8]) -> Result<(), SiteError> {
    let failed = |source| SiteError::Compress { name: path.display().to_string(), source };
    write(path, bytes)?;
    let mut brotli = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut brotli, &params).map_err(failed)?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes).map_err(failed)?;
    let gzip = gzip.finish().map_err(failed)?;
    for (extension, packed) in [("br", brotli), ("gz", gzip)] {
        if packed.len() < bytes.len() {
            write(&path.with_added_extension(extension), &packed)?;
        }
    }
    Ok(())
}
