//! `avatars verify` proves all originals whole, and finds each way in which one can be wrong.

use std::{fs, path::PathBuf};

use crate::support::Studio;

fn originals(studio: &Studio) -> Vec<PathBuf> {
    let mut folders = vec![studio.data().join("originals")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

#[test]
fn a_flipped_byte_a_missing_and_an_unknown_file_are_found() {
    let studio = Studio::with_batch(3);
    studio.ok(&["verify"]);
    let files = originals(&studio);
    let [changed, missing, _] = files.as_slice() else { panic!("three originals in {files:?}") };

    let mut bytes = fs::read(changed).unwrap();
    bytes[100] ^= 1;
    fs::remove_file(changed).unwrap();
    fs::write(changed, bytes).unwrap();
    fs::remove_file(missing).unwrap();
    let unknown = changed.with_file_name("0".repeat(64));
    fs::write(&unknown, b"whose is this?").unwrap();

    let ran = studio.run(&["verify", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    for (kind, path) in [("changed", changed), ("missing", missing), ("unknown", &unknown)] {
        let line = ran.stdout.lines().find(|line| line.contains(&name(path)));
        assert!(line.is_some_and(|line| line.contains(kind)), "{kind} {path:?} in {ran:?}");
    }
    assert_eq!(studio.run(&["verify"]).code, Some(1));
}
