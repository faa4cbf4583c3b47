//! The JSON API: thin over the same studio as the pages.

pub(super) mod assets;
pub(super) mod authorize;
pub(super) mod batches;
pub(super) mod decisions;
pub(super) mod events;
pub(super) mod failing;
pub(super) mod fetch;
pub(super) mod health;
pub(super) mod held;
pub(super) mod missing;
pub(super) mod session;
pub(super) mod upload;
