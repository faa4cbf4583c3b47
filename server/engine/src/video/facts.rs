//! What ffprobe reads in a file's header, and whether that is a video that is taken in.

use std::{ffi::OsString, path::Path, time::Duration};

use serde::Deserialize;

use super::{Container, Video, VideoError, VideoLimits, address, sandbox::Ran};

/// Bytes that ffprobe may say.
pub(super) const MOST: u64 = 256 << 10;
/// A video may be longer than its limit by what rounding adds.
const ROUNDING: Duration = Duration::from_millis(500);
/// From this height on a video that does not say how its colours are meant follows the newer convention.
const HIGH_DEFINITION: u32 = 720;

/// How brightness and colours were mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matrix {
    Bt601,
    Bt709,
    Bt2020,
    /// Not at all, or as ffmpeg knows.
    Stated,
}

impl Matrix {
    /// As ffmpeg's scaler calls it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Bt601 => "bt601",
            Self::Bt709 => "bt709",
            Self::Bt2020 => "bt2020",
            Self::Stated => "auto",
        }
    }
}

pub(super) fn arguments(path: &Path, container: Container) -> Vec<OsString> {
    let entries = "stream=codec_type,codec_name,width,height,sample_aspect_ratio,color_space\
                   :stream_disposition=attached_pic:stream_side_data=rotation:format=duration";
    let mut arguments: Vec<OsString> = ["-v", "error", "-protocol_whitelist", "file", "-f", container.demuxer()]
        .into_iter()
        .chain(["-print_format", "json=compact=1", "-show_entries", entries, "-i"])
        .map(OsString::from)
        .collect();
    arguments.push(address(path));
    arguments
}

#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    streams: Vec<Stream>,
    #[serde(default)]
    format: Format,
}

#[derive(Deserialize, Default)]
struct Format {
    duration: Option<String>,
}

#[derive(Deserialize)]
struct Stream {
    codec_type: Option<String>,
    codec_name: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
    sample_aspect_ratio: Option<String>,
    color_space: Option<String>,
    #[serde(default)]
    disposition: Disposition,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

#[derive(Deserialize, Default)]
struct Disposition {
    #[serde(default)]
    attached_pic: u8,
}

#[derive(Deserialize)]
struct SideData {
    rotation: Option<f64>,
}

/// Makes a video of what ffprobe said.
pub(super) fn read(ran: &Ran, path: &Path, container: Container, limits: &VideoLimits) -> Result<Video, VideoError> {
    let damaged = |detail: String| VideoError::Damaged { container, detail };
    if !ran.success {
        return Err(damaged(last_words(&ran.complaint, path)));
    }
    let said: Said = serde_json::from_slice(&ran.output).map_err(|error| damaged(error.to_string()))?;
    let moving =
        |stream: &&Stream| stream.codec_type.as_deref() == Some("video") && stream.disposition.attached_pic == 0;
    let stream = said.streams.iter().find(moving).ok_or(VideoError::NoPictures)?;
    let codec = stream.codec_name.as_deref().unwrap_or("something unknown");
    if !container.plays(codec) {
        return Err(VideoError::Codec { codec: codec.to_owned(), container });
    }
    let duration = duration(said.format.duration.as_deref())?;
    if duration > limits.duration + ROUNDING {
        return Err(VideoError::TooLong { duration, limit: limits.duration });
    }
    let (coded_width, coded_height) = match (stream.width, stream.height) {
        (Some(width @ 1..), Some(height @ 1..)) => (width, height),
        _ => return Err(damaged("its pictures have no size".to_owned())),
    };
    let stretched = stretched(coded_width, stream.sample_aspect_ratio.as_deref());
    let (width, height) = if is_turned(stream) { (coded_height, stretched) } else { (stretched, coded_height) };
    let pixels = u64::from(coded_width) * u64::from(coded_height);
    if pixels.max(u64::from(width) * u64::from(height)) > limits.pixels {
        return Err(VideoError::TooManyPixels { width, height, limit: limits.pixels });
    }
    let matrix = matrix(stream.color_space.as_deref(), coded_height);
    Ok(Video { container, duration, width, height, pixels, matrix })
}

fn duration(text: Option<&str>) -> Result<Duration, VideoError> {
    let seconds = text.and_then(|text| text.parse::<f64>().ok()).filter(|seconds| *seconds > 0.0);
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or(VideoError::NoDuration)
}

/// The width once the pixels are square.
fn stretched(width: u32, ratio: Option<&str>) -> u32 {
    let parts = ratio.and_then(|ratio| ratio.split_once(':'));
    let parts = parts.and_then(|(across, down)| Some((across.parse::<f64>().ok()?, down.parse::<f64>().ok()?)));
    match parts {
        Some((across, down)) if across > 0.0 && down > 0.0 => {
            (f64::from(width) * across / down).round().max(1.0) as u32
        }
        _ => width,
    }
}

fn is_turned(stream: &Stream) -> bool {
    let rotation = stream.side_data_list.iter().find_map(|data| data.rotation).unwrap_or_default();
    (rotation / 90.0).round() as i64 % 2 != 0
}

fn matrix(stated: Option<&str>, height: u32) -> Matrix {
    match stated {
        Some("bt709") => Matrix::Bt709,
        Some("smpte170m" | "bt470bg") => Matrix::Bt601,
        Some("bt2020nc" | "bt2020c") => Matrix::Bt2020,
        None | Some("unknown") if height >= HIGH_DEFINITION => Matrix::Bt709,
        None | Some("unknown") => Matrix::Bt601,
        Some(_) => Matrix::Stated,
    }
}

/// The last line of what ffmpeg complained of, without its own addresses and without ours.
pub(super) fn last_words(complaint: &str, path: &Path) -> String {
    let line = complaint.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing of why").trim();
    let line = line.split_once("] ").filter(|_| line.starts_with('[')).map_or(line, |(_, words)| words);
    let address = address(path);
    let words = line.replace(&*address.to_string_lossy(), "").replace(&*path.to_string_lossy(), "");
    words.trim_start_matches([':', ' ']).chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(output: &str) -> Result<Video, VideoError> {
        let ran = Ran { success: true, output: output.as_bytes().to_vec(), complaint: String::new() };
        read(&ran, Path::new("/x"), Container::Mp4, &VideoLimits::default())
    }

    fn stream(more: &str) -> String {
        format!(
            "{{\"streams\": [{{\"codec_type\": \"audio\", \"codec_name\": \"aac\"}},
                {{\"codec_type\": \"video\", \"codec_name\": \"h264\", \"width\": 720, \"height\": 576{more}}}],
            \"format\": {{\"duration\": \"2.5\"}}}}"
        )
    }

    #[test]
    fn a_video_has_the_size_that_is_displayed() {
        let video = said(&stream("")).unwrap();
        assert_eq!((video.width, video.height, video.duration), (720, 576, Duration::from_millis(2500)));
        assert_eq!(video.matrix, Matrix::Bt601);
        let wide = said(&stream(", \"sample_aspect_ratio\": \"64:45\"")).unwrap();
        assert_eq!((wide.width, wide.height), (1024, 576));
        for rotation in ["90", "-90", "270.0"] {
            let turned = said(&stream(&format!(", \"side_data_list\": [{{}}, {{\"rotation\": {rotation}}}]"))).unwrap();
            assert_eq!((turned.width, turned.height), (576, 720), "{rotation}");
        }
        assert_eq!(said(&stream(", \"side_data_list\": [{\"rotation\": 180}]")).unwrap().width, 720);
    }

    #[test]
    fn what_is_not_taken_in_is_refused_with_the_reason() {
        let refused = |output: &str| said(output).unwrap_err();
        assert_eq!(refused("{}"), VideoError::NoPictures);
        assert_eq!(refused(&stream(", \"disposition\": {\"attached_pic\": 1}")), VideoError::NoPictures);
        assert!(
            matches!(refused(&stream("").replace("h264", "hevc")), VideoError::Codec { codec, .. } if codec == "hevc")
        );
        assert!(matches!(refused(&stream("").replace("2.5", "61")), VideoError::TooLong { .. }));
        assert!(said(&stream("").replace("2.5", "60.4")).is_ok());
        for nothing in ["N/A", "0", "-1", "nan", "1e99"] {
            assert_eq!(refused(&stream("").replace("2.5", nothing)), VideoError::NoDuration, "{nothing}");
        }
        assert!(matches!(refused(&stream("").replace("576", "576000")), VideoError::TooManyPixels { .. }));
        let stretched = stream(", \"sample_aspect_ratio\": \"9999999:1\"");
        assert!(matches!(refused(&stretched), VideoError::TooManyPixels { .. }));
        assert!(matches!(refused(&stream("").replace("576", "0")), VideoError::Damaged { .. }));
        assert!(matches!(refused("no"), VideoError::Damaged { .. }));
    }

    #[test]
    fn a_complaint_tells_nothing_of_where_files_are() {
        let path = Path::new("/data/tmp/original-1");
        let complaint = "[mov @ 0x55] moov atom not found\nfile:/data/tmp/original-1: Invalid data found\n\n";
        assert_eq!(last_words(complaint, path), "Invalid data found");
        assert_eq!(last_words("[h264 @ 0x55] no frame!", path), "no frame!");
        assert_eq!(last_words("", path), "it says nothing of why");
    }
}
