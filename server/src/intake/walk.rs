//! Which files a list of files and folders names.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// One file to import, or a place that could not be looked into.
#[derive(Debug)]
pub(crate) enum Found {
    File(PathBuf),
    Unreadable { path: PathBuf, reason: String },
}

/// All files below `paths`, each folder in the order of names. Hidden files and folders are passed over, links to
/// folders are not followed; a path that is named itself is always taken.
pub(crate) fn walk(paths: &[PathBuf]) -> Vec<Found> {
    paths.iter().flat_map(|path| below(path)).collect()
}

fn below(root: &Path) -> impl Iterator<Item = Found> {
    WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .filter_map(|entry| match entry {
            // A link counts as what it leads to, if that is a file.
            Ok(entry) => entry.path().is_file().then(|| Found::File(entry.into_path())),
            Err(error) => {
                let path = error.path().unwrap_or(Path::new("")).to_owned();
                let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                Some(Found::Unreadable { path, reason })
            }
        })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_are_walked_in_order_and_hidden_files_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/.hidden")).unwrap();
        for name in ["c.png", "a.png", "b/d.png", "b/.hidden/e.png", ".DS_Store"] {
            fs::write(at(name), name).unwrap();
        }
        let files: Vec<_> = walk(&[folder.path().to_owned(), at("missing")])
            .into_iter()
            .map(|found| match found {
                Found::File(path) => path.strip_prefix(folder.path()).unwrap().display().to_string(),
                Found::Unreadable { path, .. } => format!("? {}", path.file_name().unwrap().display()),
            })
            .collect();
        assert_eq!(files, ["a.png", "b/d.png", "c.png", "? missing"]);
    }
}
