//! An original about to be decoded: what its header says, and everything that decoding it needs, waited for in one order.
//!
//! Nobody waits for bytes of the budget while holding some: what a look at a header takes is given back first.

use std::{
    fs::File,
    io::{Read, Seek},
    path::Path,
    sync::Arc,
};

use tokio::sync::OwnedSemaphorePermit;

use super::{RenderError, Shared, blocking};
use crate::{
    admission::ByteGuard,
    pictures::{
        decode::{Decoded, decode},
        probe::Probe,
        recipe::Fit,
    },
    video::{Container, HEAD, PROBE_BYTES, Video},
};

/// All that decoding needs, as one value that moves into the blocking task.
#[derive(Debug)]
pub(in crate::pictures) struct Prepared {
    content: Content,
    pub(in crate::pictures) probe: Probe,
    /// What the original is, where it is no picture itself but one was taken from it.
    pub(in crate::pictures) video: Option<Video>,
    fit: Fit,
    _bytes: ByteGuard,
    _permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
enum Content {
    File(File),
    /// A picture of a video.
    Memory(Vec<u8>),
}

/// What an original turned out to be.
enum Opened {
    Picture(File, Probe),
    Video(Container),
}

impl Shared {
    /// Looks at the header, then waits for memory and then for a core: whoever has a core can go on at once.
    pub(super) async fn prepare(self: &Arc<Self>, path: &Path, fit: Fit) -> Result<Prepared, RenderError> {
        let (limits, owned) = (self.limits, path.to_owned());
        let opened = blocking(move || {
            let original = |error: std::io::Error| RenderError::original(&error);
            let mut file = File::open(&owned).map_err(original)?;
            let mut head = Vec::with_capacity(HEAD);
            file.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(original)?;
            if let Some(container) = Container::of(&head) {
                return Ok(Opened::Video(container));
            }
            let probe = Probe::read(&mut file, &limits).map_err(original)??;
            Ok::<_, RenderError>(Opened::Picture(file, probe))
        })
        .await??;
        match opened {
            Opened::Picture(file, probe) => {
                let (bytes, permit) = self.room(probe.weight(fit)).await?;
                let content = Content::File(file);
                Ok(Prepared { content, probe, video: None, fit, _bytes: bytes, _permit: permit })
            }
            Opened::Video(container) => self.prepare_video(path, container, fit).await,
        }
    }

    /// Has a picture of a video taken, in the room that this and what follows take.
    async fn prepare_video(
        self: &Arc<Self>,
        path: &Path,
        container: Container,
        fit: Fit,
    ) -> Result<Prepared, RenderError> {
        let looking = self.room(PROBE_BYTES).await?;
        let video = self.videos.probe(path, container).await?;
        drop(looking);
        let expected = Probe::of_video_frame(video.width, video.height);
        let (bytes, permit) = self.room(video.weight().max(expected.weight(fit))).await?;
        let frame = self.videos.frame(path, &video).await?;
        let probe = Probe::of(&frame, &self.limits)?;
        if probe.stored != expected.stored || probe.weight(fit) > bytes.bytes() {
            return Err(RenderError::Original("its picture is of another size than it says".to_owned()));
        }
        let content = Content::Memory(frame);
        Ok(Prepared { content, probe, video: Some(video), fit, _bytes: bytes, _permit: permit })
    }

    async fn room(&self, weight: u64) -> Result<(ByteGuard, OwnedSemaphorePermit), RenderError> {
        let bytes = self.budget.reserve(weight).await?;
        self.estimates.note(weight);
        // The semaphore is never closed.
        let permit = self.permits.clone().acquire_owned().await.map_err(|_| RenderError::Interrupted)?;
        Ok((bytes, permit))
    }
}

impl Prepared {
    /// Reads and decodes. The guards stay with `self`: keep it until the last pixel is gone.
    pub(in crate::pictures) fn decode(&self) -> Result<Decoded, RenderError> {
        let mut file = match &self.content {
            Content::Memory(content) => return Ok(decode(content, &self.probe, self.fit)?),
            Content::File(file) => file,
        };
        let mut content = Vec::new();
        let room = usize::try_from(self.probe.file_bytes).unwrap_or(usize::MAX);
        content.try_reserve_exact(room).map_err(|_| RenderError::Original("it does not fit into memory".to_owned()))?;
        file.rewind().map_err(|error| RenderError::original(&error))?;
        // Not a byte beyond what was reserved, even if the file has grown since.
        file.take(self.probe.file_bytes).read_to_end(&mut content).map_err(|error| RenderError::original(&error))?;
        Ok(decode(&content, &self.probe, self.fit)?)
    }
}
