//! One style sheet out of the folder's `*.css`, in name order.
//!
//! Nothing is minified: after brotli, what a minifier takes away is less than what it costs to build one.

use std::path::Path;

use crate::{SiteError, files};

/// The style sheets one after the other. Subfolders do not count.
pub(crate) fn sheet(folder: &Path) -> Result<Vec<u8>, SiteError> {
    let mut sheet = Vec::new();
    for path in files::below(folder)? {
        if path.parent() == Some(folder) && path.extension().is_some_and(|extension| extension == "css") {
            sheet.extend(files::read(&path)?);
            sheet.push(b'\n');
        }
    }
    Ok(sheet)
}
