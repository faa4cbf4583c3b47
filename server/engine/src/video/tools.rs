//! The programs that read videos: found once, at the start, and tried in the very bounds that they will have.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    PROBE_BYTES,
    sandbox::{self, Bounds, Broken},
};

/// Why videos cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTools {
    #[error("{0} is not installed on the server")]
    Missing(&'static str),
    #[error("{program} does not run on the server: {reason}")]
    Broken { program: &'static str, reason: String },
}

/// Where the programs are.
#[derive(Clone, Debug)]
pub struct Tools {
    ffmpeg: PathBuf,
    ffprobe: PathBuf,
    prlimit: PathBuf,
    version: String,
}

impl Tools {
    /// Looks for the programs where the shell would, and runs them once.
    ///
    /// # Errors
    /// One of them is not there, or does not work.
    pub async fn find() -> Result<Self, NoTools> {
        let tools = Self {
            ffmpeg: find("ffmpeg")?,
            ffprobe: find("ffprobe")?,
            prlimit: find("prlimit")?,
            version: String::new(),
        };
        let (ffmpeg, ffprobe) =
            tokio::join!(tools.try_out("ffmpeg", &tools.ffmpeg), tools.try_out("ffprobe", &tools.ffprobe));
        ffprobe?;
        Ok(Self { version: ffmpeg?, ..tools })
    }

    /// What ffmpeg says of itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(super) fn ffmpeg(&self) -> &Path {
        &self.ffmpeg
    }

    pub(super) fn ffprobe(&self) -> &Path {
        &self.ffprobe
    }

    pub(super) fn prlimit(&self) -> &Path {
        &self.prlimit
    }

    async fn try_out(&self, program: &'static str, path: &Path) -> Result<String, NoTools> {
        let broken = |reason: String| NoTools::Broken { program, reason };
        let bounds = Bounds { memory: PROBE_BYTES, output: 64 << 10, wall: Duration::from_secs(30) };
        let ran = sandbox::run(&self.prlimit, path, &["-version".into()], bounds, ()).await.map_err(|error| {
            broken(match error {
                Broken::TooSlow => "it does not answer".to_owned(),
                Broken::TooMuch => "it takes more memory than it is given".to_owned(),
                Broken::Failed(reason) => reason,
            })
        })?;
        if !ran.success {
            return Err(broken(ran.complaint));
        }
        let text = String::from_utf8_lossy(&ran.output);
        // "ffmpeg version 5.1.9 Copyright (c) …"
        let version = text.lines().next().unwrap_or_default().split(" Copyright").next().unwrap_or_default();
        Ok(version.to_owned())
    }
}

/// PATH is no setting of ours; it says where programs are.
fn find(name: &'static str) -> Result<PathBuf, NoTools> {
    let path = env::var_os("PATH").unwrap_or_default();
    let runs =
        |file: &PathBuf| fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
    let found =
        env::split_paths(&path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).find(runs);
    found.ok_or(NoTools::Missing(name))
}
