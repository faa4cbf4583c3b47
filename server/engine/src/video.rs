//! Videos: what a file says of itself, and one of its pictures.
//!
//! The work is done by ffmpeg and ffprobe, in processes that may do nothing else: they read this one file with the one
//! demuxer that its first bytes call for, have no network, no environment and nothing to write to but a pipe, and are
//! killed when they take too long, too much memory or say too much. Without ffmpeg videos are refused. Must never know
//! a request, an account or a database, and never trust what ffmpeg was told by the file.

mod error;
mod facts;
mod frame;
mod sandbox;
mod sniff;
#[cfg(test)]
mod tests;
mod tools;
mod whole;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::sync::Semaphore;

use self::sandbox::{Bounds, Ran};
pub use self::{
    error::VideoError,
    sniff::{Container, HEAD},
    tools::{NoTools, Tools},
};

/// Processes at once, whatever the number of cores. Each holds a few files of this one: see [`DESCRIPTORS`].
pub const PROCESSES: usize = 4;
/// Files that all processes together hold open here: two pipes each, and two for a moment while it starts.
pub const DESCRIPTORS: usize = PROCESSES * 4;
/// Bytes that a process takes to look at a file's header.
pub const PROBE_BYTES: u64 = 64 << 20;

/// What a decode takes whatever the size.
const BASE: u64 = 96 << 20;
/// For each pixel: up to sixteen pictures that later ones refer to, and the one that goes out.
const OF_A_PIXEL: u64 = 48;

/// What a video may ask for.
#[derive(Clone, Copy, Debug)]
pub struct VideoLimits {
    /// The longest that is taken in; zero takes in none.
    pub duration: Duration,
    /// Pixels of one of its pictures.
    pub pixels: u64,
    /// The longest that one process may run.
    pub deadline: Duration,
}

impl Default for VideoLimits {
    fn default() -> Self {
        Self { duration: Duration::from_secs(60), pixels: 100_000_000, deadline: Duration::from_secs(30) }
    }
}

/// A video that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Video {
    pub container: Container,
    pub duration: Duration,
    /// As displayed, in pixels.
    pub width: u32,
    /// As displayed, in pixels.
    pub height: u32,
    /// As coded, before turning and stretching.
    pixels: u64,
    matrix: facts::Matrix,
}

impl Video {
    /// Bytes that a process takes to decode one of its pictures: more it is not given.
    pub fn weight(&self) -> u64 {
        let pixels = self.pixels.max(u64::from(self.width) * u64::from(self.height));
        BASE + pixels * OF_A_PIXEL
    }
}

/// Reads videos, where the tools for it are there. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Videos {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    tools: Result<Tools, NoTools>,
    limits: VideoLimits,
    processes: Arc<Semaphore>,
}

impl Videos {
    pub fn new(tools: Result<Tools, NoTools>, limits: VideoLimits) -> Self {
        Self { shared: Arc::new(Shared { tools, limits, processes: Arc::new(Semaphore::new(PROCESSES)) }) }
    }

    /// What the header says, if it is of a video that is taken in. Takes [`PROBE_BYTES`].
    ///
    /// # Errors
    /// Why it is not.
    pub async fn probe(&self, path: &Path, container: Container) -> Result<Video, VideoError> {
        let limits = self.shared.limits;
        if limits.duration.is_zero() {
            return Err(VideoError::Unwanted);
        }
        let tools = self.tools()?;
        let file = path.to_owned();
        tokio::task::spawn_blocking(move || whole::check(&file, container))
            .await
            .map_err(|error| VideoError::Failed(error.to_string()))??;
        let ran = self.run(tools.ffprobe(), &facts::arguments(path, container), PROBE_BYTES, facts::MOST).await?;
        facts::read(&ran, path, container, &limits)
    }

    /// One picture of it, as a PNG of the size that is displayed. Takes [`Video::weight`].
    ///
    /// # Errors
    /// No picture could be had.
    pub async fn frame(&self, path: &Path, video: &Video) -> Result<Vec<u8>, VideoError> {
        let tools = self.tools()?;
        // Into the video a little: many begin in the dark.
        let at = (video.duration / 10).min(Duration::from_secs(1));
        for at in [at, Duration::ZERO] {
            let arguments = frame::arguments(path, video, at, self.shared.limits.pixels);
            let most = frame::most(video);
            let ran = self.run(tools.ffmpeg(), &arguments, video.weight(), most).await?;
            if let Some(picture) = frame::read(ran, path, video)? {
                return Ok(picture);
            }
        }
        Err(VideoError::NoPictures)
    }

    fn tools(&self) -> Result<&Tools, VideoError> {
        self.shared.tools.as_ref().map_err(|missing| VideoError::NoTools(missing.clone()))
    }

    async fn run(
        &self,
        program: &Path,
        arguments: &[std::ffi::OsString],
        memory: u64,
        output: u64,
    ) -> Result<Ran, VideoError> {
        let place = self.shared.processes.clone().acquire_owned().await;
        let place = place.map_err(|error| VideoError::Failed(error.to_string()))?;
        let bounds = Bounds { memory, output, wall: self.shared.limits.deadline };
        let ran = sandbox::run(self.tools()?.prlimit(), program, arguments, bounds, place).await;
        ran.map_err(|broken| VideoError::of(broken, self.shared.limits.deadline))
    }
}

/// The file as ffmpeg is to take it: a path, whatever it looks like.
fn address(path: &Path) -> std::ffi::OsString {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    let mut address = std::ffi::OsString::from("file:");
    address.push(absolute);
    address
}
