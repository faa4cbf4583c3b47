//! Why a video is refused, in words that a person can act on.

use std::time::Duration;

use super::{NoTools, sandbox::Broken, sniff::Container};

/// Why a file cannot become a video of the studio. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VideoError {
    #[error("this is a video, and videos are not taken in: {0}")]
    NoTools(NoTools),
    #[error("this is a video, and videos are not taken in here; an admin can allow them (AVATARS_DURATION_LIMIT)")]
    Unwanted,
    #[error("the {container} file is cut off: {detail}; copy it again from where it came")]
    Truncated { container: Container, detail: &'static str },
    #[error("the {container} file cannot be read: {detail}; export it again, as MP4 (H.264) or WebM")]
    Damaged { container: Container, detail: String },
    #[error("there are no moving pictures in it; pictures and videos are taken in, sound is not")]
    NoPictures,
    #[error(
        "its pictures are coded as {codec}, which browsers do not play from {container}; convert it first \
         (ffmpeg -i video -c:v libx264 -pix_fmt yuv420p video.mp4)"
    )]
    Codec { codec: String, container: Container },
    #[error("it does not say how long it lasts; write it once more (ffmpeg -i video.webm -c copy whole.webm)")]
    NoDuration,
    #[error("it lasts {} s, more than the {} s that are taken in; cut it first", .duration.as_secs(), .limit.as_secs())]
    TooLong { duration: Duration, limit: Duration },
    #[error("{width} × {height} pixels are more than the {limit} that may be decoded; scale it down first")]
    TooManyPixels { width: u32, height: u32, limit: u64 },
    #[error("reading the video took longer than {} s", .0.as_secs())]
    TooSlow(Duration),
    #[error("reading the video took more than a video of its size may take; export it again, as MP4 (H.264) or WebM")]
    TooMuch,
    /// Not the video's fault.
    #[error("the video could not be read just now: {0}")]
    Failed(String),
}

impl VideoError {
    /// Whether asking again cannot help.
    pub const fn lasting(&self) -> bool {
        !matches!(self, Self::NoTools(_) | Self::Unwanted | Self::Failed(_))
    }

    pub(super) fn of(broken: Broken, deadline: Duration) -> Self {
        match broken {
            Broken::TooSlow => Self::TooSlow(deadline),
            Broken::TooMuch => Self::TooMuch,
            Broken::Failed(error) => Self::Failed(error),
        }
    }
}
