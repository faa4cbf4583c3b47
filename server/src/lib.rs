//! The server half of Avatars. The binary `avatars` is [`commands::main`] and nothing more; what else is public here
//! is what the tests in `server/tests` stand on.

#![recursion_limit = "256"]

mod accounts;
mod admission;
mod authority;
mod clock;
pub mod commands;
mod config;
mod demo;
mod http;
mod intake;
mod originals;
mod pictures;
mod review;
mod store;
