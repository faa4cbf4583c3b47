//! What happens at the desk: the rules of moving, filtering, deciding and loading again, apart from how it looks.
//!
//! Everything but [`desk`] is plain values, tested without a browser.

pub(crate) mod course;
pub(crate) mod desk;
pub(crate) mod filter;
pub(crate) mod ledger;
pub(crate) mod notice;
pub(crate) mod retry;
pub(crate) mod size;
