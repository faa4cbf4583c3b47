//! Why a file is refused, in words that a person can act on.

use super::probe::Format;

/// Why a file cannot become a picture of the studio.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("the file is empty")]
    Empty,
    #[error("this is {what}, not a picture; JPEG, PNG, WebP, GIF, TIFF and BMP are read, and MP4 and WebM videos")]
    NotAPicture { what: &'static str },
    #[error("{what} is not supported: {hint}")]
    Unsupported { what: &'static str, hint: &'static str },
    #[error("this kind of {format} is not supported: {detail}; save it as a plain {format} or PNG")]
    Variant { format: Format, detail: String },
    #[error("{width} × {height} pixels are more than the {limit} that may be decoded; scale it down first")]
    TooManyPixels { width: u32, height: u32, limit: u64 },
    #[error("the {format} file is cut off: {detail}; copy it again from where it came")]
    Truncated { format: Format, detail: String },
    #[error("the {format} file is damaged: {detail}; copy or export it again")]
    Damaged { format: Format, detail: String },
    #[error("the {format} file could not be decoded; the decoder failed in a way that it should not: {detail}")]
    Panicked { format: Format, detail: String },
}
