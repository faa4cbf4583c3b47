//! The server half of Avatars. The binary `avatars` is [`commands::main`] and nothing more; what else is public here
//! is what the tests in `server/tests` stand on.

mod accounts;
mod authority;
mod clock;
pub mod commands;
mod config;
mod http;
mod intake;
mod review;
mod store;

use engine::{admission, demo, originals, pictures, scanner, video};
