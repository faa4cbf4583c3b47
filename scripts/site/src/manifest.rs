//! What the server reads to know the names of the files: `manifest.json` at the root of the site folder.
//!
//! Files named here carry a hash of their content, so they may be cached for ever. All other files of the folder
//! are served under their own path and must be asked for again.

use serde::Serialize;

/// Paths relative to the site folder.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Manifest {
    pub(crate) js: String,
    pub(crate) wasm: String,
    pub(crate) css: String,
}
