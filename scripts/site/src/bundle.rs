//! Puts the site folder together, whole or not at all, and only when an input has changed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    SiteError, files,
    manifest::Manifest,
    scripts::{self, Scripts},
    style,
};

/// What the site is made of.
pub(crate) struct Inputs {
    /// The compiled `frontend` crate.
    pub(crate) frontend: PathBuf,
    /// Style sheets, and in its `public` folder the files that are served as they are.
    pub(crate) style: PathBuf,
    /// Where the programs are that shrink what runs: `wasm-opt` and `esbuild`.
    pub(crate) tools: PathBuf,
}

/// Makes the site folder, or leaves it where nothing has changed.
pub(crate) fn make(inputs: &Inputs, out: &Path) -> Result<(), SiteError> {
    let stamp = out.with_added_extension("stamp");
    let now = fingerprint(inputs)?;
    if out.join("manifest.json").is_file() && fs::read_to_string(&stamp).is_ok_and(|before| before == now) {
        println!("site: {} is up to date", out.display());
        return Ok(());
    }
    let fresh = out.with_added_extension("fresh");
    remove(&fresh)?;
    let scratch = fresh.join("scratch");
    let scripts = scripts::bind(&inputs.frontend, &inputs.tools, &scratch)?;
    remove(&scratch)?;
    fill(&fresh, scripts, &inputs.style)?;
    // The old stamp goes first: a stop half-way leaves a site that is made again, never one that is believed.
    if stamp.exists() {
        fs::remove_file(&stamp).map_err(files::at(&stamp))?;
    }
    remove(out)?;
    fs::rename(&fresh, out).map_err(files::at(out))?;
    files::write(&stamp, now.as_bytes())?;
    report(out)
}

fn fill(folder: &Path, scripts: Scripts, style: &Path) -> Result<(), SiteError> {
    let hashed = |extension: &str, bytes: &[u8]| -> Result<String, SiteError> {
        let name = format!("pkg/avatars.{}.{extension}", files::short_hash(bytes));
        files::write_compressed(&folder.join(&name), bytes)?;
        Ok(name)
    };
    let manifest = Manifest {
        js: hashed("js", &scripts.js)?,
        wasm: hashed("wasm", &scripts.wasm)?,
        css: hashed("css", &style::sheet(style)?)?,
    };
    let public = style.join("public");
    for path in files::below(&public)? {
        if let Ok(name) = path.strip_prefix(&public) {
            files::write_compressed(&folder.join(name), &files::read(&path)?)?;
        }
    }
    files::write(&folder.join("manifest.json"), &serde_json::to_vec_pretty(&manifest)?)
}

/// Of every input and of this program.
fn fingerprint(inputs: &Inputs) -> Result<String, SiteError> {
    let mut sources = vec![inputs.frontend.clone()];
    sources.extend(files::below(&inputs.style)?);
    if let Ok(program) = std::env::current_exe() {
        sources.push(program);
    }
    let mut print = String::new();
    for path in sources {
        print += &format!("{} {}\n", files::short_hash(&files::read(&path)?), path.display());
    }
    Ok(print)
}

fn remove(folder: &Path) -> Result<(), SiteError> {
    if folder.exists() { fs::remove_dir_all(folder).map_err(files::at(folder)) } else { Ok(()) }
}

/// One line a file: its size, and its size on the way.
fn report(out: &Path) -> Result<(), SiteError> {
    for path in files::below(out)? {
        if path.extension().is_some_and(|extension| extension == "br" || extension == "gz") {
            continue;
        }
        let size = |path: &Path| fs::metadata(path).map(|data| data.len());
        let plain = size(&path).map_err(files::at(&path))?;
        let packed = size(&path.with_added_extension("br")).unwrap_or(plain);
        println!("site: {:<45} {plain:>9} bytes, {packed:>8} with brotli", path.display());
    }
    Ok(())
}
