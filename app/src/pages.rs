//! The pages, rendered on the server alone. Each reads through the studio what its person may see.

pub(crate) mod batches;
pub(crate) mod failing;
mod frame;
mod keys_sheet;
mod load;
pub(crate) mod new_batch;
pub(crate) mod problem;
pub(crate) mod quarantine;
pub(crate) mod review;
pub(crate) mod sign_in;
mod uploader;
