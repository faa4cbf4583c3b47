//! One planned picture, and how it becomes a file.

use super::{
    DrawError, Kind,
    candidate::{Candidate, Cut},
    canvas::Canvas,
    encode::{Form, encode},
    look::Look,
    sheet::Sheet,
};

/// A picture of the demo before it is drawn.
pub struct Picture {
    /// The subject's short name.
    pub subject: &'static str,
    pub kind: Kind,
    /// As a pipeline would name it; unique in its family.
    pub file_name: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) form: Form,
    pub(super) content: Content,
}

/// What a picture shows.
pub(super) enum Content {
    Sheet(Look, Sheet),
    Candidate(Candidate),
}

impl Picture {
    /// Whether the file has transparency.
    pub(super) fn has_alpha(&self) -> bool {
        matches!(&self.content, Content::Candidate(candidate) if candidate.cut != Cut::Full)
    }
}

/// Draws and encodes the picture: the same plan gives the same bytes. Keeps a core busy for up to half a second and
/// holds about five bytes a pixel, so it belongs on a blocking thread.
pub fn draw(picture: &Picture) -> Result<Vec<u8>, DrawError> {
    let size = DrawError::Size { width: picture.width, height: picture.height };
    let mut canvas = Canvas::new(picture.width, picture.height).ok_or(size)?;
    match &picture.content {
        Content::Sheet(look, sheet) => sheet.draw(look, &mut canvas),
        Content::Candidate(candidate) => candidate.draw(&mut canvas),
    }
    encode(canvas.finish(), picture.form, picture.has_alpha())
}
