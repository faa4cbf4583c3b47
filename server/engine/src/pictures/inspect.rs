//! What intake needs of a new file: whether it is a picture at all, proven by decoding it once, and while the pixels
//! are there, its thumbnail and the colour of its placeholder.

use std::path::Path;

use super::{
    Recipe, render,
    renditions::{RenderError, Renditions, Sha256Hex},
};

/// A file that was decoded from its first byte to its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspected {
    /// By the bytes, never by the name.
    pub mime: &'static str,
    /// As displayed, in pixels.
    pub width: u32,
    /// As displayed, in pixels.
    pub height: u32,
    /// Whether it moves.
    pub animated: bool,
    /// Of a video, in milliseconds.
    pub duration_ms: Option<u64>,
    /// What is wrong with a picture of which nearly everything could be decoded.
    pub damaged: Option<String>,
    /// The mean colour as `#rrggbb`, to show until the picture is there; none where it can be seen through.
    pub placeholder: Option<String>,
}

impl Renditions {
    /// Decodes the file at `path` in full, or one picture of a video, within the byte budget; with its hash, its thumbnail is
    /// stored as well.
    pub async fn inspect(&self, path: &Path, sha256: Option<Sha256Hex>) -> Result<Inspected, RenderError> {
        let prepared = self.prepare(path, Recipe::THUMBNAIL.fit).await?;
        let renditions = self.clone();
        let work = move || {
            let decoded = prepared.decode()?;
            let damaged = decoded.damage.clone();
            let recipe = Recipe::THUMBNAIL;
            let placeholder = match render::rendered(decoded, &recipe) {
                Ok((encoded, colour)) => {
                    if let Some(sha256) = &sha256 {
                        renditions.store(sha256, &recipe, &encoded);
                    }
                    colour
                }
                Err(error) => {
                    tracing::warn!(%error, "the thumbnail of a new picture could not be made; it will be on demand");
                    None
                }
            };
            let (probe, video) = (&prepared.probe, &prepared.video);
            Ok(Inspected {
                mime: video.as_ref().map_or(probe.format.mime(), |video| video.container.mime()),
                width: probe.width(),
                height: probe.height(),
                animated: video.is_some() || probe.animated(),
                duration_ms: video.as_ref().map(|video| video.duration.as_millis() as u64),
                damaged,
                placeholder,
            })
        };
        self.in_background(work).await?
    }
}
