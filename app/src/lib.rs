//! What both halves of Avatars share: the words on the wire, the pages and components, the server functions.
//!
//! It must never know a database, Axum's router or a file: what the pages need of a server is named in
//! [`studio`] as a trait, and the server implements it.

// A page's type nests as deep as its elements.
#![recursion_limit = "256"]

pub mod actions;
#[expect(unreachable_pub, reason = "what #[component] generates is pub, whatever its function is")]
mod components;
#[cfg(feature = "ssr")]
pub mod failing;
#[cfg(feature = "ssr")]
pub mod held;
mod keys;
pub mod model;
#[cfg(feature = "ssr")]
#[expect(unreachable_pub, reason = "what #[component] generates is pub, whatever its function is")]
mod pages;
mod refusal;
mod review;
#[cfg(feature = "ssr")]
#[expect(unreachable_pub, reason = "what #[component] generates is pub, whatever its function is")]
mod shell;
#[cfg(feature = "ssr")]
pub mod site;
#[cfg(feature = "ssr")]
pub mod studio;
mod upload;

#[cfg(feature = "ssr")]
pub use shell::{App, shell};
