//! Rendering a file that is in memory, outside any cache and budget: for tests, comparisons and measurements.

use super::{Probe, Recipe, decode::decode, recipe::Encoding, render, renditions::RenderError};

impl Probe {
    /// Bytes that reading, decoding and rendering hold together at their peak: never less than they take.
    pub fn weight_of(&self, recipe: &Recipe) -> u64 {
        self.weight(recipe.fit)
    }

    /// Makes a rendition of the file whose header this is.
    pub fn render(&self, bytes: &[u8], recipe: &Recipe) -> Result<Vec<u8>, RenderError> {
        Ok(render::render(decode(bytes, self, recipe.fit)?, recipe)?)
    }
}

impl Recipe {
    /// The same picture without the losses of its format.
    pub fn lossless(mut self) -> Self {
        self.encoding = Encoding::Png;
        self
    }
}
