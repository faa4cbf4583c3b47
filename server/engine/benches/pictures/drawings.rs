//! The demo's pictures, as the demo writes them.

use std::{error::Error, fs, path::Path};

use engine::demo::{draw, plan};

/// The first `count` of each format, as `<format>-<number>.<format>`.
pub(crate) fn drawn(folder: &Path, count: &str) -> Result<(), Box<dyn Error>> {
    let count: usize = count.parse()?;
    fs::create_dir_all(folder)?;
    for extension in ["png", "jpg", "webp"] {
        let all = plan().into_iter().flat_map(|family| family.pictures);
        let of_format =
            all.filter(|picture| Path::new(&picture.file_name).extension().is_some_and(|end| end == extension));
        for (at, picture) in of_format.take(count).enumerate() {
            fs::write(folder.join(format!("{extension}-{at}.{extension}")), draw(&picture)?)?;
        }
    }
    Ok(())
}
