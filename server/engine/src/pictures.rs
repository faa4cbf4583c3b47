//! Pictures: probe → decode → render → renditions.
//!
//! Owns what a file is (told by its bytes, never by its name), how heavy it is before it is decoded, its pixels upright
//! in sRGB, and the cache of renditions made from them. Must never know a request, an account or a database.

mod decode;
mod direct;
#[cfg(test)]
mod fixtures;
mod inspect;
mod limits;
mod presets;
mod probe;
mod recipe;
mod render;
mod renditions;
mod unreadable;
mod weight;

pub use inspect::Inspected;
pub use limits::Limits;
pub use presets::{Export, NotAPreset, Presets};
pub use probe::{Format, Probe};
pub use recipe::Recipe;
pub use renditions::{
    Collected, Evicted, Failing, Freed, GRACE, RenderError, Rendition, Renditions, Sha256Hex, Source, Spread, Wanted,
    collect,
};
pub use unreadable::Unreadable;
