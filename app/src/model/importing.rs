//! Where pictures may be brought.

use serde::{Deserialize, Serialize};

use super::Slug;

/// The families that a caller manages as a whole: where they may create batches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Managed {
    /// Those that there are, in order.
    pub families: Vec<Slug>,
    /// Whether the caller may name a new one.
    pub any: bool,
}

impl Managed {
    /// Whether the caller may create a batch anywhere.
    pub fn is_empty(&self) -> bool {
        self.families.is_empty() && !self.any
    }
}

/// The subjects that a caller may bring pictures of into a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Importing {
    /// Those that there are, in order.
    pub subjects: Vec<Slug>,
    /// Whether the caller may name a new one.
    pub any: bool,
}
