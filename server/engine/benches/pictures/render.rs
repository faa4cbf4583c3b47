//! One rendition of each file.

use std::{error::Error, fs, path::Path};

use engine::pictures::{Export, Limits, Presets, Probe, Recipe};

/// Writes `FOLDER/<name>.<format>`, and a line for each file: its name, and the reason where there is no rendition.
pub(crate) fn all(recipe: &str, folder: &Path, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let recipe = named(recipe)?;
    let extension = recipe.mime().trim_start_matches("image/");
    fs::create_dir_all(folder)?;
    for file in files {
        let name = Path::new(file).file_name().ok_or("a file has no name")?.to_string_lossy();
        match one(&fs::read(file)?, &recipe) {
            Ok(rendition) => {
                fs::write(folder.join(format!("{name}.{extension}")), rendition)?;
                println!("{name}");
            }
            Err(reason) => println!("{name}\t{reason}"),
        }
    }
    Ok(())
}

pub(crate) fn one(bytes: &[u8], recipe: &Recipe) -> Result<Vec<u8>, Box<dyn Error>> {
    let probe = Probe::of(bytes, &Limits::default())?;
    Ok(probe.render(bytes, recipe)?)
}

/// A recipe by name; `-png` at the end for one without losses.
pub(crate) fn named(name: &str) -> Result<Recipe, Box<dyn Error>> {
    Ok(match name {
        "thumbnail" => Recipe::THUMBNAIL,
        "thumbnail-png" => Recipe::THUMBNAIL.lossless(),
        "preview" => Recipe::PREVIEW,
        name => match Presets::default().get(name) {
            Some(Export::Made(recipe)) => recipe.clone(),
            _ => return Err("there is no such recipe".into()),
        },
    })
}
