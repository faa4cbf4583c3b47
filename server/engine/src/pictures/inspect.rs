//! What intake needs of a new file: whether it is a picture at all, proven by decoding it once, and while the pixels
//! are there, its thumbnail and the colour of its placeholder.

use std::path::Path;

use super::{
    Recipe, render,
    renditions::{RenderError, Renditions, Sha256Hex, in_background},
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
    pub animated: bool,
    /// What is wrong with a picture of which nearly everything could be decoded.
    pub damaged: Option<String>,
    /// The picture's mean colour as `#rrggbb`, to show until it is there.
    pub placeholder: Option<String>,
}

impl Renditions {
    /// Decodes the file at `path` in full, within the byte budget; with its hash, its thumbnail is stored as well.
    pub async fn inspect(&self, path: &Path, sha256: Option<Sha256Hex>) -> Result<Inspected, RenderError> {
        let prepared = self.prepare(path, Recipe::THUMBNAIL.fit).await?;
        let renditions = self.clone();
        in_background(move || {
            let decoded = prepared.decode()?;
            let damaged = decoded.damage.clone();
            let recipe = Recipe::THUMBNAIL;
            let placeholder = match render::rendered(decoded, &recipe) {
                Ok((encoded, colour)) => {
                    if let Some(sha256) = &sha256 {
                        renditions.store(sha256, &recipe, &encoded);
                    }
                    Some(colour)
                }
                Err(error) => {
                    tracing::warn!(%error, "the thumbnail of a new picture could not be made; it will be on demand");
                    None
                }
            };
            let probe = &prepared.probe;
            Ok(Inspected {
                mime: probe.format.mime(),
                width: probe.width(),
                height: probe.height(),
                animated: probe.animated(),
                damaged,
                placeholder,
            })
        })
        .await?
    }
}
