//! One picture of a video, by ffmpeg, as a PNG in the size that is displayed.

use std::{ffi::OsString, path::Path, time::Duration};

use super::{Video, VideoError, address, facts::last_words, sandbox::Ran};

/// Bytes that the PNG can have at most: its pixels, and what a PNG adds that compresses nothing.
pub(super) fn most(video: &Video) -> u64 {
    let (width, height) = (u64::from(video.width), u64::from(video.height));
    let rows = height * (width * 3 + 1);
    rows + rows / 100 + (64 << 10)
}

pub(super) fn arguments(path: &Path, video: &Video, at: Duration, pixels: u64) -> Vec<OsString> {
    let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
    let scale = format!("scale={}:{}:in_color_matrix={},setsar=1", video.width, video.height, video.matrix.name());
    let (at, pixels) = (format!("{:.3}", at.as_secs_f64()), pixels.to_string());
    let mut arguments = words(&["-nostdin", "-hide_banner", "-v", "error", "-filter_threads", "1"]);
    // Of the input: no network, no other file, no other format, one thread, no picture that is larger than it says.
    arguments.extend(words(&["-protocol_whitelist", "file,pipe", "-f", video.container.demuxer()]));
    arguments.extend(words(&["-threads", "1", "-max_pixels", &pixels, "-ss", &at, "-i"]));
    arguments.push(address(path));
    // Of the output: one picture of the moving ones, nothing else.
    arguments.extend(words(&["-map", "0:V:0", "-an", "-sn", "-dn", "-map_metadata", "-1", "-frames:v", "1"]));
    arguments.extend(words(&["-vf", &scale, "-threads", "1", "-pix_fmt", "rgb24"]));
    arguments.extend(words(&["-c:v", "png", "-compression_level", "1", "-f", "image2pipe", "pipe:1"]));
    arguments
}

/// The picture; none where the video has none at that moment.
pub(super) fn read(ran: Ran, path: &Path, video: &Video) -> Result<Option<Vec<u8>>, VideoError> {
    let Ran { success, output, complaint } = ran;
    match (success, output.is_empty()) {
        (true, false) => Ok(Some(output)),
        // Past the last picture, ffmpeg is content with none.
        (true, true) => Ok(None),
        (false, _) => Err(VideoError::Damaged { container: video.container, detail: last_words(&complaint, path) }),
    }
}
