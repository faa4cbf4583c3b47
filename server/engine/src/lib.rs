//! The engine: the rooms that know neither HTTP nor a database.
//!
//! A crate of its own for two reasons: the arrows that must never be cannot be drawn from here, and a debug build
//! compiles these rooms optimised, since decoders are generic and their loops belong to the crate that calls them.

pub mod admission;
pub mod demo;
pub mod originals;
pub mod pictures;
pub mod scanner;
pub mod video;
