//! Bringing pictures into a batch: what is sent when, and what a person is told of it.
//!
//! Everything but [`uploads`], [`page`] and [`browser`] is plain values, tested without a browser. No file's bytes are ever held
//! here: files are numbers, and `shell/upload.js` alone knows what they stand for.

mod answer;
mod browser;
mod pace;
pub(crate) mod page;
mod queue;
pub(crate) mod uploads;
pub(crate) mod words;
