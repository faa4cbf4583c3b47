//! What both halves of Avatars share: the words on the wire, the pages and components, the server functions.
//!
//! It must never know a database, Axum's router or a file: what the pages need of a server is named in
//! [`studio`] as a trait, and the server implements it.

pub mod model;
#[cfg(feature = "ssr")]
pub mod studio;
